import type { LucideIcon } from 'lucide-react';
import { Link } from 'react-aria-components/Link';
import { Tooltip } from '../tooltip.tsx';
import type { Plot } from './plot.ts';

/** Something that happened within a column, which a link tells more about. */
export interface ChartMark {
  id: string;
  /** The place of its column. */
  at: number;
  /** What happened and when, in one sentence. Of several in a column, each is a sentence. */
  label: string;
  href: string;
  icon: LucideIcon;
  /** How many marks it stands for. */
  count?: number;
}

export const MARK_SIZE = 20;

/** Links above the columns, each with a line down to the axis. Tab moves between them. */
export function ChartMarks({ marks, plot }: { marks: readonly ChartMark[]; plot: Plot }) {
  return marks.map(({ id, at, label, href, icon: Icon, count = 1 }) => (
    <Tooltip key={id} text={label}>
      <Link
        href={href}
        aria-label={label}
        className="absolute grid place-items-center rounded-full border border-edge bg-surface text-soft transition-colors data-hovered:border-accent data-hovered:text-accent"
        style={{ left: plot.x(at) - MARK_SIZE / 2, top: 0, width: MARK_SIZE, height: MARK_SIZE }}
      >
        {count > 1 ? (
          <span aria-hidden className="text-12 leading-none">
            {count}
          </span>
        ) : (
          <Icon size={12} aria-hidden />
        )}
      </Link>
    </Tooltip>
  ));
}

/** The lines of the marks, in the drawing. */
export function MarkLines({ marks, plot }: { marks: readonly ChartMark[]; plot: Plot }) {
  return marks.map(({ id, at }) => (
    <path
      key={id}
      d={`M${plot.x(at)},${MARK_SIZE}V${plot.bottom}`}
      strokeDasharray="1 3"
      className="stroke-edge forced-colors:stroke-[CanvasText]"
    />
  ));
}
