import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { type ChartPeriod, formatColumn } from './format-day.ts';
import type { Series } from './series.tsx';

interface DayTableProps {
  label: string;
  days: readonly string[];
  series: readonly Series[];
  today: string;
  period: ChartPeriod;
}

/** The numbers of a chart by day or week, the last one first. */
export function DayTable({ label, days, series, today, period }: DayTableProps) {
  const rows = days.map((day, at) => ({ day, at })).reverse();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <section aria-label={label} tabIndex={0} className="relative max-h-80 overflow-auto rounded-6 border border-line">
      <table aria-label={label} className="w-full border-collapse text-13">
        <thead className="sticky top-0 bg-surface text-left text-soft">
          <tr className="border-b border-line">
            <th scope="col" className="px-3 py-2 font-medium">
              {text.chart.columns[period]}
            </th>
            {series.map(({ id, label }) => (
              <th key={id} scope="col" className="px-3 py-2 text-right font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ day, at }) => (
            <tr key={day} className="border-b border-line last:border-b-0">
              <th scope="row" className="px-3 py-1.5 text-left font-normal whitespace-nowrap">
                {formatColumn(days, at, period, today)}
                {day === today && <span className="text-soft"> · {text.chart.today[period]}</span>}
              </th>
              {series.map(({ id, values }) => (
                <td key={id} className="px-3 py-1.5 text-right tabular-nums">
                  {formatNumber(values[at] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
