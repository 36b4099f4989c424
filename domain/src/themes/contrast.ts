import { DARK, LIGHT, type ThemeColor, type ThemeStyles, themeColors } from './theme-fields.ts';

/*
 * Contrast as WCAG 2 defines it. Colors are six hex digits.
 */

const MIN_TEXT = 4.5;
/** For large texts, and for marks. */
const MIN_LARGE = 3;

interface Pair {
  over: ThemeColor;
  under: ThemeColor;
  min: number;
}

/** What is read, or has to be seen, on what. */
const pairs: readonly Pair[] = [
  { over: 'text', under: 'background', min: MIN_TEXT },
  // Titles are 16 pixels by default, which does not count as large.
  { over: 'title', under: 'background', min: MIN_TEXT },
  { over: 'link', under: 'background', min: MIN_TEXT },
  { over: 'dismiss', under: 'background', min: MIN_LARGE },
  { over: 'button_text', under: 'button_highlight', min: MIN_TEXT },
  { over: 'button_text', under: 'button_hover', min: MIN_TEXT },
  { over: 'secondary_button_text', under: 'secondary_button_highlight', min: MIN_TEXT },
  { over: 'secondary_button_text', under: 'secondary_button_hover', min: MIN_TEXT },
  { over: 'icon', under: 'icon_background', min: MIN_LARGE },
  { over: 'progress', under: 'background', min: MIN_LARGE },
  { over: 'checkmark', under: 'background', min: MIN_LARGE },
];

/** What a color is when the theme does not set it. */
const fallbacks: Partial<Record<ThemeColor, ThemeColor>> = {
  title: 'text',
  link: 'button_highlight',
  dismiss: 'text',
  button_hover: 'button_highlight',
  button_border: 'button_highlight',
  secondary_button_highlight: 'background',
  secondary_button_hover: 'background',
  secondary_button_text: 'text',
  secondary_button_border: 'border',
  highlight: 'button_highlight',
  hotspot: 'button_highlight',
  icon: 'button_text',
  icon_background: 'button_highlight',
  progress: 'button_highlight',
};

export type Scheme = 'light' | 'dark';
const prefixes = { light: LIGHT, dark: DARK };

/** The color that is set and shows as this color; the last one of its fallbacks, if none is set. */
function sourceOf(styles: ThemeStyles, color: ThemeColor, scheme: Scheme): ThemeColor {
  const other = fallbacks[color];
  return styles[prefixes[scheme] + color] || !other ? color : sourceOf(styles, other, scheme);
}

/** The color that a theme shows. It may be the one of another color that the theme sets, or of the script. */
export function shownColor(styles: ThemeStyles, color: ThemeColor, scheme: Scheme): string {
  const source = sourceOf(styles, color, scheme);
  const [light = '', dark = ''] = themeColors[source].initial as readonly string[];
  return styles[prefixes[scheme] + source] ?? (scheme === 'light' ? light : dark).slice(1);
}

export interface ContrastProblem {
  scheme: Scheme;
  over: ThemeColor;
  under: ThemeColor;
  ratio: number;
  min: number;
  /** The field to change, and the nearest color with which it is enough. */
  field: string;
  suggestion: string;
}

/** How well a color can be read on another one. */
export interface Contrast {
  scheme: Scheme;
  over: ThemeColor;
  under: ThemeColor;
  /** The fields that the two colors come from. The theme may not set them. */
  fields: readonly [over: string, under: string];
  ratio: number;
  min: number;
}

/** The contrast of all pairs, once for each two fields. */
export function listContrasts(styles: ThemeStyles): Contrast[] {
  const contrasts = new Map<string, Contrast>();
  for (const scheme of ['light', 'dark'] as const)
    for (const { over, under, min } of pairs) {
      const fields = [over, under].map((color) => prefixes[scheme] + sourceOf(styles, color, scheme));
      const ratio = contrastRatio(shownColor(styles, over, scheme), shownColor(styles, under, scheme));
      const known = contrasts.get(fields.join());
      // Of two pairs with the same fields, the one that needs more contrast counts.
      if (!known || (ratio < min && known.ratio >= known.min))
        contrasts.set(fields.join(), { scheme, over, under, fields: fields as [string, string], ratio, min });
    }
  return [...contrasts.values()];
}

/** Lists what cannot be read well, once for each pair of colors. Colors that the theme does not set have enough contrast. */
export function findContrastProblems(styles: ThemeStyles): ContrastProblem[] {
  // With the suggestions so far, so that all of them can be taken.
  const better = { ...styles };
  return listContrasts(styles)
    .filter(({ ratio, min }) => ratio < min)
    .map(({ scheme, over, under, fields: [field], ratio, min }) => {
      const suggestion = nearestReadable(shownColor(better, over, scheme), shownColor(better, under, scheme), min);
      better[field] = suggestion;
      return { scheme, over, under, ratio, min, field, suggestion };
    });
}

export function contrastRatio(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** The color nearest to `color` that has the contrast: the same color, darker or lighter. */
export function nearestReadable(color: string, under: string, min: number): string {
  const found = ['000000', 'ffffff'].flatMap((end) => {
    for (let percent = 0; percent <= 100; percent++) {
      const mixed = mix(color, end, percent / 100);
      if (contrastRatio(mixed, under) >= min) return [{ mixed, percent }];
    }
    return [];
  });
  found.sort((a, b) => a.percent - b.percent);
  // On every color, black or white has a contrast of at least 4.58.
  return found[0]?.mixed ?? '000000';
}

function channels(color: string): [number, number, number] {
  const at = (index: number) => Number.parseInt(color.slice(2 * index, 2 * index + 2), 16);
  return [at(0), at(1), at(2)];
}

function luminance(color: string): number {
  const [red, green, blue] = channels(color).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mix(color: string, end: string, share: number): string {
  const to = channels(end);
  return channels(color)
    .map((value, index) => Math.round(value + ((to[index] ?? 0) - value) * share))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('');
}
