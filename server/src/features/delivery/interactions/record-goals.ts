import type { Context } from '../../../context.ts';
import { PreparedStatement } from '../../../db/prepared-statement.ts';
import { addCounts } from '../../results/counts/use-counts.ts';
import {
  type MovedRow,
  moveNext,
  noDimensions,
  toActivityCount,
  toMovedRows,
  toVersionCount,
} from './record-activities.ts';

interface Pair {
  profile_id: string;
  experience_id: string;
}

interface MetGoal extends Pair {
  day: number;
  is_test: boolean;
}

interface KnownDays extends Pair {
  last_day: number | null;
  next_day: number | null;
  before_next: number | null;
}

const goal = { what: 'goal', part_id: '' } as const;

// As in `recordActivities`: the row of the previous day may have been deleted.
const findDays = new PreparedStatement<KnownDays, 'items'>(
  ({ json }) => `
    select item.profile_id, item.experience_id,
      max(case when known.day <= item.day then known.day end) as last_day,
      min(case when known.day > item.day then known.day end) as next_day,
      min(case when known.day > item.day then known.previous_day end) as before_next
    from ${json.table(':items', { profile_id: 'text', experience_id: 'text', day: 'integer' })} as item
    cross join activities as known
    where known.account_id = :account and known.profile_id = item.profile_id
      and known.experience_id = item.experience_id and known.what = 'goal' and known.part_id = ''
    group by item.profile_id, item.experience_id`,
);

const insertGoals = new PreparedStatement<never, 'items'>(
  ({ json }) => `
    insert into activities (account_id, profile_id, experience_id, what, part_id, day, previous_day,
      language, device, url_group_id)
    select :account, item.profile_id, item.experience_id, 'goal', '', item.day, item.previous_day, '', '', ''
    from ${json.table(':items', { profile_id: 'text', experience_id: 'text', day: 'integer', previous_day: 'integer' })} as item`,
);

/**
 * Records once a day that users met goals, and counts it. Each user meets the goal of an Experience once in the list. The profiles are locked.
 * A batch can meet thousands, so a few statements store all of them.
 */
export async function recordGoals(ctx: Context, met: readonly MetGoal[]): Promise<void> {
  const rows = await ctx.run(findDays, {
    items: JSON.stringify(met.map(({ profile_id, experience_id, day }) => [profile_id, experience_id, day])),
  });
  const known = new Map(rows.map((row) => [keyOf(row), row]));
  const found = met.flatMap((one) => {
    const { last_day = null, before_next = null, next_day = null } = known.get(keyOf(one)) ?? {};
    const previous_day = Math.max(last_day ?? -1, before_next ?? -1);
    return previous_day < one.day ? { ...one, previous_day, next_day } : [];
  });
  if (found.length === 0) return;
  const items = found.map(({ profile_id, experience_id, day, previous_day }) => [
    profile_id,
    experience_id,
    day,
    previous_day,
  ]);
  await ctx.run(insertGoals, { items: JSON.stringify(items) });
  const counts: MovedRow[] = [];
  for (const { next_day, is_test, ...one } of found) {
    // Only late events have a next day, so they are few.
    const next = next_day === null ? undefined : await moveNext(ctx, one, { ...goal, day: one.day }, next_day);
    if (is_test) continue;
    const { experience_id, day, previous_day } = one;
    const added = { ...goal, day, previous_day };
    counts.push({ experience_id, ...added, ...noDimensions, count: 1 });
    counts.push(...toMovedRows(experience_id, { ...added, next }));
  }
  await addCounts(ctx, 'activity_counts', counts.map(toActivityCount));
  await addCounts(ctx, 'version_counts', counts.map(toVersionCount));
}

const keyOf = ({ profile_id, experience_id }: Pair) => `${profile_id} ${experience_id}`;
