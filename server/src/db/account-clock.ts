import { createTickIds, type Millis, TICKS_PER_MS, timeOfTick } from '@usher/domain';
import { PreparedQuery } from './prepared-query.ts';
import type { Db, Storage } from './storage.ts';

/** What a new record begins with. It was updated last when its ID was made, not a moment before or after. */
export interface NewRow {
  account_id: string;
  id: string;
  updated_at: Millis;
}

/**
 * The place in lists of what one transaction writes. Its tick is above that of every transaction of the account that
 * was committed before, and below that of every one that is committed after: a reader who has seen a record never has
 * to look for another one before it.
 */
export interface AccountClock {
  readonly tick: number;
  /** The time of the tick, which is what the wire shows. */
  readonly at: Millis;
  newRow(): NewRow;
}

const advance = new PreparedQuery<{ tick: number }, 'now'>((db, account, param) =>
  db
    .updateTable('account_clocks')
    .set((eb) => ({
      tick: eb
        .case()
        .when('tick', '<', param('now'))
        .then(param('now'))
        .else(eb('tick', '+', 1))
        .end(),
    }))
    .where('account_id', '=', account)
    .returning('tick'),
);

const start = new PreparedQuery<unknown, 'now'>((db, account_id, param) =>
  db
    .insertInto('account_clocks')
    .values({ account_id, tick: param('now') })
    .onConflict((known) => known.doNothing()),
);

/**
 * In a transaction. The lock on the row lasts until the commit, so that commits come in the order of their ticks, also
 * where the clocks of nodes differ.
 */
export async function takeClock(storage: Storage, db: Db, accountId: string, time: Millis): Promise<AccountClock> {
  const now = { now: time * TICKS_PER_MS };
  let [row] = await advance.run(storage, db, accountId, now);
  while (!row) {
    await start.run(storage, db, accountId, { now: now.now - 1 });
    [row] = await advance.run(storage, db, accountId, now);
  }
  const { tick } = row;
  const at = timeOfTick(tick);
  const newId = createTickIds(tick);
  return { tick, at, newRow: () => ({ account_id: accountId, id: newId(), updated_at: at }) };
}
