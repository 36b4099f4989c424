import { type EventUses, isInFilters, isInGoal, listFilterEvents, listUsedEvents } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { currentAccount } from '../../../pages/current-account.ts';
import { segmentsOf } from '../../audience/filters/segments.ts';
import { usesOf } from '../../experiences/experiences-using.ts';
import { experiencesOf } from '../../experiences/queries.ts';
import { goalsOf } from '../../experiences/shared-goals.ts';
import { eventUse } from '../../experiences/store-uses.ts';

/** Finds the Segments with a filter of this event, the shared goals that are it, and the Experiences with it in their draft or published. */
export async function findEventUses(ctx: Context, uid: string): Promise<EventUses> {
  const segments = await segmentsOf(ctx).orderBy('id').execute();
  const goals = await goalsOf(ctx).orderBy('id').execute();
  const account = await currentAccount(ctx, ctx.account);
  const published = account.goals(uid, ctx.now()).map(({ id }) => id);
  const experiences = await experiencesOf(ctx)
    .where((eb) => eb.or([eb('id', 'in', usesOf(ctx, [eventUse(uid)])), eb('id', 'in', ['', ...published])]))
    .orderBy('id')
    .execute();
  return {
    segments: segments
      .filter(({ items }) => isInFilters(items, { kind: 'event_name', prop: uid }))
      .map(({ id, name }) => ({ id, name })),
    goals: goals
      .filter(({ definition }) => isInGoal(definition, { kind: 'event_name', prop: uid }))
      .map(({ id, name }) => ({ id, name })),
    experiences: experiences.map(({ id, kind, draft }) => ({
      ...{ id, kind, name: draft.name },
      is_in_draft: listUsedEvents(draft).includes(uid),
    })),
  };
}

/** Counts for each name the Segments, and the Experiences with it in their draft. */
export async function countEventUses(
  ctx: Context,
  uids: readonly string[],
): Promise<(uid: string) => { segments: number; experiences: number }> {
  const segments = await segmentsOf(ctx).execute();
  const rows = await ctx.db
    .selectFrom('experience_uses')
    .select(['used_id', (eb) => eb.fn.countAll<number>().as('count')])
    .where('account_id', '=', ctx.account.id)
    .where('used_id', 'in', ['', ...uids.map(eventUse)])
    .groupBy('used_id')
    .execute();
  const experiences = new Map(rows.map(({ used_id, count }) => [used_id, Number(count)]));
  const inSegments = new Map<string, number>();
  for (const { items } of segments)
    for (const uid of new Set(listFilterEvents(items))) inSegments.set(uid, (inSegments.get(uid) ?? 0) + 1);
  return (uid) => ({ segments: inSegments.get(uid) ?? 0, experiences: experiences.get(eventUse(uid)) ?? 0 });
}
