import { timeOfId, toTimestamp, toTimestampOrNull, type Url } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../context.ts';
import type { Schema } from '../../db/schema.ts';
import { notFound } from '../../errors.ts';
import { bumpPublishedVersion } from '../../published/bump-published-version.ts';
import { getUrlGroup } from '../url-groups/queries.ts';

export type UrlRow = Selectable<Schema['urls']>;
type WantedUrl = Partial<Pick<UrlRow, 'enabled' | 'url_group_id' | 'archived_at'>>;

export function presentUrl(row: UrlRow): Url {
  return {
    id: row.id,
    created_at: toTimestamp(timeOfId(row.id)),
    updated_at: toTimestamp(row.updated_at),
    url_group_id: row.url_group_id,
    host: row.host,
    domain: row.domain,
    enabled: row.enabled,
    installed_at: toTimestampOrNull(row.installed_at),
    first_seen_at: toTimestampOrNull(row.first_seen_at),
    last_seen_at: toTimestampOrNull(row.last_seen_at),
    unlisted: row.archived_at !== null,
    archived_at: toTimestampOrNull(row.archived_at),
  };
}

/** The Urls of this account with these IDs, held for the rest of the transaction, in the order asked. */
export async function lockUrls(ctx: Context, ids: readonly string[]): Promise<UrlRow[]> {
  const wanted = [...new Set(ids)];
  // Everyone locks in the order of IDs, so two batches never wait for each other in a circle.
  const query = ctx.db
    .selectFrom('urls')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', wanted)
    .orderBy('id');
  const found = new Map((await ctx.dialect.lockRows(query).execute()).map((row) => [row.id, row]));
  return wanted.map((id) => {
    const row = found.get(id);
    if (!row) throw notFound('Url');
    return row;
  });
}

/** Brings Urls held by `lockUrls` into the wanted state. One that is in it already stays untouched. */
export async function changeUrls(ctx: Context, rows: UrlRow[], wanted: WantedUrl): Promise<UrlRow[]> {
  if (wanted.url_group_id) await getUrlGroup(ctx, wanted.url_group_id);
  const keys = Object.keys(wanted) as (keyof WantedUrl)[];
  const differs = new Set(rows.filter((row) => keys.some((key) => row[key] !== wanted[key])));
  if (differs.size === 0) return rows;
  const change = { ...wanted, updated_at: ctx.now() };
  await ctx.db
    .updateTable('urls')
    .set(change)
    .where('account_id', '=', ctx.account.id)
    .where(
      'id',
      'in',
      [...differs].map(({ id }) => id),
    )
    .execute();
  await bumpPublishedVersion(ctx);
  return rows.map((row) => (differs.has(row) ? { ...row, ...change } : row));
}
