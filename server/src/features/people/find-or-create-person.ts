import { emailKey } from '@usher/domain';
import type { AppContext } from '../../context.ts';
import type { Db } from '../../db/storage.ts';
import { findPerson, type PersonRow } from './queries.ts';

/** Finds the person with this email, or creates one. Whoever exists keeps their name and password. */
export async function findOrCreatePerson(
  app: AppContext,
  db: Db,
  person: { name: string; email: string; password_hash: string | null },
): Promise<PersonRow> {
  const { name, email, password_hash } = person;
  const row = { id: app.newId(), name, email, email_key: emailKey(email), password_hash, updated_at: app.now() };
  const added = await db
    .insertInto('people')
    .values(row)
    .onConflict((taken) => taken.column('email_key').doNothing())
    .returningAll()
    .executeTakeFirst();
  return added ?? (await findPerson(db, email)) ?? row;
}
