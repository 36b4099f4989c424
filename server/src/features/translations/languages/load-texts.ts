import { DEFAULT_LANGUAGE, listParentLanguages, type StoredTexts, type Texts, type Translations } from '@usher/domain';
import type { Context } from '../../../context.ts';

/** The number of Experiences that one query reads or writes: it bounds the memory, and keeps the queries few. */
export const EXPERIENCES_PER_QUERY = 50;

/** Loads the texts of an Experience in every language except `default`. */
export async function loadTranslations(ctx: Context, experienceId: string): Promise<Translations> {
  return (await loadManyTranslations(ctx, [experienceId])).get(experienceId) ?? {};
}

/** Loads the translations of several Experiences, by their IDs. */
export async function loadManyTranslations(ctx: Context, ids: readonly string[]): Promise<Map<string, Translations>> {
  const found = new Map<string, Translations>();
  if (ids.length === 0) return found;
  const rows = await ctx.db
    .selectFrom('translations')
    .select(['experience_id', 'language', 'texts'])
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', 'in', ids)
    .orderBy('language')
    .execute();
  for (const { experience_id, language, texts } of rows)
    found.set(experience_id, { ...found.get(experience_id), [language]: texts });
  return found;
}

/** The texts of an Experience in each language except `default`, by language code. */
export type StoredTranslations = Record<string, StoredTexts>;

/**
 * Loads the stored translations of some Experiences, by Experience ID: in every language except `default`, or in one
 * language and its parents.
 */
export async function loadStored(
  ctx: Context,
  ids: readonly string[],
  language?: string,
): Promise<Map<string, StoredTranslations>> {
  const byExperience = new Map<string, StoredTranslations>(ids.map((id) => [id, {}]));
  if (ids.length === 0 || language === DEFAULT_LANGUAGE) return byExperience;
  const all = ctx.db
    .selectFrom('translations')
    .select(['experience_id', 'language', 'texts', 'sources'])
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', 'in', ids)
    .orderBy('language');
  const query =
    language === undefined ? all : all.where('language', 'in', [language, ...listParentLanguages(language)]);
  for (const { experience_id, language, texts, sources } of await query.execute()) {
    const stored = byExperience.get(experience_id);
    if (stored) stored[language] = { texts, sources };
  }
  return byExperience;
}

/** The texts of a language, then those of its parent languages, nearest first. */
export function withParents(language: string, stored: StoredTranslations): Texts[] {
  return [language, ...listParentLanguages(language)].map((code) => stored[code]?.texts ?? {});
}
