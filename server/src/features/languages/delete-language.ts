import type { Language } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { conflict, notFound } from '../../errors.ts';
import { type ChangesOfOne, recordChangesOfMany } from '../changes/record-changes.ts';
import { experiencesOf } from '../experiences/queries.ts';
import { EXPERIENCES_AT_ONCE, textsOf } from '../translations/queries.ts';
import { storeTexts } from '../translations/store-texts.ts';
import { languagesOf, presentLanguage } from './queries.ts';

/** Takes a language away: only one without texts, unless they are to go with it. What is published keeps them. */
export async function deleteLanguage(ctx: Context, id: string, withTexts: boolean): Promise<Language> {
  return ctx.transaction(async (ctx) => {
    const language = await ctx.dialect.lockRows(languagesOf(ctx).where('id', '=', id)).executeTakeFirst();
    if (!language) throw notFound('language');
    const { code } = language;
    const { count } = await ctx.db
      .selectFrom('translations')
      .select(sql<number>`count(*)`.as('count'))
      .where('account_id', '=', ctx.account.id)
      .where('language', '=', code)
      .executeTakeFirstOrThrow();
    if (Number(count) > 0 && !withTexts)
      throw conflict(
        `${count} Experiences have texts in \`${code}\`: give \`cascade=translations\` to remove these as well`,
      );
    const changes: ChangesOfOne[] = [];
    while (await removeSome(ctx, code, changes));
    if (changes.length > 0) await recordChangesOfMany(ctx, changes);
    await ctx.db.deleteFrom('languages').where('account_id', '=', ctx.account.id).where('id', '=', id).execute();
    return presentLanguage(language);
  });
}

async function removeSome(ctx: Context, code: string, changes: ChangesOfOne[]): Promise<boolean> {
  const found = await ctx.db
    .selectFrom('translations')
    .select('experience_id')
    .where('account_id', '=', ctx.account.id)
    .where('language', '=', code)
    .orderBy('experience_id')
    .limit(EXPERIENCES_AT_ONCE)
    .execute();
  const ids = found.map(({ experience_id }) => experience_id);
  if (ids.length === 0) return false;
  const rows = await ctx.dialect.lockRows(experiencesOf(ctx).where('id', 'in', ids).orderBy('id')).execute();
  const texts = await textsOf(ctx, ids, code);
  const emptied = rows.map((row) => ({ row, before: texts.get(row.id)?.[0] ?? {}, after: {} }));
  changes.push(...(await storeTexts(ctx, code, emptied)));
  return rows.length > 0;
}
