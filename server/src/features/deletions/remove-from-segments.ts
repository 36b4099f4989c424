import { emailKey, foldCase, mapFilterValues, type SegmentItem } from '@usher/domain';
import type { Context } from '../../context.ts';
import { bumpPublishedVersion } from '../../published/bump-published-version.ts';
import { scrubChanges } from '../changes/scrub-changes.ts';
import { lockSegments } from '../filters/segments.ts';

/** Replaces the name of a forgotten user in a filter. It matches nobody, as the name itself would not any more. */
const FORGOTTEN = '(forgotten)';

type User = { id: string; uid: string; email: string | null };

/**
 * Removes the names of users from Segments and from the Changes of Segments. The meaning of the Segments stays. No Change
 * is recorded: it would contain the names.
 */
export async function removeFromSegments(ctx: Context, users: readonly User[]): Promise<void> {
  const scrub = buildScrubber(users);
  for (const { id, items } of await lockSegments(ctx)) {
    const text = JSON.stringify(scrub(items));
    if (text === JSON.stringify(items)) continue;
    await ctx.db
      .updateTable('segments')
      .set({ items: text, updated_at: ctx.now() })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .execute();
    await bumpPublishedVersion(ctx);
  }
  await scrubChanges(ctx, scrub);
}

function buildScrubber(users: readonly User[]): (items: SegmentItem[]) => SegmentItem[] {
  const names = new Set(
    users.flatMap(({ id, uid, email }) => [
      `id ${id}`,
      `uid ${uid}`,
      ...(email === null ? [] : [`email ${emailKey(email)}`]),
    ]),
  );
  const folded = new Set([...names].map(foldCase));
  return (items) =>
    mapFilterValues(items, (prop, value, op) => {
      const name = `${prop} ${prop === 'email' ? emailKey(String(value)) : value}`;
      const isNamed = op.endsWith('i') ? folded.has(foldCase(name)) : names.has(name);
      return isNamed ? FORGOTTEN : value;
    });
}
