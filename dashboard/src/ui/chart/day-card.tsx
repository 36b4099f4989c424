import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import type { ChartPeriod } from './format-day.ts';
import { type Ghost, GhostMark, type Series, SeriesMark } from './series.tsx';

const CARD_WIDTH = 196;

interface DayCardProps {
  x: number;
  width: number;
  /** What the column is: a day, or some. */
  title: string;
  /** What is not over yet. */
  incomplete?: ChartPeriod;
  series: readonly Series[];
  ghost?: Ghost | undefined;
  at: number;
}

/** The numbers of the column under the pointer or the focus. Screen readers have them in the name of the point. */
export function DayCard({ x, width, title, incomplete, series, ghost, at }: DayCardProps) {
  const left = x + CARD_WIDTH + 16 < width ? x + 12 : Math.max(0, x - CARD_WIDTH - 12);
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute top-0 z-10 flex flex-col gap-1 rounded-6 bg-raised px-3 py-2 text-13 shadow-float"
      style={{ left, width: CARD_WIDTH }}
    >
      <p className="font-medium">{title}</p>
      {series.map(({ id, label, look, shape, values, noteOf }) => (
        <p key={id} className="flex items-center gap-2">
          <SeriesMark look={look} shape={shape} />
          <span className="flex-1 text-soft">{label}</span>
          {noteOf?.(at) !== undefined && <span className="text-12 text-faint tabular-nums">{noteOf(at)}</span>}
          <span className="tabular-nums">{formatNumber(values[at] ?? 0)}</span>
        </p>
      ))}
      {ghost && (
        <p className="flex items-center gap-2">
          <GhostMark />
          <span className="flex-1 text-soft">{ghost.label}</span>
          <span className="tabular-nums">{formatNumber(ghost.values[at] ?? 0)}</span>
        </p>
      )}
      {incomplete && <p className="text-12 text-soft">{text.chart.today[incomplete]}</p>}
    </div>
  );
}
