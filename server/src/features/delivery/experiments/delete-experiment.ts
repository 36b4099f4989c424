import type { ShownExperiment } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { conflict } from '../../../errors.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { lockExperiment, stateOfExperiment } from '../experiment-records/queries.ts';
import { presentExperiment } from './present-experiment.ts';

/** Deletes an experiment that does not run, and who was a part of it: there can be very many, so each transaction deletes some. */
export async function deleteExperiment(ctx: Context, id: string): Promise<ShownExperiment> {
  for (;;) {
    const row = await ctx.transaction(async (ctx) => {
      const row = await lockExperiment(ctx, id);
      if (stateOfExperiment(row) === 'running') throw conflict('The experiment runs: end it first');
      const exposed = await ctx.db
        .selectFrom('exposures')
        .select('profile_id')
        .where('account_id', '=', ctx.account.id)
        .where('experiment_id', '=', id)
        .limit(ctx.dialect.rowsPerWrite)
        .execute();
      if (exposed.length > 0) {
        const ids = exposed.map(({ profile_id }) => profile_id);
        await ctx.db
          .deleteFrom('exposures')
          .where('account_id', '=', ctx.account.id)
          .where('experiment_id', '=', id)
          .where('profile_id', 'in', ids)
          .execute();
        // From here on it cannot run again.
        await ctx.db
          .updateTable('experiments')
          .set({ undo: null })
          .where('account_id', '=', ctx.account.id)
          .where('id', '=', id)
          .execute();
        return undefined;
      }
      await ctx.db.deleteFrom('experiments').where('account_id', '=', ctx.account.id).where('id', '=', id).execute();
      await recordAudit(ctx, 'experiment.delete', { type: 'experiment', id }, { name: row.name });
      return row;
    });
    if (row) return presentExperiment(ctx, row);
  }
}
