import { emailKey, foldCase, mapFilterValues, type SegmentItem } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { scrubChanges } from '../../experiences/changes/scrub-changes.ts';
import { lockSegments } from '../filters/segments.ts';
import { FORGOTTEN, type User } from './forgotten.ts';
import { buildNameScrubber } from './scrub-name.ts';

/**
 * Removes the names of users from the filters and names of Segments, and from their Changes. The meaning of the Segments
 * stays. No Change is recorded: it would contain the names.
 */
export async function removeFromSegments(ctx: Context, users: readonly User[]): Promise<void> {
  const scrub = buildFilterScrubber(users);
  const scrubName = buildNameScrubber(users);
  for (const { id, items, name: before } of await lockSegments(ctx)) {
    const text = JSON.stringify(scrub(items));
    const isNamed = text !== JSON.stringify(items);
    const name = scrubName(before, isNamed);
    if (!isNamed && name === before) continue;
    await ctx.db
      .updateTable('segments')
      .set({ name, items: text, updated_at: ctx.now() })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .execute();
    await bumpPublishedVersion(ctx);
  }
  await scrubChanges(ctx, scrub, scrubName);
}

/** Returns a function that replaces the names of users in filters. */
export function buildFilterScrubber(users: readonly User[]): (items: SegmentItem[]) => SegmentItem[] {
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
