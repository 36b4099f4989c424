import { DEFAULT_LANGUAGE, listParentLanguages, type Texts, type Translations } from '@usher/domain';
import type { Context } from '../../context.ts';
import type { ExperienceRow } from '../experiences/queries.ts';

/** How many Experiences are read or written together: enough that queries cost little, few enough to hold. */
export const EXPERIENCES_AT_ONCE = 50;

/** The texts of an Experience in every language but its own. */
export async function translationsOf(ctx: Context, experienceId: string): Promise<Translations> {
  const rows = await ctx.db
    .selectFrom('translations')
    .select(['language', 'texts'])
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', experienceId)
    .orderBy('language')
    .execute();
  return Object.fromEntries(rows.map(({ language, texts }) => [language, texts]));
}

/** The texts of some Experiences, by their IDs: in this language, then in each of its parent languages, the nearest first. */
export async function textsOf(ctx: Context, ids: readonly string[], language: string): Promise<Map<string, Texts[]>> {
  if (language === DEFAULT_LANGUAGE || ids.length === 0) return new Map();
  const languages = [language, ...listParentLanguages(language)];
  const rows = await ctx.db
    .selectFrom('translations')
    .select(['experience_id', 'language', 'texts'])
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', 'in', ids)
    .where('language', 'in', languages)
    .execute();
  const found = new Map<string, Texts[]>();
  for (const { experience_id, language, texts } of rows) {
    const all = found.get(experience_id) ?? languages.map(() => ({}));
    all[languages.indexOf(language)] = texts;
    found.set(experience_id, all);
  }
  return found;
}

/** The codes of all languages of the account, `default` first. */
export async function languageCodes(ctx: Context): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('languages')
    .select('code')
    .where('account_id', '=', ctx.account.id)
    .orderBy('id')
    .execute();
  return [DEFAULT_LANGUAGE, ...rows.map(({ code }) => code)];
}

type Part = Pick<ExperienceRow, 'id' | 'draft'>;

/** The Experiences with these IDs, a part at a time, in this order. */
export async function* experiencesById(ctx: Context, ids: readonly string[]): AsyncGenerator<Part[]> {
  for (let at = 0; at < ids.length; at += EXPERIENCES_AT_ONCE) {
    const part = ids.slice(at, at + EXPERIENCES_AT_ONCE);
    const rows = await ctx.db
      .selectFrom('experiences')
      .select(['id', 'draft'])
      .where('account_id', '=', ctx.account.id)
      .where('id', 'in', part)
      .execute();
    const byId = new Map(rows.map((row) => [row.id, row]));
    // One that is deleted meanwhile is left out.
    yield part.flatMap((id) => byId.get(id) ?? []);
  }
}

/** The IDs of all Experiences, or of those of a kind, in the order they were made. */
export async function idsOfExperiences(
  ctx: Context,
  { kind, archived = false }: { kind?: ExperienceRow['kind']; archived?: boolean },
): Promise<string[]> {
  let query = ctx.db.selectFrom('experiences').select('id').where('account_id', '=', ctx.account.id).orderBy('id');
  if (kind) query = query.where('kind', '=', kind);
  if (!archived) query = query.where('archived_at', 'is', null);
  return (await query.execute()).map(({ id }) => id);
}
