import type { Activity, Device } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { PreparedStatement } from '../../../db/prepared-statement.ts';
import { addCounts } from '../../results/counts/use-counts.ts';

interface Key {
  profile_id: string;
  experience_id: string;
}

interface ActivityOf<What = Activity> {
  what: What;
  /** The step or button; empty for the Experience itself. */
  part_id: string;
}

/** By what results can be filtered; empty if unknown. A user counts as at the first time on a day. */
export interface Dimensions {
  language: string;
  device: Device;
  url_group_id: string;
}
export const noDimensions: Dimensions = { language: '', device: '', url_group_id: '' };

/** What a user did on a day for the first time, and the days before and after on which they did the same. */
export interface NewActivity extends ActivityOf<Activity | 'shown'> {
  day: number;
  previous_day: number;
  next_day: number | null;
}

interface KnownDays extends ActivityOf {
  is_known: number;
  previous_day: number | null;
  next_day: number | null;
}

const findDays = new PreparedStatement<KnownDays, keyof Key | 'day' | 'done'>(
  ({ json }) => `
    select what, part_id,
      max(case when day < :day then day end) as previous_day,
      min(case when day > :day then day end) as next_day,
      max(case when day = :day then 1 else 0 end) as is_known
    from activities
    where account_id = :account and profile_id = :profile_id and experience_id = :experience_id
      and ${json.isAmong("what || ' ' || part_id", ':done')}
    group by what, part_id`,
);

const insertActivities = new PreparedStatement<never, keyof Key | 'day' | keyof Dimensions | 'done'>(
  ({ json }) => `
    insert into activities (account_id, profile_id, experience_id, what, part_id, day, language, device, url_group_id)
    select :account, :profile_id, :experience_id, done.what, done.part_id, cast(:day as integer),
      :language, :device, :url_group_id
    from ${json.table(':done', { what: 'text', part_id: 'text' })} as done`,
);

const nameOf = ({ what, part_id }: ActivityOf<string>) => `${what} ${part_id}`;
/** A user who did one of these has seen the Experience. */
const shown = ['displayed ', 'started '];

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
  const reported = new Map(activities.map((activity) => [nameOf(activity), activity]));
  if (reported.size === 0) return [];
  const isShown = shown.some((name) => reported.has(name));
  const names = new Set([...reported.keys(), ...(isShown ? shown : [])]);
  const rows = await ctx.run(findDays, { ...key, day, done: JSON.stringify([...names]) });
  const known = new Map(rows.map((row) => [nameOf(row), row]));
  const toNew = (activity: ActivityOf<Activity | 'shown'>, days: readonly (KnownDays | undefined)[]): NewActivity => {
    const next = days.flatMap((one) => one?.next_day ?? []);
    return {
      ...activity,
      day,
      previous_day: Math.max(-1, ...days.flatMap((one) => one?.previous_day ?? [])),
      next_day: next.length > 0 ? Math.min(...next) : null,
    };
  };
  const found = [...reported]
    .filter(([name]) => !known.get(name)?.is_known)
    .map(([name, activity]) => toNew(activity, [known.get(name)]));
  if (found.length === 0) return [];
  const done = JSON.stringify(found.map(({ what, part_id }) => [what, part_id]));
  await ctx.run(insertActivities, { ...key, ...dimensions, day, done });
  const views = shown.map((name) => known.get(name));
  if (isShown && !views.some((one) => one?.is_known)) found.push(toNew({ what: 'shown', part_id: '' }, views));
  return found;
}

const countNew = new PreparedStatement<never, 'experience_id' | 'day' | keyof Dimensions | 'done'>(
  ({ json }) => `
    insert into activity_counts (account_id, experience_id, day, what, part_id, previous_day,
      language, device, url_group_id, variant, count)
    select :account, :experience_id, cast(:day as integer), done.what, done.part_id, done.previous_day,
      case when done.what = 'shown' then '' else :language end,
      case when done.what = 'shown' then '' else :device end,
      case when done.what = 'shown' then '' else :url_group_id end, '', 1
    from ${json.table(':done', { what: 'text', part_id: 'text', previous_day: 'integer' })} as done
    where true
    on conflict (account_id, experience_id, day, what, part_id, previous_day, language, device, url_group_id, variant)
    do update set count = activity_counts.count + 1`,
);

/** Counts what `recordActivities` has found. It takes the clock of the account. */
export async function countActivities(
  ctx: Context,
  key: Key,
  found: readonly NewActivity[],
  dimensions: Dimensions,
): Promise<void> {
  const [first] = found;
  if (!first) return;
  await ctx.clock();
  const { day } = first;
  const done = JSON.stringify(found.map(({ what, part_id, previous_day }) => [what, part_id, previous_day]));
  await ctx.run(countNew, { experience_id: key.experience_id, ...dimensions, day, done });
  for (const activity of found) if (activity.next_day !== null) await moveNext(ctx, key, activity);
}

/** A late report: what the user did on the next day was not the first time, or had another day before it. */
async function moveNext(ctx: Context, key: Key, { day, what, part_id, previous_day, next_day }: NewActivity) {
  const row = { experience_id: key.experience_id, day: next_day ?? 0, what, part_id, variant: '' };
  const dimensions =
    what === 'shown' ? noDimensions : await findDimensions(ctx, { ...key, day: row.day, what, part_id });
  await addCounts(ctx, 'activity_counts', [
    { ...row, ...dimensions, previous_day, count: -1 },
    { ...row, ...dimensions, previous_day: day, count: 1 },
  ]);
}

function findDimensions(
  ctx: Context,
  { profile_id, experience_id, day, what, part_id }: Key & ActivityOf & { day: number },
) {
  return ctx.db
    .selectFrom('activities')
    .select(['language', 'device', 'url_group_id'])
    .where('account_id', '=', ctx.account.id)
    .where('profile_id', '=', profile_id)
    .where('experience_id', '=', experience_id)
    .where('what', '=', what)
    .where('part_id', '=', part_id)
    .where('day', '=', day)
    .executeTakeFirstOrThrow();
}
