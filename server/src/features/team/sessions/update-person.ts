import { emailKey, type Person } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { conflict } from '../../../errors.ts';
import { ResponseWithStatus } from '../../../http/route.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { checkNewPassword } from '../persons/check-new-password.ts';
import { endLinksOf, findPerson, getPerson, lockPerson } from '../persons/queries.ts';
import { checkOwnPassword } from './confirm-password.ts';
import { lockSession, openSessionsOf, sessionOf } from './queries.ts';
import { rotateSession } from './rotate-session.ts';

export interface PersonChanges {
  name?: string;
  email?: string;
  password?: string;
  current_password?: string;
}

/**
 * Changes the person who has signed in. A new email or password needs the present password. A new password ends all other
 * sessions, because one of them may be why it is changed.
 */
export async function updatePerson(
  ctx: Context,
  { name, email, password, current_password }: PersonChanges,
): Promise<ResponseWithStatus<{ person: Person }>> {
  const { personId } = sessionOf(ctx);
  if (current_password !== undefined) await checkOwnPassword(ctx, current_password);
  if (email !== undefined) ctx.app.signInLimits.countEmail(personId);
  if (password !== undefined)
    await checkAgainst(ctx, password, { ...(name !== undefined && { name }), ...(email !== undefined && { email }) });
  const password_hash = password === undefined ? undefined : await hashNew(ctx, password, current_password);

  return ctx.transaction(async (ctx) => {
    // The clock makes changes of people in one account wait for each other.
    await ctx.clock();
    const before = await lockPerson(ctx, personId);
    // Hashing takes long. If the person has ended this session meanwhile, it must not change their password.
    await lockSession(ctx);
    const taken = email === undefined ? undefined : await findPerson(ctx.db, email);
    if (taken && taken.id !== personId) throw conflict('Somebody else has this email: give another one');
    const changed = {
      ...(name !== undefined && name !== before.name && { name }),
      ...(email !== undefined && email !== before.email && { email, email_key: emailKey(email) }),
      ...(password_hash !== undefined && { password_hash }),
    };
    const fields = Object.keys(changed).filter((field) => field !== 'email_key');
    if (fields.length === 0) return new ResponseWithStatus(200, { person: present(before) });
    const after = await ctx.db
      .updateTable('people')
      .set({ ...changed, updated_at: ctx.now() })
      .where('id', '=', personId)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (password_hash !== undefined) await endOthers(ctx);
    const confirmed = current_password === undefined ? {} : { confirmed_at: ctx.now() };
    const rotates = password_hash !== undefined || current_password !== undefined;
    const headers = rotates ? await rotateSession(ctx, confirmed) : {};
    const named = fields.map((field) => (field === 'password_hash' ? 'password' : field));
    await recordAudit(ctx, 'person.update', { type: 'person', id: personId }, { fields: named });
    return new ResponseWithStatus(200, { person: present(after) }, headers);
  });
}

async function checkAgainst(ctx: Context, password: string, { name, email }: PersonChanges): Promise<void> {
  const before = await getPerson(ctx.db, sessionOf(ctx).personId);
  checkNewPassword(password, { name: name ?? before.name, email: email ?? before.email });
}

/**
 * A hash takes a place in the queue of sign-ins, so it counts like a sign-in. A request with the current password was
 * counted already.
 */
async function hashNew({ app, request }: Context, password: string, current: string | undefined): Promise<string> {
  if (current === undefined) await app.signInLimits.countAttempt(request?.network ?? '');
  return app.passwords.hash(password);
}

async function endOthers(ctx: Context): Promise<void> {
  const { id, personId } = sessionOf(ctx);
  // An old link must not set another password.
  await endLinksOf(ctx, personId);
  const others = (await openSessionsOf(ctx).execute()).filter((session) => session.id !== id);
  for (const other of others)
    await ctx.db.updateTable('sessions').set({ ended_at: ctx.now() }).where('id', '=', other.id).execute();
}

function present({ id, name, email }: Person): Person {
  return { id, name, email };
}
