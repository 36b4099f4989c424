import { type Language, timeOfId, toTimestamp } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../context.ts';
import type { Schema } from '../../db/schema.ts';

type LanguageRow = Selectable<Schema['languages']>;

export function languagesOf(ctx: Context) {
  return ctx.db.selectFrom('languages').selectAll().where('account_id', '=', ctx.account.id);
}

export function presentLanguage({ id, updated_at, code }: LanguageRow): Language {
  return { id, created_at: toTimestamp(timeOfId(id)), updated_at: toTimestamp(updated_at), code };
}

/** Adds a language when it is not there, and answers whether it did. */
export async function addLanguage(ctx: Context, code: string): Promise<LanguageRow | undefined> {
  return ctx.db
    .insertInto('languages')
    .values({ ...(await ctx.clock()).newRow(), code })
    .onConflict((conflict) => conflict.columns(['account_id', 'code']).doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Whether a language is there; then it stays for the rest of the transaction. */
export async function lockLanguage(ctx: Context, code: string): Promise<boolean> {
  return (await ctx.dialect.lockRows(languagesOf(ctx).where('code', '=', code)).execute()).length > 0;
}

/** A language that stays for the rest of the transaction, made when it is not there. */
export async function keepLanguage(ctx: Context, code: string): Promise<void> {
  await addLanguage(ctx, code);
  await lockLanguage(ctx, code);
}
