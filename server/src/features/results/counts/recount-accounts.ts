import type { Millis } from '@usher/domain';
import { takeClock } from '../../../db/account-clock.ts';
import type { Storage } from '../../../db/storage.ts';
import type { Log } from '../../../log/log.ts';
import { findUncounted, hasWrongInterruptions } from './find-uncounted.ts';
import { type CountsContext, recount, recountInterruptions } from './use-counts.ts';

const HOUR_MS: Millis = 60 * 60_000;

/**
 * Makes the counts of accounts again where that is due: after the update that brought the counts (`recount_at` is 0). On PostgreSQL, nodes
 * of the version before may go on storing what users do without counting it, so an hour later it makes the wrong counts again.
 */
export async function recountAccounts(storage: Storage, now: Millis, log: Pick<Log, 'info'>): Promise<void> {
  const accounts = storage.reader(null).selectFrom('accounts').select(['id', 'recount_at']);
  const due = await accounts.where('recount_at', '<=', now).execute();
  if (due.some(({ recount_at }) => recount_at === 0))
    log.info({ accounts: due.length }, 'counting results again: with millions of rows, this takes minutes');
  const errors: unknown[] = [];
  for (const { id, recount_at } of due)
    await (recount_at === 0 ? recountAccount(storage, id, now) : recountWrong(storage, id, now, log)).catch((error) => {
      // The others are counted anyway. This one is due until it succeeds.
      errors.push(error);
    });
  if (errors.length > 0) throw errors[0];
}

/** Counts everything in one transaction. Reports wait for it, so it only runs when a server starts. */
async function recountAccount(storage: Storage, id: string, now: Millis): Promise<void> {
  const again = storage.dialect.engine === 'postgres' ? now + HOUR_MS : null;
  await storage.write(
    id,
    async (db) => {
      const ctx = createCountsContext(storage, db, id, now);
      // Another node that starts waits here, and then finds that it is done.
      await ctx.clock();
      const query = db.selectFrom('accounts').select('recount_at').where('id', '=', id);
      if ((await query.executeTakeFirstOrThrow()).recount_at !== 0) return;
      await recount(ctx);
      await db.updateTable('accounts').set({ recount_at: again }).where('id', '=', id).execute();
    },
    { isLong: true },
  );
}

/** Reads without a lock which counts are wrong, which is usually none. Only these are made again, and reports wait for one at a time. */
async function recountWrong(storage: Storage, id: string, now: Millis, log: Pick<Log, 'info'>): Promise<void> {
  const wrong = await findUncounted({ account: { id }, db: storage.heavyReader(id), dialect: storage.dialect });
  if (wrong.length > 0)
    log.info({ account: id, experiences: wrong.length }, 'counting results of some Experiences again');
  if (await hasWrongInterruptions({ account: { id }, db: storage.heavyReader(id) }))
    await storage.write(id, (db) => recountInterruptions(createCountsContext(storage, db, id, now)), { isLong: true });
  for (const experienceId of wrong)
    await storage.write(id, (db) => recount(createCountsContext(storage, db, id, now), experienceId), { isLong: true });
  await storage.write(id, (db) =>
    db.updateTable('accounts').set({ recount_at: null }).where('id', '=', id).where('recount_at', '<=', now).execute(),
  );
}

/** For work that belongs to no request. */
export function createCountsContext(
  storage: Storage,
  db: CountsContext['db'],
  accountId: string,
  now: Millis,
): CountsContext {
  let taken: ReturnType<typeof takeClock> | undefined;
  return {
    account: { id: accountId },
    db,
    dialect: storage.dialect,
    clock: () => {
      taken ??= takeClock(storage, db, accountId, now);
      return taken;
    },
    run: (statement, values) => statement.run(storage, db, accountId, values),
  };
}
