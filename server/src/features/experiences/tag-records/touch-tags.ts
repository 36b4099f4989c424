import type { Document } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { tagsOf } from './queries.ts';

interface ChangedDraft {
  before: Document | null;
  after: Document;
}

/**
 * Records when Tags were last added or removed, in the transaction that writes the drafts. It locks the Tags, so it runs
 * before the account clock is locked.
 */
export async function touchTags(ctx: Context, drafts: readonly ChangedDraft[]): Promise<void> {
  const touched = new Set(drafts.flatMap(({ before, after }) => listDifferences(before?.tag_ids ?? [], after.tag_ids)));
  if (touched.size === 0) return;
  const ids = [...touched];
  await ctx.dialect.lockRows(tagsOf(ctx).where('id', 'in', ids).orderBy('id')).execute();
  await ctx.db
    .updateTable('tags')
    .set({ last_seen_at: ctx.now() })
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', ids)
    .execute();
}

function listDifferences(before: readonly string[], after: readonly string[]): string[] {
  return [...before.filter((id) => !after.includes(id)), ...after.filter((id) => !before.includes(id))];
}
