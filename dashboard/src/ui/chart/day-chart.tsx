import { Table2 } from 'lucide-react';
import { useId, useState } from 'react';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../button.tsx';
import { type ChartMark, ChartMarks, MARK_SIZE, MarkLines } from './chart-marks.tsx';
import { DayCard } from './day-card.tsx';
import { DayTable } from './day-table.tsx';
import { type ChartPeriod, formatColumn, formatShortDay } from './format-day.ts';
import { HEIGHT, type Plot, plotOf } from './plot.ts';
import { labeledColumns } from './scale.ts';
import type { Ghost, Series } from './series.tsx';
import { GhostLine, SeriesShape } from './series-shape.tsx';
import { usePoints } from './use-points.ts';
import { useWidth } from './use-width.ts';

const LABEL_WIDTH = 56;
const TODAY_WIDTH = 76;

export interface DayChartProps {
  /** Names the chart for screen readers. */
  label: string;
  /** The columns: days, or the first days of weeks, such as `2029-04-07`. */
  days: readonly string[];
  period?: ChartPeriod;
  series: readonly Series[];
  /** The day that is not over yet. */
  today: string;
  /** The same days or weeks of the period before. */
  ghost?: Ghost | undefined;
  /** What happened, above its column. */
  marks?: readonly ChartMark[];
  /** The series of the table, if the chart shows only some of them. */
  tableSeries?: readonly Series[];
}

/** Bars and lines by day or week, from 0. Arrow keys move between them, and the same numbers can be shown as a table. */
export function DayChart({ tableSeries, ...drawn }: DayChartProps) {
  const { label, days, series, today, period = 'day' } = drawn;
  const [isTable, setTable] = useState(false);
  return (
    <figure className="flex break-inside-avoid flex-col gap-2">
      {isTable ? (
        <DayTable label={label} days={days} series={tableSeries ?? series} today={today} period={period} />
      ) : (
        <Drawing {...drawn} />
      )}
      <div className="flex justify-end print:hidden">
        <Button look="quiet" size="small" icon={Table2} onPress={() => setTable(!isTable)}>
          {isTable ? text.chart.showChart : text.chart.showTable}
        </Button>
      </div>
    </figure>
  );
}

function Drawing(props: Omit<DayChartProps, 'tableSeries'>) {
  const { label, days, period = 'day', series, today, ghost, marks = [] } = props;
  const [box, width] = useWidth<HTMLDivElement>(640);
  const help = useId();
  const last = days.at(-1) ?? '';
  const hasToday = today === last;
  const lastWidth = hasToday ? TODAY_WIDTH : LABEL_WIDTH;
  const plot = plotOf(
    ghost ? [...series, ghost] : series,
    days.length,
    width,
    formatNumber,
    lastWidth,
    marks.length > 0 ? MARK_SIZE : 0,
  );
  const points = usePoints(days.length);
  // All labels have the same distance, which is enough for the label of today and its neighbor.
  const labels = labeledColumns(days.length, plot.right - plot.left, (LABEL_WIDTH + lastWidth) / 2);
  const titleOf = (at: number) => formatColumn(days, at, period, today);
  const describe = (at: number) => {
    const values = series.map(({ label, values, noteOf }) => {
      const value = `${label} ${formatNumber(values[at] ?? 0)}`;
      return noteOf?.(at) === undefined ? value : `${value} (${noteOf(at)})`;
    });
    if (ghost) values.push(`${ghost.label} ${formatNumber(ghost.values[at] ?? 0)}`);
    return text.chart.point(titleOf(at), values, days[at] === today ? period : undefined);
  };
  return (
    <div ref={box} className="relative">
      <p id={help} className="sr-only">
        {text.chart.keys}
      </p>
      <svg aria-hidden="true" width={width} height={HEIGHT} className="block max-w-full select-none">
        <Axis plot={plot} />
        {days.map((day, at) =>
          labels.has(at) ? (
            <text
              key={day}
              x={plot.x(at)}
              y={HEIGHT - 6}
              textAnchor="middle"
              className={day === today ? 'fill-soft text-12' : 'fill-faint text-12'}
            >
              {day === today ? text.chart.today[period] : formatShortDay(day)}
            </text>
          ) : null,
        )}
        {hasToday && <Today plot={plot} at={days.length - 1} />}
        {points.active !== undefined && (
          <rect
            x={plot.x(points.active) - plot.column / 2}
            y={plot.top}
            width={plot.column}
            height={plot.bottom - plot.top}
            className="fill-hover forced-colors:fill-transparent forced-colors:stroke-[Highlight]"
          />
        )}
        <MarkLines marks={marks} plot={plot} />
        {series.map((one) =>
          one.shape === 'bars' ? (
            <SeriesShape key={one.id} series={one} plot={plot} lastIsIncomplete={hasToday} />
          ) : null,
        )}
        {ghost && <GhostLine ghost={ghost} plot={plot} />}
        {series.map((one) =>
          one.shape === 'line' ? (
            <SeriesShape key={one.id} series={one} plot={plot} lastIsIncomplete={hasToday} />
          ) : null,
        )}
      </svg>
      {/* biome-ignore lint/a11y/useSemanticElements: the days of a drawing are no fieldset */}
      <div
        role="group"
        aria-label={label}
        aria-describedby={help}
        className="absolute flex touch-pan-y"
        style={{ left: plot.left, top: plot.top, width: plot.right - plot.left, height: plot.bottom - plot.top }}
        onPointerLeave={() => points.leave()}
        onKeyDown={points.onKeyDown}
      >
        {days.map((day, at) => (
          <div
            key={day}
            ref={points.refOf(at)}
            role="img"
            aria-label={describe(at)}
            tabIndex={points.tabIndexOf(at)}
            onPointerEnter={() => points.show(at)}
            onFocus={() => points.focus(at)}
            onBlur={() => points.leave()}
            className="h-full min-w-0 flex-1 rounded-4 -outline-offset-2"
          />
        ))}
      </div>
      <ChartMarks marks={marks} plot={plot} />
      {points.active !== undefined && (
        <DayCard
          x={plot.x(points.active)}
          width={width}
          title={titleOf(points.active)}
          {...(days[points.active] === today && { incomplete: period })}
          series={series}
          ghost={ghost}
          at={points.active}
        />
      )}
    </div>
  );
}

function Axis({ plot }: { plot: Plot }) {
  return (
    <g>
      {plot.ticks.map((tick) => (
        <g key={tick}>
          <path
            d={`M${plot.left},${plot.y(tick)}H${plot.right}`}
            className={
              tick === 0
                ? 'stroke-edge forced-colors:stroke-[CanvasText]'
                : 'stroke-line forced-colors:stroke-[GrayText]'
            }
          />
          <text x={plot.left - 8} y={plot.y(tick) + 4} textAnchor="end" className="fill-faint text-12 tabular-nums">
            {formatNumber(tick)}
          </text>
        </g>
      ))}
    </g>
  );
}

/** Marks the day that is not over: its numbers still grow. */
function Today({ plot, at }: { plot: Plot; at: number }) {
  const left = plot.x(at) - plot.column / 2;
  return (
    <path
      d={`M${left},${plot.top}V${plot.bottom}`}
      strokeDasharray="2 3"
      className="stroke-edge forced-colors:stroke-[CanvasText]"
    />
  );
}
