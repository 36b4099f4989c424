import { CirclePause, Send } from 'lucide-react';
import { Section } from '../../app/page.tsx';
import { BarTable } from '../../ui/chart/bar-table.tsx';
import { DayChart } from '../../ui/chart/day-chart.tsx';
import type { Series } from '../../ui/chart/series.tsx';
import { SmallBars } from '../../ui/chart/small-bars.tsx';
import { StackedBar } from '../../ui/chart/stacked-bar.tsx';

const DAYS = 30;
const days = Array.from({ length: DAYS }, (_, at) => new Date(Date.UTC(2029, 2, 9 + at)).toISOString().slice(0, 10));
const today = days.at(-1) ?? '';

/** Sample values: a share of the first series, with some waves. */
const valuesOf = (share: number) =>
  days.map((_, at) => Math.round(share * (52 + 24 * Math.sin(at / 3) + (at % 4) * 6)));

const series: Series[] = [
  { id: 'started', label: 'Started', look: 1, shape: 'bars', values: valuesOf(1) },
  { id: 'completed', label: 'Completed', look: 2, shape: 'line', values: valuesOf(0.6) },
  { id: 'exited', label: 'Exited', look: 3, shape: 'line', values: valuesOf(0.25) },
  { id: 'snoozed', label: 'Snoozed', look: 4, shape: 'line', values: valuesOf(0.12) },
  { id: 'goal', label: 'Reached the goal', look: 5, shape: 'line', values: valuesOf(0.4) },
];

export function Charts() {
  return (
    <>
      <Section title="Chart by day">
        <DayChart label="People by day" days={days} series={series} today={today} />
      </Section>
      <Section title="Chart with marks and the period before">
        <DayChart
          label="People by week"
          days={days.filter((_, at) => at % 7 === 1)}
          period="week"
          series={series.slice(0, 2).map((one) => ({ ...one, values: one.values.filter((_, at) => at % 7 === 1) }))}
          today={today}
          ghost={{ label: 'The period before', values: valuesOf(0.5).filter((_, at) => at % 7 === 2) }}
          marks={[
            { id: 'one', at: 1, label: 'Published', href: '#history', icon: Send },
            { id: 'two', at: 3, label: 'Paused', href: '#history', icon: CirclePause },
          ]}
        />
      </Section>
      <Section title="Small charts">
        <div className="grid grid-cols-3 gap-4">
          {series.slice(0, 3).map(({ id, values, look }) => (
            <SmallBars key={id} values={values} look={look} />
          ))}
        </div>
      </Section>
      <Section title="Chart of one day">
        <DayChart
          label="People today"
          days={[today]}
          series={series.slice(0, 2).map((one) => ({ ...one, values: one.values.slice(-1) }))}
          today={today}
        />
      </Section>
      <Section title="Bars">
        <div className="grid gap-6 md:grid-cols-2">
          <BarTable
            label="Steps"
            columns={{ label: 'Step', count: 'People', share: 'Share' }}
            rows={[
              { id: '1', label: '1. Welcome', count: 1204, share: 1, note: '75% go on' },
              { id: '2', label: '2. Your projects', count: 903, share: 0.75, note: '0% go on' },
              { id: '3', label: '3. A title that is far too long for one line, and goes on', count: 0, share: 0 },
            ]}
          />
          <div className="flex flex-col gap-4">
            <BarTable
              label="Answers"
              columns={{ label: 'Answer', count: 'People' }}
              rows={[
                { id: 'good', label: 'Good', count: 17, look: 2 },
                { id: 'bad', label: 'Bad', count: 4, look: 3 },
              ]}
              isCompact
            />
            <StackedBar
              parts={[
                { id: 'promoters', count: 12, look: 2 },
                { id: 'passives', count: 6, look: 4 },
                { id: 'detractors', count: 7, look: 3 },
              ]}
            />
          </div>
        </div>
      </Section>
    </>
  );
}
