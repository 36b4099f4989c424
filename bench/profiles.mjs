import { insertRows } from './rows.mjs';

const FIRST_SECOND = 1_600_000_000;
export const PLANS = ['free', 'pro', 'team'];

/**
 * The n-th user as a product would send it.
 * @param {number} n
 * @param {number} [seats] to send the same user with a change
 */
export function sentProfile(n, seats = n % 100) {
  return {
    uid: `user-${n}`,
    email: `user${n}@example.com`,
    name: `Some Name ${n}`,
    plan: PLANS[n % PLANS.length],
    seats,
    signed_up_at: '2029-01-01T00:00:00.000Z',
    beta: n % 2 === 0,
  };
}

/**
 * Fills the only account of a database with the same users, directly in the database.
 * @param {import('./harness.mjs').Bench} bench
 * @param {import('./store.mjs').Store} store that Usher has started on once
 * @param {number} count
 */
export function insertProfiles(bench, store, count) {
  return insertRows(bench, store, 'profiles', count, statements);
}

const columns = 'account_id, id, updated_at, uid, email, email_key, percent, last_seen_at, custom';
const values = `'user-' || n, 'user' || n || '@example.com', 'user' || n || '@example.com', n % 10000 / 100.0, ${FIRST_SECOND}000 + n`;

/** Inserts the rows from one number up to, but not including, another. */
const statements = {
  /** @type {(account: string, from: number, to: number) => string} */
  sqlite: (account, from, to) => `
    with recursive numbers (n) as (select ${from} union all select n + 1 from numbers where n + 1 < ${to})
    insert into profiles (${columns})
    select '${account}', printf('%08x%03x%013x', ${FIRST_SECOND} + n / 1000, n % 1000, 0), ${FIRST_SECOND}000 + n,
      ${values}, json_object('name', 'Some Name ' || n, 'plan', case n % 3 when 0 then 'free' when 1 then 'pro' else 'team' end,
        'seats', n % 100, 'signed_up_at', '2029-01-01T00:00:00.000Z', 'beta', json(case n % 2 when 0 then 'true' else 'false' end))
    from numbers`,
  /** @type {(account: string, from: number, to: number) => string} */
  postgres: (account, from, to) => `
    insert into profiles (${columns})
    select '${account}',
      lpad(to_hex(${FIRST_SECOND} + n / 1000), 8, '0') || lpad(to_hex(n % 1000), 3, '0') || repeat('0', 13),
      ${FIRST_SECOND}000 + n, ${values}, jsonb_build_object('name', 'Some Name ' || n,
        'plan', case n % 3 when 0 then 'free' when 1 then 'pro' else 'team' end, 'seats', n % 100,
        'signed_up_at', '2029-01-01T00:00:00.000Z', 'beta', n % 2 = 0)
    from generate_series(${from}, ${to - 1}) as n`,
};
