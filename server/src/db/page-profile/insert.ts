import { keysOf } from '@usher/domain';
import type { CoalescedWrite } from '../coalesced-write.ts';
import { PreparedStatement } from '../prepared-statement.ts';
import { isAtVersion } from './at-version.ts';
import { type InsertedColumn, insertedColumns, type JsonColumn, type PageProfileRow, typesOf } from './columns.ts';
import { type PageProfile, type PageProfileResult, readPageProfile } from './page-profile.ts';
import { returningPageProfiles } from './page-profile-json.ts';

/** JSON columns have their value as text. */
type InsertedPageProfile = {
  [Name in InsertedColumn]: Name extends JsonColumn ? string : PageProfileRow[Name];
};
type InsertedAtVersion = InsertedPageProfile & { custom_sources: string | null; version: number };

/** The custom sources are written with a new profile, but not read: they would make every page load longer. */
const columns = [...insertedColumns, 'custom_sources'] as const;

/**
 * The INSERT of a page load: of a row of values, or of the rows of a table.
 *
 * Its last condition skips most conflicts: on a conflict with a profile that another transaction is changing, PostgreSQL
 * would wait for that one, which may wait for the clock of the account, which this one has.
 */
function insertProfiles(value: (name: keyof InsertedAtVersion) => string, from = ''): string {
  return `
    insert into profiles (account_id, ${columns.join(', ')}, last_seen_session_count)
    select :account, ${columns.map(value).join(', ')}, 1
    ${from}
    where ${isAtVersion(value('version'))} and not exists (
      select known.id from profiles as known where known.account_id = :account and known.uid = ${value('uid')}
    )
    on conflict do nothing`;
}

const types: Record<keyof InsertedAtVersion, string> = {
  ...typesOf(insertedColumns),
  custom_sources: 'jsonb',
  version: 'bigint',
};

/**
 * A transaction of its own, which inserts nothing when the user has a profile, or when something was published since the
 * version.
 */
export const insertPageProfileAtVersion: CoalescedWrite<InsertedAtVersion, PageProfileResult, PageProfile> = {
  // PostgreSQL does not derive the types of params in a SELECT from the columns that they are inserted into.
  single: new PreparedStatement((engine) =>
    returningPageProfiles(
      engine,
      insertProfiles((name) => `cast(:${name} as ${types[name]})`),
    ),
  ),
  names: keysOf(types),
  batched: new PreparedStatement((engine) => {
    const items = `from ${engine.json.table(':items', types)} as item`;
    return returningPageProfiles(
      engine,
      insertProfiles((name) => `item.${name}`, items),
    );
  }),
  keyOf: ({ uid }) => uid,
  stamp: (item, { id, updated_at }) => Object.assign(item, { id, updated_at, last_seen_at: updated_at }),
  read: readPageProfile,
};
