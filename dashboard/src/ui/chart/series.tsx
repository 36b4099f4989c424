import { cx } from '../cx.ts';

/** What a chart shows for each day. */
export interface Series {
  id: string;
  label: string;
  look: SeriesLook;
  shape: 'bars' | 'line';
  /** One value for each column. */
  values: readonly number[];
  /** Says more about a value, such as its share. */
  noteOf?: (at: number) => string | undefined;
}

/** The same numbers in the period before: a dashed line behind the others. */
export type Ghost = Pick<Series, 'label' | 'values'>;

export type SeriesLook = 1 | 2 | 3 | 4 | 5;

/** In forced colors all series have the color of text, and differ by the shape of their points. */
export const strokes: Record<SeriesLook, string> = {
  1: 'stroke-chart-1 forced-colors:stroke-[CanvasText]',
  2: 'stroke-chart-2 forced-colors:stroke-[CanvasText]',
  3: 'stroke-chart-3 forced-colors:stroke-[CanvasText]',
  4: 'stroke-chart-4 forced-colors:stroke-[CanvasText]',
  5: 'stroke-chart-5 forced-colors:stroke-[CanvasText]',
};
export const fills: Record<SeriesLook, string> = {
  1: 'fill-chart-1 forced-colors:fill-[CanvasText]',
  2: 'fill-chart-2 forced-colors:fill-[CanvasText]',
  3: 'fill-chart-3 forced-colors:fill-[CanvasText]',
  4: 'fill-chart-4 forced-colors:fill-[CanvasText]',
  5: 'fill-chart-5 forced-colors:fill-[CanvasText]',
};

const shapes: Record<SeriesLook, (x: number, y: number, r: number) => string> = {
  1: (x, y, r) => `M${x - r},${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
  2: (x, y, r) => `M${x - r},${y}a${r},${r} 0 1 0 ${2 * r},0a${r},${r} 0 1 0 ${-2 * r},0z`,
  3: (x, y, r) => `M${x},${y - r - 1}l${r + 1},${2 * r}h${-2 * (r + 1)}z`,
  4: (x, y, r) => `M${x},${y - r - 1}l${r + 1},${r + 1}l${-(r + 1)},${r + 1}l${-(r + 1)},${-(r + 1)}z`,
  5: (x, y, r) => `M${x},${y + r + 1}l${r + 1},${-2 * r}h${-2 * (r + 1)}z`,
};

/** The point of a line. */
export function Point({ x, y, look, size = 3 }: { x: number; y: number; look: SeriesLook; size?: number }) {
  return (
    <path
      d={shapes[look](x, y, size)}
      strokeWidth={1}
      className={cx(fills[look], 'stroke-surface forced-colors:stroke-[Canvas]')}
    />
  );
}

/** The mark of a series beside its name. */
export function SeriesMark({ look, shape }: Pick<Series, 'look' | 'shape'>) {
  return (
    <svg width="16" height="12" viewBox="0 0 16 12" aria-hidden="true" className="shrink-0">
      {shape === 'bars' ? (
        <>
          <rect x="3" y="1" width="10" height="11" fillOpacity={0.3} className={fills[look]} />
          <path d="M3,1h10" strokeWidth={2} className={strokes[look]} />
        </>
      ) : (
        <>
          <path d="M0,6h16" strokeWidth={2} className={strokes[look]} />
          <Point x={8} y={6} look={look} />
        </>
      )}
    </svg>
  );
}

/** The mark of the period before. */
export function GhostMark() {
  return (
    <svg width="16" height="12" viewBox="0 0 16 12" aria-hidden="true" className="shrink-0">
      <path d="M0,6h16" strokeWidth={1.5} strokeDasharray="4 3" className={GHOST_STROKE} />
    </svg>
  );
}

export const GHOST_STROKE = 'stroke-edge forced-colors:stroke-[GrayText]';
