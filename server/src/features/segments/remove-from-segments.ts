import { emailKey, foldCase, mapValues } from '@usher/domain';
import type { Context } from '../../context.ts';
import { lockSegments } from './queries.ts';

/** What stands where a Segment named a user who was forgotten: it fits nobody, as the user's own name would now. */
const FORGOTTEN = '(forgotten)';

/** A Segment that picks users by name keeps its meaning, without the names of these. */
export async function removeFromSegments(
  ctx: Context,
  users: readonly { id: string; uid: string; email: string | null }[],
): Promise<void> {
  const names = new Set(
    users.flatMap(({ id, uid, email }) => [
      `id ${id}`,
      `uid ${uid}`,
      ...(email === null ? [] : [`email ${emailKey(email)}`]),
    ]),
  );
  const folded = new Set([...names].map(foldCase));
  for (const { id, items } of await lockSegments(ctx)) {
    const kept = mapValues(items, (prop, value, op) => {
      const name = `${prop} ${prop === 'email' ? emailKey(String(value)) : value}`;
      const mine = op === 'in-i' || op === 'nin-i' ? folded.has(foldCase(name)) : names.has(name);
      return mine ? FORGOTTEN : value;
    });
    const text = JSON.stringify(kept);
    if (text === JSON.stringify(items)) continue;
    await ctx.db
      .updateTable('segments')
      .set({ items: text, updated_at: ctx.now() })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .execute();
  }
}
