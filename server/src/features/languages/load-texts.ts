import { DEFAULT_LANGUAGE, listParentLanguages, type StoredTexts, type Texts, type Translations } from '@usher/domain';
import type { Context } from '../../context.ts';

/** The number of Experiences that one query reads or writes: it bounds the memory, and keeps the queries few. */
export const EXPERIENCES_PER_QUERY = 50;

/** Loads the texts of an Experience in every language except `default`. */
export async function loadTranslations(ctx: Context, experienceId: string): Promise<Translations> {
  const rows = await ctx.db
    .selectFrom('translations')
    .select(['language', 'texts'])
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', experienceId)
    .orderBy('language')
    .execute();
  return Object.fromEntries(rows.map(({ language, texts }) => [language, texts]));
}

/** Loads texts by Experience ID: those in the language itself, then those in its parent languages, nearest first. */
export async function loadTexts(ctx: Context, ids: readonly string[], language: string): Promise<Map<string, Texts[]>> {
  if (language === DEFAULT_LANGUAGE || ids.length === 0) return new Map();
  const languages = [language, ...listParentLanguages(language)];
  const rows = await ctx.db
    .selectFrom('translations')
    .select(['experience_id', 'language', 'texts'])
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', 'in', ids)
    .where('language', 'in', languages)
    .execute();
  const byExperience = new Map<string, Texts[]>();
  for (const { experience_id, language, texts } of rows) {
    const all = byExperience.get(experience_id) ?? languages.map(() => ({}));
    all[languages.indexOf(language)] = texts;
    byExperience.set(experience_id, all);
  }
  return byExperience;
}

/** The texts of an Experience in each language except `default`, by language code. */
export type StoredTranslations = Record<string, StoredTexts>;

/** Loads what is stored of some Experiences in every language except `default`, by Experience ID. */
export async function loadStored(ctx: Context, ids: readonly string[]): Promise<Map<string, StoredTranslations>> {
  const byExperience = new Map<string, StoredTranslations>(ids.map((id) => [id, {}]));
  if (ids.length === 0) return byExperience;
  const rows = await ctx.db
    .selectFrom('translations')
    .select(['experience_id', 'language', 'texts', 'sources'])
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', 'in', ids)
    .orderBy('language')
    .execute();
  for (const { experience_id, language, texts, sources } of rows) {
    const all = byExperience.get(experience_id);
    if (all) all[language] = { texts, sources };
  }
  return byExperience;
}

/** Loads the hashes of the source texts of a language, by Experience ID. */
export async function loadSources(ctx: Context, ids: readonly string[], language: string): Promise<Map<string, Texts>> {
  if (language === DEFAULT_LANGUAGE || ids.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('translations')
    .select(['experience_id', 'sources'])
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', 'in', ids)
    .where('language', '=', language)
    .execute();
  return new Map(rows.map(({ experience_id, sources }) => [experience_id, sources]));
}

/** The texts of a language, then those of its parent languages, nearest first. */
export function withParents(language: string, stored: StoredTranslations): Texts[] {
  return [language, ...listParentLanguages(language)].map((code) => stored[code]?.texts ?? {});
}
