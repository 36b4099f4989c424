import { type CreateExperiment, type ShownExperiment, writeExperiment } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid } from '../../../errors.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { checkExperiment } from './check-experiment.ts';
import { experimentColumns } from './experiment-columns.ts';
import { presentExperiment } from './present-experiment.ts';

export async function createExperiment(ctx: Context, params: CreateExperiment): Promise<ShownExperiment> {
  const problems: string[] = [];
  const values = writeExperiment(undefined, params, ctx.newId, problems);
  if (problems.length > 0) throw invalid(...problems);
  const row = await ctx.transaction(async (ctx) => {
    await checkExperiment(ctx, undefined, values);
    const row = await ctx.db
      .insertInto('experiments')
      .values({ ...(await ctx.clock()).newRow(), ...experimentColumns(values), share_changes: '[]' })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordAudit(ctx, 'experiment.create', { type: 'experiment', id: row.id }, { name: row.name });
    return row;
  });
  return presentExperiment(ctx, row);
}
