import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { notFound } from '../../../errors.ts';
import { keepUrlGroup } from '../url-groups/queries.ts';

export type UrlRow = Selectable<Schema['urls']>;
/** Locks Urls for a change, and the Environment that they are to get. Returns each Url once, in the order of `ids`. */
export async function lockUrls(ctx: Context, ids: readonly string[], urlGroupId?: string | null): Promise<UrlRow[]> {
  const hasUrlGroup = !urlGroupId || (await keepUrlGroup(ctx, urlGroupId));
  const uniqueIds = [...new Set(ids)];
  // Every transaction locks Urls in the order of their IDs, so that two batches cannot deadlock.
  const query = ctx.db
    .selectFrom('urls')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', uniqueIds)
    .orderBy('id');
  const found = new Map((await ctx.dialect.lockRows(query).execute()).map((row) => [row.id, row]));
  const rows = uniqueIds.map((id) => {
    const row = found.get(id);
    if (!row) throw notFound('Url');
    return row;
  });
  if (!hasUrlGroup) throw notFound('Environment');
  return rows;
}
