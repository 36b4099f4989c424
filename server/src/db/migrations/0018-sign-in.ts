import { sql } from 'kysely';
import type { Db } from '../schema.ts';
import type { ColumnTypes, MigrationStep } from './migration.ts';

/**
 * People sign in. A person exists once, whatever the number of accounts: administrators with the same email become one
 * person, and an administrator is the role of a person in one account. Secrets get a scope, an expiry and networks.
 */
export function signIn(types: ColumnTypes): MigrationStep[] {
  const { id, time, json, onSqlite, onPostgres } = types;
  return [
    `create table people (
      id ${id} primary key,
      name text not null,
      email text not null,
      email_key ${id} not null unique,
      password_hash text,
      updated_at ${time} not null
    )`,
    mergeAdmins,
    ...onPostgres(
      `alter table admins add column person_id ${id}`,
      'update admins set person_id = (select people.id from people where people.email_key = admins.email_key)',
      'alter table admins alter column person_id set not null',
      'alter table admins add constraint admins_person_id_fkey foreign key (person_id) references people (id)',
      'alter table admins drop column email_key',
      'alter table admins drop column name',
      'alter table admins drop column email',
      'alter table admins drop column password_hash',
      `alter table admins add column removed_at ${time}`,
      `alter table secrets add column scope text not null default 'all'`,
      `alter table secrets add column expires_at ${time}`,
      `alter table secrets add column networks ${json}`,
    ),
    ...onSqlite(...rebuiltTables(types)),
    'create unique index admins_by_person on admins (person_id, account_id)',
    'create index admins_by_account on admins (account_id)',
    'create index secrets_by_account on secrets (account_id)',
    `alter table accounts add column who_may_publish text not null default 'editors'`,
    `create table sessions (
      id ${id} primary key,
      hash ${id} not null unique,
      person_id ${id} not null references people (id),
      account_id ${id} not null references accounts (id),
      last_used_at ${time} not null,
      confirmed_at ${time},
      user_agent text not null,
      network text not null,
      ended_at ${time}
    )`,
    'create index sessions_by_person on sessions (person_id)',
    `create table links (
      id ${id} primary key,
      hash ${id} not null unique,
      kind text not null,
      person_id ${id} references people (id),
      account_id ${id} references accounts (id),
      role text,
      created_by ${id} references admins (id),
      expires_at ${time} not null,
      used_at ${time}
    )`,
    'create index links_by_account on links (account_id)',
    `create table audit_entries (
      account_id ${id} not null references accounts (id),
      id ${id} not null,
      admin_id ${id},
      secret_id ${id},
      action text not null,
      target_type text,
      target_id ${id},
      details ${json} not null,
      network text,
      primary key (account_id, id)
    )`,
  ];
}

/** SQLite cannot drop a column with a unique key, so both tables are copied. The one that refers to the other goes first. */
function rebuiltTables({ id, time, json }: ColumnTypes): string[] {
  return [
    `create table new_admins (
      id ${id} primary key,
      account_id ${id} not null references accounts (id),
      person_id ${id} not null references people (id),
      role text not null,
      updated_at ${time} not null,
      removed_at ${time}
    )`,
    `insert into new_admins (id, account_id, person_id, role, updated_at)
      select admins.id, account_id, people.id, role, admins.updated_at
      from admins join people on people.email_key = admins.email_key`,
    `create table new_secrets (
      id ${id} primary key,
      account_id ${id} not null references accounts (id),
      admin_id ${id} not null references new_admins (id),
      name text not null,
      hash ${id} not null unique,
      last_used_at ${time},
      revoked_at ${time},
      updated_at ${time} not null,
      scope text not null default 'all',
      expires_at ${time},
      networks ${json}
    )`,
    `insert into new_secrets (id, account_id, admin_id, name, hash, last_used_at, revoked_at, updated_at)
      select id, account_id, admin_id, name, hash, last_used_at, revoked_at, updated_at from secrets`,
    'drop table secrets',
    'drop table admins',
    'alter table new_admins rename to admins',
    'alter table new_secrets rename to secrets',
  ];
}

interface StoredAdmin {
  id: string;
  account_id: string;
  name: string;
  email: string;
  password_hash: string | null;
  updated_at: number;
}

/**
 * Creates one person for each email, whatever its case. The person has the ID, name and email of their oldest
 * administrator, and the first password among them. A person has one role in an account: if an account has the same email
 * in two spellings, the second becomes a person of their own, with a key that no lookup by email finds.
 */
async function mergeAdmins(db: Db): Promise<void> {
  await sql`alter table admins add column email_key text`.execute(db);
  const { rows } = await sql<StoredAdmin>`
    select id, account_id, name, email, password_hash, updated_at from admins order by id`.execute(db);
  const people = new Map<string, StoredAdmin & { accounts: Set<string> }>();
  for (const admin of rows) {
    const email = admin.email.trim().toLowerCase();
    let key = email;
    for (let count = 2; people.get(key)?.accounts.has(admin.account_id); count++) key = `${email} ${count}`;
    await sql`update admins set email_key = ${key} where id = ${admin.id}`.execute(db);
    const known = people.get(key);
    if (known) {
      known.accounts.add(admin.account_id);
      known.password_hash ??= admin.password_hash;
    } else people.set(key, { ...admin, accounts: new Set([admin.account_id]) });
  }
  for (const [key, { id, name, email, password_hash, updated_at }] of people)
    await sql`insert into people (id, name, email, email_key, password_hash, updated_at)
      values (${id}, ${name}, ${email}, ${key}, ${password_hash}, ${updated_at})`.execute(db);
}
