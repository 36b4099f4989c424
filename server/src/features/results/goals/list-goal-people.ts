import {
  type ExperienceKind,
  firstIdAt,
  type GoalPeople,
  type ListGoalPeople,
  type Millis,
  startOfDay,
  toTimestamp,
  toTimestampOrNull,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { FIRST_CHUNK, nextChunkSize } from '../../../db/pagination/chunk-size.ts';
import { AFTER_ALL_IDS, MAX_PAGE_SIZE } from '../../../db/pagination/list-page.ts';
import { notFound } from '../../../errors.ts';
import { presentProfiles } from '../../audience/profile-search/present-profiles.ts';
import { getExperience } from '../../experiences/queries.ts';
import { readDayRange } from '../stats/answers-in.ts';
import { goalSql, type MetRow } from './goal-sql.ts';
import { peopleSql, type Reached, reachedBy, toReached } from './people-sql.ts';
import { goalScope, loadSegments, type ResolvedGoal, resolveGoals } from './resolve-goals.ts';

const MAX_SCAN_MS: Millis = 2000;
const MAX_CHUNK = 10_000;

type Found = Reached & Partial<Pick<MetRow, 'met_at' | 'value'>>;

/**
 * Lists the people who first saw the Experience in the range, the last one first: all, or who met a goal. Rows are looked at in chunks, so
 * that a page takes bounded time even if nearly nobody met the goal.
 */
export async function listGoalPeople(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  { goal_id, limit: wanted, before, ...params }: ListGoalPeople,
): Promise<GoalPeople> {
  const { draft } = await getExperience(ctx, kind, id);
  const range = await readDayRange(ctx, params);
  const goal = (await resolveGoals(ctx, draft)).find((one) => one.id === goal_id);
  if (goal_id !== undefined && !goal) throw notFound('goal');
  const times = { from: startOfDay(range.first, range.timeZone), before: startOfDay(range.last + 1, range.timeZone) };
  const limit = Math.min(wanted, MAX_PAGE_SIZE);
  const meet = await meeting(ctx, goal);
  const found: Found[] = [];
  const deadline = performance.now() + MAX_SCAN_MS;
  let place = typeof before === 'number' ? firstIdAt(before) : (before ?? AFTER_ALL_IDS);
  let isComplete = true;
  for (let size = FIRST_CHUNK; ; ) {
    const started = performance.now();
    const chunk = await readChunk(ctx, id, times, place, size);
    found.push(...(await meet(chunk)));
    const isLast = chunk.length < size;
    if (found.length > limit || isLast) break;
    place = chunk.at(-1)?.id ?? place;
    if (performance.now() >= deadline) {
      isComplete = false;
      break;
    }
    size = Math.min(nextChunkSize(size, performance.now() - started), MAX_CHUNK);
  }
  const page = found.slice(0, limit);
  const next = found.length > limit ? (page.at(-1)?.id ?? null) : isComplete ? null : place;
  return { people: await present(ctx, page), is_complete: isComplete, cursor: { limit, before: next } };
}

/** Finds who of a chunk met the goal, in the order of the chunk. */
async function meeting(ctx: Context, goal: ResolvedGoal | undefined): Promise<(chunk: Reached[]) => Promise<Found[]>> {
  if (!goal) return async (chunk) => chunk;
  const scope = goalScope(ctx, await loadSegments(ctx, [goal]));
  return async (chunk) => {
    if (chunk.length === 0) return [];
    const { rows } = await goalSql(goal, peopleSql(ctx, chunk), scope).execute(ctx.heavyDb);
    const met = new Map(rows.map((row) => [row.profile_id, row]));
    return chunk.flatMap((one) => {
      const row = met.get(one.profile_id);
      return row ? [{ ...one, met_at: row.met_at, value: row.value }] : [];
    });
  };
}

async function readChunk(
  ctx: Context,
  id: string,
  { from, before }: { from: Millis; before: Millis },
  place: string,
  size: number,
): Promise<Reached[]> {
  const rows = await reachedBy(ctx, id)
    .select(['interactions.id', 'interactions.profile_id', 'interactions.created_at'])
    .where('interactions.id', '<', place)
    // What came from another service has a time of its own.
    .where((eb) =>
      eb.or([
        eb.and([
          eb('interactions.created_at', 'is', null),
          eb('interactions.id', '>=', firstIdAt(from)),
          eb('interactions.id', '<', firstIdAt(before)),
        ]),
        eb.and([eb('interactions.created_at', '>=', from), eb('interactions.created_at', '<', before)]),
      ]),
    )
    .orderBy('interactions.id', 'desc')
    .limit(size)
    .execute();
  return rows.map(toReached);
}

async function present(ctx: Context, page: readonly Found[]): Promise<GoalPeople['people']> {
  if (page.length === 0) return [];
  const rows = await ctx.heavyDb
    .selectFrom('profiles')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where(
      'id',
      'in',
      page.map(({ profile_id }) => profile_id),
    )
    .execute();
  const profiles = new Map((await presentProfiles(ctx, rows)).map((profile) => [profile.id, profile]));
  return page.flatMap(({ profile_id, from_at, met_at, value }) => {
    const profile = profiles.get(profile_id);
    if (!profile) return [];
    return {
      profile,
      first_seen_at: toTimestamp(from_at),
      met_at: toTimestampOrNull(met_at === undefined || met_at === null ? null : Number(met_at)),
      value: value === undefined || value === null ? null : Number(value),
    };
  });
}
