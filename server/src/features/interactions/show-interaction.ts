import { type Expand, type TourInteraction, timeOfId, toTimestamp, toTimestampOrNull } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../context.ts';
import type { Schema } from '../../db/schema.ts';
import { notFound } from '../../errors.ts';
import { embedById } from '../profiles/embed-by-id.ts';

type InteractionRow = Selectable<Schema['interactions']>;

export async function showInteraction(ctx: Context, id: string, expand: Expand): Promise<TourInteraction> {
  const rows = await interactionsOf(ctx).where('id', '=', id).execute();
  const [interaction] = await presentInteractions(ctx, rows, expand);
  if (!interaction) throw notFound('interaction');
  return interaction;
}

export function interactionsOf(ctx: Context) {
  return ctx.db.selectFrom('interactions').selectAll().where('account_id', '=', ctx.account.id);
}

/** With their profiles, which they always have. */
export async function presentInteractions(
  ctx: Context,
  rows: readonly InteractionRow[],
  expand: Expand,
): Promise<TourInteraction[]> {
  const ids = rows.map(({ profile_id }) => profile_id);
  const profiles = await embedById(ctx, ids, expand);
  return rows.flatMap((row) => {
    const profile = profiles.get(row.profile_id);
    if (!profile) return [];
    return {
      id: row.id,
      created_at: toTimestamp(timeOfId(row.id)),
      updated_at: toTimestamp(row.updated_at),
      state: row.state,
      tour_id: row.experience_id,
      group_id: row.group_id,
      group_kind: row.group_kind as TourInteraction['group_kind'],
      defer_count: row.defer_count,
      defer_until: toTimestampOrNull(row.defer_until),
      goal_at: toTimestampOrNull(row.goal_at),
      profile,
    };
  });
}
