import { toTimestampOrNull } from '@usher/domain';
import type { AppContext } from '../../../context.ts';

export interface ListedAdmin {
  user_id: string;
  account_id: string;
  name: string;
  email: string;
  role: string;
  has_password: boolean;
  removed_at: string | null;
}

/** For the command line: the administrators of one account, or of all. */
export async function listAdmins(app: AppContext, accountId?: string): Promise<ListedAdmin[]> {
  let query = app.storage
    .reader(null)
    .selectFrom('admins')
    .innerJoin('people', 'people.id', 'admins.person_id')
    .select(['admins.id', 'admins.account_id', 'admins.role', 'admins.removed_at'])
    .select(['people.name', 'people.email', 'people.password_hash'])
    .orderBy('admins.id');
  if (accountId !== undefined) query = query.where('admins.account_id', '=', accountId);
  return (await query.execute()).map((row) => ({
    user_id: row.id,
    account_id: row.account_id,
    name: row.name,
    email: row.email,
    role: row.role,
    has_password: row.password_hash !== null,
    removed_at: toTimestampOrNull(row.removed_at),
  }));
}
