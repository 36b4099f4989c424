import { type Expand, parseItemTimes, type TourInteraction, toTimestamp, toTimestampOrNull } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { notFound } from '../../../errors.ts';
import { presentOwned } from '../../audience/profiles/present-owned.ts';

type InteractionRow = Selectable<Schema['interactions']>;

export async function showInteraction(ctx: Context, id: string, expand: Expand): Promise<TourInteraction> {
  const rows = await selectInteractions(ctx).where('id', '=', id).execute();
  const [interaction] = await presentInteractions(ctx, rows, expand);
  if (!interaction) throw notFound('interaction');
  return interaction;
}

export function selectInteractions(ctx: Context) {
  return ctx.db.selectFrom('interactions').selectAll().where('account_id', '=', ctx.account.id);
}

/** Presents Interactions with their profiles. */
export function presentInteractions(
  ctx: Context,
  rows: readonly InteractionRow[],
  expand: Expand,
): Promise<TourInteraction[]> {
  return presentOwned(ctx, rows, expand, (row) => ({
    state: row.state,
    tour_id: row.experience_id,
    group_id: row.group_id,
    group_kind: row.group_kind,
    defer_count: row.defer_count,
    defer_until: toTimestampOrNull(row.defer_until),
    goal_at: toTimestampOrNull(row.goal_at),
    ...(row.items !== null && { items: presentItems(row.items) }),
  }));
}

/** In the order in which they were completed. */
function presentItems(text: string): NonNullable<TourInteraction['items']> {
  return [...parseItemTimes(text)]
    .sort(([, one], [, other]) => one - other)
    .map(([id, at]) => ({ id, completed_at: toTimestamp(at) }));
}
