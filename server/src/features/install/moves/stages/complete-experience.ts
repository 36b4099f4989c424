import type { Document } from '@usher/domain';
import type { Context } from '../../../../context.ts';
import type { SourceExperience } from './read-experiences.ts';

/* What belongs to an Experience that comes from another service, besides its document. */

/** The `last_seen_at` of Tags came with the Tags. */
export async function keepingTagTimes(
  ctx: Context,
  ids: readonly string[],
  work: () => Promise<unknown>,
): Promise<void> {
  const tags = ctx.db.selectFrom('tags').select(['id', 'last_seen_at']).where('account_id', '=', ctx.account.id);
  const before = ids.length === 0 ? [] : await tags.where('id', 'in', ids).execute();
  await work();
  for (const { id, last_seen_at } of before)
    if (last_seen_at !== null)
      await ctx.db
        .updateTable('tags')
        .set({ last_seen_at })
        .where('account_id', '=', ctx.account.id)
        .where('id', '=', id)
        .execute();
}

/** Why an Experience that is live in the other service is not published here. */
export function whyNotPublished(
  { record, isFromTexts }: Pick<SourceExperience, 'record' | 'isFromTexts'>,
  isNarrower: boolean,
): string | undefined {
  if (isFromTexts)
    return 'It is live there. Here it is a draft of its texts: give its steps their places, then publish it';
  if (isNarrower)
    return 'It is live there. Here it is a draft, because more users would see it: check its targeting, then publish it';
  if (record.has_unpublished_changes === true)
    return 'It is live there, with changes that are not published: check the draft, then publish it';
  return undefined;
}

/** The steps are in a work list until they have their place. */
export async function storeUnplaced(ctx: Context, experience_id: string, { steps }: Document): Promise<void> {
  if (steps.length === 0) return;
  await ctx.db
    .insertInto('unplaced_steps')
    .values(steps.map(({ id }) => ({ account_id: ctx.account.id, experience_id, step_id: id })))
    .onConflict((known) => known.doNothing())
    .execute();
}
