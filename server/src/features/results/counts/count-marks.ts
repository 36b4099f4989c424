import { addUseCounts, type CountsContext, readUseCounts } from './use-counts.ts';

/**
 * Runs a write that changes whether profiles are test users, and changes the counts with it. The profiles are locked.
 * @param changed the profiles whose mark changes, as they are afterwards
 */
export async function countMarks(
  ctx: CountsContext,
  changed: readonly { id: string; is_test: boolean }[],
  write: () => Promise<unknown>,
): Promise<void> {
  if (changed.length === 0) {
    await write();
    return;
  }
  const idsOf = (isTest: boolean) => changed.filter(({ is_test }) => is_test === isTest).map(({ id }) => id);
  // Test users add nothing, so each group is read while it has none.
  const removed = await readUseCounts(ctx, idsOf(true));
  await write();
  const added = await readUseCounts(ctx, idsOf(false));
  await addUseCounts(ctx, removed, -1);
  await addUseCounts(ctx, added, 1);
}
