import { lineThrough, type Plot } from './plot.ts';
import { fills, GHOST_STROKE, type Ghost, Point, type Series, strokes } from './series.tsx';

/** Points are drawn only in columns of at least this width, because they would touch each other. */
const MIN_COLUMN = 20;

interface SeriesShapeProps {
  series: Series;
  plot: Plot;
  /** Whether the last day is not over yet. */
  lastIsIncomplete: boolean;
}

/** The bars or the line of one series. */
export function SeriesShape({ series, plot, lastIsIncomplete }: SeriesShapeProps) {
  const { values, look, shape } = series;
  const last = values.length - 1;
  const complete = lastIsIncomplete ? last - 1 : last;
  if (shape === 'bars') {
    const width = Math.max(1, Math.min(plot.column * 0.72, 36));
    return values.map((value, at) => {
      if (value === 0) return null;
      const [x, y] = [plot.x(at) - width / 2, plot.y(value)];
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its day
        <g key={at}>
          <rect
            x={x}
            y={y}
            width={width}
            height={plot.bottom - y}
            fillOpacity={at > complete ? 0.12 : 0.28}
            className={fills[look]}
          />
          <path
            d={`M${x},${y}h${width}`}
            strokeWidth={2}
            {...(at > complete && { strokeDasharray: '3 2' })}
            className={strokes[look]}
          />
        </g>
      );
    });
  }
  return (
    <g fill="none" strokeWidth={2} strokeLinejoin="round">
      <path d={lineThrough(plot, values, 0, complete)} className={strokes[look]} />
      {lastIsIncomplete && last > 0 && (
        <path d={lineThrough(plot, values, complete, last)} strokeDasharray="3 3" className={strokes[look]} />
      )}
      {values.map((value, at) =>
        (plot.column >= MIN_COLUMN && value > 0) || values.length === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a point is its day
          <Point key={at} x={plot.x(at)} y={plot.y(value)} look={look} size={values.length > 14 ? 2.5 : 3.5} />
        ) : null,
      )}
    </g>
  );
}

/** The line of the period before. */
export function GhostLine({ ghost, plot }: { ghost: Ghost; plot: Plot }) {
  const last = ghost.values.length - 1;
  return (
    <path
      d={lineThrough(plot, ghost.values, 0, last)}
      fill="none"
      strokeWidth={1.5}
      strokeDasharray="4 3"
      className={GHOST_STROKE}
    />
  );
}
