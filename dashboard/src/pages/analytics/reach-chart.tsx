import { Section } from '../../app/page.tsx';
import { formatPercent } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { DayChart } from '../../ui/chart/day-chart.tsx';
import type { ChartPeriod } from '../../ui/chart/format-day.ts';
import { GhostMark, type Series, SeriesMark } from '../../ui/chart/series.tsx';
import { looks, type Measure, type Reach } from './reach-tiles.tsx';

const texts = text.analytics;

interface ReachChartProps {
  reach: Reach;
  period: ChartPeriod;
  today: string;
}

/** People reached as bars and those who completed as a line, with the period before. */
export function ReachChart({ reach, period, today }: ReachChartProps) {
  const seriesOf = (measure: Measure): Series => ({
    ...{ id: measure, label: texts.measures[measure], look: looks[measure] },
    values: reach.days.map((day) => day[measure]),
    shape: measure === 'shown' ? 'bars' : 'line',
    ...(measure !== 'shown' && {
      noteOf: (at: number) => {
        const day = reach.days[at];
        return day && day.shown > 0 ? formatPercent(day[measure] / day.shown) : undefined;
      },
    }),
  });
  const series = [seriesOf('shown'), seriesOf('completed')];
  const ghost = { label: texts.overview.before, values: reach.before.days.map(({ shown }) => shown) };
  const hasGhost = ghost.values.some((value) => value > 0);
  return (
    <Section title={texts.overview.byPeriod[period]}>
      <ul aria-label={texts.overview.legend} className="flex flex-wrap gap-x-5 gap-y-1 text-13 text-soft">
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
        label={texts.overview.chart(period)}
        days={reach.days.map(({ day }) => day)}
        period={period}
        series={series}
        tableSeries={[seriesOf('shown'), seriesOf('started'), seriesOf('completed')]}
        today={today}
        ghost={hasGhost ? ghost : undefined}
      />
    </Section>
  );
}
