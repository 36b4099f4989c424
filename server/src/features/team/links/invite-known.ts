import { type Role, timeOfId } from '@usher/domain';
import type { AppContext, Context } from '../../../context.ts';
import { createContext } from '../../../create-context.ts';
import { ApiError, conflict } from '../../../errors.ts';
import { selectAccount } from '../accounts/show-account.ts';
import { listMemberships, type PersonRow } from '../persons/queries.ts';
import { newToken } from '../secrets/secret.ts';
import { createInvitation } from './invitations.ts';

/**
 * The result if a person has the email already. It is not verified that the email is theirs, so only the person with
 * the link gets the role.
 */
interface Invited {
  account_id: string;
  email: string;
  role: Role;
  /** The names of the accounts that this person is in, so that the operator can recognize the person. */
  their_accounts: string[];
  url: string;
  expires_at: string;
}

/** From the command line: invites to an account, instead of adding the person who has the email. */
export async function inviteKnown(
  app: AppContext,
  person: PersonRow,
  { accountId, role }: { accountId: string; role: Role },
): Promise<Invited> {
  return contextOf(app, accountId).transaction(async (ctx) => {
    if (!(await selectAccount(ctx).executeTakeFirst()))
      throw new ApiError(404, ['There is no account with this ID: `usher account list` shows them']);
    const known = (await listMemberships(ctx.db, person.id)).find(({ id }) => id === accountId);
    if (known) throw conflict(`This person is in the account already, as ${known.role}`);
    return invite(ctx, person, role);
  });
}

/**
 * From the command line: creates an account, and invites its owner. The account has no secret until the owner has
 * joined, because each secret belongs to an administrator.
 */
export async function createAccountAndInvite(
  app: AppContext,
  person: PersonRow,
  name: string,
): Promise<Invited & { account_token: string }> {
  const [id, token] = [app.newId(), newToken()];
  return contextOf(app, id).transaction(async (ctx) => {
    await ctx.db
      .insertInto('accounts')
      .values({ id, name, token, updated_at: timeOfId(id) })
      .execute();
    return { account_token: token, ...(await invite(ctx, person, 'owner')) };
  });
}

function contextOf(app: AppContext, accountId: string): Context {
  return createContext(app, { account: { id: accountId }, actor: { id: '', role: 'owner' } });
}

async function invite(ctx: Context, { id, email }: PersonRow, role: Role): Promise<Invited> {
  const memberships = await listMemberships(ctx.db, id);
  const { url, expires_at } = await createInvitation(ctx, { role, note: email });
  const their_accounts = memberships.map(({ name }) => name);
  return { account_id: ctx.account.id, email, role, their_accounts, url, expires_at };
}
