import { nextUpdatedAt, type ShownExperiment, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { conflict } from '../../../errors.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { stateOf } from '../../experiences/publication-state.ts';
import { checkMayPublish } from '../../experiences/publish.ts';
import type { ExperienceRow } from '../../experiences/queries.ts';
import { storeDrafts } from '../../experiences/store-drafts.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import {
  type ExperimentRow,
  experienceIdsOf,
  listRunningWith,
  stateOfExperiment,
} from '../experiment-records/queries.ts';
import { sharesOf } from './experiment-columns.ts';
import { lockWithExperiences } from './lock-with-experiences.ts';
import { presentExperiment } from './present-experiment.ts';

/** Starts an experiment. Drafts among its Experiences are published in the same transaction: before, everybody would see them. */
export async function startExperiment(ctx: Context, id: string): Promise<ShownExperiment> {
  const row = await ctx.transaction(async (ctx) => {
    const { row, experiences } = await lockWithExperiences(ctx, id);
    if (stateOfExperiment(row) !== 'draft')
      throw conflict(
        row.ended_at === null ? 'The experiment runs already' : 'The experiment has ended: create another one',
      );
    await checkMayPublish(ctx);
    await checkReady(ctx, row, experiences);
    await publishDrafts(ctx, [...experiences.values()]);
    const started_at = ctx.now();
    const started = await ctx.db
      .updateTable('experiments')
      .set({
        started_at,
        share_changes: JSON.stringify([{ at: started_at, shares: sharesOf(row) }]),
        updated_at: nextUpdatedAt(row.updated_at, started_at),
      })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordAudit(ctx, 'experiment.start', { type: 'experiment', id }, { name: row.name });
    await bumpPublishedVersion(ctx);
    return started;
  });
  return presentExperiment(ctx, row);
}

/** Rejects an experiment from which nothing could be learned. */
async function checkReady(
  ctx: Context,
  row: ExperimentRow,
  experiences: ReadonlyMap<string, ExperienceRow>,
): Promise<void> {
  const problems: string[] = [];
  if (row.variants.filter(({ share }) => share > 0).length < 2)
    problems.push('At least two variants need a share: otherwise there is nothing to compare');
  for (const variant of row.variants) {
    if (variant.experience_id === null) continue;
    const experience = experiences.get(variant.experience_id);
    const name = `The Experience of the variant "${variant.name}"`;
    if (!experience) problems.push(`${name} was deleted: choose another one`);
    else if (experience.archived_at !== null) problems.push(`${name} is archived: take it out of the archive first`);
    else if (stateOf(experience, ctx.now()) === 'ended')
      problems.push(`${name} has ended: choose a later end, or none`);
    else if (experience.draft.style === 'manual')
      problems.push(`${name} does not start automatically (its style is manual), so nobody would be a part`);
  }
  for (const other of await listRunningWith(ctx, experienceIdsOf(row)))
    problems.push(`The experiment "${other.name}" runs with the same Experience: end that one first`);
  const known = await countSegments(ctx, row.segment_ids);
  if (known < row.segment_ids.length)
    problems.push('A Segment that the experiment is for was deleted: choose its Segments again');
  if (problems.length > 0) throw conflict(problems.join('. '));
}

async function countSegments(ctx: Context, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const rows = ctx.db
    .selectFrom('segments')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', ids)
    .orderBy('id');
  return (await ctx.dialect.lockRows(rows).execute()).length;
}

async function publishDrafts(ctx: Context, rows: readonly ExperienceRow[]): Promise<void> {
  const now = ctx.now();
  const drafts = rows.filter((row) => stateOf(row, now) === 'draft');
  const publishedTogether = new Set(drafts.map(({ id }) => id));
  await storeDrafts(
    ctx,
    drafts.map((row) => ({ row, draft: { ...row.draft, published_at: toTimestamp(now) }, publishedTogether })),
  );
}
