import type { Role } from '@usher/domain';
import { type AppContext, type Context, createContext } from '../../context.ts';
import { ApiError, conflict } from '../../errors.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { findOrCreatePerson } from '../people/find-or-create-person.ts';

interface NewAdmin {
  accountId: string;
  email: string;
  name?: string | undefined;
  role: Role;
}

/** From the command line: gives a person a role in an account. Whoever is new on this server has no password yet. */
export async function createAdmin(
  app: AppContext,
  { accountId, email, name = email.split('@')[0] ?? email, role }: NewAdmin,
): Promise<{ user_id: string; person_id: string; has_password: boolean }> {
  const ctx = createContext(app, { account: { id: accountId }, actor: { id: '', role: 'owner' } });
  return ctx.transaction(async (ctx) => {
    await ctx.clock();
    const account = ctx.db.selectFrom('accounts').select('id').where('id', '=', accountId);
    if (!(await account.executeTakeFirst()))
      throw new ApiError(404, ['There is no account with this ID: `usher account list` shows them']);
    const person = await findOrCreatePerson(app, ctx.db, { name, email, password_hash: null });
    const id = await addMember(ctx, person.id, role);
    return { user_id: id, person_id: person.id, has_password: person.password_hash !== null };
  });
}

/** Inside a transaction: gives a person a role in the account. Whoever was removed before gets their old place back. */
export async function addMember(
  ctx: Context,
  personId: string,
  role: Role,
  invitation?: { id: string; created_by: string | null },
): Promise<string> {
  const now = ctx.now();
  await ctx.clock();
  const admins = ctx.db.selectFrom('admins').selectAll().where('account_id', '=', ctx.account.id);
  const known = await admins.where('person_id', '=', personId).executeTakeFirst();
  if (known && known.removed_at === null) throw conflict(`This person is in the account already, as ${known.role}`);
  const id = known?.id ?? ctx.newId();
  if (known)
    await ctx.db
      .updateTable('admins')
      .set({ role, removed_at: null, updated_at: now })
      .where('id', '=', known.id)
      .execute();
  else
    await ctx.db
      .insertInto('admins')
      .values({ id, account_id: ctx.account.id, person_id: personId, role, updated_at: now })
      .execute();
  const details = invitation ? { role, invitation_id: invitation.id, invited_by: invitation.created_by } : { role };
  await recordAudit(ctx, 'admin.create', { type: 'admin', id }, details);
  return id;
}
