import { timeOfId, toTimestamp, toTimestampOrNull } from '@usher/domain';
import type { AppContext } from '../../../context.ts';

export interface ListedSecret {
  id: string;
  account_id: string;
  user_id: string;
  name: string;
  scope: string;
  people: boolean;
  created_at: string;
  expires_at: string | null;
  networks: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
  parent_id: string | null;
}

export async function listSecrets(app: AppContext, accountId?: string): Promise<ListedSecret[]> {
  let query = app.storage.reader(null).selectFrom('secrets').selectAll().orderBy('id');
  if (accountId !== undefined) query = query.where('account_id', '=', accountId);
  return (await query.execute()).map((row) => ({
    id: row.id,
    account_id: row.account_id,
    user_id: row.admin_id,
    name: row.name,
    scope: row.scope,
    people: row.people,
    created_at: toTimestamp(timeOfId(row.id)),
    expires_at: toTimestampOrNull(row.expires_at),
    networks: row.networks?.join(', ') ?? null,
    last_used_at: toTimestampOrNull(row.last_used_at),
    revoked_at: toTimestampOrNull(row.revoked_at),
    parent_id: row.parent_id,
  }));
}
