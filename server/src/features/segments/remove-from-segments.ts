import { emailKey, foldCase, mapFilterValues, type SegmentItem } from '@usher/domain';
import type { Context } from '../../context.ts';
import { bumpPublishedVersion } from '../../published/bump-published-version.ts';
import { scrubChanges } from '../changes/scrub-changes.ts';
import { lockSegments } from './queries.ts';

/** What stands where a Segment named a user who was forgotten: it fits nobody, as the user's own name would now. */
const FORGOTTEN = '(forgotten)';

type User = { id: string; uid: string; email: string | null };

/**
 * A Segment that picks users by name keeps its meaning, without the names of these; so does what Changes tell of it.
 * That they went is told by no Change: nobody is picked by it who was not before, and it would name them.
 */
export async function removeFromSegments(ctx: Context, users: readonly User[]): Promise<void> {
  const without = withoutNames(users);
  for (const { id, items } of await lockSegments(ctx)) {
    const text = JSON.stringify(without(items));
    if (text === JSON.stringify(items)) continue;
    await ctx.db
      .updateTable('segments')
      .set({ items: text, updated_at: ctx.now() })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .execute();
    await bumpPublishedVersion(ctx);
  }
  await scrubChanges(ctx, without);
}

function withoutNames(users: readonly User[]): (items: SegmentItem[]) => SegmentItem[] {
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
      const mine = op.endsWith('i') ? folded.has(foldCase(name)) : names.has(name);
      return mine ? FORGOTTEN : value;
    });
}
