import { setImmediate as nextTick } from 'node:timers/promises';

const BATCH_SIZE = 50_000;

/**
 * Fills a table of the only account of a database, directly in the database.
 * @param {import('./harness.mjs').Bench} bench
 * @param {import('./store.mjs').Store} store that Usher has started on once
 * @param {string} table
 * @param {number} count
 * @param {Record<'sqlite' | 'postgres', (account: string, from: number, to: number) => string>} statements that insert
 *   the rows from one number up to, not including, another
 */
export async function insertRows(bench, store, table, count, statements) {
  const connection = await store.connect();
  try {
    const [account] = await connection.run('select id from accounts');
    await connection.run('begin');
    for (let from = 0; from < count; from += BATCH_SIZE) {
      const to = Math.min(from + BATCH_SIZE, count);
      await connection.run(statements[bench.engine](String(account?.id), from, to));
      bench.note(`${to} of ${count} ${table} inserted`);
      await nextTick();
    }
    await connection.run('commit');
    // PostgreSQL would do this automatically during the measurement. SQLite never does, so nothing is done for it.
    if (bench.engine === 'postgres') await connection.run(`vacuum analyze ${table}`);
  } finally {
    await connection.close();
  }
}

/** A subquery with a column `n`: the numbers from one up to, not including, another. */
export const numbers = {
  /** @type {(from: number, to: number) => string} */
  sqlite: (from, to) =>
    `(with recursive numbers (n) as (select ${from} union all select n + 1 from numbers where n + 1 < ${to}) select n from numbers)`,
  /** @type {(from: number, to: number) => string} */
  postgres: (from, to) => `(select n from generate_series(${from}::bigint, ${to - 1}::bigint) as n)`,
};

/** The ID of a record that was created at a time, which is SQL for milliseconds, with a number that makes it unique. */
export const idAt = {
  /** @type {(at: string, count?: string) => string} */
  sqlite: (at, count = '0') => `printf('%08x%03x%013x', (${at}) / 1000, (${at}) % 1000, ${count})`,
  /** @type {(at: string, count?: string) => string} */
  postgres: (at, count = '0') =>
    `(lpad(to_hex((${at}) / 1000), 8, '0') || lpad(to_hex((${at}) % 1000), 3, '0') || lpad(to_hex(${count}), 13, '0'))`,
};

/**
 * A statement of `insertRows` that hardly differs between the engines.
 * @param {(account: string, engine: 'sqlite' | 'postgres', from: number, to: number) => string} statement
 */
export function onBoth(statement) {
  /** @type {(engine: 'sqlite' | 'postgres') => (account: string, from: number, to: number) => string} */
  const on = (engine) => (account, from, to) => statement(account, engine, from, to);
  return { sqlite: on('sqlite'), postgres: on('postgres') };
}
