import type { Preferences } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { presentPreferences } from './present-preferences.ts';

/** Changes what the administrator has chosen for the dashboard. What is not given stays. */
export async function updatePreferences(
  ctx: Context,
  changes: Partial<Preferences>,
): Promise<{ preferences: Preferences }> {
  return ctx.transaction(async (ctx) => {
    await ctx.clock();
    const mine = ctx.db.selectFrom('admins').select('preferences').where('id', '=', ctx.actor.id);
    const { preferences: before } = await mine.executeTakeFirstOrThrow();
    const preferences = { ...before, ...changes };
    await ctx.db
      .updateTable('admins')
      .set({ preferences: JSON.stringify(preferences) })
      .where('id', '=', ctx.actor.id)
      .execute();
    return { preferences: presentPreferences(ctx, preferences) };
  });
}
