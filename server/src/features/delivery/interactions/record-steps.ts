import type { Millis, StepActivity } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { PreparedStatement } from '../../../db/prepared-statement.ts';
import type { StoredProgress } from './queries.ts';
import { type Dimensions, type NewActivity, recordActivities } from './record-activities.ts';

interface Key {
  profile_id: string;
  experience_id: string;
}

const lastSeen = new PreparedStatement<{ day: number | null }, keyof Key | 'step' | 'today'>(`
  select max(day) as day from activities
  where account_id = :account and profile_id = :profile_id and experience_id = :experience_id
    and what = 'step' and part_id = :step and day <= :today`);

interface Left {
  /** The day of the page load. */
  today: number;
  visitAt: Millis;
  before: StoredProgress | undefined;
  steps: readonly StepActivity[];
}

/**
 * Records what a user did on the step that they have left. It counts for the day on which they saw the step, so that those who went on from
 * it are some of those who saw it, in every range of days.
 */
export async function recordSteps(
  ctx: Context,
  key: Key,
  { today, visitAt, before, steps }: Left,
  dimensions: Dimensions,
): Promise<NewActivity[]> {
  const [first] = steps;
  if (!first) return [];
  let day = today;
  // Only a step of an earlier page load can be of an earlier day.
  if ((before?.current_step_at ?? visitAt) < visitAt) {
    const [seen] = await ctx.run(lastSeen, { ...key, step: first.part_id, today });
    day = seen?.day ?? today;
  }
  return recordActivities(ctx, key, day, steps, dimensions);
}
