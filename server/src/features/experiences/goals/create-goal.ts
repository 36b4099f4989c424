import type { CreateGoal, SharedGoal } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { presentGoal } from './present-goal.ts';
import { writeGoal } from './write-goal.ts';

export async function createGoal(
  ctx: Context,
  params: CreateGoal,
  options?: { isMoved?: boolean },
): Promise<SharedGoal> {
  return ctx.transaction(async (ctx) => {
    const { definition, ...values } = await writeGoal(ctx, undefined, params, options);
    const row = await ctx.db
      .insertInto('goals')
      .values({ ...(await ctx.clock()).newRow(), ...values, definition: JSON.stringify(definition) })
      .returningAll()
      .executeTakeFirstOrThrow();
    return presentGoal(ctx, row);
  });
}
