import { fills, type SeriesLook } from './series.tsx';

const WIDTH = 120;
const HEIGHT = 28;

interface SmallBarsProps {
  values: readonly number[];
  look: SeriesLook;
}

/** A chart beside its number: one bar for each day or week, from 0. The numbers are in the large chart, so it is only to look at. */
export function SmallBars({ values, look }: SmallBarsProps) {
  const max = Math.max(1, ...values);
  const column = WIDTH / Math.max(1, values.length);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="block h-7 w-full overflow-visible"
    >
      <path d={`M0,${HEIGHT}h${WIDTH}`} vectorEffect="non-scaling-stroke" className="stroke-line" />
      {values.map((value, at) => {
        const height = (value / max) * (HEIGHT - 2);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its day
            key={at}
            x={at * column + column * 0.14}
            y={HEIGHT - height}
            width={column * 0.72}
            height={height}
            className={fills[look]}
          />
        );
      })}
    </svg>
  );
}
