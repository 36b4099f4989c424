/*
 * What a theme consists of, as plain data: the API, the editor and the style sheet of a theme follow from it. A value that is null is
 * not set: then what the page sets with `--usher-…` holds, or the look of the script. `style.css` of the script has the same values.
 */

/** Where the style sheet of a theme puts a value. `@` stands for each outermost element of an Experience with the theme. */
interface Target {
  selector: string;
  /** The properties that get the value. */
  properties: readonly string[];
}

type ThemeFieldType = 'color' | 'font' | 'pixels' | 'weight' | 'line_height' | 'percent' | 'word';

/** The groups of fields, in the order in which the editor shows them. */
export const themeGroups = ['colors', 'text', 'buttons', 'shape', 'marks', 'behavior'] as const;
export type ThemeGroup = (typeof themeGroups)[number];

export interface ThemeField {
  type: ThemeFieldType;
  /** What people call it, in a sentence. */
  name: string;
  group: ThemeGroup;
  targets: readonly Target[];
  /** For numbers: the smallest and the largest. */
  min?: number;
  max?: number;
  /** For words: the rules of each. A word without rules is the look of the script. */
  words?: Readonly<Record<string, string>>;
  /** What the script shows when the theme has no value: for colors the ones of light and dark pages. */
  initial?: string | readonly [light: string, dark: string];
  /** Whether it is kept for other clients only: the script shows nothing of it, so the editor does not offer it. */
  isUnseen?: boolean;
}

const on = (selector: string, ...properties: string[]): Target => ({ selector, properties });

/** The values of `style.css`: the background, the text and the accent. */
const background = ['#ffffff', '#1d212b'] as const;
const text = ['#161b26', '#f1f3f8'] as const;
const accent = ['#3a4bd0', '#a3b1ff'] as const;
const onAccent = ['#ffffff', '#12172c'] as const;
const good = ['#0d7a4f', '#5fd6a1'] as const;

const color = (
  group: ThemeGroup,
  name: string,
  initial: readonly [string, string],
  ...targets: Target[]
): ThemeField => ({ type: 'color', group, name, targets, initial });

/** The buttons that are not the first one, without the scales of surveys, which have colors of their own. */
const second = '@ :is(.acts,.answers)>.act:not(.first,.on)';

/** Each has a value for light pages (`style_color_…`) and one for dark pages (`style_dark_color_…`). */
export const themeColors = {
  background: color('colors', 'background', background, on('@', '--bg')),
  text: color('colors', 'text', text, on('@', '--fg', '--soft')),
  title: color('colors', 'title', text, on('@ .title', 'color')),
  link: color('colors', 'links', accent, on('@ .body a', 'color')),
  border: color('colors', 'border', ['#dadbdd', '#3f434b'], on('@', '--line')),
  button_highlight: color('buttons', 'first button', accent, on('@', '--accent')),
  button_text: color('buttons', 'text of the first button', onAccent, on('@', '--on')),
  button_hover: color('buttons', 'first button below the pointer', accent, {
    ...on('@ .act.first:hover,@.act.first:hover', 'background', 'border-color'),
  }),
  button_border: color('buttons', 'border of the first button', accent, on('@ .act.first,@.act.first', 'border-color')),
  secondary_button_highlight: color('buttons', 'other buttons', background, on(second, 'background')),
  secondary_button_text: color('buttons', 'text of other buttons', text, on(second, 'color')),
  secondary_button_hover: color('buttons', 'other buttons below the pointer', background, {
    ...on(`${second}:hover`, 'background'),
  }),
  secondary_button_border: color(
    'buttons',
    'border of other buttons',
    ['#dadbdd', '#3f434b'],
    on(second, 'border-color'),
  ),
  dismiss: color('buttons', 'button to close', text),
  shroud: color('marks', 'backdrop', ['#080c16', '#080c16']),
  highlight: color('marks', 'ring around an element', accent, on('@.ring[style]', 'outline-color')),
  hotspot: color('marks', 'hotspot or icon of a tooltip', accent, on('@ .hint,@.hint,@.hotspot', 'color')),
  icon: color('marks', 'icon of a launcher', onAccent, on('@.open', 'color')),
  icon_background: color('marks', 'button of a launcher', accent, on('@.open', 'background')),
  progress: color('behavior', 'color of the progress', accent, on('@ .count .now', 'border-color')),
  checkmark: color('behavior', 'completed items', good, on('@', '--good')),
  timer: { ...color('behavior', 'timer, which other clients show', accent), isUnseen: true },
} satisfies Record<string, ThemeField>;
export type ThemeColor = keyof typeof themeColors;

/** The texts of one part: `of` follows the names of the fields. */
const fonts = (part: string, of: string, group: ThemeGroup, selector: string, weight: string, size: string) =>
  ({
    [`${part}font`]: { type: 'font', name: `font${of}`, group, targets: [on(selector, 'font-family')] },
    [`${part}font_size`]: {
      ...{ type: 'pixels', name: `text size${of}`, group, min: 8, max: 48, initial: size },
      targets: [on(selector, 'font-size')],
    },
    [`${part}font_weight`]: {
      ...{ type: 'weight', name: `text weight${of}`, group, min: 100, max: 900, initial: weight },
      targets: [on(selector, 'font-weight')],
    },
    [`${part}line_height`]: {
      ...{ type: 'line_height', name: `line height${of}`, group, min: 1, max: 3, initial: '1.5' },
      targets: [on(selector, 'line-height')],
    },
  }) as Record<string, ThemeField>;

const pixels = (
  group: ThemeGroup,
  name: string,
  [min, max]: readonly [number, number],
  initial: string,
  ...targets: Target[]
): ThemeField => ({ ...{ type: 'pixels', group, name, min, max, initial, targets } });
const word = (group: ThemeGroup, name: string, initial: string, words: Record<string, string>): ThemeField => ({
  ...{ type: 'word', group, name, initial, words, targets: [] },
});

/** The fields of a theme that are not colors, without `style_`. */
export const themeStyles: Readonly<Record<string, ThemeField>> = {
  ...fonts('', '', 'text', '@', '400', '14'),
  ...fonts('title_', ' of titles', 'text', '@ .title', '650', '16'),
  ...fonts('button_', ' of buttons', 'buttons', '@ .act,@.act', '600', '14'),
  radius: pixels('shape', 'radius of the corners', [0, 40], '10', on('@', '--radius')),
  button_radius: pixels('buttons', 'radius of buttons', [0, 40], '6', on('@', '--small')),
  border_width: pixels('shape', 'width of the border', [0, 8], '1', on('@.box', 'border-width')),
  width: pixels('shape', 'width', [240, 640], '360', on('@.box:not(.banner,.inline,.tip,.list)', 'width')),
  spacing: pixels('shape', 'space around the content', [8, 48], '20', on('@.box:not(.tip)', '--pad')),
  highlight_width: pixels(
    'marks',
    'width of the ring around an element',
    [0, 8],
    '2',
    on('@.ring[style]', 'outline-width'),
  ),
  shadow: word('shape', 'shadow', 'medium', {
    none: '@.box{box-shadow:none}',
    small: '@.box{box-shadow:0 1px 3px var(--shade)}',
    medium: '',
    large: '@.box{box-shadow:0 4px 12px var(--shade),0 28px 64px -8px var(--shade)}',
  }),
  backdrop_opacity: {
    type: 'percent',
    group: 'marks',
    name: 'opacity of the backdrop',
    min: 0,
    max: 100,
    initial: '60',
    targets: [],
  },
  progress: word('behavior', 'progress', 'dots', {
    dots: '',
    bar: '@ .count{flex:1;gap:0}@ .count i{flex:1;padding:0;border:2px solid var(--t-progress,var(--accent));border-radius:0}@ .now~i{border-color:var(--line)}',
    text: '@ .count i{display:none}@ .count:after{content:attr(aria-label)}',
    none: '@ .count i{display:none}',
  }),
  scale: word('buttons', 'colors of the scales of surveys', 'colored', {
    colored: '',
    accent: '@ .scale .act{--color:var(--accent)}',
    plain: '@ .scale .act{--color:var(--fg)}@ .scale .act:not(:hover,.on){background:var(--bg)}',
  }),
  motion: word('behavior', 'motion', 'slide', {
    none: '@{animation:none}',
    fade: '@{--rise:0px}',
    slide: '',
  }),
};

export const LIGHT = 'style_color_';
export const DARK = 'style_dark_color_';
const STYLE = 'style_';

/** All fields of a theme that have a look, by their names in the API. */
export const themeFields: Readonly<Record<string, ThemeField>> = Object.fromEntries([
  ...Object.entries(themeStyles).map(([name, field]) => [STYLE + name, field] as const),
  ...[LIGHT, DARK].flatMap((prefix) =>
    Object.entries(themeColors).map(([name, field]) => [prefix + name, field as ThemeField] as const),
  ),
]);

/** The values of the fields, as texts. Null: not set. */
export type ThemeStyles = Record<string, string | null>;

/** The values of the fields with a look. A theme from before a field existed does not have it. */
export function stylesOf(theme: Readonly<Record<`style_${string}`, string | null>>): ThemeStyles {
  const names = Object.keys(themeFields) as `style_${string}`[];
  return Object.fromEntries(names.map((name) => [name, theme[name] ?? null]));
}

const patterns: Record<ThemeFieldType, RegExp> = {
  color: /^#?[0-9a-f]{6}$/i,
  // Letters of all scripts, and what separates and quotes names: nothing that ends a declaration.
  font: /^[\p{L}\p{N}\p{M} ,._'"-]{1,200}$/u,
  pixels: /^\d{1,3}(\.\d{1,2})?(px)?$/,
  weight: /^\d{3}$/,
  line_height: /^\d(\.\d{1,2})?$/,
  percent: /^\d{1,3}$/,
  word: /^\w+$/,
};

/** Returns a value as it is stored: a color without `#`, a number without its unit. Undefined if it is not a value of the field. */
export function readThemeValue(field: ThemeField, value: string): string | undefined {
  const { type, words, min = 0, max = Number.POSITIVE_INFINITY } = field;
  const trimmed = value.trim();
  if (!patterns[type].test(trimmed)) return undefined;
  if (type === 'word') return words && Object.hasOwn(words, trimmed) ? trimmed : undefined;
  if (type === 'color') return trimmed.replace('#', '').toLowerCase();
  if (type === 'font') return isQuoted(trimmed) ? trimmed : undefined;
  const number = Number.parseFloat(trimmed);
  return number >= min && number <= max ? String(number) : undefined;
}

/** Whether each quote is closed: an open one would take in what follows. */
function isQuoted(font: string): boolean {
  return font.replace(/"[^"]*"|'[^']*'/g, '').search(/["']/) === -1;
}

/** What a value of the field is. It completes "must be …". */
export function describeThemeValue({ type, words, min, max }: ThemeField): string {
  if (type === 'color') return 'a color of six hex digits such as `3b48cc`';
  if (type === 'font') return 'the name of a font, such as `Inter, sans-serif`';
  if (type === 'word')
    return `one of ${Object.keys(words ?? {})
      .map((name) => `\`${name}\``)
      .join(', ')}`;
  return `a number from ${min} to ${max}`;
}
