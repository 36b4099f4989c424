import { useQuery } from '@tanstack/react-query';
import { ArrowDownRight, ArrowUpRight } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ResponseOf } from '../../api/api.ts';
import { liveQuery } from '../../api/home-queries.ts';
import { useEnvironment } from '../../app/environment.ts';
import { formatNumber, formatPercent } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { CompactNumber } from '../../ui/compact-number.tsx';
import { cx } from '../../ui/cx.ts';
import { Link } from '../../ui/link.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { comparePeriods } from './compare-periods.ts';
import { useRememberedRows } from './remembered-rows.ts';

type People = ResponseOf<'GET /v3/analyze/live'>['people'];

const { tiles: words } = text.home;
const measures = ['shown', 'completed', 'exited'] as const;

/** What happened in the last days, each number with its difference to the days before. */
export function TrendTiles() {
  const { data, error } = useQuery(liveQuery);
  const { environment } = useEnvironment();
  const isUsed = data && (data.counts.live > 0 || [data.people, data.people_before].some(hasPeople));
  // An account in which nothing happened has no tiles. Until that is known, it is assumed to be as it was before.
  const wasUsed = useRememberedRows('tiles', data && Number(isUsed), 0) > 0;
  if (error || !(isUsed ?? wasUsed)) return null;
  return (
    <section aria-label={words.title} className="flex flex-col gap-2">
      <ul className="grid grid-cols-2 gap-3 @3xl:grid-cols-4">
        {measures.map((measure) => (
          <Tile key={measure} label={words.measures[measure]}>
            {data && <Counted measure={measure} {...data} />}
          </Tile>
        ))}
        <Tile label={words.live}>
          {data && (
            <>
              <Figure value={data.counts.live} />
              <span className="text-12">
                <Link href="/app/experiences?state=live">{words.showLive}</Link>
              </span>
            </>
          )}
        </Tile>
      </ul>
      {/* The counts are not kept for each Environment. */}
      {environment && <p className="text-12 text-soft">{words.allEnvironments}</p>}
    </section>
  );
}

const hasPeople = ({ shown, completed, exited }: People) => shown + completed + exited > 0;

function Tile({ label, children }: { label: string; children: ReactNode }) {
  return (
    <li className="relative flex min-h-25 min-w-0 flex-col gap-0.5 overflow-hidden rounded-10 border border-line bg-surface px-4 py-3">
      <span className="text-13 text-soft">{label}</span>
      {children || <Skeleton width={64} height={28} />}
    </li>
  );
}

function Figure({ value }: { value: number }) {
  return (
    <span className="text-28 font-semibold tracking-tight tabular-nums">
      <CompactNumber value={value} />
    </span>
  );
}

interface CountedProps {
  measure: keyof People;
  people: People;
  people_before: People;
  days: readonly People[];
}

function Counted({ measure, people, people_before, days }: CountedProps) {
  return (
    <>
      <Figure value={people[measure]} />
      <DifferenceText now={people[measure]} before={people_before[measure]} isGood={measure !== 'exited'} />
      <DayBars counts={days.map((day) => day[measure])} />
    </>
  );
}

function DifferenceText({ now, before, isGood }: { now: number; before: number; isGood: boolean }) {
  const difference = comparePeriods(now, before);
  if (difference.kind === 'unknown') return <span className="text-12 text-soft">{words.noneBefore}</span>;
  if (difference.kind === 'same') return <span className="text-12 text-soft">{words.same}</span>;
  const { kind, share } = difference;
  const Icon = kind === 'more' ? ArrowUpRight : ArrowDownRight;
  const [percent, from] = [formatPercent(share), formatNumber(before)];
  return (
    <span className="text-12">
      <span aria-hidden className="flex items-center gap-1">
        <span
          className={cx(
            'flex items-center gap-0.5 font-medium',
            (kind === 'more') === isGood ? 'text-good' : 'text-warn',
          )}
        >
          <Icon size={14} />
          {percent}
        </span>
        <span className="text-soft">{words.from(from)}</span>
      </span>
      <span className="sr-only">{words[kind](percent, from)}</span>
    </span>
  );
}

/** The days before in gray and the last days in the accent. The number beside them says the same in words. */
function DayBars({ counts }: { counts: readonly number[] }) {
  const max = Math.max(1, ...counts);
  const half = counts.length / 2;
  return (
    <svg
      viewBox={`0 0 ${counts.length * 5} 32`}
      aria-hidden="true"
      className="absolute top-4 right-4 h-8 w-17.5 @max-lg:hidden"
    >
      {counts.map((count, at) => {
        const height = Math.max(1.5, (count / max) * 32);
        const look = at < half ? 'fill-pressed' : 'fill-accent';
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is a day, and days do not move
        return <rect key={at} x={at * 5} y={32 - height} width={3.5} height={height} rx={1} className={look} />;
      })}
    </svg>
  );
}
