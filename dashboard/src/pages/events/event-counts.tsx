import type { Filter } from '@usher/domain';
import { Section } from '../../app/page.tsx';
import * as text from '../../messages/text.ts';
import { DayChart } from '../../ui/chart/day-chart.tsx';
import { CompactNumber } from '../../ui/compact-number.tsx';
import { Link } from '../../ui/link.tsx';
import type { ShownEvent } from './event-page.tsx';

const texts = text.events.counts;

const tiles = [
  { id: 'day', days: 1, count: 'last_24_hours' },
  { id: 'week', days: 7, count: 'last_7_days' },
  { id: 'month', days: 30, count: 'last_30_days' },
] as const;

/** The address of the people who did it, at any time or within so many days. */
export function peopleWho(uid: string, days?: number): string {
  const filter: Filter = {
    ...{ kind: 'event', op: 'ex', value: uid },
    ...(days !== undefined && { cond: 'gt-d', int: days }),
  };
  return `/app/people?${new URLSearchParams({ filters: JSON.stringify([filter]) })}`;
}

/** How often it happened. */
export function EventCounts({ event }: { event: ShownEvent }) {
  const days = event.days.map(({ date }) => date);
  return (
    <Section title={texts.title} intro={texts.intro}>
      <ul className="grid gap-3 sm:grid-cols-3">
        {tiles.map(({ id, days: within, count }) => (
          <li key={id} className="flex flex-col gap-0.5 rounded-10 border border-line px-4 py-3">
            <Link
              href={peopleWho(event.uid, within)}
              aria-label={`${event.counts[count]}. ${texts.people(within)}`}
              className="self-start text-28 font-semibold tracking-tight tabular-nums"
            >
              <CompactNumber value={event.counts[count]} />
            </Link>
            <span className="text-12 text-soft">{texts.tile[id]}</span>
          </li>
        ))}
      </ul>
      <DayChart
        label={texts.chart(event.name)}
        days={days}
        series={[
          {
            ...{ id: 'count', label: texts.series, look: 1, shape: 'bars' },
            values: event.days.map(({ count }) => count),
          },
        ]}
        today={days.at(-1) ?? ''}
      />
    </Section>
  );
}
