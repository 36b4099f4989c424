import { dayOf } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { FIRST_CHUNK, nextChunkSize } from '../../../db/pagination/chunk-size.ts';
import type { SegmentRow } from '../../audience/filters/segments.ts';
import { goalSql } from './goal-sql.ts';
import { peopleSql, type Reached, reachedBy, toReached } from './people-sql.ts';
import { goalScope, type ResolvedGoal } from './resolve-goals.ts';

/** People by the goal and the day on which they first saw the Experience. An empty goal is everybody. */
export interface DayCount {
  goal_id: string;
  day: number;
  people: number;
  value: number;
}

interface Counting {
  experienceId: string;
  goals: readonly ResolvedGoal[];
  segments: readonly SegmentRow[];
  timeZone: string;
}

/** The people of a chunk are a parameter of the query. */
const MAX_CHUNK = 10_000;

/**
 * Counts who met the goals of an Experience, chunk by chunk, so that other heavy reads run in between.
 * @param onProgress gets how many people were looked at, and returns whether to go on
 */
export async function countGoals(
  ctx: Context,
  { experienceId, goals, segments, timeZone }: Counting,
  onProgress: (seen: number) => Promise<boolean>,
): Promise<DayCount[] | undefined> {
  const counts = new Map<string, DayCount>();
  const add = (goal_id: string, day: number, value: number) => {
    const key = `${goal_id} ${day}`;
    const count = counts.get(key) ?? { goal_id, day, people: 0, value: 0 };
    count.people += 1;
    count.value += value;
    counts.set(key, count);
  };
  const scope = goalScope(ctx, segments);
  let seen = 0;
  let size = FIRST_CHUNK;
  for (let after = ''; ; ) {
    const started = performance.now();
    const people = await readChunk(ctx, experienceId, after, size);
    const days = new Map(people.map(({ profile_id, from_at }) => [profile_id, dayOf(from_at, timeZone)]));
    for (const day of days.values()) add('', day, 0);
    for (const goal of people.length === 0 ? [] : goals) {
      const { rows } = await goalSql(goal, peopleSql(ctx, people), scope).execute(ctx.heavyDb);
      for (const { profile_id, value } of rows) add(goal.id, days.get(profile_id) ?? 0, Number(value ?? 0));
    }
    if (people.length < size) return [...counts.values()];
    seen += people.length;
    after = people.at(-1)?.id ?? '';
    if (!(await onProgress(seen))) return undefined;
    size = Math.min(nextChunkSize(size, performance.now() - started), MAX_CHUNK);
  }
}

async function readChunk(ctx: Context, experienceId: string, after: string, size: number): Promise<Reached[]> {
  const rows = await reachedBy(ctx, experienceId)
    .select(['interactions.id', 'interactions.profile_id', 'interactions.created_at'])
    .where('interactions.id', '>', after)
    .orderBy('interactions.id')
    .limit(size)
    .execute();
  return rows.map(toReached);
}
