import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { notFound } from '../../../errors.ts';

export type UrlGroupRow = Selectable<Schema['url_groups']>;

export function selectUrlGroup(ctx: Context, id: string) {
  return ctx.db.selectFrom('url_groups').selectAll().where('account_id', '=', ctx.account.id).where('id', '=', id);
}

export async function getUrlGroup(ctx: Context, id: string): Promise<UrlGroupRow> {
  const row = await selectUrlGroup(ctx, id).executeTakeFirst();
  if (!row) throw notFound('Environment');
  return row;
}

/**
 * Returns whether there is an Environment for a Url, and locks it until the transaction ends. This must come before the
 * locks of Urls and the account clock: archiving an Environment takes the locks in this order, and the foreign key of a
 * Url would lock the Environment too late.
 */
export async function keepUrlGroup(ctx: Context, id: string): Promise<boolean> {
  return (await ctx.dialect.keepRows(selectUrlGroup(ctx, id)).executeTakeFirst()) !== undefined;
}
