import { cx } from '../cx.ts';
import { fills, type SeriesLook } from './series.tsx';

interface Part {
  id: string;
  count: number;
  look: SeriesLook;
}

/** Parts of a whole beside each other. The numbers stand beside the bar as text. */
export function StackedBar({ parts }: { parts: readonly Part[] }) {
  const total = Math.max(
    1,
    parts.reduce((sum, { count }) => sum + count, 0),
  );
  let start = 0;
  return (
    <svg aria-hidden="true" width="100%" height="12" className="block overflow-hidden rounded-4">
      {parts.map(({ id, count, look }) => {
        const x = start;
        start += (100 * count) / total;
        return (
          <rect
            key={id}
            x={`${x}%`}
            width={`${start - x}%`}
            height="12"
            strokeWidth={2}
            className={cx(fills[look], 'stroke-surface forced-colors:stroke-[Canvas]')}
          />
        );
      })}
    </svg>
  );
}
