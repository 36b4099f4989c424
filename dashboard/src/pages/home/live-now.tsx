import { useQuery } from '@tanstack/react-query';
import { isExclusive } from '@usher/domain/kinds';
import type { ReactNode } from 'react';
import type { ResponseOf } from '../../api/api.ts';
import { useIsNowhere } from '../../api/attention.ts';
import { liveQuery } from '../../api/home-queries.ts';
import { type Environment, useEnvironment } from '../../app/environment.ts';
import { EnvironmentBadge, EnvironmentMark } from '../../app/environment-badge.tsx';
import { ExperienceSketch } from '../../kinds/experience-sketch.tsx';
import { formatNumber, formatPercent } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { useSketchColors } from '../../themes/use-sketch-colors.ts';
import { CompactNumber } from '../../ui/compact-number.tsx';
import { cx } from '../../ui/cx.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { NameLink } from './name-link.tsx';
import { Panel, RowSkeletons } from './panel.tsx';
import { useRememberedRows } from './remembered-rows.ts';

type Live = ResponseOf<'GET /v3/analyze/live'>['live'][number];

const { live: words, kinds } = text.home;

/** The live Experiences, in the Environment that is chosen in the top bar. */
export function LiveNow({ empty, className }: { empty: ReactNode; className?: string }) {
  const { data, error } = useQuery(liveQuery);
  const { environment, environments } = useEnvironment();
  const shown = data?.live.filter(({ url_group_ids: ids }) => !environment || isIn(ids, environment));
  const rows = useRememberedRows('live', data?.live.length, 5);
  const others = data ? data.counts.live - data.live.length : 0;
  return (
    <Panel
      title={words.title}
      aside={shown && shown.length > 0 ? words.period : undefined}
      error={error}
      {...(className && { className })}
    >
      {!shown ? (
        <RowSkeletons label={words.title} rows={Math.max(rows, 1)} height={56} />
      ) : shown.length === 0 ? (
        environment && data && data.live.length > 0 ? (
          <p className="px-5 pt-1 pb-5 text-soft">{words.emptyIn(environment.name)}</p>
        ) : (
          empty
        )
      ) : (
        <LiveTable rows={shown} environments={environments} />
      )}
      {others > 0 && <p className="px-5 pb-3 text-13 text-soft">{words.more(others)}</p>}
    </Panel>
  );
}

function isIn(ids: readonly string[], { id }: Environment): boolean {
  return ids.length === 0 || ids.includes(id);
}

function LiveTable({ rows, environments }: { rows: readonly Live[]; environments: readonly Environment[] }) {
  const { columns } = words;
  const heading = 'h-8 px-2 text-12 font-medium text-faint';
  return (
    <table className="mb-2 w-full table-fixed border-collapse text-left">
      <thead>
        <tr className="border-b border-line">
          <th className={cx(heading, 'pl-5')}>{columns.name}</th>
          <th className={cx(heading, 'hidden w-28 @xl:table-cell')}>{columns.since}</th>
          <th className={cx(heading, 'w-14 text-right @lg:w-16')}>{columns.shown}</th>
          <th className={cx(heading, 'w-25 pr-5 text-right @lg:w-38')}>{columns.completed}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <LiveRow key={row.id} row={row} environments={environments} />
        ))}
      </tbody>
    </table>
  );
}

function LiveRow({ row, environments }: { row: Live; environments: readonly Environment[] }) {
  const { kind, name, people, live_since, changed } = row;
  const isNowhere = useIsNowhere(row.id);
  const colors = useSketchColors(row.sketch);
  return (
    <tr className="h-14 border-b border-line/60 last:border-0">
      <td className="px-2 py-2 pl-5">
        <div className="flex min-w-0 items-center gap-3">
          <ExperienceSketch experience={row} colors={colors} className="@max-lg:hidden" />
          <div className="flex min-w-0 flex-col">
            <NameLink id={row.id} className="line-clamp-2 font-medium @lg:line-clamp-1">
              {name}
            </NameLink>
            <span className="flex min-w-0 items-center gap-2 text-12 text-soft">
              <span className="shrink-0">{kinds[kind]}</span>
              <Environments ids={row.url_group_ids} environments={environments} />
              {isNowhere && <span className="shrink-0 text-warn">{words.nowhere}</span>}
              {changed && <span className="hidden shrink-0 text-accent @2xl:inline">{words.changed}</span>}
            </span>
          </div>
        </div>
      </td>
      <td className="hidden px-2 text-13 text-soft @xl:table-cell">
        <RelativeTime time={live_since} />
      </td>
      <td className="px-2 text-right tabular-nums">
        <CompactNumber value={people.shown} />
      </td>
      <td className="px-2 pr-5 text-right">
        <Completed people={people} hasEnd={isExclusive({ kind })} />
      </td>
    </tr>
  );
}

function Environments({ ids, environments }: { ids: readonly string[]; environments: readonly Environment[] }) {
  const named = environments.filter(({ id }) => ids.includes(id));
  const [first, ...others] = named;
  if (!first) return <span className="truncate">{ids.length === 0 ? words.allEnvironments : ''}</span>;
  return (
    <span className="flex min-w-0 items-center gap-1">
      <span className="hidden min-w-0 @lg:flex">
        <EnvironmentBadge environment={first} />
      </span>
      <span className="flex @lg:hidden">
        <EnvironmentMark environment={first} />
        <span className="sr-only">{first.name}</span>
      </span>
      {others.length > 0 && (
        <span title={others.map(({ name }) => name).join(', ')}>+{formatNumber(others.length)}</span>
      )}
    </span>
  );
}

/**
 * The number of people who completed it, and their share of the people who saw it. Launchers, tooltips and embeds have
 * no end.
 */
function Completed({ people, hasEnd }: { people: Live['people']; hasEnd: boolean }) {
  if (!hasEnd) return <span className="text-faint">–</span>;
  const share = people.shown === 0 ? 0 : Math.min(people.completed / people.shown, 1);
  return (
    <span className="flex items-center justify-end gap-2.5">
      <span aria-hidden className="hidden h-1 w-14 overflow-hidden rounded-full bg-pressed @lg:block">
        <span className="block h-full rounded-full bg-good" style={{ width: `${share * 100}%` }} />
      </span>
      <span className="hidden tabular-nums @lg:inline">
        <CompactNumber value={people.completed} />
      </span>
      <span className="text-soft tabular-nums @lg:w-9 @lg:text-12">
        {people.shown > 0 && formatPercent(Math.round(share * 100) / 100)}
      </span>
    </span>
  );
}
