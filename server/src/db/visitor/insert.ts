import { type Expression, type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { CoalescedWrite } from '../coalesced-write.ts';
import { PreparedQuery } from '../prepared-query.ts';
import type { Schema } from '../schema.ts';
import type { Db } from '../storage.ts';
import { isAtVersion } from './at-version.ts';
import { type InsertedColumn, insertedColumns, type JsonColumn, type VisitorRow, visitorColumns } from './columns.ts';
import { readVisitor, type Visitor, type VisitorResult } from './visitor.ts';
import { returningVisitors } from './visitor-json.ts';

/** JSON columns have their value as text. */
type InsertedVisitor = {
  [Name in InsertedColumn]: Name extends JsonColumn ? string : VisitorRow[Name];
};
type InsertedAtVersion = InsertedVisitor & { custom_sources: string | null; version: number };

/** Written with a new profile, but not read: it would make every page load longer. */
const writtenOnly = ['custom_sources'] as const;

/** The INSERT of a page load: of a row of values, or of the rows of a table. */
function insertProfiles(
  db: Db,
  account: string,
  value: (name: keyof InsertedAtVersion) => RawBuilder<never>,
  table?: Expression<never>,
) {
  const columns = (eb: ExpressionBuilder<Schema, never>) => [
    eb.val(account).as('account_id'),
    ...[...insertedColumns, ...writtenOnly].map((name) => value(name).as(name)),
    eb.lit(1).as('last_seen_session_count'),
  ];
  const rows = table ? db.selectFrom(table as never).select(columns as never) : (db.selectNoFrom(columns) as never);
  return db
    .insertInto('profiles')
    .columns(['account_id', ...insertedColumns, ...writtenOnly, 'last_seen_session_count'])
    .expression(
      rows.where(isAtVersion(account, value('version')) as never).where(hasNoProfile(account, value('uid')) as never),
    )
    .onConflict((conflict) => conflict.doNothing());
}

/**
 * A condition that skips most conflicts: on a conflict with a profile that another transaction is changing, PostgreSQL would
 * wait for that one, which may wait for the clock of the account, which this one has.
 */
function hasNoProfile(account: string, uid: Expression<never>) {
  return ({ not, exists, selectFrom }: ExpressionBuilder<Schema, never>) =>
    not(
      exists(
        selectFrom('profiles as known')
          .select('known.id')
          .where('known.account_id', '=', account)
          .where('known.uid', '=', uid),
      ),
    );
}

const inserted = insertedColumns.map((name) => [name, visitorColumns[name].type]);
const types: Record<keyof InsertedAtVersion, string> = {
  ...(Object.fromEntries(inserted) as Record<InsertedColumn, string>),
  custom_sources: 'jsonb',
  version: 'bigint',
};

/**
 * A transaction of its own, which inserts nothing when the user has a profile, or when something was published since the
 * version.
 */
export const insertVisitorAtVersion: CoalescedWrite<InsertedAtVersion, VisitorResult, Visitor> = {
  single: new PreparedQuery((db, account, param, dialect) => {
    // PostgreSQL does not derive the types of parameters in a SELECT from the columns that they are inserted into.
    const value = (name: keyof InsertedAtVersion): RawBuilder<never> =>
      sql`cast(${param(name)} as ${sql.raw(types[name])})`;
    return returningVisitors(db, account, dialect, insertProfiles(db, account, value));
  }),
  names: Object.keys(types) as (keyof InsertedAtVersion)[],
  batched: new PreparedQuery((db, account, param, dialect) => {
    const table = dialect.json.table(param('items'), types).as('item');
    const value = (name: keyof InsertedAtVersion): RawBuilder<never> => sql`${sql.ref(`item.${name}`)}`;
    return returningVisitors(db, account, dialect, insertProfiles(db, account, value, table as never));
  }),
  keyOf: ({ uid }) => uid,
  stamp: (item, { id, updated_at }) => Object.assign(item, { id, updated_at, last_seen_at: updated_at }),
  read: readVisitor,
};
