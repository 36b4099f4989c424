import { connect } from 'node:net';
import { slowestHealthCheck } from './health.mjs';

const DOWNLOADS = 150;
const ENTRIES = 2000;
const MAX_GROWTH_MB = 300;

/**
 * Somebody who may read begins many downloads, and reads nothing of them.
 * @type {import('../figures/attacks.mjs').Attack}
 */
export const slowDownloads = {
  name: 'an owner begins 150 downloads of a long audit log and reads none',
  before: '150 downloads that nobody read took 2 GB of memory, and a health check took 1.4 s',
  async run({ call, port, secret, store, engine, memory }) {
    const as = { 'x-account-secret': secret };
    const { account } = (await call('/', undefined, as)).body;
    await fillLog(store, engine, account.id);
    const before = await memory();
    const sockets = Array.from({ length: DOWNLOADS }, () => {
      const socket = connect(port, '127.0.0.1').pause();
      // Downloads above the limit are closed.
      socket.on('error', () => {});
      socket.write(`GET /v3/analyze/audit_entries.json HTTP/1.1\r\nHost: x\r\nX-Account-Secret: ${secret}\r\n\r\n`);
      return socket;
    });
    let largest = 0;
    const { slowest } = await slowestHealthCheck(port, async () => {
      for (let second = 0; second < 15; second++) {
        await new Promise((resolve) => setTimeout(resolve, 1000));
        largest = Math.max(largest, await memory());
      }
    });
    for (const socket of sockets) socket.destroy();
    const grown = Math.round((largest - before) / 1e6);
    return {
      now: `${grown} MB more memory; slowest health check ${slowest} ms`,
      defended: grown < MAX_GROWTH_MB && slowest < 500,
    };
  },
};

/**
 * @param {import('../../bench/store.mjs').Store} store
 * @param {string} engine
 * @param {string} account
 */
async function fillLog(store, engine, account) {
  const connection = await store.connect();
  const isSqlite = engine === 'sqlite';
  if (isSqlite) await connection.run('pragma busy_timeout = 5000');
  const numbers = isSqlite
    ? `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${ENTRIES})`
    : `with numbers as (select generate_series(1, ${ENTRIES}) as n)`;
  const seconds = Math.floor(Date.now() / 1000) - 86_400;
  const id = `'${seconds.toString(16)}' || ${isSqlite ? "printf('%016x', n)" : "lpad(to_hex(n), 16, '0')"}`;
  const text = isSqlite ? 'hex(randomblob(15000))' : 'repeat(md5(n::text), 940)';
  const details = `'{"text":"' || ${text} || '"}'`;
  await connection.run(`insert into audit_entries (account_id, id, action, details)
    ${numbers} select '${account}', ${id}, 'account.update', ${isSqlite ? details : `(${details})::jsonb`} from numbers`);
  await connection.close();
}
