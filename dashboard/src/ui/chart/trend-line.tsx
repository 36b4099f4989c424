const WIDTH = 72;
const HEIGHT = 20;

/** A small line of daily counts. It starts at zero. */
export function TrendLine({ counts, label }: { counts: readonly number[]; label: string }) {
  const max = Math.max(1, ...counts);
  const step = WIDTH / Math.max(1, counts.length - 1);
  const points = counts.map(
    (count, index) => `${(index * step).toFixed(1)},${(HEIGHT - 1 - (count / max) * (HEIGHT - 2)).toFixed(1)}`,
  );
  const total = counts.reduce((sum, count) => sum + count, 0);
  return (
    // The line is as wide as its column, so that the last day is never cut off.
    <svg
      viewBox={`-1 0 ${WIDTH + 2} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="block h-5 w-full max-w-18"
      role="img"
      aria-label={label}
    >
      <polyline
        points={points.join(' ')}
        fill="none"
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
        className={total === 0 ? 'stroke-line' : 'stroke-accent'}
      />
    </svg>
  );
}
