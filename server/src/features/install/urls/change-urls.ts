import { keysOf, nextUpdatedAt, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { conflict } from '../../../errors.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { type AuditEntry, diffOf, recordAudits } from '../../team/audit/record-audit.ts';
import type { UrlRow } from './queries.ts';

type WantedUrl = Partial<Pick<UrlRow, 'enabled' | 'url_group_id' | 'archived_at'>>;

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
  const keys = keysOf(wanted);
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
