import type { SignedIn } from '@usher/domain';
import { createContext } from '../../../create-context.ts';
import type { OpenRequest, ResponseWithStatus } from '../../../http/route.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { checkNewPassword } from '../persons/check-new-password.ts';
import { endLinksOf, getPerson, listMemberships, lockPerson } from '../persons/queries.ts';
import { startSession } from '../sessions/start-session.ts';
import { deadLink, findLink, useLink } from './queries.ts';

/** Gives a person a new password, ends all their sessions and their other links of this kind, and signs them in. */
export async function resetPassword(
  { app, request }: OpenRequest,
  { token, password }: { token: string; password: string },
): Promise<ResponseWithStatus<SignedIn>> {
  const link = await findLink(app, token, 'reset');
  const { person_id: personId } = link;
  if (personId === null) throw deadLink();
  const [membership] = await listMemberships(app.storage.reader(null), personId);
  if (!membership) throw deadLink();
  checkNewPassword(password, await getPerson(app.storage.reader(null), personId));
  const password_hash = await app.passwords.hash(password);
  const caller = { account: { id: membership.id }, actor: { id: membership.admin_id, role: membership.role } };
  await createContext(app, caller, request).transaction(async (ctx) => {
    await ctx.clock();
    const now = ctx.now();
    // The removal of a person locks the person before their links too.
    await lockPerson(ctx, personId);
    await useLink(ctx, link);
    await ctx.db.updateTable('people').set({ password_hash, updated_at: now }).where('id', '=', personId).execute();
    const sessions = ctx.db.updateTable('sessions').set({ ended_at: now }).where('person_id', '=', personId);
    await sessions.where('ended_at', 'is', null).execute();
    await endLinksOf(ctx, personId);
    await recordAudit(ctx, 'person.reset_password', { type: 'person', id: personId });
  });
  return startSession(app, request, { id: personId, password_hash });
}
