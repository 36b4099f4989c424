import { emailKey, mapValues } from '@usher/domain';
import type { Context } from '../../context.ts';
import { lockSegments } from './queries.ts';

/** What stands where a Segment named a user who was forgotten: it fits nobody, as the user's own name would now. */
const FORGOTTEN = '(forgotten)';

/** A Segment that picks users by name keeps its meaning, without the names of these. */
export async function removeFromSegments(
  ctx: Context,
  users: readonly { id: string; uid: string; email: string | null }[],
): Promise<void> {
  const names = {
    id: new Set(users.map(({ id }) => id)),
    uid: new Set(users.map(({ uid }) => uid)),
    email: new Set(users.flatMap(({ email }) => (email === null ? [] : emailKey(email)))),
  };
  for (const { id, items } of await lockSegments(ctx)) {
    const kept = mapValues(items, (prop, value) => {
      const mine =
        prop === 'email' ? names.email.has(emailKey(String(value))) : isName(prop) && names[prop].has(String(value));
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

function isName(prop: string): prop is 'id' | 'uid' {
  return prop === 'id' || prop === 'uid';
}
