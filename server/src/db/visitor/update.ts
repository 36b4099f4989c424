import { MAX_CLOCK_SKEW_MS, type Millis } from '@usher/domain';
import { type AliasedRawBuilder, type Compilable, type Expression, sql } from 'kysely';
import type { CoalescedWrite } from '../coalesced-write.ts';
import { PreparedQuery } from '../prepared-query.ts';
import type { SqlDialect } from '../sql-dialect.ts';
import type { Db } from '../storage.ts';
import { isAtVersion } from './at-version.ts';
import { type BrowserColumn, browserColumns, columnNames, type VisitorRow, visitorColumns } from './columns.ts';
import { readVisitor, type Visitor, type VisitorResult } from './visitor.ts';
import { returningVisitors, visitorJson } from './visitor-json.ts';

type UpdatedVisitor = Pick<VisitorRow, 'uid' | BrowserColumn> & {
  now: Millis;
  /** A user who was seen at this time or later is still in the same session. */
  last_session: Millis;
};
type UpdatedAtVersion = UpdatedVisitor & { version: number };

/** The UPDATE of a page load. Its rules are those of `updateLastSeen` in the domain. */
function updateProfiles(db: Db, account: string, value: (name: keyof UpdatedVisitor) => Expression<never>) {
  const now = value('now');
  return db
    .updateTable('profiles')
    .set((eb) => ({
      last_seen_at: eb
        .case()
        .when(
          eb.and([
            eb('profiles.last_seen_at', '>', now),
            eb(eb('profiles.last_seen_at', '-', eb.lit(MAX_CLOCK_SKEW_MS)), '<=', now),
          ]),
        )
        .then(eb.ref('profiles.last_seen_at'))
        .else(now)
        .end(),
      last_seen_session_count: eb
        .case()
        .when('profiles.last_seen_at', '>=', value('last_session'))
        .then(eb.ref('profiles.last_seen_session_count'))
        .else(eb('profiles.last_seen_session_count', '+', 1))
        .end(),
      ...Object.fromEntries(
        browserColumns.map((name) => [name, eb.fn.coalesce(value(name), eb.ref(`profiles.${name}`))]),
      ),
    }))
    .where('profiles.account_id', '=', account)
    .where('profiles.uid', '=', value('uid'));
}

/** Within a transaction. */
export const updateVisitor = new PreparedQuery<VisitorResult, keyof UpdatedVisitor>((db, account, param, dialect) =>
  returningVisitors(
    db,
    account,
    dialect,
    updateProfiles(db, account, (name) => sql`${param(name)}`),
  ),
);

const types: Record<keyof UpdatedAtVersion, string> = {
  uid: 'text',
  now: 'bigint',
  last_session: 'bigint',
  version: 'bigint',
  ...(Object.fromEntries(browserColumns.map((name) => [name, visitorColumns[name].type])) as Record<
    BrowserColumn,
    string
  >),
};
const names = Object.keys(types) as (keyof UpdatedAtVersion)[];

/** A transaction of its own, which updates nothing when something was published since the version. */
export const updateVisitorAtVersion: CoalescedWrite<UpdatedAtVersion, VisitorResult, Visitor> = {
  single: new PreparedQuery((db, account, param, dialect) => {
    const update = updateProfiles(db, account, (name) => sql`${param(name)}`);
    return returningVisitors(db, account, dialect, update.where(isAtVersion(account, sql`${param('version')}`)));
  }),
  names,
  batched: new PreparedQuery((db, account, param, dialect) => {
    const item = dialect.json.table(param('items'), types).as('item');
    const update = updateProfiles(db, account, (name) => sql.ref(`item.${name}`));
    if (dialect.engine === 'postgres') return updateUnlocked(db, account, dialect, item, update);
    const updateAll = update.from(item).where(isAtVersion(account, sql.ref('item.version')) as never);
    return returningVisitors(db, account, dialect, updateAll);
  }),
  keyOf: ({ uid }) => uid,
  read: readVisitor,
};

/**
 * Updates the profiles that no other transaction has locked, and returns the uid of each that it skipped. So a locked
 * profile delays no other page load, and two statements never wait for each other.
 */
function updateUnlocked(
  db: Db,
  account: string,
  { json }: SqlDialect,
  items: AliasedRawBuilder<Record<string, never>, 'item'>,
  update: ReturnType<typeof updateProfiles>,
): Compilable<VisitorResult & { skipped: string | null }> {
  const columns = names.map((name) => `item.${name}`) as never;
  const returned = columnNames.map((name) => `profiles.${name}` as const);
  const existing = (from: Db) =>
    from
      .selectFrom('item' as never)
      .innerJoin('profiles', (join) =>
        join.on('profiles.account_id', '=', account).on('profiles.uid', '=', sql.ref('item.uid')),
      )
      .where(isAtVersion(account, sql.ref('item.version')) as never);
  const notChanged = sql<boolean>`item.uid not in (select changed.uid from changed)`;
  return db
    .with('item', (from) => from.selectFrom(items).select(columns))
    .with('unlocked', (from) =>
      existing(from as never)
        .select(columns)
        .forNoKeyUpdate('profiles')
        .skipLocked(),
    )
    .with('changed', () => update.from('unlocked as item' as never).returning(returned))
    .selectFrom('changed')
    .select([visitorJson(account, json, 'changed') as never, sql`null`.as('skipped')])
    .unionAll((from) =>
      existing(from as never)
        .where(notChanged)
        .select([sql`null`.as('visitor'), sql.ref('item.uid').as('skipped')]),
    ) as never;
}
