import Type, { type Static } from 'typebox';
import { Answer, standardFields, Text } from './schema.ts';

/** What the texts of an Experience are in when nothing else is said. */
export const DEFAULT_LANGUAGE = 'default';
const LONGEST_CODE = 35;

/** A language other than the default one. */
export const Language = Answer({ ...standardFields, code: Type.String() });
export type Language = Static<typeof Language>;

export const LanguageCode = Text('a BCP 47 code such as `de` or `pt-BR`', LONGEST_CODE);

/** A BCP 47 code in its one form, as `pt-BR`; undefined when it is none. Languages have names of two or three letters. */
export function canonicalLanguage(code: string): string | undefined {
  if (code.length > LONGEST_CODE || !/^[a-z]{2,3}(-|$)/i.test(code)) return undefined;
  if (canonical.has(code)) return canonical.get(code);
  if (canonical.size >= MOST_REMEMBERED) canonical.clear();
  const found = findCanonical(code);
  canonical.set(code, found);
  return found;
}

/** Every page load asks, and for few languages: finding one takes 20 times as long as remembering it. */
const canonical = new Map<string, string | undefined>();
const MOST_REMEMBERED = 1000;

function findCanonical(code: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(code)[0];
  } catch {
    return undefined;
  }
}

/** The languages that suit a user, the best first: for `pt-BR` that is `pt-BR`, then `pt`. */
export function languagesFor(browserLanguage: string | null | undefined, available: Iterable<string>): string[] {
  const there = new Set(available);
  const subtags = canonicalLanguage((browserLanguage ?? '').trim().replaceAll('_', '-'))?.split('-') ?? [];
  const codes = subtags.map((_, at) => subtags.slice(0, subtags.length - at).join('-'));
  return codes.filter((code) => there.has(code));
}

export function bestLanguage(browserLanguage: string | null | undefined, available: Iterable<string>): string {
  return languagesFor(browserLanguage, available)[0] ?? DEFAULT_LANGUAGE;
}
