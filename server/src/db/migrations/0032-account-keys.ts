import type { ColumnTypes } from './migration.ts';

/**
 * On Citus a table of one account cannot refer to a table that all accounts share. PostgreSQL without Citus has the same schema.
 * Accounts are never deleted.
 */
export function accountKeys({ onPostgres }: ColumnTypes): string[] {
  const tables = ['url_groups', 'urls', 'properties', 'audit_entries', 'sample_records'];
  return onPostgres(
    ...tables.map((table) => `alter table ${table} drop constraint if exists ${table}_account_id_fkey`),
  );
}
