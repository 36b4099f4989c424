/** A "U" whose arm ends in a light, like the torch of an usher and the dot of beacons and launchers. */
export function LogoMark({ size = 24 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 28 28"
      aria-hidden="true"
      className="shrink-0 forced-color-adjust-none"
    >
      <rect width="28" height="28" rx="8" fill="#3a4bd0" />
      <path d="M8.5 8v6a5.5 5.5 0 0 0 11 0v-.4" fill="none" stroke="#fff" strokeWidth="2.8" strokeLinecap="round" />
      <circle cx="19.5" cy="8.4" r="2.1" fill="#f5b23d" />
    </svg>
  );
}

export function Logo({ size = 24 }: { size?: number }) {
  return (
    <span className="inline-flex items-center gap-2 font-semibold tracking-tight">
      <LogoMark size={size} />
      Usher
    </span>
  );
}
