import {
  endOfGoal,
  eventCondition,
  type GoalRule,
  MAX_SUMMED,
  normalizeKey,
  stateCondition,
  stateOfGoal,
  sumPath,
} from '@usher/domain';
import { type RawBuilder, sql } from 'kysely';
import type { SqlDialect } from '../../../db/sql-dialect.ts';
import { always, type BoolSql, inParens } from '../../audience/filters/bool-sql.ts';
import { type ConditionScope, conditionSql, usesCompany } from '../../audience/filters/condition-sql.ts';

export interface GoalScope extends ConditionScope {
  dialect: Pick<SqlDialect, 'engine' | 'json' | 'id'>;
  segment: NonNullable<ConditionScope['segment']>;
}

/** A person who met a goal. */
export interface MetRow {
  profile_id: string;
  /** When it was met first, in milliseconds. Null for Segments and properties: only the present is known of them. */
  met_at: number | null;
  /** The sum of a number of all events in time. Null if the goal sums nothing. */
  value: number | null;
}

/**
 * A query for the people of a relation who met a goal, as rows of `MetRow`. `people` is a query with `profile_id` and `from_at`, the time
 * in milliseconds from which the goal can be met; each profile is in it once. Test users are in the result if they are in `people`.
 * `meetGoal` in the domain gives the same result for one person. Events are found as far as they are kept; the first and the last time
 * of each event of a person are kept for longer.
 */
export function goalSql(goal: GoalRule, people: RawBuilder<unknown>, scope: GoalScope): RawBuilder<MetRow> {
  switch (goal.kind) {
    case 'event':
      return goal.filters.length === 0 && goal.sum_property === null
        ? firstEventSql(goal, people, scope)
        : eventsSql(goal, people, scope);
    case 'experience':
      return experienceSql(goal, people, scope);
    default:
      return stateSql(goal, people, scope);
  }
}

/** The end of the time in which a person can meet the goal. */
function untilSql(goal: GoalRule): RawBuilder<number> {
  if (goal.within_days === null) return sql`${sql.lit(endOfGoal(goal, 0))}`;
  return sql`(person.from_at + ${sql.lit(endOfGoal(goal, 0))})`;
}

function isInTime(time: string, goal: GoalRule): BoolSql {
  return sql`${sql.ref(time)} >= person.from_at and ${sql.ref(time)} <= ${untilSql(goal)}`;
}

/** The people who had the event at or after their time, which `profile_events` knows. SQLite keeps this order of the tables. */
function withEvent(goal: GoalRule, people: RawBuilder<unknown>, { accountId }: GoalScope) {
  return sql`(${people}) as person cross join profile_events as seen
    where seen.account_id = ${accountId} and seen.profile_id = person.profile_id
      and seen.name = ${normalizeKey(goal.event_name ?? '')}
      and seen.last_at >= person.from_at and seen.first_at <= ${untilSql(goal)}`;
}

/** The IDs of events contain their times, so the events in time are a part of the primary key. */
function eventsInTime(goal: GoalRule, { accountId, dialect }: GoalScope) {
  const until = goal.within_days === null ? sql`${sql.lit('g')}` : dialect.id.at(sql`(${untilSql(goal)} + 1)`);
  return sql`event.account_id = ${accountId} and event.profile_id = person.profile_id
    and event.id >= ${dialect.id.at(sql`person.from_at`)} and event.id < ${until}
    and event.name = ${normalizeKey(goal.event_name ?? '')}`;
}

/** Only a person who had the event before, and again, needs a look at single events. */
function firstEventSql(goal: GoalRule, people: RawBuilder<unknown>, scope: GoalScope): RawBuilder<MetRow> {
  return sql`select met.profile_id, met.met_at, cast(null as numeric) as value from (
      select person.profile_id, case
        when seen.first_at >= person.from_at then seen.first_at
        else coalesce(
          (select ${scope.dialect.id.time('min(event.id)')} from events as event where ${eventsInTime(goal, scope)}),
          case when seen.last_at <= ${untilSql(goal)} then seen.last_at end
        ) end as met_at
      from ${withEvent(goal, people, scope)}
    ) as met where met.met_at is not null`;
}

function eventsSql(goal: GoalRule, people: RawBuilder<unknown>, scope: GoalScope): RawBuilder<MetRow> {
  const path = sumPath(goal);
  const number = path ? numberSql(path, scope) : undefined;
  const condition = conditionSql(eventCondition(goal), { ...scope, custom: 'event.custom' });
  return sql`select person.profile_id, ${scope.dialect.id.time('min(event.id)')} as met_at,
      ${number ? sql`coalesce(sum(${number}), 0)` : sql`cast(null as numeric)`} as value
    from (select person.profile_id, person.from_at from ${withEvent(goal, people, scope)}) as person
      cross join events as event
    where ${eventsInTime(goal, scope)} and ${goal.filters.length === 0 ? always : inParens(condition)}
    group by person.profile_id`;
}

/** The number of an event that a goal sums, or null. */
function numberSql(path: string[], { dialect }: GoalScope): RawBuilder<number> {
  const number = dialect.json.number(sql.ref('event.custom'), path);
  const max = sql.lit(MAX_SUMMED);
  return sql`case when ${number} between -${max} and ${max} then ${number} end`;
}

/** An Interaction has the last time of each state. */
function experienceSql(goal: GoalRule, people: RawBuilder<unknown>, scope: GoalScope): RawBuilder<MetRow> {
  const { accountId } = scope;
  const reached = `reached.${stateOfGoal(goal)}_at`;
  return sql`select person.profile_id, ${sql.ref(reached)} as met_at, cast(null as numeric) as value
    from (${people}) as person cross join interactions as reached
    where reached.account_id = ${accountId} and reached.profile_id = person.profile_id
      and reached.experience_id = ${goal.experience_id ?? ''} and ${isInTime(reached, goal)}`;
}

function stateSql(goal: GoalRule, people: RawBuilder<unknown>, scope: GoalScope): RawBuilder<MetRow> {
  const condition = stateCondition(goal);
  const companies = usesCompany(condition, scope.segment)
    ? sql`left join companies on companies.account_id = profiles.account_id and companies.id = profiles.company_id`
    : sql``;
  return sql`select person.profile_id, cast(null as bigint) as met_at, cast(null as numeric) as value
    from (${people}) as person
      join profiles on profiles.account_id = ${scope.accountId} and profiles.id = person.profile_id
      ${companies}
    where ${inParens(conditionSql(condition, scope))}`;
}
