import { type Document, listGoals, listPictureHashes, listUsedEvents } from '@usher/domain';
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
    const [old, current] = [before, after].map((document) => usedIds(ctx, document)) as [Set<string>, Set<string>];
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
  for (let start = 0; start < added.length; start += MAX_ROWS) {
    const rows = added.slice(start, start + MAX_ROWS);
    await ctx.db
      .insertInto('experience_uses')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // A picture that a draft begins to show is used from now on.
    const pictures = ctx.db.updateTable('pictures').set({ unused_at: null }).where('account_id', '=', ctx.account.id);
    const hashes = rows.map(({ used_id }) => used_id);
    await pictures.where('hash', 'in', hashes).execute();
  }
}

/** How the use of an event is stored: its name could be the ID of a record. */
export function eventUse(uid: string): string {
  return `event:${uid}`;
}

/** The IDs of the Segments, Environments, Tags, shared goals and the theme that a document names, the hashes of its pictures, and its events. */
function usedIds({ account }: Context, document: Document | null): Set<string> {
  if (!document) return new Set();
  const pictures = listPictureHashes(JSON.stringify(document), account.id);
  const theme = document.theme_id ? [document.theme_id] : [];
  const events = listUsedEvents(document).map(eventUse);
  const { url_group_ids, tag_ids } = document;
  const goals = listGoals(document).flatMap(({ goal_id }) => goal_id ?? []);
  return new Set([
    ...listSegmentIds(document),
    ...url_group_ids,
    ...tag_ids,
    ...theme,
    ...pictures,
    ...events,
    ...goals,
  ]);
}
