import type { AppContext } from '../../context.ts';
import { ApiError, invalid } from '../../errors.ts';
import { hashSecret, newSecret } from './secret.ts';

/** Creates another secret of an account, for one of its administrators. The secret is returned here and never again. */
export async function createSecret(
  app: AppContext,
  { accountId, email, name }: { accountId: string; email?: string | undefined; name: string },
): Promise<{ id: string; account_id: string; user_id: string; account_secret: string }> {
  const secret = newSecret();
  return app.storage.write(null, async (db) => {
    const admins = await db
      .selectFrom('admins')
      .select(['id', 'email', 'role'])
      .where('account_id', '=', accountId)
      .orderBy('id')
      .execute();
    if (admins.length === 0)
      throw new ApiError(404, ['There is no account with this ID: `usher account list` shows them']);
    const admin =
      email === undefined
        ? admins.find(({ role }) => role === 'owner')
        : admins.find((candidate) => candidate.email === email);
    if (!admin) throw invalid(`No administrator of this account has the address ${email}`);
    const id = app.newId();
    await db
      .insertInto('secrets')
      .values({
        id,
        account_id: accountId,
        admin_id: admin.id,
        name,
        hash: hashSecret(secret),
        updated_at: app.now(),
      })
      .execute();
    return { id, account_id: accountId, user_id: admin.id, account_secret: secret };
  });
}
