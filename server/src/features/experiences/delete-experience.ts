import { type Diff, diffDocuments, type Experience, type ExperienceKind, lookOwners } from '@usher/domain';
import type { Context } from '../../context.ts';
import { conflict } from '../../errors.ts';
import { recordChanges } from '../changes/record-changes.ts';
import { lockSegments, segmentsNaming } from '../segments/queries.ts';
import { lockExperience, presentExperience } from './queries.ts';

/** Its Changes and captures stay: they tell what it was. */
export async function deleteExperience(ctx: Context, kind: ExperienceKind, id: string): Promise<Experience> {
  return ctx.transaction(async (ctx) => {
    const row = await lockExperience(ctx, kind, id);
    const users = segmentsNaming(await lockSegments(ctx), id);
    if (users.length > 0) {
      const names = users.map(({ name }) => `"${name}"`).join(', ');
      throw conflict(`This ${kind} is used by the Segments ${names}: take it out of them first`);
    }
    const experience = await presentExperience(ctx, row);
    const owners = lookOwners(id, row.draft);
    const changes = diffDocuments(id, row.draft, null).map((change) => {
      const capture_id: Diff = [row.captures[owners.get(change.model_id) ?? ''] ?? null, null];
      return { ...change, options: { capture_id } };
    });
    await recordChanges(ctx, id, changes);
    for (const table of ['translations', 'versions'] as const)
      await ctx.db.deleteFrom(table).where('account_id', '=', ctx.account.id).where('experience_id', '=', id).execute();
    await ctx.db.deleteFrom('experiences').where('account_id', '=', ctx.account.id).where('id', '=', id).execute();
    return experience;
  });
}
