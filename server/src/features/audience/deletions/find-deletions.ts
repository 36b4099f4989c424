import { timeOfId, toTimestamp } from '@usher/domain';
import type { AppContext } from '../../../context.ts';
import { openKey } from '../../../keys/account-keys.ts';
import { hashName } from './record-deletions.ts';

/** Finds the Deletions of a profile by the hash of its `uid`, as proof that it was forgotten. */
export async function findDeletions(
  { storage, secretBox }: AppContext,
  accountId: string,
  uid: string,
): Promise<{ deletion_id: string; deleted_at: string }[]> {
  const account = await storage
    .reader(null)
    .selectFrom('accounts')
    .select(['id', 'hash_key'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  const key = account && openKey(secretBox, account, 'hash_key');
  if (!key) return [];
  const rows = await storage
    .reader(accountId)
    .selectFrom('deletions')
    .select('id')
    .where('account_id', '=', accountId)
    .where('hash', '=', hashName(key, `profile ${uid}`))
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => ({ deletion_id: id, deleted_at: toTimestamp(timeOfId(id)) }));
}
