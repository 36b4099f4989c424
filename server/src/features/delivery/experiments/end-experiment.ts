import {
  type Content,
  type Document,
  nextUpdatedAt,
  type PublishedBefore,
  type ShownExperiment,
  toTimestamp,
  type Variant,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { conflict, notFound } from '../../../errors.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { publishedVersionOf } from '../../../published/publication.ts';
import { checkMayPublish } from '../../experiences/publish.ts';
import type { ExperienceRow } from '../../experiences/queries.ts';
import { storeDrafts } from '../../experiences/store-drafts.ts';
import { getVersion } from '../../experiences/versions.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { type ExperimentRow, stateOfExperiment } from '../experiment-records/queries.ts';
import { lockWithExperiences } from './lock-with-experiences.ts';
import { presentExperiment } from './present-experiment.ts';

/**
 * Ends an experiment. The Experience of the winner shows to everybody that the experiment was for, and the others are paused. Without
 * a winner, all of them are: nothing shows to more users than before, unless somebody chooses that.
 */
export async function endExperiment(ctx: Context, id: string, winnerId?: string): Promise<ShownExperiment> {
  const row = await ctx.transaction(async (ctx) => {
    const { row, experiences } = await lockWithExperiences(ctx, id);
    if (stateOfExperiment(row) !== 'running')
      throw conflict(row.ended_at === null ? 'The experiment has not started' : 'The experiment has ended already');
    const winner = winnerId === undefined ? undefined : row.variants.find((variant) => variant.id === winnerId);
    if (winnerId !== undefined && !winner) throw notFound('variant');
    await checkMayPublish(ctx);
    const undo: PublishedBefore[] = [];
    for (const experience of experiences.values()) undo.push(...(await showWinner(ctx, row, experience, winner)));
    const ended_at = ctx.now();
    const ended = await ctx.db
      .updateTable('experiments')
      .set({
        ended_at,
        winner_variant_id: winner?.id ?? null,
        undo: JSON.stringify(undo),
        updated_at: nextUpdatedAt(row.updated_at, ended_at),
      })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const action = winner ? 'experiment.publish_winner' : 'experiment.end';
    await recordAudit(
      ctx,
      action,
      { type: 'experiment', id },
      { name: row.name, ...(winner && { variant: winner.name }) },
    );
    await bumpPublishedVersion(ctx);
    return ended;
  });
  return presentExperiment(ctx, row);
}

/** Returns what users saw before, if that changes. */
async function showWinner(
  ctx: Context,
  experiment: ExperimentRow,
  row: ExperienceRow,
  winner: Variant | undefined,
): Promise<PublishedBefore[]> {
  const versionId = publishedVersionOf(row, ctx.now());
  if (versionId === null) return [];
  const audience = audienceOf(row.draft);
  const before = { experience_id: row.id, version_id: versionId, audience };
  if (winner?.experience_id !== row.id) {
    await storeDrafts(ctx, [{ row, draft: { ...row.draft, published_at: null } }]);
    return [{ ...before, now_version_id: null }];
  }
  const { content } = await getVersion(ctx, row.id, versionId);
  const { segment_ids, segments_op } = experiment;
  const wanted = {
    ...{ segment_ids, segments_op },
    ...{ excluded_segment_ids: [], experiment_at: null, experiment_range: null },
  };
  if (isSame(audienceOf(content.document), wanted)) return [];
  // Changes of the draft since it was published stay unpublished.
  const given: Content = { ...content, document: { ...content.document, ...wanted } };
  const draft = { ...row.draft, ...wanted, published_at: toTimestamp(ctx.now()) };
  const [stored] = await storeDrafts(ctx, [{ row, draft, content: given }]);
  return [{ ...before, now_version_id: stored?.version_id ?? null }];
}

/** The fields of a document that say who it is for. */
function audienceOf({
  segment_ids,
  segments_op,
  excluded_segment_ids,
  experiment_at,
  experiment_range,
}: Document): PublishedBefore['audience'] {
  return { segment_ids, segments_op, excluded_segment_ids, experiment_at, experiment_range };
}

function isSame(one: PublishedBefore['audience'], other: PublishedBefore['audience']): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
