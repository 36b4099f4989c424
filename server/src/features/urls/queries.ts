import { timeOfId, toTimestamp, toTimestampOrNull, type Url } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../context.ts';
import type { Schema } from '../../db/schema.ts';
import { notFound } from '../../errors.ts';
import { bumpPublishedVersion } from '../../published/bump-published-version.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { keepUrlGroup } from '../url-groups/queries.ts';

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

/** Locks Urls for a change, and the Environment that they are to get. Returns each Url once, in the order of `ids`. */
export async function lockUrls(ctx: Context, ids: readonly string[], urlGroupId?: string | null): Promise<UrlRow[]> {
  const hasUrlGroup = !urlGroupId || (await keepUrlGroup(ctx, urlGroupId));
  const uniqueIds = [...new Set(ids)];
  // Every transaction locks in the order of IDs, so that two batches never wait for each other.
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

/** Changes Urls that `lockUrls` has locked. A Url that is in the wanted state already keeps its `updated_at`. */
export async function changeUrls(ctx: Context, rows: UrlRow[], wanted: WantedUrl): Promise<UrlRow[]> {
  const keys = Object.keys(wanted) as (keyof WantedUrl)[];
  const changed = new Set(rows.filter((row) => keys.some((key) => row[key] !== wanted[key])));
  if (changed.size === 0) return rows;
  const change = { ...wanted, updated_at: ctx.now() };
  await ctx.db
    .updateTable('urls')
    .set(change)
    .where('account_id', '=', ctx.account.id)
    .where(
      'id',
      'in',
      [...changed].map(({ id }) => id),
    )
    .execute();
  await recordUrls(ctx, [...changed], wanted);
  await bumpPublishedVersion(ctx);
  return rows.map((row) => (changed.has(row) ? { ...row, ...change } : row));
}

const MAX_HOSTS_IN_AUDIT = 20;

/** Many Urls can be changed together: they are one entry in the audit log. */
async function recordUrls(ctx: Context, changed: UrlRow[], wanted: WantedUrl): Promise<void> {
  const [first] = changed;
  const target = first && changed.length === 1 ? { type: 'url', id: first.id } : null;
  const hosts = changed.slice(0, MAX_HOSTS_IN_AUDIT).map(({ host }) => host);
  await recordAudit(ctx, 'url.update', target, { hosts, count: changed.length, ...wanted });
}
