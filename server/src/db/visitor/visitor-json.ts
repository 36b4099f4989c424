import { type Compilable, type ExpressionBuilder, sql, type UpdateQueryBuilder, type UpdateResult } from 'kysely';
import type { JsonSql } from '../json.ts';
import type { Schema } from '../schema.ts';
import type { SqlDialect } from '../sql-dialect.ts';
import type { Db } from '../storage.ts';
import { columnNames, interactionColumns, jsonColumns, plainColumns } from './columns.ts';
import type { VisitorResult } from './visitor.ts';

/**
 * A visitor with its Company and its interactions as one JSON text: each further statement would cost as much as the rest
 * of a page load, and each further column costs the driver more than the parser.
 */
export function visitorJson(account: string, { list, rows, joined }: JsonSql, profiles: string = 'profiles') {
  const columnsOf = (table: string, names: readonly string[]) => names.map((name) => sql.ref(`${table}.${name}`));
  return (eb: ExpressionBuilder<Schema, 'profiles'>) =>
    joined([
      list(columnsOf(profiles, plainColumns)),
      ...columnsOf(profiles, jsonColumns),
      eb
        .selectFrom('companies')
        .select(rows(columnsOf('companies', ['uid', 'updated_at', 'custom'])).as('rows'))
        .where('companies.account_id', '=', account)
        .whereRef('companies.id', '=', sql.ref(`${profiles}.company_id`)),
      eb
        .selectFrom('interactions')
        .select(rows(columnsOf('interactions', interactionColumns)).as('rows'))
        .where('interactions.account_id', '=', account)
        .whereRef('interactions.profile_id', '=', sql.ref(`${profiles}.id`)),
    ]).as('visitor');
}

/** An update or an insert of profiles. */
type ProfileWrite = { returning(...columns: never[]): unknown };
type AnyProfileWrite = UpdateQueryBuilder<Schema, 'profiles', 'profiles', UpdateResult>;

/**
 * Makes a write return the visitors that it wrote. On SQLite the write itself computes the JSON, as it cannot be part of
 * another statement. On PostgreSQL it returns plain columns, from which the same statement selects the JSON: Citus computes
 * nothing in RETURNING.
 */
export function returningVisitors(
  db: Db,
  account: string,
  { engine, json }: SqlDialect,
  write: ProfileWrite,
): Compilable<VisitorResult> {
  const anyWrite = write as AnyProfileWrite;
  if (engine === 'sqlite') return anyWrite.returning(visitorJson(account, json));
  return db
    .with('changed', () => anyWrite.returning(columnNames))
    .selectFrom('changed')
    .select(visitorJson(account, json, 'changed') as never);
}
