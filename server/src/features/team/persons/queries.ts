import { emailKey } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import type { Db } from '../../../db/storage.ts';

export type PersonRow = Selectable<Schema['people']>;

/** Finds a person by their email, whatever its case. */
export function findPerson(db: Db, email: string): Promise<PersonRow | undefined> {
  return db.selectFrom('people').selectAll().where('email_key', '=', emailKey(email)).executeTakeFirst();
}

export function getPerson(db: Db, id: string): Promise<PersonRow> {
  return db.selectFrom('people').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** Inside a transaction that has the clock: keeps the person from changing until the commit. */
export function lockPerson({ db, dialect }: Pick<Context, 'db' | 'dialect'>, id: string): Promise<PersonRow> {
  return dialect.lockRows(db.selectFrom('people').selectAll().where('id', '=', id)).executeTakeFirstOrThrow();
}

/** The accounts that a person is in, oldest first. */
export function listMemberships(db: Db, personId: string) {
  return db
    .selectFrom('admins')
    .innerJoin('accounts', 'accounts.id', 'admins.account_id')
    .select(['accounts.id', 'accounts.name', 'accounts.token', 'accounts.who_may_publish'])
    .select(['admins.id as admin_id', 'admins.role', 'admins.preferences'])
    .where('admins.person_id', '=', personId)
    .where('admins.removed_at', 'is', null)
    .orderBy('accounts.id')
    .execute();
}

/** Inside a transaction that has locked the person: ends the links by which they could choose a password. */
export async function endLinksOf({ db, now }: Pick<Context, 'db' | 'now'>, personId: string): Promise<void> {
  const links = db.updateTable('links').set({ used_at: now() }).where('person_id', '=', personId);
  await links.where('used_at', 'is', null).execute();
}
