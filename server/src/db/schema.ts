import type { Millis, PropertyKind, Url } from '@usher/domain';
import type { ColumnType } from 'kysely';

/** JSON goes in as text and comes out parsed, on both engines. */
type Json<T> = ColumnType<T, string, string>;
/** May be left out of an insert. */
type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>;

/*
 * Rows as they are stored. Times are milliseconds. There is no created_at: the ID holds it.
 */
export interface Schema {
  /** What has been applied. The row with the empty name is there to be locked. */
  migrations: { name: string };
  accounts: {
    id: string;
    name: string;
    /** Public: it names the account in the browser script. */
    token: string;
    updated_at: Millis;
  };
  admins: {
    id: string;
    account_id: string;
    name: string;
    email: string;
    role: 'owner' | 'editor' | 'viewer';
    password_hash: Nullable<string>;
    updated_at: Millis;
  };
  secrets: {
    id: string;
    account_id: string;
    admin_id: string;
    name: string;
    /** SHA-256: the secret itself is shown once and kept nowhere. */
    hash: string;
    last_used_at: Nullable<Millis>;
    revoked_at: Nullable<Millis>;
    updated_at: Millis;
  };
  url_groups: {
    account_id: string;
    id: string;
    updated_at: Millis;
    archived_at: Nullable<Millis>;
    name: string;
    description: Nullable<string>;
    short_name: Nullable<string>;
    style_short_name_color: Nullable<string>;
  };
  urls: {
    account_id: string;
    id: string;
    updated_at: Millis;
    url_group_id: Nullable<string>;
    host: string;
    domain: string;
    enabled: Url['enabled'];
    installed_at: Nullable<Millis>;
    first_seen_at: Nullable<Millis>;
    last_seen_at: Nullable<Millis>;
    archived_at: Nullable<Millis>;
  };
  properties: {
    account_id: string;
    id: string;
    updated_at: Millis;
    name: string;
    description: Nullable<string>;
    kind: PropertyKind;
    prop: string;
    integration: Nullable<string>;
    last_seen_at: Nullable<Millis>;
    types: Json<string[]>;
    values: Json<unknown[]>;
  };
}

/** Whose rows a table holds: one account's, found only by naming that account, or everyone's. */
export const tables: Record<Exclude<keyof Schema, 'migrations'>, 'global' | 'tenant'> = {
  accounts: 'global',
  admins: 'global',
  secrets: 'global',
  url_groups: 'tenant',
  urls: 'tenant',
  properties: 'tenant',
};
