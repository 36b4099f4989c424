import type { Language } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { conflict, notFound } from '../../../errors.ts';
import { type ChangeGroup, recordChangeGroups } from '../../experiences/changes/record-changes.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { EXPERIENCES_PER_QUERY, loadStored } from './load-texts.ts';
import { presentLanguage } from './present-language.ts';
import { languagesOf } from './queries.ts';
import { storeTexts } from './store-texts.ts';

/**
 * Deletes a language. With `cascade` its texts are deleted too; without, it must have none. Published versions keep
 * their texts.
 */
export async function deleteLanguage(ctx: Context, id: string, cascade: boolean): Promise<Language> {
  return ctx.transaction(
    async (ctx) => {
      const language = await ctx.dialect.lockRows(languagesOf(ctx).where('id', '=', id)).executeTakeFirst();
      if (!language) throw notFound('language');
      const { code } = language;
      const { count } = await ctx.db
        .selectFrom('translations')
        .select(sql<number>`count(*)`.as('count'))
        .where('account_id', '=', ctx.account.id)
        .where('language', '=', code)
        .executeTakeFirstOrThrow();
      if (Number(count) > 0 && !cascade)
        throw conflict(
          `${count} Experiences have texts in \`${code}\`: give \`cascade=translations\` to remove these as well`,
        );
      const groups: ChangeGroup[] = [];
      while (await deleteSomeTexts(ctx, code, groups));
      if (groups.length > 0) await recordChangeGroups(ctx, groups);
      await ctx.db.deleteFrom('languages').where('account_id', '=', ctx.account.id).where('id', '=', id).execute();
      await recordAudit(ctx, 'language.delete', { type: 'language', id }, { code });
      return presentLanguage(language);
    },
    { isLong: true },
  );
}

/** Returns whether there may be more texts to delete. The Changes are added to `groups`. */
async function deleteSomeTexts(ctx: Context, code: string, groups: ChangeGroup[]): Promise<boolean> {
  const found = await ctx.db
    .selectFrom('translations')
    .select('experience_id')
    .where('account_id', '=', ctx.account.id)
    .where('language', '=', code)
    .orderBy('experience_id')
    .limit(EXPERIENCES_PER_QUERY)
    .execute();
  const ids = found.map(({ experience_id }) => experience_id);
  if (ids.length === 0) return false;
  const experiences = ctx.db
    .selectFrom('experiences')
    .select(['id', 'draft', 'captures'])
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', ids)
    .orderBy('id');
  const rows = await ctx.dialect.lockRows(experiences).execute();
  const stored = await loadStored(ctx, ids, code);
  const emptied = rows.map((row) => ({ row, before: stored.get(row.id)?.[code]?.texts ?? {}, after: {}, sources: {} }));
  groups.push(...(await storeTexts(ctx, code, emptied)));
  return rows.length > 0;
}
