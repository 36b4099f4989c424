import {
  type Age,
  ageCutoff,
  type Condition,
  compares,
  type InteractionState,
  type Millis,
  type NumberComparison,
} from '@usher/domain';
import {
  type Expression,
  expressionBuilder,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import type { Within } from '../../../db/pagination/chunk-size.ts';
import type { Schema } from '../../../db/schema.ts';
import type { SqlDialect } from '../../../db/sql-dialect.ts';
import { always, and, type BoolSql, compare, never, not, numeric, or } from './bool-sql.ts';
import { propertyTestSql } from './property-sql.ts';

/** What the SQL of a condition depends on. */
export interface ConditionScope {
  accountId: string;
  dialect: Pick<SqlDialect, 'engine' | 'json'>;
  now: Millis;
  /** Finds the condition of a Segment. Conditions over Companies have none. */
  segment?(id: string): Condition;
  /** The part of the profiles that the query reads, if it reads many and not all. */
  within?: Within | undefined;
  /** The column with the properties that conditions test, if it is not that of profiles: of the events of a goal. */
  custom?: string;
  /** Whether the opposite is wanted. Nobody meets an unknown condition, nor its opposite. */
  isNegated?: boolean;
}

/**
 * Writes a condition as SQL over `profiles`, joined with `companies` if `usesCompany`. `matchesCondition` in the domain
 * must give the same result for one profile in memory.
 */
export function conditionSql(condition: Condition, scope: ConditionScope): BoolSql {
  switch (condition.is) {
    case 'all':
      return and(...cheapestFirst(condition.of, scope).map((part) => conditionSql(part, scope)));
    case 'any':
      return or(...cheapestFirst(condition.of, scope).map((part) => conditionSql(part, scope)));
    case 'not':
      return not(conditionSql(condition.of, { ...scope, isNegated: !scope.isNegated }));
    case 'unknown':
      return scope.isNegated ? always : never;
    case 'in segment':
      return conditionSql(segmentCondition(condition.id, scope), scope);
    case 'property':
      return propertyTestSql(condition.field, condition.test, scope.dialect.json, scope.now, scope.custom);
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

/** The result is the same in any order, but a test that decides alone saves the others: a column before a table before JSON. */
function cheapestFirst(parts: readonly Condition[], scope: ConditionScope): Condition[] {
  const cost = (part: Condition): number => {
    switch (part.is) {
      case 'all':
      case 'any':
        return Math.max(0, ...part.of.map(cost));
      case 'not':
        return cost(part.of);
      case 'in segment':
        return cost(segmentCondition(part.id, scope));
      case 'property':
        return 'fact' in part.field ? 0 : 2;
      default:
        return 1;
    }
  };
  return parts.length < 2
    ? [...parts]
    : parts
        .map((part) => ({ part, cost: cost(part) }))
        .sort((one, other) => one.cost - other.cost)
        .map(({ part }) => part);
}

function compareNumber(left: Expression<unknown>, { op, to }: NumberComparison): BoolSql {
  return compare(left, op, numeric(to));
}

function ageSql(column: Expression<unknown>, age: Age, now: Millis): BoolSql {
  return compare(column, age.newer ? '>' : '<', ageCutoff(age, now));
}

/** Events, Interactions and answers have tables of their own, with the profile in each row. */
type DeedTable = 'profile_events' | 'interactions' | 'answers';

/**
 * Whether one of the rows is about the profile. SQLite finds the rows of all profiles that the query reads together: a lookup
 * for each of 1,000,000 profiles takes 1.5 s, even for an event that none of them has. PostgreSQL
 * hashes the rows of `exists` itself, and looks each profile up if they do not fit into its memory.
 */
function hasRow<Table extends DeedTable>(
  rows: SelectQueryBuilder<Schema, Table, object>,
  profileId: RawBuilder<string>,
  { dialect, within }: ConditionScope,
): BoolSql {
  const ofPart = within ? rows.where(within(profileId)) : rows;
  if (within && dialect.engine === 'sqlite') return sql`profiles.id in ${ofPart.select(profileId.as('id'))}`;
  return sql`exists ${ofPart.where(sql<SqlBool>`${profileId} = profiles.id`).select(profileId.as('id'))}`;
}

/** A profile without the event has no row: its count is 0. */
function eventSql({ name, count, last }: Extract<Condition, { is: 'event' }>, scope: ConditionScope): BoolSql {
  const rows = expressionBuilder<Schema>()
    .selectFrom('profile_events')
    .where('profile_events.account_id', '=', scope.accountId)
    .where('profile_events.name', '=', name);
  const has = (such: BoolSql) => hasRow(rows.where(such), sql.ref('profile_events.profile_id'), scope);
  const counted = compareNumber(sql.ref('profile_events.count'), count);
  if (last) return has(and(counted, ageSql(sql.ref('profile_events.last_at'), last, scope.now)));
  return compares(0, count) ? not(has(not(counted))) : has(counted);
}

function tourSql({ id, state, age }: Extract<Condition, { is: 'tour' }>, scope: ConditionScope): BoolSql {
  const column = sql.ref(`interactions.${state ? (`${state}_at` as `${InteractionState}_at`) : 'updated_at'}`);
  const rows = expressionBuilder<Schema>()
    .selectFrom('interactions')
    .where('interactions.account_id', '=', scope.accountId)
    .where('interactions.experience_id', '=', id)
    .where(age ? ageSql(column, age, scope.now) : sql<SqlBool>`${column} is not null`);
  return hasRow(rows, sql.ref('interactions.profile_id'), scope);
}

function surveySql({ id, answer }: Extract<Condition, { is: 'survey' }>, scope: ConditionScope): BoolSql {
  const rows = expressionBuilder<Schema>()
    .selectFrom('answers')
    .where('answers.account_id', '=', scope.accountId)
    .where('answers.experience_id', '=', id)
    .where(answer ? compareNumber(sql.ref('answers.button_index'), answer) : always);
  return hasRow(rows, sql.ref('answers.profile_id'), scope);
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
