import { Archive, CirclePause, CircleStop, RotateCcw, Send } from 'lucide-react';
import type { ResponseOf } from '../../api/api.ts';
import { Section } from '../../app/page.tsx';
import { formatDate, formatDateTime, formatPercent } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import type { ChartMark } from '../../ui/chart/chart-marks.tsx';
import { DayChart } from '../../ui/chart/day-chart.tsx';
import type { Series } from '../../ui/chart/series.tsx';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Tile } from './tile.tsx';

const texts = text.analytics.adoption;
const icons = {
  published: Send,
  paused: CirclePause,
  ended: CircleStop,
  archived: Archive,
  restored: RotateCcw,
} as const;

type Adoption = ResponseOf<'GET /v3/analyze/event_names/{id}/adoption'>['adoption'];

interface AdoptionResultsProps {
  event: { id: string; name: string };
  adoption: Adoption;
  today: string;
}

export function AdoptionResults({ event, adoption, today }: AdoptionResultsProps) {
  const { by, people, adopters, counted_from } = adoption;
  const days = adoption.days.map(({ day }) => day);
  const counted = adoption.days.filter(({ count }) => count !== null);
  const first: Series = {
    ...{ id: 'new', label: texts.newPeople, look: 1, shape: 'bars' },
    values: adoption.days.map(({ new_people }) => new_people),
  };
  const ever: Series = {
    ...{ id: 'ever', label: texts.adopters, look: 2, shape: 'line' },
    values: adoption.days.map(({ adopters }) => adopters),
  };
  const often: Series = {
    ...{ id: 'count', label: texts.count, look: 5, shape: 'bars' },
    values: counted.map(({ count }) => count ?? 0),
  };
  return (
    <>
      <ul aria-label={texts.tiles} className="grid gap-3 sm:grid-cols-3">
        <Tile label={texts.firstHelp} value={adoption.new_people} />
        <Tile
          label={texts.adopters}
          value={adopters}
          note={people > 0 ? texts.share(formatPercent(Math.min(1, adopters / people))) : undefined}
        />
        <Tile label={texts.count} value={adoption.count} />
      </ul>
      <Section title={texts.byPeriod[by]} intro={texts.help}>
        <DayChart
          label={texts.chart(event.name, by)}
          days={days}
          period={by}
          series={[first]}
          tableSeries={[first, ever]}
          today={today}
          marks={marksOf(adoption, days)}
        />
      </Section>
      <Section title={texts.countTitle}>
        {counted_from !== null && (
          <Notice>{texts.countedFrom(formatDate(new Date(`${counted_from}T00:00:00Z`), undefined, 'UTC'))}</Notice>
        )}
        {counted.length > 0 && (
          <DayChart
            label={texts.countChart(event.name, by)}
            days={counted.map(({ day }) => day)}
            period={by}
            series={[often]}
            today={today}
          />
        )}
        <p className="text-14">
          <Link href={`/app/events/${event.id}`}>{texts.open}</Link>
        </p>
      </Section>
    </>
  );
}

/** One mark for each column, which opens the last of its Changes. */
function marksOf({ marks }: Adoption, days: readonly string[]): ChartMark[] {
  const byColumn = new Map<number, Adoption['marks']>();
  for (const mark of marks) {
    const at = days.findLastIndex((day) => day <= mark.day);
    if (at >= 0) byColumn.set(at, [...(byColumn.get(at) ?? []), mark]);
  }
  return [...byColumn].map(([at, own]) => {
    const last = own.at(-1);
    return {
      id: `${at}`,
      at,
      label: own.map(({ what, at, name }) => texts.mark[what](name, formatDateTime(new Date(at)))).join(' '),
      href: `/app/experiences/${last?.experience_id ?? ''}/history?change=${last?.change_id ?? ''}`,
      icon: icons[last?.what ?? 'published'],
      count: own.length,
    };
  });
}
