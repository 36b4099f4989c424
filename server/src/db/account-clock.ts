import { createTickIds, isFromWrongClock, type Millis, TICKS_PER_MS, timeOfTick } from '@usher/domain';
import { PreparedStatement } from './prepared-statement.ts';
import type { Db } from './schema.ts';
import type { SqlRunner } from './sql-runner.ts';

/** The first columns of a new record. `updated_at` is the time in its ID, unless that is one of a clock that was ahead. */
export interface NewRow {
  account_id: string;
  id: string;
  updated_at: Millis;
}

/**
 * Gives the records of one transaction their place in lists. The tick of a transaction is above the ticks of all
 * transactions of the account that were committed before it, and below the ticks of all later ones. So a reader who has
 * seen a record never misses an earlier one.
 */
export interface AccountClock {
  readonly tick: number;
  /**
   * The time of the tick. After a clock was far ahead, ticks go on from there, because lists are ordered by them. Then this
   * is the real time.
   */
  readonly at: Millis;
  newRow(): NewRow;
}

const advance = new PreparedStatement<{ tick: number }, 'now'>(`
  update account_clocks
  set tick = case when tick < :now then :now else tick + 1 end
  where account_id = :account
  returning tick`);

const start = new PreparedStatement<never, 'now'>(`
  insert into account_clocks (account_id, tick) values (:account, :now) on conflict do nothing`);

/**
 * Takes the next tick, inside a transaction. The row stays locked until the commit, so commits have the order of their
 * ticks even if the clocks of nodes differ.
 */
export async function takeClock(runner: SqlRunner, db: Db, accountId: string, time: Millis): Promise<AccountClock> {
  const now = { now: time * TICKS_PER_MS };
  let [row] = await advance.run(runner, db, accountId, now);
  while (!row) {
    await start.run(runner, db, accountId, { now: now.now - 1 });
    [row] = await advance.run(runner, db, accountId, now);
  }
  const { tick } = row;
  const at = isFromWrongClock(timeOfTick(tick), time) ? time : timeOfTick(tick);
  const newId = createTickIds(tick);
  return { tick, at, newRow: () => ({ account_id: accountId, id: newId(), updated_at: at }) };
}
