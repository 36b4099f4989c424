const heights = [18, 26, 22, 38, 32, 46, 54, 44, 60];

/** A picture of what results will look like. */
export function ResultsPicture() {
  return (
    <svg width="168" height="84" viewBox="0 0 168 84" fill="none" aria-hidden="true">
      <rect x="0.5" y="0.5" width="167" height="83" rx="8" className="fill-ground stroke-line" />
      {heights.map((height, at) => (
        <rect
          key={height}
          x={14 + at * 16}
          y={74 - height}
          width="10"
          height={height}
          rx="2"
          className={at === heights.length - 1 ? 'fill-torch' : 'fill-pressed'}
        />
      ))}
    </svg>
  );
}
