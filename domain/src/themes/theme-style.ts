import { memoizeTexts } from './memoize-texts.ts';
import { guardCss, scopeCss } from './theme-css.ts';
import { DARK, LIGHT, type ThemeField, type ThemeStyles, themeColors, themeStyles } from './theme-fields.ts';

/* The style sheet of a theme, as a page gets it. It is prepared when the theme is published, once for each variation. */

/** The class of the outermost elements of an Experience with the theme, and the rules for it. Without rules it is the look of the script. */
export interface ThemeSheet {
  class: string;
  css: string;
}

/** Makes the style sheet of a theme. `css` was checked when the theme was published: one with a problem is left out. */
export function createThemeSheet(styles: ThemeStyles, css: string | null): ThemeSheet {
  // The name follows from the values, so that the sheets of two versions can be on one page.
  const scope = `t${hash(JSON.stringify([styles, css]))}`;
  return { class: scope, css: colorRules(styles, scope) + styleRules(styles, scope) + ownRules(css, scope) };
}

function colorRules(styles: ThemeStyles, scope: string): string {
  const rules: string[] = [];
  const light: string[] = [];
  const both: string[] = [];
  for (const [name, { targets, initial }] of Object.entries(themeColors) as [string, ThemeField][]) {
    const [day, night] = [styles[LIGHT + name], styles[DARK + name]];
    if (!day && !night) continue;
    const [initialDay = '', initialNight = ''] = initial as readonly string[];
    const dayColor = day ? `#${day}` : initialDay;
    const variable = `--t-${name.replaceAll('_', '-')}`;
    light.push(`${variable}:${dayColor}`);
    both.push(`${variable}:light-dark(${dayColor},${night ? `#${night}` : initialNight})`);
    for (const { selector, properties } of targets) rules.push(rule(scope, selector, properties, `var(${variable})`));
  }
  if (light.length === 0) return '';
  // Browsers before 2024 do not know `light-dark`, and show the light colors.
  const supported = `@supports (color:light-dark(red,red)){.${scope}{${both.join(';')}}}`;
  return `.${scope}{${light.join(';')}}${supported}${rules.join('')}${moreRules(styles, scope)}`;
}

/** What follows from several colors. */
function moreRules(styles: ThemeStyles, scope: string): string {
  const sets = (name: string) => styles[LIGHT + name] || styles[DARK + name];
  return [
    // The button is made brighter below the pointer, unless it has a color for that.
    sets('button_hover') ? `.${scope} .act.first:hover{filter:none}` : '',
    sets('dismiss') ? `.${scope} :is(.x,.link){color:var(--t-dismiss)}` : '',
  ].join('');
}

function styleRules(styles: ThemeStyles, scope: string): string {
  const rules = Object.entries(themeStyles).flatMap(([name, { type, words, targets }]) => {
    const value = styles[`style_${name}`];
    if (!value) return [];
    if (type === 'word') return [(words?.[value] ?? '').replaceAll('@', `.${scope}`)];
    const unit = type === 'pixels' ? 'px' : '';
    const text = name === 'width' ? `min(${value}px,100vw - 32px)` : value + unit;
    return targets.map(({ selector, properties }) => rule(scope, selector, properties, text));
  });
  const opacity = styles.style_backdrop_opacity;
  if (opacity || styles[`${LIGHT}shroud`] || styles[`${DARK}shroud`])
    rules.push(
      `.${scope}.dim{box-shadow:0 0 0 200vmax color-mix(in srgb,var(--t-shroud,#080c16) ${opacity ?? 60}%,#0000)}`,
    );
  return rules.join('');
}

/** Stands for the class in rules that were read. No style sheet can have it. */
const SCOPE = '\u0001';
const MAX_KNOWN_CHARACTERS = 2_000_000;

function ownRules(css: string | null, scope: string): string {
  return css ? readRules(css).replaceAll(SCOPE, scope) : '';
}

/**
 * Reading takes milliseconds, and the variations of a theme have the same rules. The rules that keep the button to close come
 * first, so that nothing can swallow them.
 */
const readRules = memoizeTexts((css) => {
  const scoped = scopeCss(css, SCOPE);
  return 'css' in scoped ? guardCss(SCOPE) + scoped.css : '';
}, MAX_KNOWN_CHARACTERS);

function rule(scope: string, selector: string, properties: readonly string[], value: string): string {
  return `${selector.replaceAll('@', `.${scope}`)}{${properties.map((property) => `${property}:${value}`).join(';')}}`;
}

/** A short hash (FNV-1a): two themes on one page must differ. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return (value >>> 0).toString(36);
}
