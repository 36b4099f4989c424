import { keysOf, MAX_CLOCK_SKEW_MS, type Millis } from '@usher/domain';
import type { CoalescedWrite } from '../coalesced-write.ts';
import type { JsonText } from '../json-text.ts';
import { PreparedStatement } from '../prepared-statement.ts';
import { isAtVersion } from './at-version.ts';
import { type BrowserColumn, browserColumns, type PageProfileRow, typesOf } from './columns.ts';
import { type PageProfile, type PageProfileResult, readPageProfile } from './page-profile.ts';
import { changedColumns, pageProfileJson, returningPageProfiles } from './page-profile-json.ts';

type UpdatedPageProfile = Pick<PageProfileRow, 'uid' | BrowserColumn> & {
  now: Millis;
  /** A user who was seen at this time or later is still in the same session. */
  last_session: Millis;
};
type UpdatedAtVersion = UpdatedPageProfile & { version: number };

/**
 * The UPDATE of a page load. Its rules are those of `updateLastSeen` in the domain.
 * @param source what comes before the names of its values: `:` for params, or a table
 * @param from that table
 */
function updateProfiles(source: ':' | 'item.', from = ''): string {
  const browser = browserColumns.map((name) => `${name} = coalesce(${source}${name}, profiles.${name})`);
  return `
    update profiles set
      last_seen_at = case
        when profiles.last_seen_at > ${source}now and profiles.last_seen_at - ${MAX_CLOCK_SKEW_MS} <= ${source}now
          then profiles.last_seen_at
        else ${source}now end,
      last_seen_session_count = case
        when profiles.last_seen_at >= ${source}last_session then profiles.last_seen_session_count
        else profiles.last_seen_session_count + 1 end,
      ${browser.join(', ')}
    ${from}
    where profiles.account_id = :account and profiles.uid = ${source}uid`;
}

/** Within a transaction. */
export const updatePageProfile = new PreparedStatement<PageProfileResult, keyof UpdatedPageProfile>((engine) =>
  returningPageProfiles(engine, updateProfiles(':')),
);

const types: Record<keyof UpdatedAtVersion, string> = {
  uid: 'text',
  now: 'bigint',
  last_session: 'bigint',
  version: 'bigint',
  ...typesOf(browserColumns),
};
const names = keysOf(types);

/** A transaction of its own, which updates nothing when something was published since the version. */
export const updatePageProfileAtVersion: CoalescedWrite<UpdatedAtVersion, PageProfileResult, PageProfile> = {
  single: new PreparedStatement((engine) =>
    returningPageProfiles(engine, `${updateProfiles(':')} and ${isAtVersion(':version')}`),
  ),
  names,
  batched: new PreparedStatement((engine) => {
    const items = engine.json.table(':items', types);
    if (engine.engine === 'postgres') return updateUnlocked(engine.json, items);
    return returningPageProfiles(
      engine,
      `${updateProfiles('item.', `from ${items} as item`)} and ${isAtVersion('item.version')}`,
    );
  }),
  keyOf: ({ uid }) => uid,
  read: readPageProfile,
};

/**
 * Updates the profiles that no other transaction has locked, and returns the uid of each that it skipped. So a locked
 * profile delays no other page load, and two statements never wait for each other.
 */
function updateUnlocked(json: JsonText, items: string): string {
  const existing = `
    from item inner join profiles on profiles.account_id = :account and profiles.uid = item.uid
    where ${isAtVersion('item.version')}`;
  const columns = names.map((name) => `item.${name}`).join(', ');
  return `
    with item as (select ${columns} from ${items} as item),
    unlocked as (select ${columns} ${existing} for no key update of profiles skip locked),
    changed as (${updateProfiles('item.', 'from unlocked as item')} returning ${changedColumns})
    select ${pageProfileJson(json, 'changed')}, null as skipped from changed
    union all
    select null as json, item.uid as skipped ${existing} and item.uid not in (select changed.uid from changed)`;
}
