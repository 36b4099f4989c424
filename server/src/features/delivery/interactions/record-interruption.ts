import { type InterruptionUse, interruptionMeasures, weekOf } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { PreparedStatement } from '../../../db/prepared-statement.ts';
import { addInterruptionCounts, countMore } from '../../results/counts/interruption-counts.ts';

interface Key {
  profile_id: string;
  experience_id: string;
}

const findWeek = new PreparedStatement<
  { day: number; experience_id: string } & InterruptionUse,
  'profile_id' | 'first' | 'last'
>(`
  select day, experience_id, ${interruptionMeasures.join(', ')} from interruption_days
  where account_id = :account and profile_id = :profile_id and day >= :first and day <= :last`);

const add = new PreparedStatement<never, keyof Key | 'day' | keyof InterruptionUse>(`
  insert into interruption_days (account_id, profile_id, day, experience_id, ${interruptionMeasures.join(', ')})
  values (:account, :profile_id, :day, :experience_id, ${interruptionMeasures.map((name) => `:${name}`).join(', ')})
  on conflict (account_id, profile_id, day, experience_id) do update set
    ${interruptionMeasures.map((name) => `${name} = interruption_days.${name} + excluded.${name}`).join(', ')}`);

/**
 * Records what a user has seen of an interruption, and counts it in its week unless it is a test user. The profile is locked. It takes the
 * clock of the account. Returns whether there is a new row.
 */
export async function recordInterruption(
  ctx: Context,
  key: Key,
  day: number,
  added: InterruptionUse,
  isCounted: boolean,
): Promise<boolean> {
  if (interruptionMeasures.every((name) => added[name] === 0)) return false;
  await ctx.clock();
  const week = weekOf(day);
  const rows = await ctx.run(findWeek, { profile_id: key.profile_id, first: week, last: week + 6 });
  await ctx.run(add, { ...key, day, ...added });
  if (isCounted) {
    const before = { interruptions: 0, steps: 0, seconds: 0 };
    for (const row of rows) for (const name of interruptionMeasures) before[name] += row[name];
    await addInterruptionCounts(ctx, countMore(week, before, added), 1);
  }
  return !rows.some((row) => row.day === day && row.experience_id === key.experience_id);
}
