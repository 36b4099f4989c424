import { type ReachCounts, type ReachResults, reachMeasures, toDate } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { PreparedStatement } from '../../../db/prepared-statement.ts';
import type { LocalDayRange } from '../stats/answers-in.ts';
import { type ColumnDays, listColumns } from '../stats/count-activities.ts';

/** Whose numbers are counted: scopes, or Experiences, whose numbers are added up. */
export interface Counted {
  ids: readonly string[];
  /** Only people who were first in the range on this Environment. */
  urlGroupId: string | undefined;
}

const noReach: ReachCounts = { shown: 0, started: 0, completed: 0 };

type Table = 'activity_counts' | 'version_counts';
type Params = 'ids' | 'days' | 'first' | 'url_group_id';

const measures = reachMeasures.map((what) => `'${what}'`).join(', ');

/** One search in the primary key for each Experience, day and measure: the many other rows of the day are not read. */
function countsOf(table: Table, bound: string): string {
  const ofGroup = table === 'activity_counts' ? `and :url_group_id in ('', counts.url_group_id)` : '';
  return `cross join ${table} as counts
    where counts.account_id = :account and counts.experience_id = wanted.id and counts.day = item.day
      and counts.what in (${measures}) and counts.part_id = '' ${ofGroup} ${bound}`;
}

const columnStatement = (table: Table) =>
  new PreparedStatement<{ what: string; starts: number; users: number; column_users: number }, Params>(
    ({ json }) => `
      select counts.what, item.starts,
        sum(case when counts.previous_day < :first then counts.count else 0 end) as users,
        sum(case when counts.previous_day < item.starts then counts.count else 0 end) as column_users
      from ${json.table(':ids', { id: 'text' })} as wanted
      cross join ${json.table(':days', { day: 'integer', starts: 'integer' })} as item
      ${countsOf(table, '')}
      group by counts.what, item.starts`,
  );

const totalStatement = (table: Table) =>
  new PreparedStatement<{ id: string; what: string; users: number }, Params>(
    ({ json }) => `
      select counts.experience_id as id, counts.what, sum(counts.count) as users
      from ${json.table(':ids', { id: 'text' })} as wanted
      cross join ${json.table(':days', { day: 'integer', starts: 'integer' })} as item
      ${countsOf(table, 'and counts.previous_day < :first')}
      group by counts.experience_id, counts.what`,
  );

const byColumn = {
  activity_counts: columnStatement('activity_counts'),
  version_counts: columnStatement('version_counts'),
};
const inTotal = {
  activity_counts: totalStatement('activity_counts'),
  version_counts: totalStatement('version_counts'),
};

/** How many people there were in the range, and in each of its days or weeks. */
export async function countPeriod(
  ctx: Context,
  counted: Counted,
  range: LocalDayRange,
  columnDays: ColumnDays,
): Promise<ReachResults['before']> {
  // Scopes have no counts by version, and these have no Environment.
  const rows = await run(ctx, byColumn.activity_counts, counted, range, columnDays);
  const totals = { ...noReach };
  const columns = new Map<number, ReachCounts>();
  for (const { what, starts, users, column_users } of rows) {
    const measure = what as keyof ReachCounts;
    const column = columns.get(starts) ?? { ...noReach };
    columns.set(starts, column);
    totals[measure] += Number(users);
    column[measure] = Number(column_users);
  }
  return {
    from: toDate(range.first),
    until: toDate(range.last),
    totals,
    days: listColumns(range, columnDays).map((day) => ({ day: toDate(day), ...(columns.get(day) ?? noReach) })),
  };
}

/** How many people there were in the range, by scope or Experience. */
export async function countEach(
  ctx: Context,
  counted: Counted,
  range: LocalDayRange,
  table: Table,
): Promise<Map<string, ReachCounts>> {
  const totals = new Map<string, ReachCounts>();
  for (const { id, what, users } of await run(ctx, inTotal[table], counted, range, 1))
    totals.set(id, { ...noReach, ...totals.get(id), [what]: Number(users) });
  return totals;
}

/** Where the time zone was moved west, some rows lie after today, and are shown there. */
const MAX_DAYS_AHEAD = 2;

function run<Row>(
  { app, heavyDb, account }: Context,
  statement: PreparedStatement<Row, Params>,
  { ids, urlGroupId = '' }: Counted,
  range: LocalDayRange,
  columnDays: ColumnDays,
): Promise<Row[]> {
  const starts = listColumns(range, columnDays);
  const days: [day: number, starts: number][] = [];
  const last = Math.min(range.lastOfRows, range.last + MAX_DAYS_AHEAD);
  for (let day = range.first; day <= last; day += 1)
    days.push([day, starts.findLast((start) => start <= day) ?? range.first]);
  return statement.run(app.storage, heavyDb, account.id, {
    ids: JSON.stringify(ids.map((id) => [id])),
    days: JSON.stringify(days),
    first: range.first,
    url_group_id: urlGroupId,
  });
}
