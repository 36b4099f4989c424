import { createRequire } from 'node:module';
import { join } from 'node:path';

// The same driver as in the server.
const openSqlite = createRequire(new URL('../../server/package.json', import.meta.url))('libsql');
const WAIT_MS = 4000;

/**
 * The lists of a user, and a version that differs after each change of its Deliveries. This works because no Delivery
 * becomes pending again, and none is deleted.
 * @typedef {import('./check.mjs').Snapshot & { version: string }} UserLists
 */

/**
 * Reads the database directly, each time in one statement, so that the result is consistent.
 * @param {import('../../bench/harness.mjs').Bench} bench
 * @param {import('../../bench/store.mjs').Store} store
 */
export async function openLists(bench, store) {
  const run = await readerOn(bench, store);
  const [account] = await run('select id from accounts');
  const ofAccount = `account_id = '${account?.id}'`;
  const aggregate = bench.engine === 'sqlite' ? 'json_group_array' : 'json_agg';
  const pending = `select profile_id, cast(${aggregate}(id) as text) as ids from deliveries
    where ${ofAccount} and at is null and removed_at is null`;
  return {
    /** @returns {Promise<import('./check.mjs').Snapshot[]>} */
    ofAll: async () => {
      const rows = await run(`
        select p.uid, cast(p.delivery_ids as text) as delivery_ids, d.ids
        from profiles p left join (${pending} group by profile_id) d on d.profile_id = p.id`);
      return rows.map(toSnapshot);
    },
    /**
     * @param {string} id the ID of the profile
     * @returns {Promise<UserLists>}
     */
    ofOne: async (id) => {
      const own = `${ofAccount} and profile_id = '${id}'`;
      const [row = {}] = await run(`
        select p.uid, cast(p.delivery_ids as text) as delivery_ids, d.ids, p.updated_at, c.total, c.triggered, c.removed
        from profiles p
        left join (${pending} and ${own} group by profile_id) d on d.profile_id = p.id
        left join (select profile_id, count(*) as total, count(at) as triggered, count(removed_at) as removed
          from deliveries where ${own} group by profile_id) c on c.profile_id = p.id
        where p.${ofAccount} and p.id = '${id}'`);
      const { updated_at, total, triggered, removed, delivery_ids } = row;
      return { ...toSnapshot(row), version: `${[updated_at, total, triggered, removed, delivery_ids]}` };
    },
    /** @returns {Promise<import('./check.mjs').Row[]>} */
    deliveries: async () => {
      const rows = await run(`
        select d.id, p.uid, d.idempotency_key, d.at, d.at_href, d.interaction_id, d.removed_at
        from deliveries d join profiles p on p.account_id = d.account_id and p.id = d.profile_id`);
      return rows.map((row) => ({
        id: String(row.id),
        user: String(row.uid),
        key: toText(row.idempotency_key),
        at: toTime(row.at),
        at_href: toText(row.at_href),
        interaction_id: toText(row.interaction_id),
        removed_at: toTime(row.removed_at),
      }));
    },
  };
}

/**
 * @param {import('../../bench/harness.mjs').Bench} bench
 * @param {import('../../bench/store.mjs').Store} store
 * @returns {Promise<(sql: string) => Promise<Record<string, unknown>[]>>}
 */
async function readerOn(bench, store) {
  if (bench.engine === 'postgres') {
    const connection = await store.connect();
    await bench.cleanup.add(() => connection.close());
    /** Queries run one after the other, because they share a connection. @type {Promise<unknown>} */
    let last = Promise.resolve();
    return (sql) => {
      const rows = last.then(() => connection.run(sql));
      last = rows.catch(() => {});
      return rows;
    };
  }
  const file = join(String(store.env.USHER_DATA), 'usher.db');
  return async (sql) => {
    // The file is closed after each query: a server that starts after a kill must find the files as the kill left them.
    const database = new openSqlite(file, { readonly: true, timeout: WAIT_MS });
    try {
      return database.prepare(sql).all();
    } finally {
      database.close();
    }
  };
}

/** @param {Record<string, unknown>} row */
function toSnapshot({ uid, delivery_ids, ids }) {
  return {
    user: String(uid),
    delivery_ids: JSON.parse(String(delivery_ids)),
    pending: ids === null ? [] : JSON.parse(String(ids)),
  };
}

/** @param {unknown} value */
function toText(value) {
  return value === null ? null : String(value);
}

/** @param {unknown} value */
function toTime(value) {
  return value === null ? null : new Date(Number(value)).toISOString();
}
