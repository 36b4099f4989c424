import { type Scheme, shownColor, type ThemeStyles } from '@usher/domain/themes';

const [WIDTH, HEIGHT] = [60, 40];

/** A small drawing of a box with the colors of a theme: at the left on light pages, at the right on dark pages. */
export function ThemeSwatch({ styles }: { styles: ThemeStyles }) {
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      aria-hidden="true"
      className="shrink-0 rounded-4 border border-line forced-color-adjust-none"
    >
      <Half styles={styles} scheme="light" x={0} page="#eceef2" />
      <Half styles={styles} scheme="dark" x={WIDTH / 2} page="#0b0d12" />
    </svg>
  );
}

function Half({ styles, scheme, x, page }: { styles: ThemeStyles; scheme: Scheme; x: number; page: string }) {
  const color = (name: Parameters<typeof shownColor>[1]) => `#${shownColor(styles, name, scheme)}`;
  const radius = Math.min(Number(styles.style_radius ?? 10) / 3, 8);
  const buttonRadius = Math.min(Number(styles.style_button_radius ?? 6) / 3, 3);
  return (
    <g transform={`translate(${x} 0)`}>
      <rect width={WIDTH / 2} height={HEIGHT} fill={page} />
      <rect x={3} y={6} width={24} height={28} rx={radius} fill={color('background')} stroke={color('border')} />
      <path d="M7 12h13" stroke={color('title')} strokeWidth={2.5} />
      <path d="M7 17h16M7 20.5h11" stroke={color('text')} strokeWidth={1} opacity={0.7} />
      <rect x={7} y={25} width={11} height={6} rx={buttonRadius} fill={color('button_highlight')} />
      <path d="M9.5 28h6" stroke={color('button_text')} strokeWidth={1} />
    </g>
  );
}
