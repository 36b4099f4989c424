import { NO_VALUE, type ResultPeople, scoreValues } from '@usher/domain';
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Within } from '../../../db/pagination/chunk-size.ts';
import type { Schema } from '../../../db/schema.ts';
import { selectMembers } from '../../audience/filters/select-members.ts';
import { hasWritten } from '../responses/queries.ts';
import { isOneOf } from '../responses/select-responses.ts';
import { type LocalDayRange, readDayRange } from '../stats/answers-in.ts';
import { findFlowRange } from '../stats/count-flow.ts';

export interface SelectedPeople {
  /** The column with the ID of a user. */
  idColumn: string;
  /** Everybody who is looked at. */
  all: PeopleQuery;
  /** Those whom a number counts, or those in a chunk. */
  matching(within: Within): PeopleQuery;
}
/** The type of one table stands for all. */
export type PeopleQuery = SelectQueryBuilder<Schema, 'interactions', object>;

function interactionsOf(ctx: Context, id: string) {
  return ctx.heavyDb
    .selectFrom('interactions')
    .where('interactions.account_id', '=', ctx.account.id)
    .where('interactions.experience_id', '=', id);
}

/** Selects the people whom a number of the results counts: by the same days, and without test users. */
export async function selectPeople(ctx: Context, id: string, params: ResultPeople): Promise<SelectedPeople> {
  const { from, until, segment_id } = params;
  const range = await readDayRange(ctx, { ...(from !== undefined && { from }), ...(until !== undefined && { until }) });
  const condition = await conditionOf(ctx, id, range, params);
  const members = segment_id === undefined ? undefined : await selectMembers(ctx, segment_id);
  const all = interactionsOf(ctx, id);
  const isCounted = sql<SqlBool>`exists (select 1 from profiles as p
    where p.account_id = ${ctx.account.id} and p.id = interactions.profile_id and not p.is_test)`;
  return {
    idColumn: 'interactions.profile_id',
    all,
    matching: (within) => {
      const counted = all.where(condition).where(isCounted);
      return members ? counted.where(sql<SqlBool>`interactions.profile_id in ${members(within)}`) : counted;
    },
  };
}

async function conditionOf(
  ctx: Context,
  id: string,
  range: LocalDayRange,
  { what, part_id = '', options = [], ...dimensions }: ResultPeople,
): Promise<RawBuilder<SqlBool>> {
  switch (what) {
    case 'answer':
      return hasAnswered(ctx, id, range, sql<SqlBool>`a.step_id = ${part_id} and ${isOneOf(ctx, options)}`);
    case 'wrote':
      return hasAnswered(ctx, id, range, sql<SqlBool>`a.step_id = ${part_id} and ${hasWritten}`);
    case 'score':
      return hasScored(ctx, id, range, part_id, options);
    case 'left': {
      const known = await findFlowRange(ctx, range);
      if (!known) return sql<SqlBool>`1 = 0`;
      return sql<SqlBool>`(${hasDone(ctx, id, known, 'step', part_id)} and not ${hasDone(ctx, id, known, 'next', part_id)})`;
    }
    default: {
      // Of a step, these are of its flow.
      const isFlow =
        what === 'reached' || what === 'back' || ((what === 'exited' || what === 'snoozed') && part_id !== '');
      const known = isFlow ? await findFlowRange(ctx, range) : range;
      if (!known) return sql<SqlBool>`1 = 0`;
      return hasDone(ctx, id, known, what === 'reached' ? 'step' : what, part_id, dimensions);
    }
  }
}

const dimensionNames = ['language', 'device', 'url_group_id', 'version_id'] as const;
type Dimensions = Partial<Pick<ResultPeople, (typeof dimensionNames)[number]>>;

/** Split numbers count each user once, as they were at the first time in the range. */
function hasDone(
  ctx: Context,
  id: string,
  { first, lastOfRows }: LocalDayRange,
  what: string,
  partId: string,
  dimensions: Dimensions = {},
): RawBuilder<SqlBool> {
  const given = dimensionNames.filter((name) => dimensions[name] !== undefined);
  const conditions = given.map(
    (name) => sql`and ${sql.ref(`a.${name}`)} = ${dimensions[name] === NO_VALUE ? '' : dimensions[name]}`,
  );
  const isFirst = given.length > 0 ? sql`and a.previous_day < ${first}` : sql``;
  return sql<SqlBool>`exists (select 1 from activities as a
    where a.account_id = ${ctx.account.id} and a.profile_id = interactions.profile_id and a.experience_id = ${id}
      and a.what = ${what} and a.part_id = ${partId} and a.day >= ${first} and a.day <= ${lastOfRows}
      ${isFirst} ${sql.join(conditions, sql` `)})`;
}

function answersOf(ctx: Context, id: string, { first, lastOfRows }: LocalDayRange): RawBuilder<unknown> {
  return sql`from answers as a where a.account_id = ${ctx.account.id} and a.experience_id = ${id}
    and a.profile_id = interactions.profile_id and a.day >= ${first} and a.day <= ${lastOfRows}`;
}

/** The account guard rejects a text of SQL with `or`, so this is a query. */
function hasAnswered(
  ctx: Context,
  id: string,
  { first, lastOfRows }: LocalDayRange,
  test: RawBuilder<SqlBool>,
): RawBuilder<SqlBool> {
  const answers = ctx.heavyDb
    .selectFrom('answers as a')
    .select('a.step_id')
    .where('a.account_id', '=', ctx.account.id)
    .where('a.experience_id', '=', id)
    .whereRef('a.profile_id', '=', sql.ref('interactions.profile_id'))
    .where('a.day', '>=', first)
    .where('a.day', '<=', lastOfRows)
    .where(test);
  return sql<SqlBool>`exists ${answers}`;
}

/** Whether the last score in the range is one of these. */
function hasScored(
  ctx: Context,
  id: string,
  range: LocalDayRange,
  stepId: string,
  options: readonly string[],
): RawBuilder<SqlBool> {
  return sql<SqlBool>`(select a.value ${answersOf(ctx, id, range)} and a.step_id = ${stepId}
    and a.value in (${sql.join(scoreValues)}) order by a.day desc, a.response_id desc limit 1) in (${sql.join(options)})`;
}
