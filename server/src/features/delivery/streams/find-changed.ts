import { PreparedStatement } from '../../../db/prepared-statement.ts';
import type { Storage } from '../../../db/storage.ts';

interface Known {
  visit: { profileId: string };
  wakeCount: number;
}

const changedOf = new PreparedStatement<{ id: string; wake_count: number | null }, 'items'>(
  ({ json }) => `
    select item.id, profiles.wake_count from ${json.table(':items', { id: 'text', wake_count: 'integer' })} as item
    left join profiles on profiles.account_id = :account and profiles.id = item.id
    where coalesce(profiles.wake_count, -1) <> item.wake_count`,
);

/** Finds whose pages have been woken since, by the IDs of their profiles, and how often by now; null if the profile is gone. */
export async function findChanged(
  storage: Storage,
  accountId: string,
  known: readonly Known[],
): Promise<Map<string, number | null>> {
  const items = JSON.stringify(known.map(({ visit, wakeCount }) => [visit.profileId, wakeCount]));
  const rows = await changedOf.run(storage, storage.reader(accountId), accountId, { items });
  return new Map(rows.map(({ id, wake_count }) => [id, wake_count]));
}
