import {
  findFixedField,
  MAX_SHARE_CHANGES,
  nextUpdatedAt,
  type ShownExperiment,
  type UpdateExperiment,
  writeExperiment,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { conflict, invalid } from '../../../errors.ts';
import { checkSeen } from '../../../http/check-seen.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { checkMayPublish } from '../../experiences/publish.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { getExperiment, lockExperiment, stateOfExperiment } from '../experiment-records/queries.ts';
import { checkExperiment } from './check-experiment.ts';
import { experimentColumns, sharesOf, valuesOf } from './experiment-columns.ts';
import { presentExperiment } from './present-experiment.ts';

export async function updateExperiment(
  ctx: Context,
  id: string,
  { updated_at: seen, ...params }: UpdateExperiment,
): Promise<ShownExperiment> {
  const row = await ctx.transaction(async (ctx) => {
    const known = valuesOf(await getExperiment(ctx, id));
    const problems: string[] = [];
    const wanted = writeExperiment(known, params, ctx.newId, problems);
    if (problems.length > 0) throw invalid(...problems);
    await checkExperiment(ctx, known, wanted);
    const before = await lockExperiment(ctx, id);
    checkSeen(seen, before, 'experiment');
    const stored = valuesOf(before);
    const values = writeExperiment(stored, params, ctx.newId, problems);
    if (JSON.stringify(values) === JSON.stringify(stored)) return before;
    const state = stateOfExperiment(before);
    const fixed = findFixedField(state, stored, values);
    if (fixed !== undefined)
      throw conflict(
        state === 'running'
          ? `The experiment runs, so ${fixed} cannot change: end it, and start another one`
          : `The experiment has ended, so ${fixed} cannot change`,
      );
    const shares = sharesOf(values);
    const hasOtherShares = JSON.stringify(shares) !== JSON.stringify(sharesOf(stored));
    if (state === 'running' && hasOtherShares) {
      await checkMayPublish(ctx);
      if (before.share_changes.length >= MAX_SHARE_CHANGES)
        throw conflict(
          `The shares were set ${MAX_SHARE_CHANGES} times already: end the experiment, and start another one with the shares that you want`,
        );
    }
    const share_changes =
      state === 'running' && hasOtherShares
        ? [...before.share_changes, { at: ctx.now(), shares }]
        : before.share_changes;
    const row = await ctx.db
      .updateTable('experiments')
      .set({
        ...experimentColumns(values),
        share_changes: JSON.stringify(share_changes),
        updated_at: nextUpdatedAt(before.updated_at, ctx.now()),
      })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordAudit(ctx, 'experiment.update', { type: 'experiment', id }, { name: row.name });
    if (state === 'running') await bumpPublishedVersion(ctx);
    return row;
  });
  return presentExperiment(ctx, row);
}
