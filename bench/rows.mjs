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
