import type { Document } from '@usher/domain';
import type { Context } from '../../context.ts';
import { listSegmentIds } from './check-references.ts';

interface ChangedDraft {
  id: string;
  before: Document | null;
  after: Document;
}

/** SQLite takes 32,766 parameters, and a row has three. */
const MAX_ROWS = 1000;

/** Updates the table of the records that drafts name, in the transaction that writes the drafts. */
export async function storeUses(ctx: Context, drafts: readonly ChangedDraft[]): Promise<void> {
  const added: { account_id: string; used_id: string; experience_id: string }[] = [];
  const removed = new Map<string, string[]>();
  for (const { id, before, after } of drafts) {
    const [old, current] = [before ? usedIds(before) : new Set<string>(), usedIds(after)];
    for (const used_id of current)
      if (!old.has(used_id)) added.push({ account_id: ctx.account.id, used_id, experience_id: id });
    for (const used_id of old) if (!current.has(used_id)) removed.set(used_id, [...(removed.get(used_id) ?? []), id]);
  }
  for (const [used_id, ids] of removed)
    await ctx.db
      .deleteFrom('experience_uses')
      .where('account_id', '=', ctx.account.id)
      .where('used_id', '=', used_id)
      .where('experience_id', 'in', ids)
      .execute();
  for (let start = 0; start < added.length; start += MAX_ROWS)
    await ctx.db
      .insertInto('experience_uses')
      .values(added.slice(start, start + MAX_ROWS))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** The IDs of the Segments, Environments, Tags and the theme that a document names. */
function usedIds(document: Document): Set<string> {
  const theme = document.theme_id ? [document.theme_id] : [];
  return new Set([...listSegmentIds(document), ...document.url_group_ids, ...document.tag_ids, ...theme]);
}
