import {
  type Adoption,
  dayOf,
  EVENT_COUNT_DAYS,
  type GetAdoption,
  listPublishingMarks,
  quarterOf,
  startOfDay,
  toDate,
  toTimestamp,
} from '@usher/domain';
import type { Static } from 'typebox';
import type { Context } from '../../../context.ts';
import { PreparedStatement, type SqlValue } from '../../../db/prepared-statement.ts';
import { countAllProfiles } from '../../audience/counts/count-all-profiles.ts';
import { getEventName } from '../../audience/event-names/queries.ts';
import { countTestUsers } from '../../audience/profiles/count-matching.ts';
import { loadPublishingChanges } from '../../experiences/load-publishing-changes.ts';
import { findEventUses } from '../event-counts/find-event-uses.ts';
import { type LocalDayRange, readDayRange } from '../stats/answers-in.ts';
import { DAYS_OF_WEEK, listColumns } from '../stats/count-activities.ts';

type Params = 'name' | 'columns';

const countEvents = new PreparedStatement<{ day: number; count: number }, Params>(
  ({ json }) => `
    select item.day, sum(counts.count) as count
    from ${json.table(':columns', { day: 'integer', starts: 'bigint', ends: 'bigint' })} as item
    cross join event_counts as counts
    where counts.account_id = :account and counts.name = :name
      and counts.quarter >= item.starts and counts.quarter < item.ends
    group by item.day`,
);

// The index has both columns, so no row is looked up.
const countFirst = new PreparedStatement<{ day: number; count: number }, Params>(
  ({ json }) => `
    select item.day, count(*) as count
    from ${json.table(':columns', { day: 'integer', starts: 'bigint', ends: 'bigint' })} as item
    cross join profile_events as known
    where known.account_id = :account and known.name = :name
      and known.first_at >= item.starts and known.first_at < item.ends
    group by item.day`,
);

const countFirstOfTests = new PreparedStatement<{ day: number; count: number }, Params>(
  ({ json }) => `
    select item.day, count(*) as count
    from profiles
    cross join ${json.table(':columns', { day: 'integer', starts: 'bigint', ends: 'bigint' })} as item
    join profile_events as known on known.account_id = :account and known.profile_id = profiles.id and known.name = :name
      and known.first_at >= item.starts and known.first_at < item.ends
    where profiles.account_id = :account and profiles.is_test
    group by item.day`,
);

/** Before every column: people who had tracked the event before the range. */
const BEFORE = -1;

/** Counts how often an event was tracked, and by how many people for the first time. */
export async function showAdoption(
  ctx: Context,
  id: string,
  { by = 'day', ...params }: Static<typeof GetAdoption>,
): Promise<Adoption> {
  const { prop } = await getEventName(ctx, id);
  const range = await readDayRange(ctx, params);
  const columns = listColumns(range, by === 'week' ? DAYS_OF_WEEK : 1);
  const starts = columns.map((day) => startOfDay(day, range.timeZone));
  const end = startOfDay(range.last + 1, range.timeZone);
  const ends = [...starts.slice(1), end];
  const times = columns.map((day, at) => [day, starts[at] ?? end, ends[at] ?? end] as const);
  const firsts = [[BEFORE, 0, starts[0] ?? end] as const, ...times];
  const quarters = times.map(([day, starts, ends]) => [day, quarterOf(starts), quarterOf(ends)]);
  const [events, first, tests, all, testUsers, marks] = await Promise.all([
    run(ctx, countEvents, { name: prop, columns: JSON.stringify(quarters) }),
    run(ctx, countFirst, { name: prop, columns: JSON.stringify(firsts) }),
    run(ctx, countFirstOfTests, { name: prop, columns: JSON.stringify(firsts) }),
    countAllProfiles(ctx),
    countTestUsers(ctx),
    listMarks(ctx, prop, range),
  ]);
  const countedFrom = findCountedFrom(ctx, range);
  const newIn = (day: number) => (first.get(day) ?? 0) - (tests.get(day) ?? 0);
  let adopters = newIn(BEFORE);
  const days = columns.map((day) => {
    const new_people = newIn(day);
    adopters += new_people;
    const count = day < countedFrom ? null : (events.get(day) ?? 0);
    return { day: toDate(day), count, new_people, adopters };
  });
  const sum = (of: (day: (typeof days)[number]) => number) => days.reduce((total, day) => total + of(day), 0);
  return {
    ...{ from: toDate(range.first), until: toDate(range.last), by },
    counted_from: countedFrom > range.first ? toDate(countedFrom) : null,
    count: sum(({ count }) => count ?? 0),
    new_people: sum(({ new_people }) => new_people),
    adopters,
    people: all - testUsers,
    days,
    marks,
  };
}

async function run(
  { app, heavyDb, account }: Context,
  statement: PreparedStatement<{ day: number; count: number }, Params>,
  values: Record<Params, SqlValue>,
): Promise<Map<number, number>> {
  const rows = await statement.run(app.storage, heavyDb, account.id, values);
  return new Map(rows.map(({ day, count }) => [day, Number(count)]));
}

const DAY_MS = 24 * 60 * 60_000;

/** The first day whose counts are complete. Counts are deleted after some days, and with single events if these go earlier. */
function findCountedFrom(ctx: Context, { timeZone }: LocalDayRange): number {
  const days = Math.min(EVENT_COUNT_DAYS, ctx.app.activity.eventsDays);
  return dayOf(ctx.now() - days * DAY_MS, timeZone) + 1;
}

/** When Experiences that this event is about were published, or stopped. */
async function listMarks(ctx: Context, prop: string, range: LocalDayRange): Promise<Adoption['marks']> {
  const { experiences } = await findEventUses(ctx, prop);
  const changes = await loadPublishingChanges(
    ctx,
    experiences.map(({ id }) => id),
  );
  return experiences
    .flatMap(({ id, kind, name }) =>
      listPublishingMarks(
        changes.filter(({ experience_id }) => experience_id === id),
        ctx.now(),
      ).map(({ what, at, change_id }) => ({ what, at, change_id, experience_id: id, kind, name })),
    )
    .sort((one, other) => one.at - other.at)
    .flatMap(({ at, ...mark }) => {
      const day = dayOf(at, range.timeZone);
      return day >= range.first && day <= range.last ? [{ ...mark, day: toDate(day), at: toTimestamp(at) }] : [];
    });
}
