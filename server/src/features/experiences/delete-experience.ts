import { type Diff, diffDocuments, type Experience, type ExperienceKind, mapAppearanceOwners } from '@usher/domain';
import type { Context } from '../../context.ts';
import { conflict } from '../../errors.ts';
import { bumpPublishedVersion } from '../../published/bump-published-version.ts';
import { recordChanges } from '../changes/record-changes.ts';
import { removeDeliveries } from '../deliveries/remove-deliveries.ts';
import { removeFromLimitGroups } from '../limit-groups/remove-from-limit-groups.ts';
import { lockSegments, segmentsNaming } from '../segments/queries.ts';
import { type ExperienceRow, lockExperience, presentExperience } from './queries.ts';
import { removeUse } from './remove-use.ts';

/**
 * Its Changes and captures stay: they tell what it was. Its pending Deliveries go before it, or with it; what users did
 * goes after it. Both can be very many: they go some at a time, so that nobody waits for all of them. Cut short before it
 * is gone, it is there to be deleted again; cut short after, what is left of its use is shown and counted nowhere.
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

/** Some of its pending Deliveries; when these were the last, the Experience itself. */
async function deletePart(ctx: Context, kind: ExperienceKind, id: string): Promise<ExperienceRow | undefined> {
  const row = await lockExperience(ctx, kind, id);
  const users = segmentsNaming(await lockSegments(ctx), id);
  if (users.length > 0) {
    const names = users.map(({ name }) => `"${name}"`).join(', ');
    throw conflict(`This ${kind} is used by the Segments ${names}: take it out of them first`);
  }
  if (!(await removeDeliveries(ctx, id))) return undefined;
  await removeFromLimitGroups(ctx, id);
  const owners = mapAppearanceOwners(id, row.draft);
  const changes = diffDocuments(id, row.draft, null).map((change) => {
    const capture_id: Diff = [row.captures[owners.get(change.model_id) ?? ''] ?? null, null];
    return { ...change, options: { capture_id } };
  });
  await recordChanges(ctx, id, changes);
  for (const table of ['translations', 'versions'] as const)
    await ctx.db.deleteFrom(table).where('account_id', '=', ctx.account.id).where('experience_id', '=', id).execute();
  await ctx.db.deleteFrom('experiences').where('account_id', '=', ctx.account.id).where('id', '=', id).execute();
  await bumpPublishedVersion(ctx);
  return row;
}
