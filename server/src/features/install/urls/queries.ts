import { nextUpdatedAt, timeOfId, toTimestamp, toTimestampOrNull, type Url } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { conflict, notFound } from '../../../errors.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { type AuditEntry, diffOf, recordAudits } from '../../team/audit/record-audit.ts';
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

/** Rejects a change by somebody who has seen an older state of the Url. */
export function checkSeen(url: UrlRow, seen: number | undefined): void {
  if (seen === undefined || seen === url.updated_at) return;
  const at = toTimestamp(url.updated_at);
  throw conflict(`Somebody changed ${url.host} at ${at}, after you saw it: load it again, then repeat your change`);
}

/** Changes Urls that `lockUrls` has locked. A Url that is in the wanted state already keeps its `updated_at`. */
export async function changeUrls(
  ctx: Context,
  rows: UrlRow[],
  wanted: WantedUrl,
  action: 'url.update' | 'url.move' = 'url.update',
): Promise<UrlRow[]> {
  const keys = Object.keys(wanted) as (keyof WantedUrl)[];
  const changed = new Set(rows.filter((row) => keys.some((key) => row[key] !== wanted[key])));
  if (changed.size === 0) return rows;
  const updated_at = Math.max(...[...changed].map((row) => nextUpdatedAt(row.updated_at, ctx.now())));
  const change = { ...wanted, updated_at };
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
  const entries = [...changed].map(
    (row): AuditEntry => ({
      action,
      target: { type: 'url', id: row.id },
      details: { host: row.host, ...diffOf(row, wanted) },
    }),
  );
  await recordAudits(ctx, entries);
  await bumpPublishedVersion(ctx);
  return rows.map((row) => (changed.has(row) ? { ...row, ...change } : row));
}
