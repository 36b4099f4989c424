import { Archive, CirclePause, CircleStop, RotateCcw, Send } from 'lucide-react';
import { Section } from '../../../app/page.tsx';
import { formatDateTime, formatPercent } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import type { ChartMark } from '../../../ui/chart/chart-marks.tsx';
import { DayChart } from '../../../ui/chart/day-chart.tsx';
import type { ChartPeriod } from '../../../ui/chart/format-day.ts';
import { GhostMark, type Series, SeriesMark } from '../../../ui/chart/series.tsx';
import { looks, type Measure, type Stats } from './describe-results.ts';

const texts = text.results;
const icons = {
  published: Send,
  paused: CirclePause,
  ended: CircleStop,
  archived: Archive,
  restored: RotateCcw,
} as const;

interface OverTimeProps {
  experienceId: string;
  stats: Stats;
  measures: readonly Measure[];
  chosen: Measure | undefined;
  period: ChartPeriod;
  today: string;
}

/** The first measure as bars and the chosen one as a line, with the period before and what was published. */
export function OverTime({ experienceId, stats, measures, chosen, period, today }: OverTimeProps) {
  const [base = 'started'] = measures;
  const days = stats.days.map(({ day }) => day);
  const valuesOf = (measure: Measure) => stats.days.map((day) => day[measure]);
  const seriesOf = (measure: Measure): Series => ({
    ...{ id: measure, label: texts.measures[measure], look: looks[measure], values: valuesOf(measure) },
    shape: measure === base ? 'bars' : 'line',
    ...(measure !== base && {
      noteOf: (at: number) => {
        const whole = stats.days[at]?.[base] ?? 0;
        return whole > 0 ? formatPercent(Math.min(1, (stats.days[at]?.[measure] ?? 0) / whole)) : undefined;
      },
    }),
  });
  const line = chosen ?? base;
  const series = [seriesOf(base), ...(chosen ? [seriesOf(chosen)] : [])];
  const ghost = {
    label: texts.byDay.before(texts.measures[line]),
    values: stats.before.days.map((day) => day[line]),
  };
  const hasGhost = ghost.values.some((value) => value > 0);
  return (
    <Section title={texts.byDay.titles[period]} intro={texts.byDay.helps[period]}>
      <ul aria-label={texts.byDay.legend} className="flex flex-wrap gap-x-5 gap-y-1 text-13 text-soft">
        {series.map(({ id, label, look, shape }) => (
          <li key={id} className="flex items-center gap-2">
            <SeriesMark look={look} shape={shape} />
            {label}
          </li>
        ))}
        {hasGhost && (
          <li className="flex items-center gap-2">
            <GhostMark />
            {ghost.label}
          </li>
        )}
      </ul>
      <DayChart
        label={texts.byDay.label(series.map(({ label }) => label).join(', '), period)}
        days={days}
        period={period}
        series={series}
        tableSeries={measures.map(seriesOf)}
        today={today}
        ghost={hasGhost ? ghost : undefined}
        marks={marksOf(experienceId, stats, days)}
      />
    </Section>
  );
}

/** One mark for each column, which opens the last of its Changes. */
function marksOf(experienceId: string, { marks }: Stats, days: readonly string[]): ChartMark[] {
  const byColumn = new Map<number, Stats['marks']>();
  for (const mark of marks) {
    const at = days.findLastIndex((day) => day <= mark.day);
    if (at >= 0) byColumn.set(at, [...(byColumn.get(at) ?? []), mark]);
  }
  return [...byColumn].map(([at, own]) => {
    const last = own.at(-1);
    return {
      id: `${at}`,
      at,
      label: own.map(({ what, at }) => texts.marks[what](formatDateTime(new Date(at)))).join(' '),
      href: `/app/experiences/${experienceId}/history?change=${last?.change_id ?? ''}`,
      icon: icons[last?.what ?? 'published'],
      count: own.length,
    };
  });
}
