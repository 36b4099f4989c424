import {
  ALL_EXPERIENCES,
  type Device,
  experienceKinds,
  isReachMeasure,
  reachScopeOf,
  type StoredActivity,
  withShown,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { PreparedStatement } from '../../../db/prepared-statement.ts';
import { addCounts, type CountRow } from '../../results/counts/use-counts.ts';

interface Key {
  profile_id: string;
  experience_id: string;
}

interface ActivityOf {
  what: StoredActivity;
  /** The step or button; empty for the Experience itself. */
  part_id: string;
  /** Of a step that the user went on from: how long it was there. */
  seconds?: number | undefined;
}

/** By what results can be filtered; empty if unknown. A user counts as at the first time on a day. */
export interface Dimensions {
  language: string;
  device: Device;
  url_group_id: string;
  /** The arm of the user, if an experiment runs. */
  variant: string;
  version_id: string;
}
export const noDimensions: Dimensions = { language: '', device: '', url_group_id: '', variant: '', version_id: '' };

/** What a user did on a day for the first time, and the day before on which they did the same. */
export interface NewActivity extends ActivityOf {
  day: number;
  previous_day: number;
  /** The row of the next day, if the report is late. */
  next: (Dimensions & { day: number }) | undefined;
  /** The same with any Experience, and with any of the kind, if it was the first time on the day. */
  reach?: readonly (NewActivity & { scope: string })[];
}

interface KnownDays extends ActivityOf {
  last_day: number | null;
  next_day: number | null;
  before_next: number | null;
}

// The row of the previous day may have been deleted because of its age. Then there is a row of a later day, which names that day.
const findDays = new PreparedStatement<KnownDays, keyof Key | 'day' | 'done'>(
  ({ json }) => `
    select what, part_id,
      max(case when day <= :day then day end) as last_day,
      min(case when day > :day then day end) as next_day,
      min(case when day > :day then previous_day end) as before_next
    from activities
    where account_id = :account and profile_id = :profile_id and experience_id = :experience_id
      and ${json.isAmong("what || ' ' || part_id", ':done')}
    group by what, part_id`,
);

const insertActivities = new PreparedStatement<never, keyof Key | 'day' | 'at' | keyof Dimensions | 'done'>(
  ({ json }) => `
    insert into activities (account_id, profile_id, experience_id, what, part_id, day, previous_day,
      language, device, url_group_id, variant, version_id, at, seconds)
    select :account, :profile_id, :experience_id, done.what, done.part_id, cast(:day as integer), done.previous_day,
      :language, :device, :url_group_id, :variant, :version_id, cast(:at as bigint), done.seconds
    from ${json.table(':done', { what: 'text', part_id: 'text', previous_day: 'integer', seconds: 'integer' })} as done`,
);

const nameOf = ({ what, part_id }: ActivityOf) => `${what} ${part_id}`;

/**
 * Records once a day what a user did, however often it is reported. The profile is locked. Returns what is new; when the transaction has the
 * clock, `countActivities` counts it.
 */
export async function recordActivities(
  ctx: Context,
  key: Key,
  day: number,
  activities: readonly ActivityOf[],
  dimensions: Dimensions,
): Promise<NewActivity[]> {
  if (activities.length === 0) return [];
  const reported = new Map(activities.flatMap(withShown).map((activity) => [nameOf(activity), activity]));
  const rows = await ctx.run(findDays, { ...key, day, done: JSON.stringify([...reported.keys()]) });
  const known = new Map(rows.map((row) => [nameOf(row), row]));
  const found = [...reported].flatMap(([name, activity]) => {
    const { last_day = null, before_next = null, next_day = null } = known.get(name) ?? {};
    const previous_day = Math.max(last_day ?? -1, before_next ?? -1);
    return previous_day < day ? { ...activity, day, previous_day, next_day } : [];
  });
  if (found.length === 0) return [];
  await ctx.run(insertActivities, { ...key, ...dimensions, day, at: ctx.now(), done: toJson(found) });
  const result: NewActivity[] = [];
  const reached = await recordReach(ctx, key, day, found, dimensions);
  for (const { next_day, ...activity } of found)
    result.push({
      ...activity,
      next: next_day === null ? undefined : await moveNext(ctx, key, activity, next_day),
      reach: reached.filter(({ what }) => what === activity.what),
    });
  return result;
}

// Nothing is found for an Experience that is being deleted.
const findReachDays = new PreparedStatement<KnownDays & { scope: string }, keyof Key | 'day' | 'done'>(
  ({ json }) => `
    select scope.id as scope, done.what, '' as part_id,
      max(case when known.day <= :day then known.day end) as last_day,
      min(case when known.day > :day then known.day end) as next_day,
      min(case when known.day > :day then known.previous_day end) as before_next
    from experiences
    cross join (select '${ALL_EXPERIENCES}' as id, '' as kind union all
      ${experienceKinds.map((kind) => `select '${reachScopeOf(kind)}', '${kind}'`).join(' union all ')}) as scope
    cross join ${json.table(':done', { what: 'text' })} as done
    left join activities as known on known.account_id = :account and known.profile_id = :profile_id
      and known.experience_id = scope.id and known.what = done.what and known.part_id = ''
    where experiences.account_id = :account and experiences.id = :experience_id and scope.kind in ('', experiences.kind)
    group by scope.id, done.what`,
);

const insertReach = new PreparedStatement<never, 'profile_id' | 'day' | 'url_group_id' | 'at' | 'done'>(
  ({ json }) => `
    insert into activities (account_id, profile_id, experience_id, what, part_id, day, previous_day, url_group_id, at)
    select :account, :profile_id, done.scope, done.what, '', cast(:day as integer), done.previous_day,
      :url_group_id, cast(:at as bigint)
    from ${json.table(':done', { scope: 'text', what: 'text', previous_day: 'integer' })} as done`,
);

/** Records once a day that a user did something with any Experience, and with any of its kind. */
async function recordReach(
  ctx: Context,
  key: Key,
  day: number,
  done: readonly ActivityOf[],
  { url_group_id }: Dimensions,
): Promise<(NewActivity & { scope: string })[]> {
  const names = done.flatMap(({ what, part_id }) => (part_id === '' && isReachMeasure(what) ? [[what]] : []));
  if (names.length === 0) return [];
  const rows = await ctx.run(findReachDays, { ...key, day, done: JSON.stringify(names) });
  const found = rows.flatMap(({ last_day, before_next, ...row }) => {
    const previous_day = Math.max(last_day ?? -1, before_next ?? -1);
    return previous_day < day ? { ...row, day, previous_day } : [];
  });
  if (found.length === 0) return [];
  const inserted = found.map(({ scope, what, previous_day }) => [scope, what, previous_day]);
  const { profile_id } = key;
  await ctx.run(insertReach, { profile_id, url_group_id, day, at: ctx.now(), done: JSON.stringify(inserted) });
  const result: (NewActivity & { scope: string })[] = [];
  for (const { next_day, ...row } of found) {
    const ofScope = { profile_id, experience_id: row.scope };
    result.push({ ...row, next: next_day === null ? undefined : await moveNext(ctx, ofScope, row, next_day) });
  }
  return result;
}

/** A late report: what the user did on the next day has another day before it. */
export async function moveNext(
  ctx: Context,
  { profile_id, experience_id }: Key,
  { what, part_id, day }: ActivityOf & { day: number },
  nextDay: number,
): Promise<Dimensions & { day: number }> {
  return ctx.db
    .updateTable('activities')
    .set({ previous_day: day })
    .where('account_id', '=', ctx.account.id)
    .where('profile_id', '=', profile_id)
    .where('experience_id', '=', experience_id)
    .where('what', '=', what)
    .where('part_id', '=', part_id)
    .where('day', '=', nextDay)
    .returning(['day', 'language', 'device', 'url_group_id', 'variant', 'version_id'])
    .executeTakeFirstOrThrow();
}

const toJson = (found: readonly Pick<NewActivity, 'what' | 'part_id' | 'previous_day' | 'seconds'>[]) =>
  JSON.stringify(
    found.map(({ what, part_id, previous_day, seconds = null }) => [what, part_id, previous_day, seconds]),
  );

const countNew = new PreparedStatement<
  never,
  'experience_id' | 'day' | Exclude<keyof Dimensions, 'version_id'> | 'done'
>(
  ({ json }) => `
    insert into activity_counts (account_id, experience_id, day, what, part_id, previous_day,
      language, device, url_group_id, variant, count)
    select :account, :experience_id, cast(:day as integer), done.what, done.part_id, done.previous_day,
      :language, :device, :url_group_id, :variant, 1
    from ${json.table(':done', { what: 'text', part_id: 'text', previous_day: 'integer', seconds: 'integer' })} as done
    where true
    on conflict (account_id, experience_id, day, what, part_id, previous_day, language, device, url_group_id, variant)
    do update set count = activity_counts.count + 1`,
);

/** Counts what `recordActivities` has found. It takes the clock of the account. */
export async function countActivities(
  ctx: Context,
  { experience_id }: Key,
  found: readonly NewActivity[],
  dimensions: Dimensions,
): Promise<void> {
  const [first] = found;
  if (!first) return;
  await ctx.clock();
  const { version_id, ...others } = dimensions;
  await ctx.run(countNew, { experience_id, ...others, day: first.day, done: toJson(found) });
  const moved = found.flatMap((one) => toMovedRows(experience_id, one));
  const ofReach = { ...noDimensions, url_group_id: dimensions.url_group_id };
  const reached = found.flatMap(({ reach = [] }) =>
    reach.flatMap(({ scope, ...one }): MovedRow[] => {
      const { what, part_id, day, previous_day } = one;
      const added = { experience_id: scope, what, part_id, day, previous_day, ...ofReach, count: 1 };
      return [added, ...toMovedRows(scope, one)];
    }),
  );
  await addCounts(ctx, 'activity_counts', [...moved, ...reached].map(toActivityCount));
  const added = found.map(({ what, part_id, day, previous_day }) => ({
    ...{ experience_id, what, part_id, day, previous_day, version_id, count: 1 },
  }));
  await addCounts(ctx, 'version_counts', [...added, ...moved.map(toVersionCount)]);
  const times = found.flatMap(({ what, part_id, day, seconds }) =>
    what === 'next' && seconds !== undefined ? [{ experience_id, day, step_id: part_id, seconds, count: 1 }] : [],
  );
  await addCounts(ctx, 'step_times', times);
}

/** What changes in the counts of a later day, for a report that comes late. */
export function toMovedRows(
  experience_id: string,
  { what, part_id, day, previous_day, next }: NewActivity,
): MovedRow[] {
  if (!next) return [];
  const row = { experience_id, what, part_id, ...next };
  return [
    { ...row, previous_day, count: -1 },
    { ...row, previous_day: day, count: 1 },
  ];
}

export type MovedRow = CountRow & Dimensions & ActivityOf & { previous_day: number };

export function toActivityCount({ version_id: _, ...row }: MovedRow): CountRow {
  return row as CountRow;
}

export function toVersionCount(row: MovedRow): CountRow {
  const { experience_id, what, part_id, day, previous_day, version_id, count } = row;
  return { experience_id, what, part_id, day, previous_day, version_id, count };
}
