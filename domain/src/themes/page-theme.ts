import { type Lookup, type PlainText, plainText, resolve } from '../rich-text/merge.ts';
import { parseText } from '../rich-text/merge-tag.ts';
import { type Condition, toCondition } from '../targeting/condition.ts';
import { findContrastProblems } from './contrast.ts';
import { memoizeTexts } from './memoize-texts.ts';
import type { ThemeDocument } from './theme-document.ts';
import { readThemeValue, stylesOf, type ThemeField, type ThemeStyles, themeFields } from './theme-fields.ts';
import { createThemeSheet } from './theme-style.ts';

/** What a theme depends on in a page load. */
interface ThemeUser {
  matches(condition: Condition): boolean | undefined;
  lookup: Lookup;
}

/** A published theme, prepared once for all page loads. */
export interface PageTheme {
  /** The style sheet for a user as JSON. Empty if it is the look of the script. */
  jsonFor(user: ThemeUser): string;
  /** The name of the variation that a user has; null for none. */
  variationFor(user: Pick<ThemeUser, 'matches'>): string | null;
  /** How many characters of style sheets it has in memory at most. */
  characters: number;
}

/** The style sheets of a theme that depend on the user: about 100, for the brands of the Companies whose users come often. */
const MAX_SHEET_CHARACTERS = 250_000;

export function toPageTheme(theme: ThemeDocument): PageTheme {
  const styles = stylesOf(theme);
  const own = writeSheet(styles, theme.css);
  const merging = theme.variations.filter(({ overrides }) => readMerged(overrides).length > 0).length;
  const maxCharacters = MAX_SHEET_CHARACTERS / Math.max(1, merging);
  const variations = theme.variations.map(({ name, filters, filters_op, overrides }) => ({
    name,
    condition: toCondition(filters, filters_op),
    ...prepareVariation(styles, overrides, theme.css, maxCharacters),
  }));
  return {
    jsonFor: ({ matches, lookup }) => {
      for (const { condition, write } of variations) if (matches(condition)) return write(lookup);
      return own;
    },
    variationFor: ({ matches }) => variations.find(({ condition }) => matches(condition))?.name ?? null,
    characters: variations.reduce((sum, { characters }) => sum + characters, own.length),
  };
}

function writeSheet(styles: ThemeStyles, css: string | null): string {
  const sheet = createThemeSheet(styles, css);
  return sheet.css === '' ? '' : JSON.stringify(sheet);
}

function prepareVariation(
  styles: ThemeStyles,
  overrides: Readonly<Record<string, string>>,
  css: string | null,
  maxCharacters: number,
): { write: (lookup: Lookup) => string; characters: number } {
  const merged = readMerged(overrides);
  if (merged.length === 0) {
    const sheet = writeSheet({ ...styles, ...overrides }, css);
    return { write: () => sheet, characters: sheet.length };
  }
  const write = memoizeTexts(
    (values) => writeSheet(withOverrides(styles, overrides, merged, JSON.parse(values)), css),
    maxCharacters,
  );
  return { write: (lookup) => write(JSON.stringify(fill(merged, lookup))), characters: maxCharacters };
}

/** The values of a variation for one user. */
export function resolveOverrides(
  styles: ThemeStyles,
  overrides: Readonly<Record<string, string>>,
  lookup: Lookup,
): ThemeStyles {
  const merged = readMerged(overrides);
  return withOverrides(styles, overrides, merged, fill(merged, lookup));
}

/** An override with merge tags. */
interface MergedValue {
  name: string;
  field: ThemeField;
  text: PlainText;
}

function readMerged(overrides: Readonly<Record<string, string>>): MergedValue[] {
  return Object.entries(overrides).flatMap(([name, value]) => {
    const field = themeFields[name];
    const text = value.includes('{{') ? parseText(value) : undefined;
    return field && text && !('problem' in text) ? [{ name, field, text }] : [];
  });
}

function fill(merged: readonly MergedValue[], lookup: Lookup): string[] {
  return merged.map(({ text }) => plainText(resolve(text, lookup)));
}

/**
 * A value that the field cannot have is replaced by the fallback of its merge tag, or else by the value of the theme. So are all
 * colors of merge tags if one of them cannot be read.
 */
function withOverrides(
  styles: ThemeStyles,
  overrides: Readonly<Record<string, string>>,
  merged: readonly MergedValue[],
  values: readonly string[],
): ThemeStyles {
  const fallbacks = fill(merged, () => undefined);
  const result: ThemeStyles = { ...styles, ...overrides };
  const set = ({ name, field }: MergedValue, ...choices: (string | undefined)[]) => {
    const read = choices.map((value) => readThemeValue(field, value ?? ''));
    result[name] = read.find((value) => value !== undefined) ?? styles[name] ?? null;
  };
  for (const [at, value] of merged.entries()) set(value, values[at], fallbacks[at]);
  if (findContrastProblems(result).length === 0) return result;
  for (const [at, value] of merged.entries()) if (value.field.type === 'color') set(value, fallbacks[at]);
  return result;
}
