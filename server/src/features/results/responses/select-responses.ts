import { dayOf, firstIdAt, listCapitals, lowerCase, type ResponseFilters, startOfDay } from '@usher/domain';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Within } from '../../../db/pagination/chunk-size.ts';
import type { Db } from '../../../db/storage.ts';
import { invalid } from '../../../errors.ts';
import { buildCondition } from '../../audience/filters/build-condition.ts';
import { selectProfiles } from '../../audience/filters/select-profiles.ts';
import { loadTimeZone } from '../counts/time-zone.ts';
import { hasWritten } from './queries.ts';

const DAY_MS = 24 * 60 * 60_000;
const OTHER = 'other';

export interface SelectedResponses {
  /** Whether something is tested that no index finds. */
  isFiltered: boolean;
  /** The Responses in the range of days, with the Tag, or with the one score: an index has them in the order of `idColumn`. */
  all: ReturnType<typeof responsesOf>;
  idColumn: string;
  /** The Responses that match, or those in a chunk. */
  matching(within?: Within): ReturnType<typeof responsesOf>;
}

/** Selects Responses to a survey. Filters read each Response, so they are used with `scanPage`. */
export async function selectResponses(
  ctx: Context,
  { id, from, until, tag, min_score, max_score, ...filters }: ResponseFilters & { id: string },
): Promise<SelectedResponses> {
  if (filters.options && filters.step_id === undefined)
    throw invalid('`step_id` is required with `options`: give the ID of the step that was answered');
  const { segment_id } = filters;
  const segment = segment_id === undefined ? undefined : await inSegment(ctx, id, segment_id);
  const conditions = conditionsOf(ctx, filters);
  const hasScore = min_score !== undefined || max_score !== undefined;
  const isFiltered = conditions.length > 0 || segment !== undefined || tag !== undefined || hasScore;
  const db = isFiltered ? ctx.heavyDb : ctx.db;
  const idColumn = tag === undefined ? 'responses.id' : 't.response_id';
  const responses = tag === undefined ? responsesOf(ctx, db, id) : taggedResponsesOf(ctx, db, id, tag);
  const inDays = responses.where(await idsIn(ctx, idColumn, from, until));
  const isOneScore = min_score !== undefined && min_score === max_score;
  const all = isOneScore ? inDays.where('responses.score', '=', min_score) : inDays;
  if (!isOneScore) conditions.push(...scoreConditions(min_score, max_score));
  return {
    isFiltered,
    all,
    idColumn,
    matching: (within) =>
      [...conditions, ...(segment ? [segment(within)] : [])].reduce((query, condition) => query.where(condition), all),
  };
}

function responsesOf(ctx: Context, db: Db, id: string) {
  return db
    .selectFrom('responses')
    .where('responses.account_id', '=', ctx.account.id)
    .where('responses.experience_id', '=', id);
}

/** Read from the Tags, in the order of their index, so that a rare Tag is found as fast as a frequent one. */
function taggedResponsesOf(ctx: Context, db: Db, id: string, tag: string) {
  const tagged = responsesOf(ctx, db, id)
    .innerJoin('response_tags as t', (join) => join.onRef('t.response_id', '=', 'responses.id'))
    .where('t.account_id', '=', ctx.account.id)
    .where('t.experience_id', '=', id)
    .where('t.name', '=', tag);
  // The other conditions name `responses` only.
  return tagged as unknown as ReturnType<typeof responsesOf>;
}

/** Whole days in the time zone of the account, if a date is given; else the moments. */
async function idsIn(
  ctx: Context,
  idColumn: string,
  from: number | undefined,
  until: number | undefined,
): Promise<RawBuilder<SqlBool>> {
  const id = sql.ref(idColumn);
  if (from === undefined && until === undefined) return sql`${id} >= ''`;
  const timeZone = await loadTimeZone(ctx);
  const startOf = (time: number, days: number) => {
    // A date is parsed as midnight in UTC, and means that day in any time zone.
    if (time % DAY_MS !== 0) return firstIdAt(time + days);
    return firstIdAt(startOfDay(dayOf(time, 'UTC') + days, timeZone));
  };
  const conditions = [
    ...(from === undefined ? [] : [sql`${id} >= ${startOf(from, 0)}`]),
    ...(until === undefined ? [] : [sql`${id} < ${startOf(until, 1)}`]),
  ];
  return sql`${sql.join(conditions, sql` and `)}`;
}

function scoreConditions(min: number | undefined, max: number | undefined): RawBuilder<SqlBool>[] {
  return [
    ...(min === undefined ? [] : [sql<SqlBool>`responses.score >= ${min}`]),
    ...(max === undefined ? [] : [sql<SqlBool>`responses.score <= ${max}`]),
  ];
}

type Filters = Omit<ResponseFilters, 'from' | 'until' | 'tag' | 'segment_id' | 'min_score' | 'max_score'>;

function conditionsOf(ctx: Context, filters: Filters): RawBuilder<SqlBool>[] {
  const { finished, step_id, options, has_comment, search, language } = filters;
  const answered = (...tests: RawBuilder<SqlBool>[]) => {
    const answers = ctx.db
      .selectFrom('answers as a')
      .select('a.step_id')
      .where('a.account_id', '=', ctx.account.id)
      .whereRef('a.response_id', '=', sql.ref('responses.id'));
    return sql<SqlBool>`exists ${tests.reduce((query, test) => query.where(test), answers)}`;
  };
  const conditions = [
    finished !== undefined && sql<SqlBool>`responses.finished_at is ${sql.raw(finished ? 'not null' : 'null')}`,
    language !== undefined && sql<SqlBool>`responses.language = ${language === 'default' ? '' : language}`,
    step_id !== undefined && answered(sql`a.step_id = ${step_id}`, ...(options ? [isOneOf(ctx, options)] : [])),
    has_comment !== undefined && (has_comment ? answered(hasWritten) : sql<SqlBool>`not ${answered(hasWritten)}`),
    search !== undefined && answered(hasWritten, contains(ctx, search)),
  ];
  return conditions.filter((condition) => condition !== false);
}

/** Whether an answer `a` is one of these: an option or several, a button, a number, or the other answer of a list. */
export function isOneOf({ dialect }: Context, options: readonly string[]): RawBuilder<SqlBool> {
  const among = (value: RawBuilder<unknown>) => sql`${value} in (${sql.join(options)})`;
  const items = dialect.json.items(sql.ref('a.choices'));
  const tests = [
    among(sql`a.button_id`),
    sql`(a.choices is null and ${among(sql`a.value`)})`,
    sql`(a.choices is not null and exists (select 1 from ${items} where ${among(sql`item.value ->> 'id'`)}))`,
    ...(options.includes(OTHER)
      ? [sql`(a.value is not null and a.button_index is null and a.button_text is null)`]
      : []),
  ];
  return sql`(${sql.join(tests, sql` or `)})`;
}

function contains({ dialect }: Context, search: string): RawBuilder<SqlBool> {
  const part = lowerCase(search);
  return dialect.json.containsIgnoringCase(sql`coalesce(a.input, a.value)`, part, listCapitals(part));
}

/** Whether the user is in a Segment now. Of a chunk, only its users are looked at. */
async function inSegment(ctx: Context, id: string, segmentId: string) {
  const { condition, segment } = await buildCondition(ctx, [{ kind: 'segment', op: 'ex', value: segmentId }], 'and');
  return (within?: Within): RawBuilder<SqlBool> => {
    const users = ctx.db
      .selectFrom('responses as r')
      .select('r.profile_id')
      .where('r.account_id', '=', ctx.account.id)
      .where('r.experience_id', '=', id)
      .where(within ? within(sql.ref('r.id')) : sql<SqlBool>`r.id >= ''`);
    const inChunk: Within = (profileId) => sql<SqlBool>`${profileId} in ${users}`;
    const scope = { accountId: ctx.account.id, dialect: ctx.dialect, now: ctx.now(), segment, within: inChunk };
    const profiles = selectProfiles(ctx, condition, scope)
      .where(inChunk(sql.ref('profiles.id')))
      .select('profiles.id');
    return sql`responses.profile_id in ${profiles}`;
  };
}
