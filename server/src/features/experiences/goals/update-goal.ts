import { nextUpdatedAt, type SharedGoal, type UpdateGoal } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { checkSeen } from '../../../http/check-seen.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { goalsOf } from '../shared-goals.ts';
import { presentGoal } from './present-goal.ts';
import { writeGoal } from './write-goal.ts';

/** Changes a shared goal everywhere: results count it again, and page loads know its event. */
export async function updateGoal(
  ctx: Context,
  id: string,
  { updated_at: seen, ...params }: UpdateGoal,
): Promise<SharedGoal> {
  return ctx.transaction(async (ctx) => {
    const before = await ctx.dialect.lockRows(goalsOf(ctx).where('id', '=', id)).executeTakeFirst();
    if (!before) throw notFound('goal');
    checkSeen(seen, before, 'goal');
    const values = await writeGoal(ctx, before, params);
    const after = { ...before, ...values };
    if (JSON.stringify(presentGoal(ctx, after)) === JSON.stringify(presentGoal(ctx, before)))
      return presentGoal(ctx, before);
    const row = await ctx.db
      .updateTable('goals')
      .set({
        ...values,
        definition: JSON.stringify(values.definition),
        updated_at: nextUpdatedAt(before.updated_at, ctx.now()),
      })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await bumpPublishedVersion(ctx);
    return presentGoal(ctx, row);
  });
}
