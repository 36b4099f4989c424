import { timeOfId, toTimestamp } from '@usher/domain';
import type { AppContext } from '../../../context.ts';

export interface ListedAccount {
  account_id: string;
  name: string;
  account_token: string;
  created_at: string;
}

export async function listAccounts(app: AppContext): Promise<ListedAccount[]> {
  const rows = await app.storage.reader(null).selectFrom('accounts').selectAll().orderBy('id').execute();
  return rows.map((row) => ({
    account_id: row.id,
    name: row.name,
    account_token: row.token,
    created_at: toTimestamp(timeOfId(row.id)),
  }));
}
