import { memoize } from '../basics/memoize.ts';

/** The language in which an Experience is written. */
export const DEFAULT_LANGUAGE = 'default';
export const MAX_LANGUAGE_CODE = 35;

/** The canonical form of a BCP 47 code, such as `pt-BR`; undefined when it is invalid. Languages have two or three letters. */
export const canonicalLanguage = memoize((code) => {
  if (code.length > MAX_LANGUAGE_CODE || !/^[a-z]{2,3}(-|$)/i.test(code)) return undefined;
  try {
    return Intl.getCanonicalLocales(code)[0];
  } catch {
    return undefined;
  }
});

/** The code and its prefixes, the longest first: `pt-BR`, then `pt`. */
const listLanguagePrefixes = memoize((language): readonly string[] => {
  const subtags = canonicalLanguage(language.trim().replaceAll('_', '-'))?.split('-') ?? [];
  return subtags.map((_, at) => subtags.slice(0, subtags.length - at).join('-'));
});

/** The available languages that fit the browser, the best first: for `pt-BR`, these are `pt-BR`, then `pt`. */
export function languagesFor(browserLanguage: string | null | undefined, available: Available): string[] {
  return listLanguagePrefixes(browserLanguage ?? '').filter((code) => available.has(code));
}

/** The languages whose texts are used where this language has none, the closest first. */
export function listParentLanguages(language: string): readonly string[] {
  return listLanguagePrefixes(language).slice(1);
}

/** A set of language codes, or a map by code. */
interface Available {
  has(code: string): boolean;
}

export function bestLanguage(browserLanguage: string | null | undefined, available: Available): string {
  return listLanguagePrefixes(browserLanguage ?? '').find((code) => available.has(code)) ?? DEFAULT_LANGUAGE;
}

const rightToLeft = new Set('Adlm Arab Aran Hebr Mand Nkoo Rohg Samr Syrc Thaa Yezi'.split(' '));

/** The direction in which a language is written, by its script: `az-Arab` is written from right to left, `az` is not. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return rightToLeft.has(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr';
}
