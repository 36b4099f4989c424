import { insertRows } from './rows.mjs';

const FIRST_SECOND = 1_600_000_000;
const columns = 'account_id, webhook_id, id, profile_id, kind, payload, attempts, next_at, state';
const values = `'tour.started', '{"experience_id":"${'0'.repeat(24)}","experience_kind":"tour"}', 0, 1, 'pending'`;

/**
 * Inserts items of a webhook into the outbox, one for each of the first users, directly in the database. All are due.
 * @param {import('./harness.mjs').Bench} bench
 * @param {import('./store.mjs').Store} store with as many profiles, on which no Usher runs
 * @param {string} webhook its ID
 * @param {number} count
 */
export async function insertItems(bench, store, webhook, count) {
  const connection = await store.connect();
  await connection.run('delete from outbox');
  await connection.close();
  await insertRows(bench, store, 'outbox', count, {
    sqlite: (account, from, to) => `
      with recursive numbers (n) as (select ${from} union all select n + 1 from numbers where n + 1 < ${to}),
        named (id) as (select printf('%08x%03x%013x', ${FIRST_SECOND} + n / 1000, n % 1000, 0) from numbers)
      insert into outbox (${columns}) select '${account}', '${webhook}', id, id, ${values} from named`,
    postgres: (account, from, to) => `
      insert into outbox (${columns}) select '${account}', '${webhook}', id, id, ${values}
      from (select lpad(to_hex(${FIRST_SECOND} + n / 1000), 8, '0') || lpad(to_hex(n % 1000), 3, '0') || repeat('0', 13)
        as id from generate_series(${from}, ${to - 1}) as n) as named`,
  });
}
