import type { Storage } from './storage.ts';

/**
 * Runs the work for one account after the other. If it fails for some, because their part of the database is unavailable, the others
 * still have their turn, and the first error is thrown at the end.
 */
export async function forEachAccount(
  { reader }: Pick<Storage, 'reader'>,
  work: (accountId: string, account: { record_paths: boolean }) => Promise<unknown>,
): Promise<void> {
  const errors: unknown[] = [];
  for (const account of await reader(null).selectFrom('accounts').select(['id', 'record_paths']).execute())
    await work(account.id, account).catch((error) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
