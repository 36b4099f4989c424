import type { Millis } from '@usher/domain';
import { type Expression, sql } from 'kysely';
import type { CoalescedWrite } from '../coalesced-write.ts';
import { sqliteTable } from '../json.ts';
import { PreparedQuery } from '../prepared-query.ts';
import type { Db } from '../storage.ts';
import { isAtVersion } from './at-version.ts';
import { type BrowserColumn, browserColumns, type VisitorRow } from './columns.ts';
import { readVisitor, type Visitor, type VisitorResult } from './visitor.ts';
import { returningVisitors } from './visitor-json.ts';

type UpdatedVisitor = Pick<VisitorRow, 'uid' | BrowserColumn> & {
  now: Millis;
  /** A user who was seen at this time or later is still in the same session. */
  last_session: Millis;
};
type UpdatedAtVersion = UpdatedVisitor & { version: number };

/** The UPDATE of a page load. Its rule for sessions is `updateLastSeen` in the domain. */
function updateProfiles(db: Db, account: string, value: (name: keyof UpdatedVisitor) => Expression<never>) {
  const now = value('now');
  return db
    .updateTable('profiles')
    .set((eb) => ({
      last_seen_at: eb
        .case()
        .when('profiles.last_seen_at', '>', now)
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

const paramNames = ['uid', 'now', 'last_session', 'version', ...browserColumns] as const;

/** A transaction of its own, which updates nothing when something was published since the version. */
export const updateVisitorAtVersion: CoalescedWrite<UpdatedAtVersion, VisitorResult, Visitor> = {
  single: new PreparedQuery((db, account, param, dialect) => {
    const update = updateProfiles(db, account, (name) => sql`${param(name)}`);
    return returningVisitors(db, account, dialect, update.where(isAtVersion(account, sql`${param('version')}`)));
  }),
  names: paramNames,
  batched: new PreparedQuery((db, account, param, dialect) => {
    const update = updateProfiles(db, account, (name) => sql.ref(`item.${name}`))
      .from(sqliteTable(param('items'), paramNames).as('item'))
      .where(isAtVersion(account, sql.ref('item.version')) as never);
    return returningVisitors(db, account, dialect, update);
  }),
  keyOf: ({ uid }) => uid,
  read: readVisitor,
};
