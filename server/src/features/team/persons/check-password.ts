import { emailKey, SESSION_MAX_MS } from '@usher/domain';
import type { AppContext } from '../../../context.ts';
import { type ApiError, forbidden } from '../../../errors.ts';
import { findPerson, getPerson, type PersonRow } from './queries.ts';

/**
 * Finds the person with this email and password, within the limits of sign-ins. An unknown email takes the same work and
 * gets the same error as a wrong password, so nobody can find out which emails exist.
 */
export async function checkPassword(
  app: AppContext,
  network: string,
  email: string,
  password: string,
): Promise<PersonRow> {
  const { passwords, signInLimits, failedSignIns, storage, now, counters } = app;
  await signInLimits.countAttempt(network);
  const db = storage.reader(null);
  const person = await findPerson(db, email);
  // For an unknown email the same queries run, so that the time of the response reveals nothing.
  const sessions = db
    .selectFrom('sessions')
    .select('id')
    .where('person_id', '=', person?.id ?? '');
  const recent = sessions.where('network', '=', network).where('last_used_at', '>', now() - SESSION_MAX_MS);
  const isFamiliar = (await recent.limit(1).execute()).length > 0;
  signInLimits.checkEmail(emailKey(email), network, isFamiliar);
  const { isRight, newHash } = await passwords.verify(password, person?.password_hash, isFamiliar ? null : network);
  if (!person || !isRight) {
    signInLimits.countWrong(emailKey(email), network);
    counters.failedSignIns += 1;
    if (person) failedSignIns.record(person.id, network);
    throw wrongPassword();
  }
  if (newHash === undefined) return person;
  // If two sign-ins run at the same time, one of them replaces the hash, and the other must compare with the new hash.
  return (await rehash(app, person, newHash)) ?? verifyAgain(app, person.id, password);
}

async function verifyAgain({ passwords, storage }: AppContext, id: string, password: string): Promise<PersonRow> {
  const person = await getPerson(storage.reader(null), id);
  const { isRight } = await passwords.verify(password, person.password_hash, null);
  if (!isRight) throw wrongPassword();
  return person;
}

export function wrongPassword(): ApiError {
  return forbidden(
    'The email or the password is wrong: check both, or ask the operator for `npx usher admin reset-link`',
  );
}

/**
 * Replaces a hash that was made with another cost. Returns undefined if the hash was changed meanwhile: the changed
 * hash stays.
 */
async function rehash(
  { storage }: AppContext,
  { id, password_hash }: PersonRow,
  newHash: string,
): Promise<PersonRow | undefined> {
  return storage.write(null, (db) =>
    db
      .updateTable('people')
      .set({ password_hash: newHash })
      .where('id', '=', id)
      .where('password_hash', '=', password_hash)
      .returningAll()
      .executeTakeFirst(),
  );
}
