import { type Diff, diffDocuments, type Experience, type ExperienceKind, mapAppearanceOwners } from '@usher/domain';
import type { Context } from '../../context.ts';
import { conflict } from '../../errors.ts';
import { bumpPublishedVersion } from '../../published/bump-published-version.ts';
import { lockSegments, namesExperience } from '../audience/filters/segments.ts';
import { removeDeliveries } from '../delivery/deliveries/remove-deliveries.ts';
import { listRunningWith } from '../delivery/experiment-records/queries.ts';
import { removeFromGroups } from '../delivery/group-members/remove-from-groups.ts';
import { recordAudit } from '../team/audit/record-audit.ts';
import { recordChanges } from './changes/record-changes.ts';
import { listNamedInConditions, listNamedInGoals } from './list-uses.ts';
import { presentExperience } from './present-experience.ts';
import { checkDeletion, isPublished } from './publish.ts';
import { type ExperienceRow, lockExperience } from './queries.ts';
import { removeUse } from './remove-use.ts';
import { goalsOfExperience } from './shared-goals.ts';

/**
 * Deletes an Experience. Its Changes and captures stay. Pending Deliveries are removed first, and the records of its
 * use last. There can be very many of both, so each transaction removes only some. If this is interrupted before the
 * Experience is deleted, it can be deleted again; if after, the remaining records are never shown or counted.
 */
export async function deleteExperience(ctx: Context, kind: ExperienceKind, id: string): Promise<Experience> {
  for (;;) {
    const row = await ctx.transaction((ctx) => deletePart(ctx, kind, id));
    if (!row) continue;
    const experience = await presentExperience(ctx, row);
    await removeUse(ctx, id);
    return experience;
  }
}

/** Removes some pending Deliveries, and with the last ones the Experience. Returns its row when it is deleted. */
async function deletePart(ctx: Context, kind: ExperienceKind, id: string): Promise<ExperienceRow | undefined> {
  const row = await lockExperience(ctx, kind, id);
  await checkDeletion(ctx, row);
  const segments = (await lockSegments(ctx)).filter((segment) => namesExperience(segment, id));
  if (segments.length > 0) {
    const names = segments.map(({ name }) => `"${name}"`).join(', ');
    throw conflict(`This ${kind} is used by the Segments ${names}: take it out of them first`);
  }
  const lists = await listNamedInConditions(ctx, id);
  if (lists.length > 0)
    throw conflict(
      `This ${kind} is used by the conditions of items in ${lists.map(({ name }) => `"${name}"`).join(', ')}: take it out of them first`,
    );
  const goals = [
    ...(await goalsOfExperience(ctx, id)).map(({ name }) => `the goal "${name}"`),
    ...(await listNamedInGoals(ctx, id)).map((one) => `the goals of "${one.name}"`),
  ];
  if (goals.length > 0) throw conflict(`This ${kind} is used by ${goals.join(', ')}: take it out of them first`);
  const running = await listRunningWith(ctx, [id]);
  if (running.length > 0)
    throw conflict(
      `This ${kind} is in the experiment ${running.map(({ name }) => `"${name}"`).join(', ')}, which runs: end it first`,
    );
  if (!(await removeDeliveries(ctx, id))) return undefined;
  await removeFromGroups(ctx, 'experience_ids', id);
  const owners = mapAppearanceOwners(id, row.draft);
  const changes = diffDocuments(id, row.draft, null).map((change) => {
    const capture_id: Diff = [row.captures[owners.get(change.model_id) ?? ''] ?? null, null];
    return { ...change, options: { capture_id } };
  });
  await recordChanges(ctx, id, changes);
  for (const table of [
    'translations',
    'versions',
    'experience_uses',
    'open_editors',
    'step_sketches',
    'unplaced_steps',
    'moved_experiences',
  ] as const)
    await ctx.db.deleteFrom(table).where('account_id', '=', ctx.account.id).where('experience_id', '=', id).execute();
  await ctx.db.deleteFrom('experiences').where('account_id', '=', ctx.account.id).where('id', '=', id).execute();
  if (isPublished(row)) await recordAudit(ctx, 'experience.delete', { type: kind, id });
  await bumpPublishedVersion(ctx);
  return row;
}
