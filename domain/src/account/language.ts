import Type, { type Static } from 'typebox';
import { memoize } from '../basics/memoize.ts';
import { OutputObject, standardFields, Text } from '../basics/schema.ts';

/** What the texts of an Experience are in when nothing else is said. */
export const DEFAULT_LANGUAGE = 'default';
const MAX_CODE = 35;

/** A language other than the default one. */
export const Language = OutputObject({ ...standardFields, code: Type.String() });
export type Language = Static<typeof Language>;

export const LanguageCode = Text('a BCP 47 code such as `de` or `pt-BR`', MAX_CODE);

/** A BCP 47 code in its one form, as `pt-BR`; undefined when it is none. Languages have names of two or three letters. */
export const canonicalLanguage = memoize((code) => {
  if (code.length > MAX_CODE || !/^[a-z]{2,3}(-|$)/i.test(code)) return undefined;
  try {
    return Intl.getCanonicalLocales(code)[0];
  } catch {
    return undefined;
  }
});

/** From the whole code of a language to its first part: `pt-BR`, then `pt`. */
const listLanguagePrefixes = memoize((language): readonly string[] => {
  const subtags = canonicalLanguage(language.trim().replaceAll('_', '-'))?.split('-') ?? [];
  return subtags.map((_, at) => subtags.slice(0, subtags.length - at).join('-'));
});

/** The languages that suit a user, the best first: for `pt-BR` that is `pt-BR`, then `pt`. */
export function languagesFor(browserLanguage: string | null | undefined, available: Available): string[] {
  return listLanguagePrefixes(browserLanguage ?? '').filter((code) => available.has(code));
}

/** The languages whose texts a user of this one reads where it has none of its own, the nearest first. */
export function listParentLanguages(language: string): readonly string[] {
  return listLanguagePrefixes(language).slice(1);
}

/** Such as a set of codes, or a map by code. */
interface Available {
  has(code: string): boolean;
}

export function bestLanguage(browserLanguage: string | null | undefined, available: Available): string {
  return listLanguagePrefixes(browserLanguage ?? '').find((code) => available.has(code)) ?? DEFAULT_LANGUAGE;
}
