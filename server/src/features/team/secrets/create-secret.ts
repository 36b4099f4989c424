import { type CreateSecret, emailKey } from '@usher/domain';
import type { AppContext } from '../../../context.ts';
import { createContext } from '../../../create-context.ts';
import { ApiError, conflict, invalid } from '../../../errors.ts';
import { issueSecret } from './issue-secret.ts';

type NewSecret = Pick<CreateSecret, 'name'> &
  Partial<CreateSecret> & {
    accountId: string;
    /** The administrator whom the secret is for; by default the oldest owner. */
    email?: string | undefined;
  };

/** From the command line: creates a secret of an account, for one of its administrators. It is never shown again. */
export async function createSecret(
  app: AppContext,
  { accountId, email, scope = 'all', ...params }: NewSecret,
): Promise<{ id: string; account_id: string; user_id: string; account_secret: string }> {
  const admins = await app.storage
    .reader(null)
    .selectFrom('admins')
    .innerJoin('people', 'people.id', 'admins.person_id')
    .select(['admins.id', 'admins.role', 'people.email_key'])
    .where('admins.account_id', '=', accountId)
    .where('admins.removed_at', 'is', null)
    .orderBy('admins.id')
    .execute();
  if (admins.length === 0) throw await explainEmpty(app, accountId);
  const admin = admins.find(({ role, email_key }) =>
    email === undefined ? role === 'owner' : email_key === emailKey(email),
  );
  if (!admin) throw invalid(`No administrator of this account has the address ${email}`);
  const ctx = createContext(app, { account: { id: accountId }, actor: { id: '', role: 'owner' } });
  const { id, secret } = await issueSecret(ctx, { ...params, scope }, admin.id);
  return { id, account_id: accountId, user_id: admin.id, account_secret: secret };
}

async function explainEmpty({ storage }: AppContext, accountId: string): Promise<ApiError> {
  const account = storage.reader(null).selectFrom('accounts').select('id').where('id', '=', accountId);
  if (await account.executeTakeFirst())
    return conflict(
      'No person has joined this account yet: open its invitation first, or create one with `usher admin create`',
    );
  return new ApiError(404, ['There is no account with this ID: `usher account list` shows them']);
}
