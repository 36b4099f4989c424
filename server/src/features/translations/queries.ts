import type { Translations } from '@usher/domain';
import type { Context } from '../../context.ts';

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
