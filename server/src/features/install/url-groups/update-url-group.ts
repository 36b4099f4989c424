import { keysOf, nextUpdatedAt, toTimestamp, type UpdateUrlGroup, type UrlGroup } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { conflict, notFound } from '../../../errors.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { recordRelatedChanges } from '../../experiences/record-related-changes.ts';
import { diffOf, recordAudit, recordAudits } from '../../team/audit/record-audit.ts';
import { presentUrlGroup } from './present-url-group.ts';
import { selectUrlGroup, type UrlGroupRow } from './queries.ts';

export async function updateUrlGroup(ctx: Context, id: string, params: UpdateUrlGroup): Promise<UrlGroup> {
  const { urls_action_on_archive: action, updated_at: seen, ...wanted } = params;
  if (wanted.style_short_name_color) wanted.style_short_name_color = wanted.style_short_name_color.toUpperCase();
  return ctx.transaction(async (ctx) => {
    const before = await ctx.dialect.lockRows(selectUrlGroup(ctx, id)).executeTakeFirst();
    if (!before) throw notFound('Environment');
    if (seen !== undefined && seen !== before.updated_at)
      throw conflict(
        `Somebody changed this Environment at ${toTimestamp(before.updated_at)}, after you saw it: load it again, then repeat your change`,
      );
    const { archived_at } = wanted;
    const archivesUrls = typeof archived_at === 'number' && action === 'archive';
    if (archivesUrls) await archiveUrlsOf(ctx, id, archived_at);
    const keys = keysOf(wanted);
    const changes = keys.some((key) => before[key] !== wanted[key]);
    const updated_at = nextUpdatedAt(before.updated_at, ctx.now());
    const row = changes ? await updateRow(ctx, id, { ...wanted, updated_at }) : before;
    if (changes) await recordRelatedChanges(ctx, 'url_groups', presentUrlGroup(before), presentUrlGroup(row));
    // The published version comes after the account clock, which recording a Change takes: in another order two
    // transactions could deadlock.
    if (changes || archivesUrls) {
      await recordAudit(
        ctx,
        'url_group.update',
        { type: 'url_group', id },
        { name: before.name, ...diffOf(before, wanted), archives_urls: archivesUrls },
      );
      await bumpPublishedVersion(ctx);
    }
    return presentUrlGroup(row);
  });
}

function updateRow(ctx: Context, id: string, wanted: Partial<UrlGroupRow>): Promise<UrlGroupRow> {
  return ctx.db
    .updateTable('url_groups')
    .set(wanted)
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A Url that was archived before keeps its own time. Urls are locked in the order of IDs, as in a batch of Urls. */
async function archiveUrlsOf(ctx: Context, urlGroupId: string, archivedAt: number): Promise<void> {
  const query = ctx.db
    .selectFrom('urls')
    .select(['id', 'host'])
    .where('account_id', '=', ctx.account.id)
    .where('url_group_id', '=', urlGroupId)
    .where('archived_at', 'is', null)
    .orderBy('id');
  const rows = await ctx.dialect.lockRows(query).execute();
  await ctx.db
    .updateTable('urls')
    .set({ archived_at: archivedAt, updated_at: ctx.now() })
    .where('account_id', '=', ctx.account.id)
    .where('url_group_id', '=', urlGroupId)
    .where('archived_at', 'is', null)
    .execute();
  const details = { archived_at: [null, archivedAt], url_group_id: urlGroupId };
  await recordAudits(
    ctx,
    rows.map(({ id, host }) => ({
      action: 'url.update',
      target: { type: 'url', id },
      details: { host, ...details },
    })),
  );
}
