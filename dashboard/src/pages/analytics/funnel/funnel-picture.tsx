/** A small funnel, for the empty tab. */
export function FunnelPicture() {
  const shares = [1, 0.62, 0.4, 0.18];
  return (
    <svg width="176" height="88" viewBox="0 0 176 88" aria-hidden="true">
      {shares.map((share, at) => (
        <g key={share}>
          <rect
            x={at * 44}
            y={88 * (1 - share)}
            width="28"
            height={88 * share}
            rx="3"
            className="fill-chart-1 opacity-70"
          />
          {shares[at + 1] !== undefined && (
            <path
              d={`M${at * 44 + 28},${88 * (1 - share)}L${at * 44 + 44},${88 * (1 - (shares[at + 1] ?? 0))}V88H${at * 44 + 28}Z`}
              className="fill-chart-1 opacity-20"
            />
          )}
        </g>
      ))}
    </svg>
  );
}
