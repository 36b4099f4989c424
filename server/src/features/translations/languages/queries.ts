import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { TransactionConflict } from '../../../db/transaction-conflict.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';

export type LanguageRow = Selectable<Schema['languages']>;

export function languagesOf(ctx: Context) {
  return ctx.db.selectFrom('languages').selectAll().where('account_id', '=', ctx.account.id);
}

/** Inserts a language. Returns undefined if it exists already. */
export async function insertLanguage(ctx: Context, code: string): Promise<LanguageRow | undefined> {
  const row = await ctx.db
    .insertInto('languages')
    .values({ ...(await ctx.clock()).newRow(), code })
    .onConflict((conflict) => conflict.columns(['account_id', 'code']).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row) await recordAudit(ctx, 'language.create', { type: 'language', id: row.id }, { code });
  return row;
}

/*
 * A transaction that writes texts locks their language first, then the Experiences, as `deleteLanguage` does. This
 * avoids deadlocks, and no text is left in a language that is deleted at the same time.
 */

/** Locks a language, and returns whether it exists. */
export async function lockLanguage(ctx: Context, code: string): Promise<boolean> {
  return (await ctx.dialect.lockRows(languagesOf(ctx).where('code', '=', code)).execute()).length > 0;
}

/** Locks all languages of the account, and returns their codes. */
export async function lockLanguages(ctx: Context): Promise<Set<string>> {
  const rows = await ctx.dialect.lockRows(languagesOf(ctx).orderBy('id')).execute();
  return new Set(rows.map(({ code }) => code));
}

/**
 * Creates a language that did not exist when the transaction began. It takes the clock of the account. If another
 * request has created the language meanwhile, the transaction begins again, because it must not lock the language after
 * the Experiences.
 */
export async function addMissingLanguage(ctx: Context, code: string): Promise<void> {
  if (!(await insertLanguage(ctx, code))) throw new TransactionConflict(`The language ${code} was created meanwhile`);
}
