import { type Scheme, shownColor } from './contrast.ts';
import {
  DARK,
  LIGHT,
  readThemeValue,
  type ThemeColor,
  type ThemeField,
  type ThemeStyles,
  themeFields,
} from './theme-fields.ts';

/* What captures show of a theme. They store the values themselves: the theme may change, and be deleted. */

const colors = [
  ...['background', 'text', 'border', 'link', 'button_highlight', 'button_text'],
  ...['secondary_button_highlight', 'secondary_button_text'],
] as ThemeColor[];
const names = [
  ...[LIGHT, DARK].flatMap((prefix) => colors.map((name) => prefix + name)),
  ...['style_radius', 'style_button_radius', 'style_font'],
];

/** The values of a theme that a capture shows. Undefined if it sets none. */
export function pickCaptureTheme(theme: Readonly<ThemeStyles>): Record<string, string> | undefined {
  const set = names.flatMap((name) => (theme[name] ? [[name, theme[name] as string]] : []));
  return set.length === 0 ? undefined : Object.fromEntries(set);
}

export interface CaptureTheme {
  /** Each color with `#`. Undefined: as without a theme. */
  color(name: ThemeColor, scheme: Scheme): string | undefined;
  radius: string | undefined;
  buttonRadius: string | undefined;
  font: string | undefined;
}

/** Reads what a capture has stored. What is not a value of its field, is left out. */
export function readCaptureTheme(stored: Readonly<Record<string, unknown>> | undefined): CaptureTheme {
  const styles: ThemeStyles = Object.fromEntries(
    names.map((name) => [name, readThemeValue(themeFields[name] as ThemeField, String(stored?.[name] ?? '')) ?? null]),
  );
  const isSet = (name: ThemeColor, scheme: Scheme, other: Scheme) =>
    shownColor(styles, name, scheme) !== shownColor({}, name, scheme) ||
    shownColor(styles, name, other) !== shownColor({}, name, other);
  return {
    color: (name, scheme) =>
      isSet(name, scheme, scheme === 'light' ? 'dark' : 'light') ? `#${shownColor(styles, name, scheme)}` : undefined,
    radius: styles.style_radius ?? undefined,
    buttonRadius: styles.style_button_radius ?? undefined,
    font: styles.style_font ?? undefined,
  };
}
