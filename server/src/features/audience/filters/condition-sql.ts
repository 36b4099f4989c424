import {
  type Age,
  ageCutoff,
  type Condition,
  type InteractionState,
  type Millis,
  type NumberComparison,
} from '@usher/domain';
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { JsonSql } from '../../../db/json.ts';
import type { Schema } from '../../../db/schema.ts';
import { always, and, type BoolSql, compare, not, numeric, or } from './bool-sql.ts';
import { propertyTestSql } from './property-sql.ts';

/** What the SQL of a condition depends on. */
export interface ConditionScope {
  accountId: string;
  json: JsonSql;
  now: Millis;
  /** Finds the condition of a Segment. Conditions over Companies have none. */
  segment?(id: string): Condition;
}

/**
 * Writes a condition as SQL over `profiles`, joined with `companies` if `usesCompany`. `matchesCondition` in the domain
 * must give the same result for one profile in memory.
 */
export function conditionSql(condition: Condition, scope: ConditionScope): BoolSql {
  switch (condition.is) {
    case 'all':
      return and(...condition.of.map((part) => conditionSql(part, scope)));
    case 'any':
      return or(...condition.of.map((part) => conditionSql(part, scope)));
    case 'not':
      return not(conditionSql(condition.of, scope));
    case 'in segment':
      return conditionSql(segmentCondition(condition.id, scope), scope);
    case 'property':
      return propertyTestSql(condition.field, condition.test, scope.json, scope.now);
    case 'event':
      return eventSql(condition, scope);
    case 'tour':
      return tourSql(condition, scope);
    case 'survey':
      return surveySql(condition, scope);
  }
}

function segmentCondition(id: string, { segment }: ConditionScope): Condition {
  if (!segment) throw new Error('Only profiles are in Segments');
  return segment(id);
}

/* Events, Interactions and answers have tables of their own: each profile needs one lookup. */

function compareNumber(left: Expression<unknown>, { op, to }: NumberComparison): BoolSql {
  return compare(left, op, numeric(to));
}

function ageSql(column: Expression<unknown>, age: Age, now: Millis): BoolSql {
  return compare(column, age.newer ? '>' : '<', ageCutoff(age, now));
}

function eventSql({ name, count, last }: Extract<Condition, { is: 'event' }>, scope: ConditionScope): BoolSql {
  const found = expressionBuilder<Schema & { profiles: Schema['profiles'] }, 'profiles'>()
    .selectFrom('profile_events')
    .where('profile_events.account_id', '=', scope.accountId)
    .whereRef('profile_events.profile_id', '=', 'profiles.id')
    .where('profile_events.name', '=', name);
  const counted = compareNumber(sql`coalesce(${found.select('profile_events.count')}, 0)`, count);
  if (!last) return counted;
  return and(counted, ageSql(sql`${found.select('profile_events.last_at')}`, last, scope.now));
}

function tourSql({ id, state, age }: Extract<Condition, { is: 'tour' }>, scope: ConditionScope): BoolSql {
  const column = sql.ref(`interactions.${state ? (`${state}_at` as `${InteractionState}_at`) : 'updated_at'}`);
  const found = expressionBuilder<Schema, 'profiles'>()
    .selectFrom('interactions')
    .select(sql`1`.as('one'))
    .where('interactions.account_id', '=', scope.accountId)
    .whereRef('interactions.profile_id', '=', 'profiles.id')
    .where('interactions.experience_id', '=', id)
    .where(age ? ageSql(column, age, scope.now) : sql<SqlBool>`${column} is not null`);
  return sql`exists ${found}`;
}

function surveySql({ id, answer }: Extract<Condition, { is: 'survey' }>, scope: ConditionScope): BoolSql {
  const index = sql.ref('answers.button_index');
  const found = expressionBuilder<Schema, 'profiles'>()
    .selectFrom('answers')
    .select(sql`1`.as('one'))
    .where('answers.account_id', '=', scope.accountId)
    .whereRef('answers.profile_id', '=', 'profiles.id')
    .where('answers.experience_id', '=', id)
    .where(answer ? compareNumber(index, answer) : always);
  return sql`exists ${found}`;
}

/** Whether a condition tests a property of the Company. */
export function usesCompany(condition: Condition, segment: (id: string) => Condition): boolean {
  switch (condition.is) {
    case 'all':
    case 'any':
      return condition.of.some((part) => usesCompany(part, segment));
    case 'not':
      return usesCompany(condition.of, segment);
    case 'in segment':
      return usesCompany(segment(condition.id), segment);
    case 'property':
      return condition.field.of === 'company';
    default:
      return false;
  }
}
