import { type Document, nextUpdatedAt, type PublishedBefore, type ShownExperiment, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { conflict } from '../../../errors.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { checkMayPublish } from '../../experiences/publish.ts';
import type { ExperienceRow } from '../../experiences/queries.ts';
import { storeDrafts } from '../../experiences/store-drafts.ts';
import { getVersion } from '../../experiences/versions.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { experienceIdsOf, listRunningWith } from '../experiment-records/queries.ts';
import { lockWithExperiences } from './lock-with-experiences.ts';
import { presentExperiment } from './present-experiment.ts';

/** Lets an experiment that was ended run again, as if it had not ended: everybody stays in their arm, and sees what they saw. */
export async function undoEnd(ctx: Context, id: string): Promise<ShownExperiment> {
  const row = await ctx.transaction(async (ctx) => {
    const { row, experiences } = await lockWithExperiences(ctx, id);
    if (row.ended_at === null) throw conflict('The experiment has not ended, so there is nothing to undo');
    if (row.undo === null) throw conflict('The experiment is being deleted, so its end cannot be undone');
    await checkMayPublish(ctx);
    for (const other of await listRunningWith(ctx, experienceIdsOf(row)))
      throw conflict(`The experiment "${other.name}" runs with the same Experience now: end that one first`);
    for (const before of row.undo) await showAgain(ctx, before, experiences.get(before.experience_id));
    const running = await ctx.db
      .updateTable('experiments')
      .set({
        ended_at: null,
        winner_variant_id: null,
        undo: null,
        updated_at: nextUpdatedAt(row.updated_at, ctx.now()),
      })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordAudit(ctx, 'experiment.undo_winner', { type: 'experiment', id }, { name: row.name });
    await bumpPublishedVersion(ctx);
    return running;
  });
  return presentExperiment(ctx, row);
}

/** Publishes what users saw of an Experience before the end. What was published or paused since would be lost. */
async function showAgain(
  ctx: Context,
  { version_id, now_version_id, audience }: PublishedBefore,
  row: ExperienceRow | undefined,
): Promise<void> {
  const isAsLeft =
    row &&
    row.archived_at === null &&
    row.version_id === now_version_id &&
    row.next_version_id === null &&
    (now_version_id !== null || row.paused_version_id === version_id);
  if (!isAsLeft)
    throw conflict(
      `${row ? `"${row.draft.name}"` : 'An Experience of it'} was changed for its users since the experiment ended, so this cannot be undone: create another experiment`,
    );
  const { content } = await getVersion(ctx, row.id, version_id);
  const draft: Document = {
    ...row.draft,
    ...(now_version_id !== null && { ...audience }),
    published_at: toTimestamp(ctx.now()),
  } as Document;
  await storeDrafts(ctx, [{ row, draft, content }]);
}
