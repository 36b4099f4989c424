import { setTimeout as pause } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import type { Db, Schema } from '../schema.ts';
import { sqlStateOf, statementStates } from './sql-state.ts';

/**
 * After a deadlock or a serialization failure, PostgreSQL expects the transaction to run again. A duplicate that did not
 * exist when the transaction searched for it is found the next time.
 */
const retriedStates = new Set(['40P01', '40001', '23505', ...statementStates]);
/** More than a pool usually has connections: each duplicate means that another writer has succeeded. */
export const MAX_TRIES = 25;

/** @param onRetry called before the work runs again */
export async function runTransaction<T>(
  db: Db,
  work: (tx: Transaction<Schema>) => Promise<T>,
  onRetry: () => void = () => {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt === MAX_TRIES || !retriedStates.has(sqlStateOf(error))) throw error;
      onRetry();
      // The pause is random, so that transactions that collided do not collide again. It grows with each attempt.
      await pause(Math.random() * Math.min(2 ** attempt, 100));
    }
  }
}
