import type { Millis } from '@usher/domain';
import { sql } from 'kysely';
import { takeClock } from '../../../db/account-clock.ts';
import type { Db, Storage } from '../../../db/storage.ts';
import { type CountsContext, recount } from './use-counts.ts';

const HOUR_MS: Millis = 60 * 60_000;

/**
 * Makes the counts of accounts again where that is due: after the update that brought the counts and, on PostgreSQL, again when nodes of the
 * version before have stopped, because these store what users do without counting it.
 */
export async function recountAccounts(storage: Storage, now: Millis): Promise<void> {
  const accounts = storage.reader(null).selectFrom('accounts').select(['id', 'recount_at']);
  const errors: unknown[] = [];
  for (const { id } of await accounts.where('recount_at', '<=', now).execute())
    await storage
      .write(id, (db) => recountAccount(storage, db, id, now), { isLong: true })
      .catch((error) => {
        // The others are counted anyway. This one is due until it succeeds.
        errors.push(error);
      });
  if (errors.length > 0) throw errors[0];
}

async function recountAccount(storage: Storage, db: Db, id: string, now: Millis): Promise<void> {
  const isPostgres = storage.dialect.engine === 'postgres';
  // As in a migration: in a large account, a statement takes longer than others may.
  if (isPostgres) await sql`set local statement_timeout = 0`.execute(db);
  const ctx = createCountsContext(storage, db, id, now);
  // Another node that starts waits here, and then finds that it is done.
  await ctx.clock();
  const query = db.selectFrom('accounts').select('recount_at').where('id', '=', id);
  const { recount_at } = await query.executeTakeFirstOrThrow();
  if (recount_at === null || recount_at > now) return;
  await recount(ctx);
  const again = recount_at === 0 && isPostgres ? now + HOUR_MS : null;
  await db.updateTable('accounts').set({ recount_at: again }).where('id', '=', id).execute();
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
    clock: () => {
      taken ??= takeClock(storage, db, accountId, now);
      return taken;
    },
    run: (statement, values) => statement.run(storage, db, accountId, values),
  };
}
