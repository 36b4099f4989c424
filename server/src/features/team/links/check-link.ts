import { type Link, toTimestamp } from '@usher/domain';
import type { AppContext } from '../../../context.ts';
import { FIRST_EMAIL } from '../accounts/create-account.ts';
import { findLink } from './queries.ts';

/** Returns what a link is for, so that its page can say so. The link stays unused. */
export async function checkLink(app: AppContext, token: string): Promise<Link> {
  const { kind, expires_at, account_id, person_id, role } = await findLink(app, token);
  const db = app.storage.reader(null);
  const accounts = db.selectFrom('accounts').select('name');
  const account =
    account_id && kind !== 'setup' ? await accounts.where('id', '=', account_id).executeTakeFirst() : null;
  const people = db.selectFrom('people').select('email');
  const person = person_id ? await people.where('id', '=', person_id).executeTakeFirst() : null;
  return {
    kind,
    expires_at: toTimestamp(expires_at),
    account: account ?? null,
    role,
    email: person && person.email !== FIRST_EMAIL ? person.email : null,
  };
}
