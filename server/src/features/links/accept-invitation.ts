import { MIN_PASSWORD, type SignedIn } from '@usher/domain';
import { createContext } from '../../context.ts';
import { conflict, invalid } from '../../errors.ts';
import type { ResponseWithStatus, Visitor } from '../../http/route.ts';
import { addMember } from '../admins/create-admin.ts';
import { checkPassword } from '../people/check-password.ts';
import { findOrCreatePerson } from '../people/find-or-create-person.ts';
import { findPerson } from '../people/queries.ts';
import { startSession } from '../sessions/start-session.ts';
import { deadLink, findLink, useLink } from './queries.ts';

interface Acceptance {
  token: string;
  name?: string;
  email?: string;
  password?: string;
}

/** Who accepts: a person of this server, or one who is created with the membership. */
type Accepting = { personId: string } | { name: string; email: string; password_hash: string };

/** Joins the account of an invitation, and signs in there. */
export async function acceptInvitation(
  visitor: Visitor,
  { token, ...params }: Acceptance,
): Promise<ResponseWithStatus<SignedIn>> {
  const { app, request } = visitor;
  const link = await findLink(app, token, 'invite');
  const { account_id: accountId, role } = link;
  if (accountId === null || role === null) throw deadLink();
  const accepting = await identify(visitor, params);
  // No administrator acts here: the one who joins has no ID before they have joined.
  const caller = { account: { id: accountId }, actor: { id: '', role } };
  const personId = await createContext(app, caller, request).transaction(async (ctx) => {
    await ctx.clock();
    await useLink(ctx, link);
    if ('personId' in accepting) {
      await addMember(ctx, accepting.personId, role, link);
      return accepting.personId;
    }
    const person = await findOrCreatePerson(app, ctx.db, accepting);
    // Somebody took the email since it was looked up.
    if (person.password_hash !== accepting.password_hash)
      throw conflict('Somebody has this email already: sign in first');
    await addMember(ctx, person.id, role, link);
    return person.id;
  });
  return startSession(app, request, personId, { accountId });
}

/** A new email makes a new person. A known one needs its password, exactly as at the sign-in. */
async function identify(visitor: Visitor, { name, email, password }: Omit<Acceptance, 'token'>): Promise<Accepting> {
  const { app, request } = visitor;
  if (email === undefined && password === undefined) {
    const personId = (await visitor.findCaller())?.actor.session?.personId;
    if (personId === undefined) throw invalid('`email` and `password` are required, because nobody has signed in');
    return { personId };
  }
  if (email === undefined || password === undefined) throw invalid('`email` and `password` belong together: give both');
  if (await findPerson(app.storage.reader(null), email))
    return { personId: (await checkPassword(app, request.network, email, password)).id };
  if (name === undefined) throw invalid('`name` is required, because nobody on this server has this email yet');
  if (password.length < MIN_PASSWORD) throw invalid(`\`password\` must have ${MIN_PASSWORD} characters or more`);
  app.signInLimits.countAttempt(request.network);
  return { name, email, password_hash: await app.passwords.hash(password) };
}
