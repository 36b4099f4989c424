import type { SharedGoal } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { conflict, notFound } from '../../../errors.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { listExperimentsUsingGoal } from '../../delivery/experiment-records/queries.ts';
import { experiencesUsing } from '../experiences-using.ts';
import { goalsOf } from '../shared-goals.ts';
import { presentGoal } from './present-goal.ts';

const MAX_LISTED = 10;

/** Rejects the deletion while an Experience has the goal. A write that adds a use waits for the locked row. */
export async function deleteGoal(ctx: Context, id: string): Promise<SharedGoal> {
  return ctx.transaction(async (ctx) => {
    const row = await ctx.dialect.lockRows(goalsOf(ctx).where('id', '=', id)).executeTakeFirst();
    if (!row) throw notFound('goal');
    const users = await experiencesUsing(ctx, id)
      .orderBy('id')
      .limit(MAX_LISTED + 1)
      .execute();
    const named = [
      ...users.slice(0, MAX_LISTED).map(({ kind, draft }) => `the ${kind} "${draft.name}"`),
      ...(await listExperimentsUsingGoal(ctx, id)).map(({ name }) => `the experiment "${name}"`),
    ];
    if (named.length > 0) {
      const more = users.length > MAX_LISTED ? ' and others' : '';
      throw conflict(`This goal is used by ${named.join(', ')}${more}: take it out of them first, or archive it`);
    }
    await ctx.db.deleteFrom('goals').where('account_id', '=', ctx.account.id).where('id', '=', id).execute();
    await bumpPublishedVersion(ctx);
    return presentGoal(ctx, row);
  });
}
