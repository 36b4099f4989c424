import { emptyTheme, type ThemeDocument } from '@usher/domain';
import { DARK, type Scheme, stylesOf } from '@usher/domain/themes';

/** On which pages, and for which users, two states of a theme are compared. */
export interface ThemeView {
  scheme: Scheme;
  /** The name of a variation; null for users without one. */
  variation: string | null;
}

/** Chooses where a difference shows: on dark pages or for a variation only if there is none elsewhere. */
export function chooseView(before: ThemeDocument | undefined, after: ThemeDocument | undefined): ThemeView {
  const [one, other] = [before ?? emptyTheme(''), after ?? emptyTheme('')];
  const changed = findChanged(stylesOf(one), stylesOf(other));
  if (changed.length > 0 || one.css !== other.css)
    return { scheme: one.css === other.css ? schemeOf(changed) : 'light', variation: null };
  for (const { name } of [...other.variations, ...one.variations]) {
    const [was, is] = [one, other].map((theme) => theme.variations.find((variation) => variation.name === name));
    if (JSON.stringify(was) === JSON.stringify(is)) continue;
    return { scheme: schemeOf(findChanged(was?.overrides ?? {}, is?.overrides ?? {})), variation: name };
  }
  return { scheme: 'light', variation: null };
}

type Values = Readonly<Record<string, string | null>>;

function findChanged(before: Values, after: Values): string[] {
  const names = Object.keys({ ...before, ...after });
  return names.filter((name) => (before[name] ?? null) !== (after[name] ?? null));
}

const schemeOf = (changed: readonly string[]): Scheme =>
  changed.length > 0 && changed.every((name) => name.startsWith(DARK)) ? 'dark' : 'light';

/** The index of a variation as `usePreviewTheme` takes it: null for none, also when this state of the theme does not have it. */
export function indexOf(theme: ThemeDocument | undefined, variation: string | null): number | null {
  const at = theme?.variations.findIndex(({ name }) => name === variation) ?? -1;
  return at < 0 ? null : at;
}
