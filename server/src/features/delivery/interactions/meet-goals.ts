import { dayOf, type Millis } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { PreparedStatement } from '../../../db/prepared-statement.ts';
import { recordGoals } from './record-goals.ts';

/** An event that meets the goal of an Experience, if its user has started that. */
export interface GoalEvent {
  profile_id: string;
  experience_id: string;
  /** When it happened, if that is not now. */
  at: Millis | undefined;
}

interface Started {
  id: string;
  profile_id: string;
  experience_id: string;
  started_at: Millis;
  is_test: boolean;
}

const startedWithoutGoal = new PreparedStatement<Started, 'items'>(
  ({ json }) => `
    select known.id, known.profile_id, known.experience_id, known.started_at, profiles.is_test
    from ${json.table(':items', { profile_id: 'text', experience_id: 'text' })} as item
    cross join interactions as known
    cross join profiles
    where profiles.account_id = :account and profiles.id = item.profile_id and known.account_id = :account and known.profile_id = item.profile_id
      and known.experience_id = item.experience_id and known.started_at is not null
      and coalesce(known.goal_at, 0) < known.started_at`,
);

const setGoals = new PreparedStatement<never, 'items' | 'updated_at' | 'updated_tick'>(
  ({ json }) => `
    update interactions set goal_at = item.goal_at, updated_at = :updated_at, updated_tick = :updated_tick
    from ${json.table(':items', { id: 'text', goal_at: 'bigint' })} as item
    where interactions.account_id = :account and interactions.id = item.id`,
);

/**
 * Records that events met the goals of Experiences that the users have started, once for each showing. An event that
 * happened before the start meets no goal.
 */
export async function meetGoals(ctx: Context, events: readonly GoalEvent[], timeZone: string): Promise<void> {
  if (events.length === 0) return;
  const byPair = new Map<string, GoalEvent[]>();
  for (const event of events) {
    const key = `${event.profile_id} ${event.experience_id}`;
    const others = byPair.get(key);
    if (others) others.push(event);
    else byPair.set(key, [event]);
  }
  const pairs = JSON.stringify([...byPair.keys()].map((key) => key.split(' ')));
  const now = ctx.now();
  // Most events meet no goal and then need no clock. The profiles are locked, so the rows stay as they are.
  const met = (await ctx.run(startedWithoutGoal, { items: pairs })).flatMap((row) => {
    const ofRow = byPair.get(`${row.profile_id} ${row.experience_id}`) ?? [];
    const times = ofRow.flatMap(({ at }) => (at === undefined || at >= row.started_at ? (at ?? now) : []));
    return times.length > 0 ? { ...row, goal_at: Math.min(...times) } : [];
  });
  if (met.length === 0) return;
  await recordGoals(
    ctx,
    met.map((row) => ({ ...row, day: dayOf(row.goal_at, timeZone) })),
  );
  const { at: updated_at, tick: updated_tick } = await ctx.clock();
  const items = JSON.stringify(met.map(({ id, goal_at }) => [id, goal_at]));
  await ctx.run(setGoals, { items, updated_at, updated_tick });
}
