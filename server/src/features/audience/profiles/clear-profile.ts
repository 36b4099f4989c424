import { drawPercent, type FindProfile, type Profile } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { addUseCounts, readUseCounts } from '../../results/counts/use-counts.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { embedCompany } from '../companies/present-company.ts';
import { companiesById } from '../companies/queries.ts';
import { profileUseTables } from '../deletions/profile-tables.ts';
import { findEventNamesOnlyOf, removeEventNames } from '../event-names/remove-event-names.ts';
import { presentProfile } from './present-profile.ts';
import { getProfile } from './queries.ts';

/** Deletes what a user did and saw. Its identity and its properties stay. */
export async function clearProfile(ctx: Context, find: FindProfile): Promise<Profile> {
  return ctx.transaction(
    async (ctx) => {
      const { id } = await getProfile(ctx, find, true);
      const now = ctx.now();
      const eventNames = await findEventNamesOnlyOf(ctx, [id]);
      const counts = await readUseCounts(ctx, [id]);
      for (const table of profileUseTables)
        await ctx.db.deleteFrom(table).where('account_id', '=', ctx.account.id).where('profile_id', '=', id).execute();
      await ctx.db
        .updateTable('deliveries')
        .set({ removed_at: now, updated_at: now })
        .where('account_id', '=', ctx.account.id)
        .where('profile_id', '=', id)
        .where('at', 'is', null)
        .where('removed_at', 'is', null)
        .execute();
      const row = await ctx.db
        .updateTable('profiles')
        .set({
          updated_at: now,
          browser_x: null,
          browser_tz: null,
          browser_l: null,
          browser_n: null,
          browser_k: null,
          percent: drawPercent(),
          last_seen_at: null,
          last_seen_session_count: 0,
          last_cleared_at: now,
          delivery_ids: '[]',
          pending_starts: '[]',
          wake_count: (eb) => eb('wake_count', '+', 1),
        })
        .where('account_id', '=', ctx.account.id)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      await removeEventNames(ctx, eventNames);
      await addUseCounts(ctx, counts, -1);
      // The audit log does not name users, because it stays when a user is forgotten.
      await recordAudit(ctx, 'profile.clear');
      const companies = await companiesById(ctx, [row.company_id]);
      return presentProfile(row, embedCompany(companies.get(row.company_id ?? ''), 'min'));
    },
    { isLong: true },
  );
}
