import type { SqlDialect } from '../db/sql-dialect.ts';
import type { Db } from '../db/storage.ts';
import type { SecretBox } from './secret-box.ts';

/** The columns of an account that are keys. With them, users, deletions and webhooks could be forged. */
export const keyColumns = ['hash_key', 'visit_key', 'uid_secret'] as const;
export type KeyColumn = (typeof keyColumns)[number];

/** The row of `installation` with the fingerprint of the master key in use. */
export const MASTER_KEY = 'master_key';

/**
 * Encrypts a key of an account, inside the transaction that stores it. The database says with which master key, and the
 * lock on that row prevents a rotation in between.
 */
export async function sealKey(
  dialect: SqlDialect,
  db: Db,
  box: SecretBox,
  place: { id: string; column: KeyColumn },
  value: string,
): Promise<string> {
  return sealAt(dialect, db, box, placeOf(place.id, place.column), value);
}

/** The same for a key that belongs to no account. */
export async function sealAt(
  { lockRows }: SqlDialect,
  db: Db,
  box: SecretBox,
  place: string,
  value: string,
): Promise<string> {
  const query = db.selectFrom('installation').select('value').where('name', '=', MASTER_KEY);
  const { value: fingerprint } = await lockRows(query).executeTakeFirstOrThrow();
  return box.seal(fingerprint, place, value);
}

export function openKey<Column extends KeyColumn>(
  box: SecretBox,
  account: { id: string } & Record<Column, string | null>,
  column: Column,
): string | null {
  const sealed = account[column];
  return sealed === null ? null : box.open(placeOf(account.id, column), sealed);
}

export function placeOf(accountId: string, column: KeyColumn): string {
  return `accounts ${accountId} ${column}`;
}
