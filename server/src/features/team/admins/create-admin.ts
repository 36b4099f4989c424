import type { Role } from '@usher/domain';
import type { AppContext, Context } from '../../../context.ts';
import { createContext } from '../../../create-context.ts';
import { ApiError, conflict } from '../../../errors.ts';
import { selectAccount } from '../accounts/show-account.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { createPerson, nameFromEmail } from '../persons/create-person.ts';

interface NewAdmin {
  accountId: string;
  email: string;
  name?: string | undefined;
  role: Role;
}

/**
 * From the command line: gives a person who is new on this server a role in an account. The person has no password yet.
 */
export async function createAdmin(
  app: AppContext,
  { accountId, email, name = nameFromEmail(email), role }: NewAdmin,
): Promise<{ user_id: string; person_id: string }> {
  const ctx = createContext(app, { account: { id: accountId }, actor: { id: '', role: 'owner' } });
  return ctx.transaction(async (ctx) => {
    await ctx.clock();
    if (!(await selectAccount(ctx).executeTakeFirst()))
      throw new ApiError(404, ['There is no account with this ID: `usher account list` shows them']);
    const person = await createPerson(app, ctx.db, { name, email, password_hash: null });
    return { user_id: await addMember(ctx, person.id, role), person_id: person.id };
  });
}

/** Inside a transaction: gives a person a role in the account. A person who was removed before gets their old row back. */
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
  // A person who accepts an invitation acts themselves, and is an administrator of the account from here on.
  const recorder = invitation ? { ...ctx, actor: { ...ctx.actor, id } } : ctx;
  await recordAudit(recorder, 'admin.create', { type: 'admin', id }, details);
  return id;
}
