import { insertRows } from './rows.mjs';

const FIRST_SECOND = 1_600_000_000;

/**
 * Fills the only account of a database with Deliveries that were triggered, one for each of its first users, past the
 * server.
 * @param {import('./harness.mjs').Bench} bench
 * @param {import('./store.mjs').Store} store with as many profiles
 * @param {string} tour the ID of what was delivered
 * @param {number} count
 */
export function insertDeliveries(bench, store, tour, count) {
  const values = `${FIRST_SECOND}000 + n, '${tour}', 'tour'`;
  return insertRows(bench, store, 'deliveries', count, {
    sqlite: (account, from, to) => `
      with recursive numbers (n) as (select ${from} union all select n + 1 from numbers where n + 1 < ${to}),
        named (n, id) as (select n, printf('%08x%03x%013x', ${FIRST_SECOND} + n / 1000, n % 1000, 0) from numbers)
      insert into deliveries (${columns})
      select '${account}', id, ${values}, id, ${flags} from named`,
    postgres: (account, from, to) => `
      insert into deliveries (${columns})
      select '${account}', id, ${values}, id, ${flags}
      from (select n, lpad(to_hex(${FIRST_SECOND} + n / 1000), 8, '0') || lpad(to_hex(n % 1000), 3, '0') || repeat('0', 13)
        as id from generate_series(${from}, ${to - 1}) as n) as named`,
  });
}

const columns =
  'account_id, id, updated_at, model_id, model_kind, profile_id, use_segmentation, once, skip_triggers, skip_url_match, at';
const flags = 'false, false, true, true, 1600000000000';
