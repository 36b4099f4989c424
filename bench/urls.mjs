import { insertRows } from './rows.mjs';

const FIRST_SECOND = 1_600_000_000;

/**
 * The ID of the n-th inserted Url: one per millisecond, in the format of Usher.
 * @param {number} n from 0
 */
export function urlId(n) {
  const second = (FIRST_SECOND + Math.floor(n / 1000)).toString(16).padStart(8, '0');
  return `${second}${(n % 1000).toString(16).padStart(3, '0')}${'0'.repeat(13)}`;
}

/**
 * Fills the only account of a database with Urls, directly in the database.
 * @param {import('./harness.mjs').Bench} bench
 * @param {import('./store.mjs').Store} store that Usher has started on once
 * @param {number} count
 */
export function insertUrls(bench, store, count) {
  return insertRows(bench, store, 'urls', count, statements);
}

const columns = 'account_id, id, updated_at, host, domain, enabled';

/** Inserts the rows from one number up to, but not including, another. */
const statements = {
  /** @type {(account: string, from: number, to: number) => string} */
  sqlite: (account, from, to) => `
    with recursive numbers (n) as (select ${from} union all select n + 1 from numbers where n + 1 < ${to})
    insert into urls (${columns})
    select '${account}', printf('%08x%03x%013x', ${FIRST_SECOND} + n / 1000, n % 1000, 0), ${FIRST_SECOND}000 + n,
      'app.site-' || n || '.com', 'site-' || n || '.com', 'on'
    from numbers`,
  /** @type {(account: string, from: number, to: number) => string} */
  postgres: (account, from, to) => `
    insert into urls (${columns})
    select '${account}',
      lpad(to_hex(${FIRST_SECOND} + n / 1000), 8, '0') || lpad(to_hex(n % 1000), 3, '0') || repeat('0', 13),
      ${FIRST_SECOND}000 + n, 'app.site-' || n || '.com', 'site-' || n || '.com', 'on'
    from generate_series(${from}, ${to - 1}) as n`,
};
