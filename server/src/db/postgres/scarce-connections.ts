import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { sqlStateOf } from './sql-state.ts';

const TOO_MANY = '53300';
const RETRY_MS = 50;
/** How often a pool without requests looks whether another one is starved. It would close its idle connections only after ten seconds. */
const CHECK_MS = 250;
/** After so long without a rejection, a pool may open as many connections as before. */
const RECOVER_MS = 10_000;

/** Counts how often PostgreSQL rejected the first connection of a pool. The pools of all threads of a process share it. */
export class StarvedPools {
  readonly shared: SharedArrayBuffer;
  readonly #count: Int32Array;

  constructor(shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.#count = new Int32Array(shared);
  }

  get count(): number {
    return Atomics.load(this.#count, 0);
  }

  add(): void {
    Atomics.add(this.#count, 0, 1);
  }
}

/**
 * Returns what acquires a connection of a pool. PostgreSQL, or the role, may allow fewer connections than the pools together: then a
 * request waits for a connection that is open, instead of failing because another one cannot be opened. If a pool has none
 * at all, the others close half of theirs, and keep one.
 */
export function connectWithin(maxWaitMs: number, pool: pg.Pool, starved: StarvedPools): () => Promise<pg.PoolClient> {
  const { max: allowed } = pool.options;
  let known = starved.count;
  let limitedAt = Number.NEGATIVE_INFINITY;
  const limit = (max: number) => {
    pool.options.max = Math.max(1, max);
    limitedAt = performance.now();
  };
  const adjust = () => {
    const { count } = starved;
    if (count !== known) {
      limit(Math.floor(pool.totalCount / 2));
      for (let extra = Math.min(pool.totalCount - pool.options.max, pool.idleCount); extra > 0; extra--)
        pool.connect().then((client) => client.release(true), ignore);
    } else if (pool.options.max < allowed && performance.now() - limitedAt > RECOVER_MS) pool.options.max = allowed;
    known = count;
  };
  const timer = setInterval(() => (pool.ending ? clearInterval(timer) : adjust()), CHECK_MS).unref();

  return async () => {
    for (const deadline = performance.now() + maxWaitMs; ; ) {
      adjust();
      try {
        return closeIfExtra(pool, await pool.connect());
      } catch (error) {
        if (sqlStateOf(error) !== TOO_MANY || performance.now() > deadline) throw error;
        if (pool.totalCount === 0) starved.add();
        known = starved.count;
        limit(pool.totalCount);
        await pause(RETRY_MS);
      }
    }
  };
}

/** A connection above the limit is closed after its use, for another pool. */
function closeIfExtra(pool: pg.Pool, client: pg.PoolClient): pg.PoolClient {
  const { release } = client;
  client.release = (error) => release(error || pool.totalCount > pool.options.max);
  return client;
}

function ignore(): void {}
