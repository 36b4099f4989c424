import { type ContrastProblem, findContrastProblems, shownColor } from './contrast.ts';
import { resolveOverrides } from './page-theme.ts';
import { scopeCss } from './theme-css.ts';
import type { ThemeDocument } from './theme-document.ts';
import { stylesOf, themeColors } from './theme-fields.ts';

/** What keeps a theme from being published. */
interface ThemeProblem {
  path: string;
  message: string;
  /** For too little contrast: the field to change, and the nearest color that has enough. */
  suggestion: { field: string; value: string } | null;
  /** For a style sheet: where the problem is, each from 1. */
  line: number | null;
  column: number | null;
}

/** Lists what keeps a theme from being published: a style sheet that cannot be used, and colors that cannot be read. */
export function listThemeProblems(theme: ThemeDocument): ThemeProblem[] {
  const styles = stylesOf(theme);
  return [
    ...findCssProblem(theme.css),
    ...findContrastProblems(styles).map((problem) => describeContrast(problem, '', '')),
    ...theme.variations.flatMap(({ name, overrides }, at) => {
      // What users have for merge tags is checked when it is used.
      const varied = resolveOverrides(styles, overrides, () => undefined);
      return findContrastProblems(varied)
        .filter(({ over, under, scheme }) =>
          [over, under].some((color) => shownColor(varied, color, scheme) !== shownColor(styles, color, scheme)),
        )
        .map((problem) => describeContrast(problem, `In the variation “${name}”: `, `variations.${at}.overrides.`));
    }),
  ];
}

function findCssProblem(css: string | null): ThemeProblem[] {
  const read = css === null ? { css } : scopeCss(css, 't');
  if (!('problem' in read)) return [];
  const { line, column, message } = read.problem;
  return [
    { path: 'css', message: `\`css\`, line ${line}, column ${column}: ${message}`, suggestion: null, line, column },
  ];
}

function describeContrast(
  { scheme, over, under, ratio, min, field, suggestion }: ContrastProblem,
  prefix: string,
  path: string,
): ThemeProblem {
  const name = (color: keyof typeof themeColors) => themeColors[color].name;
  const place = `${prefix === '' ? 'On' : 'on'} ${scheme} pages`;
  // Rounded down, so that a contrast that is just too low is not shown as one that is enough.
  const contrast = Math.floor(ratio * 10) / 10;
  return {
    path: path + field,
    message: `${prefix}${place}, the color “${name(over)}” has a contrast of ${contrast} with “${name(under)}”, and it needs ${min}: the nearest color that has it is #${suggestion}, as \`${field}\``,
    suggestion: { field, value: suggestion },
    line: null,
    column: null,
  };
}
