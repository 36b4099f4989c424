import type { ColumnTypes } from './migration.ts';

export function foundation({ id, time, json }: ColumnTypes): string[] {
  return [
    `create table accounts (
      id ${id} primary key,
      name text not null,
      token text not null unique,
      updated_at ${time} not null
    )`,
    `create table admins (
      id ${id} primary key,
      account_id ${id} not null references accounts (id),
      name text not null,
      email text not null,
      role text not null,
      password_hash text,
      updated_at ${time} not null,
      unique (account_id, email)
    )`,
    `create table secrets (
      id ${id} primary key,
      account_id ${id} not null references accounts (id),
      admin_id ${id} not null references admins (id),
      name text not null,
      hash ${id} not null unique,
      last_used_at ${time},
      revoked_at ${time},
      updated_at ${time} not null
    )`,
    `create table url_groups (
      account_id ${id} not null references accounts (id),
      id ${id} not null,
      updated_at ${time} not null,
      archived_at ${time},
      name text not null,
      description text,
      short_name text,
      style_short_name_color text,
      primary key (account_id, id)
    )`,
    `create table urls (
      account_id ${id} not null references accounts (id),
      id ${id} not null,
      updated_at ${time} not null,
      url_group_id ${id},
      host text not null,
      domain text not null,
      enabled text not null,
      installed_at ${time},
      first_seen_at ${time},
      last_seen_at ${time},
      archived_at ${time},
      primary key (account_id, id),
      unique (account_id, host),
      foreign key (account_id, url_group_id) references url_groups (account_id, id)
    )`,
    'create index urls_by_domain on urls (account_id, domain, id)',
    'create index urls_by_url_group on urls (account_id, url_group_id)',
    `create table properties (
      account_id ${id} not null references accounts (id),
      id ${id} not null,
      updated_at ${time} not null,
      name text not null,
      description text,
      kind text not null,
      prop text not null,
      integration text,
      last_seen_at ${time},
      types ${json} not null,
      "values" ${json} not null,
      primary key (account_id, id),
      unique (account_id, kind, prop)
    )`,
  ];
}
