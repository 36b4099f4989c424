import type { ColumnTypes } from './migration.ts';

/** What the page for installing the script shows: page loads of the local machine, and a short log while somebody watches. */
export function installationLog({ id, time, json }: ColumnTypes): string[] {
  return [
    `create table account_installations (
      account_id ${id} primary key,
      watched_until ${time} not null default 0,
      local_host text,
      local_first_seen_at ${time},
      local_last_seen_at ${time}
    )`,
    `create table installation_entries (
      account_id ${id} not null,
      id ${id} not null,
      kind text not null,
      host text,
      path text,
      profile_id ${id},
      uid ${id},
      user_agent text not null,
      name text,
      fields ${json} not null,
      outcome text not null,
      messages ${json} not null,
      primary key (account_id, id)
    )`,
  ];
}
