import { CONFIRMATION_MS, type Millis, type SignedIn } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { createContext } from '../../../create-context.ts';
import { conflict, invalid } from '../../../errors.ts';
import type { OpenRequest, ResponseWithStatus } from '../../../http/route.ts';
import { addMember } from '../admins/create-admin.ts';
import { checkNewPassword } from '../persons/check-new-password.ts';
import { checkPassword } from '../persons/check-password.ts';
import { createPerson } from '../persons/create-person.ts';
import { findPerson, getPerson, listMemberships, lockPerson, type PersonRow } from '../persons/queries.ts';
import { startSession } from '../sessions/start-session.ts';
import { deadLink, findLink, type LinkRow, useLink } from './queries.ts';

interface Acceptance {
  token: string;
  name?: string;
  email?: string;
  password?: string;
}

/** The person who accepts: one who exists on this server, or one who is created with the membership. */
type Accepting =
  | { person: PersonRow; confirmedAt?: Millis | null }
  | { person: PersonRow; password_hash: string }
  | { newPerson: { name: string; email: string; password_hash: string } };

/** Joins the account of an invitation, and signs in there. */
export async function acceptInvitation(
  open: OpenRequest,
  { token, ...params }: Acceptance,
): Promise<ResponseWithStatus<SignedIn>> {
  const { app, request } = open;
  const link = await findLink(app, token, 'invite');
  const { account_id: accountId, role } = link;
  if (accountId === null || role === null) throw deadLink();
  const accepting = await identify(open, params, link);
  // No administrator acts here: the person who joins has no administrator ID yet.
  const caller = { account: { id: accountId }, actor: { id: '', role } };
  const person = await createContext(app, caller, request).transaction(async (ctx) => {
    await ctx.clock();
    await useLink(ctx, link);
    const person =
      'person' in accepting ? await renew(ctx, accepting) : await createPerson(app, ctx.db, accepting.newPerson);
    await addMember(ctx, person.id, role, link);
    return person;
  });
  const confirmedAt = 'confirmedAt' in accepting ? accepting.confirmedAt : undefined;
  return startSession(app, request, person, { accountId, confirmedAt });
}

/**
 * A new email makes a new person. A known email needs its password, exactly as at the sign-in. A person who is in no
 * account any more has no permissions that a password protects, and may have forgotten it, so that person chooses a new
 * password.
 */
async function identify(
  open: OpenRequest,
  { name, email, password }: Omit<Acceptance, 'token'>,
  link: LinkRow,
): Promise<Accepting> {
  const { app, request } = open;
  if (email === undefined && password === undefined) {
    const session = (await open.findCaller())?.actor.session;
    if (!session) throw invalid('`email` and `password` are required, because nobody has signed in');
    // A cookie does not replace a password: the new session asks for the password again at the same time as the old
    // one.
    const { personId, confirmedUntil } = session;
    const confirmedAt = confirmedUntil > app.now() ? confirmedUntil - CONFIRMATION_MS : null;
    return { person: await getPerson(app.storage.reader(null), personId), confirmedAt };
  }
  if (email === undefined || password === undefined) throw invalid('`email` and `password` belong together: give both');
  // The email is counted before any response about it, because a person with an invitation could try out many emails.
  app.signInLimits.countInvitedEmail(link, request.network);
  const person = await findPerson(app.storage.reader(null), email);
  const isMember = person && (await listMemberships(app.storage.reader(null), person.id)).length > 0;
  if (isMember) return { person: await checkPassword(app, request.network, email, password) };
  await app.signInLimits.countAttempt(request.network);
  if (person) {
    checkNewPassword(password, person);
    return { person, password_hash: await app.passwords.hash(password) };
  }
  if (name === undefined) throw invalid('`name` is required, because nobody on this server has this email yet');
  checkNewPassword(password, { email, name });
  return { newPerson: { name, email, password_hash: await app.passwords.hash(password) } };
}

/** Stores the new password of a person who was in no account, unless they have joined one meanwhile. */
async function renew(ctx: Context, accepting: Extract<Accepting, { person: PersonRow }>): Promise<PersonRow> {
  if (!('password_hash' in accepting)) return accepting.person;
  const { person, password_hash } = accepting;
  await lockPerson(ctx, person.id);
  if ((await listMemberships(ctx.db, person.id)).length > 0)
    throw conflict('You have joined an account meanwhile: sign in');
  await ctx.db
    .updateTable('people')
    .set({ password_hash, updated_at: ctx.now() })
    .where('id', '=', person.id)
    .execute();
  return { ...person, password_hash };
}
