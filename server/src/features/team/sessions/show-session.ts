import { permissionsOf, type SignedIn } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { signedOut } from '../../../errors.ts';
import { getPerson, listMemberships } from '../persons/queries.ts';
import { presentPreferences } from './present-preferences.ts';
import { presentSession } from './present-session.ts';
import { sessionOf } from './queries.ts';

/** Everything that the dashboard needs to know about who has signed in. */
export async function showSession(ctx: Context): Promise<SignedIn> {
  const { id, personId } = sessionOf(ctx);
  const session = await ctx.db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const { name, email } = await getPerson(ctx.db, personId);
  const memberships = await listMemberships(ctx.db, personId);
  const current = memberships.find((membership) => membership.id === ctx.account.id);
  // The person was removed from the account since the request was authenticated.
  if (!current) throw signedOut();
  return {
    session: presentSession(session, ctx.now(), id),
    person: { id: personId, name, email },
    account: { id: current.id, name: current.name, token: current.token },
    user: { id: current.admin_id, role: current.role, permissions: permissionsOf(current, current.who_may_publish) },
    accounts: memberships.map(({ id, name, role }) => ({ id, name, role })),
    preferences: presentPreferences(ctx, current.preferences),
  };
}
