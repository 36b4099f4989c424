import type { FindProfile } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { findTraces } from '../deletions/find-traces.ts';
import { forgetProfiles } from '../deletions/forget-profiles.ts';
import { lockImports } from '../import-files/import-rows.ts';
import { getProfile } from './queries.ts';

/** Deletes a profile for good. When it returns, nothing is left in any table, and on SQLite in any file. */
export async function forgetProfile(
  ctx: Context,
  find: FindProfile,
): Promise<{ profile: { id: string }; deletion: { id: string } }> {
  // Values of the profile that wait to be written would be stored again after the deletion.
  await ctx.app.installationLog.flush(ctx.account.id);
  const { id, deletionId, traces } = await ctx.transaction(
    async (ctx) => {
      await lockImports(ctx);
      const row = await getProfile(ctx, find, true);
      const [deletionId = ''] = await forgetProfiles(ctx, [row]);
      await recordAudit(ctx, 'profile.forget', { type: 'deletion', id: deletionId });
      return { id: row.id, deletionId, traces: findTraces(row) };
    },
    { isLong: true },
  );
  await ctx.app.deletionLog.addOf(ctx.account.id);
  await ctx.app.storage.shred(traces);
  return { profile: { id }, deletion: { id: deletionId } };
}
