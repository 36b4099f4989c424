import type { Context } from '../../../context.ts';
import { forbidden } from '../../../errors.ts';

/**
 * A backup has the data of all accounts. The account that was created first is that of the people who run the installation:
 * the first start creates it. Owners of other accounts are customers of theirs.
 */
export async function requireInstallationOwner({ account, app }: Pick<Context, 'account' | 'app'>): Promise<void> {
  const first = await app.storage.reader(null).selectFrom('accounts').select('id').orderBy('id').executeTakeFirst();
  if (first?.id !== account.id)
    throw forbidden(
      'Backups have the data of all accounts: only owners of the account that was created first see them',
    );
}
