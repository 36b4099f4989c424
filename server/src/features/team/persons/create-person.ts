import { emailKey } from '@usher/domain';
import type { AppContext } from '../../../context.ts';
import type { Db } from '../../../db/storage.ts';
import { conflict } from '../../../errors.ts';
import type { PersonRow } from './queries.ts';

/**
 * Creates a person. An email that somebody has already is rejected, and never leads to that person: emails are not
 * verified, so anybody may have written it.
 */
export async function createPerson(
  app: AppContext,
  db: Db,
  person: { name: string; email: string; password_hash: string | null },
): Promise<PersonRow> {
  const row = { ...person, id: app.newId(), email_key: emailKey(person.email), updated_at: app.now() };
  const added = await db
    .insertInto('people')
    .values(row)
    .onConflict((taken) => taken.column('email_key').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!added) throw conflict('Somebody on this server has this email already: sign in first, or give another email');
  return added;
}

/** The name of a person until they give their own. */
export function nameFromEmail(email: string): string {
  return email.split('@')[0] || email;
}
