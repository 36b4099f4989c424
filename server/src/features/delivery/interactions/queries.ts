import type { InteractionState, Millis, Progress } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import { PreparedStatement } from '../../../db/prepared-statement.ts';
import type { Schema } from '../../../db/schema.ts';
import { findOrMerged } from '../../../pages/merged-profile.ts';
import { checkPageProfile, type Visit } from '../../../pages/visit-token.ts';
import type { ProfileRow } from '../../audience/profiles/queries.ts';
import { countProgress } from '../../results/counts/experience-counts.ts';

export type InteractionRow = Selectable<Schema['interactions']>;

type LockedPageProfile = Pick<
  ProfileRow,
  'id' | 'delivery_ids' | 'pending_starts' | 'last_cleared_at' | 'browser_l' | 'is_test'
>;

const profileById = new PreparedStatement<LockedPageProfile, 'id'>(
  ({ onPostgres }) => `
    select id, delivery_ids, pending_starts, last_cleared_at, browser_l, is_test from profiles
    where account_id = :account and id = :id ${onPostgres('for update')}`,
);

/** Locks the user of a visit before anything else, so that the reports of one user are stored one after the other. */
export async function lockPageProfile(ctx: Context, visit: Visit): Promise<LockedPageProfile> {
  const row = await findOrMerged(ctx, visit.profileId, (id) => ctx.find(profileById, { id }));
  checkPageProfile(visit, row);
  return row;
}

const progressColumns = [
  ...(['state', 'group_kind', 'group_id', 'defer_count', 'defer_until', 'step_id'] as const),
  ...(['displayed_at', 'started_at', 'completed_at', 'exited_at', 'snoozed_at'] as const),
  ...(['showing_from', 'showing_to', 'displayed_to', 'ended_by', 'current_step_id', 'current_step_at'] as const),
] satisfies (keyof Progress)[];

export interface StoredProgress extends Progress {
  id: string;
  updated_at: Millis;
  items: string | null;
}

const progressQuery = new PreparedStatement<StoredProgress, 'profile_id' | 'experience_id'>(`
  select id, updated_at, items, ${progressColumns.join(', ')} from interactions
  where account_id = :account and profile_id = :profile_id and experience_id = :experience_id`);

export async function findProgress(
  ctx: Context,
  profile_id: string,
  experience_id: string,
): Promise<StoredProgress | undefined> {
  const [row] = await ctx.run(progressQuery, { profile_id, experience_id });
  return row;
}

const updatedColumns = ['updated_at', 'updated_tick', ...progressColumns] as const;
const insertedColumns = ['id', 'profile_id', 'experience_id', ...updatedColumns] as const;
const insertInteraction = new PreparedStatement<never, (typeof insertedColumns)[number]>(`
  insert into interactions (account_id, ${insertedColumns.join(', ')})
  values (:account, ${insertedColumns.map((name) => `:${name}`).join(', ')})`);
const updateInteraction = new PreparedStatement<never, 'id' | (typeof updatedColumns)[number]>(`
  update interactions set ${updatedColumns.map((name) => `${name} = :${name}`).join(', ')}
  where account_id = :account and id = :id`);

const setItems = new PreparedStatement<
  never,
  'profile_id' | 'experience_id' | 'items' | 'updated_at' | 'updated_tick'
>(`
  update interactions set items = :items, updated_at = :updated_at, updated_tick = :updated_tick
  where account_id = :account and profile_id = :profile_id and experience_id = :experience_id`);

/** Stores which items of a checklist the user has completed. It changes the Interaction, so clients that ask for changes get it. */
export async function storeItems(
  ctx: Context,
  key: Pick<InteractionRow, 'profile_id' | 'experience_id'>,
  items: string,
): Promise<void> {
  const { at: updated_at, tick: updated_tick } = await ctx.clock();
  await ctx.run(setItems, { ...key, items, updated_at, updated_tick });
}

/** Stores how far a user got, if that has changed. Test users are not counted. */
export async function storeProgress(
  ctx: Context,
  key: Pick<InteractionRow, 'profile_id' | 'experience_id'>,
  before: StoredProgress | undefined,
  after: Progress,
  isCounted: boolean,
): Promise<{ id: string; state: InteractionState; isNew: boolean }> {
  if (after === before) return { id: before.id, state: before.state, isNew: false };
  const { at: updated_at, tick: updated_tick, newRow } = await ctx.clock();
  if (isCounted) await countProgress(ctx, key.experience_id, before, after);
  if (before) {
    await ctx.run(updateInteraction, { ...after, id: before.id, updated_at, updated_tick });
    return { id: before.id, state: after.state, isNew: false };
  }
  const { id } = newRow();
  await ctx.run(insertInteraction, { ...after, ...key, id, updated_at, updated_tick });
  return { id, state: after.state, isNew: true };
}
