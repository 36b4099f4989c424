import { DEFAULT_LANGUAGE } from '@usher/domain';
import type { Context } from '../../context.ts';
import type { ExperienceRow } from '../experiences/queries.ts';
import { EXPERIENCES_PER_QUERY } from './languages/load-texts.ts';
import { languagesOf } from './languages/queries.ts';

/** Lists the codes of all languages of the account, `default` first. */
export async function listLanguageCodes(ctx: Context): Promise<string[]> {
  return [DEFAULT_LANGUAGE, ...(await listTranslatedLanguages(ctx))];
}

/** Lists the codes of the languages of the account besides `default`. */
export async function listTranslatedLanguages(ctx: Context): Promise<string[]> {
  const rows = await languagesOf(ctx).orderBy('id').execute();
  return rows.map(({ code }) => code);
}

type LoadedExperience = Pick<ExperienceRow, 'id' | 'draft'>;

/** Loads Experiences in the order of their IDs, some with each query. */
export async function* loadExperiences(ctx: Context, ids: readonly string[]): AsyncGenerator<LoadedExperience[]> {
  for (let start = 0; start < ids.length; start += EXPERIENCES_PER_QUERY) {
    const some = ids.slice(start, start + EXPERIENCES_PER_QUERY);
    const rows = await ctx.db
      .selectFrom('experiences')
      .select(['id', 'draft'])
      .where('account_id', '=', ctx.account.id)
      .where('id', 'in', some)
      .execute();
    const byId = new Map(rows.map((row) => [row.id, row]));
    // An Experience that was deleted meanwhile is missing.
    yield some.flatMap((id) => byId.get(id) ?? []);
  }
}

/** Lists the IDs of all Experiences, or of one kind, in the order of creation. */
export async function listExperienceIds(
  ctx: Context,
  { kind, archived = false }: { kind?: ExperienceRow['kind']; archived?: boolean },
): Promise<string[]> {
  let query = ctx.db.selectFrom('experiences').select('id').where('account_id', '=', ctx.account.id).orderBy('id');
  if (kind) query = query.where('kind', '=', kind);
  if (!archived) query = query.where('archived_at', 'is', null);
  return (await query.execute()).map(({ id }) => id);
}
