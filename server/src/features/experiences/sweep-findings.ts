import { dayOf } from '@usher/domain';
import type { AppContext } from '../../context.ts';
import { forEachAccount } from '../../db/for-each-account.ts';
import { deleteSome } from './remove-use.ts';

/**
 * Deletes after some days which users saw which steps on which pages.
 * @param keepDays undefined keeps them for good
 */
export async function sweepFindings({ storage, now }: AppContext, keepDays: number | undefined): Promise<void> {
  if (keepDays === undefined) return;
  const beforeDay = dayOf(now()) - keepDays;
  const max = storage.dialect.rowsPerWrite;
  await forEachAccount(storage, async (accountId) => {
    const findNext = async (after: string) => {
      const query = storage.reader(accountId).selectFrom('findings').select('experience_id');
      const later = query.where('account_id', '=', accountId).where('experience_id', '>', after);
      return (await later.orderBy('experience_id').limit(1).executeTakeFirst())?.experience_id;
    };
    for (let id = await findNext(''); id !== undefined; id = await findNext(id)) {
      const rows = { accountId, experienceId: id, beforeDay, max };
      // Some rows with each transaction, so that other writers wait for these only.
      while (!(await storage.write(accountId, (db) => deleteSome(db, 'findings', rows))));
    }
  });
}
