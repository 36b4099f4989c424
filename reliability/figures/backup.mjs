import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { insertProfiles } from '../../bench/profiles.mjs';
import { SECRET, startUsher } from '../../bench/servers.mjs';
import { createStore } from '../../bench/store.mjs';
import { killAfter, killWhile, p99, runCommand, startWrites } from '../beside-server.mjs';

/** A restore takes about two seconds. */
const MAX_KILL_MS = 2500;

/** @typedef {Awaited<ReturnType<typeof startUsher>>} Usher */
/** @typedef {import('../../bench/store.mjs').Store} Store */

/**
 * Makes backups of a server under load and restores each elsewhere: every write that was acknowledged before the backup
 * began is there, and users who were forgotten afterwards are not. Each backup, and each restore, is killed with -9 first.
 * @param {import('../../bench/harness.mjs').Bench} bench
 */
export async function backupUnderLoad(bench) {
  const rounds = bench.quick ? 2 : 40;
  const store = await createStore(bench);
  await (await startUsher(bench, store)).stop();
  await insertProfiles(bench, store, bench.quick ? 20_000 : 200_000);
  const usher = await startUsher(bench, store);
  const load = startWrites(usher);
  const found = { lost: 0, damaged: 0, remembered: 0, secrets: 0, killed: 0, maxLogBytes: 0 };
  /** @type {{ from: number, to: number }[]} */
  const times = [];
  for (let round = 1; round <= rounds; round++) {
    const uid = `forgotten-${round}`;
    await usher.post('/v3/observe/hooks/profiles', { uid }, 200);
    const file = join(bench.folder, `backup-${bench.engine}-${round}`);
    if (await killWhile(['backup', file], store.env, bench.folder, '.part')) found.killed += 1;
    if (existsSync(file)) rmSync(file);
    const before = load.writes.map(({ host }) => host);
    const from = performance.now();
    await runCommand(['backup', file], store.env);
    times.push({ from, to: performance.now() });
    found.maxLogBytes = Math.max(found.maxLogBytes, logBytes(store));
    const log = await forget(usher, store, uid);
    const copy = await createStore(bench);
    copyFileSync(join(String(store.env.USHER_DATA), 'master.key'), join(String(copy.env.USHER_DATA), 'master.key'));
    try {
      copyFileSync(log, join(String(copy.env.USHER_DATA), 'forgotten.jsonl'));
      if (bench.engine === 'sqlite') {
        if (await killWhile(['restore', file], copy.env, String(copy.env.USHER_DATA), '.restoring')) found.killed += 1;
        await runCommand(['restore', file], copy.env);
      } else {
        if (await killAfter(['restore', file], copy.env, 500 + Math.random() * MAX_KILL_MS)) found.killed += 1;
        await runCommand(['restore', file, '--force'], copy.env);
      }
      const stored = await readCopy(copy);
      found.lost += before.filter((host) => !stored.hosts.has(host)).length;
      if (stored.uids.has(uid)) found.remembered += 1;
    } catch (error) {
      found.damaged += 1;
      bench.note(`round ${round}: ${/** @type {Error} */ (error).message}`);
    }
    found.secrets += countSecrets(file, store);
    rmSync(file, { force: true });
    if (round % 10 === 0) bench.note(`${round} of ${rounds} backups, ${load.writes.length} writes acknowledged`);
  }
  await load.stop();
  await usher.stop();
  const left = readdirSync(bench.folder).filter((name) => name.startsWith('backup-'));
  const during = load.writes.filter(({ at }) => times.some(({ from, to }) => at >= from && at <= to));
  const others = load.writes.filter((write) => !during.includes(write));
  return [
    { part: 'lost', value: found.lost, unit: 'writes', target: { most: 0 } },
    { part: 'damaged', value: found.damaged, unit: 'backups', target: { most: 0 } },
    { part: 'not forgotten', value: found.remembered, unit: 'users', target: { most: 0 } },
    { part: 'secrets', value: found.secrets, unit: 'occurrences', target: { most: 0 } },
    { part: 'left behind', value: left.length, unit: 'files', target: { most: 0 } },
    { part: 'acknowledged', value: load.writes.length, unit: 'writes' },
    { part: 'killed', value: found.killed, unit: 'commands' },
    { part: 'write p99 while a backup is made', value: p99(during), unit: 'ms' },
    { part: 'write p99 otherwise', value: p99(others), unit: 'ms' },
    { part: 'log', value: Math.round(found.maxLogBytes / 1e6), unit: 'MB' },
  ];
}

/**
 * Forgets a user, and returns the file with the deletion log.
 * @param {Usher} usher
 * @param {Store} store
 * @param {string} uid
 */
async function forget(usher, store, uid) {
  const response = await fetch(`http://127.0.0.1:${usher.port}/v3/edit/profiles/forget?uid=${uid}`, {
    method: 'DELETE',
    headers: { 'x-account-secret': SECRET },
  });
  if (response.status !== 200) throw new Error(`forget returned ${response.status}: ${await response.text()}`);
  await response.text();
  return join(String(store.env.USHER_DATA), 'forgotten.jsonl');
}

/** @param {Store} store */
async function readCopy(store) {
  const connection = await store.connect();
  const hosts = await connection.run('select host from urls');
  const profiles = await connection.run('select uid from profiles');
  await connection.close();
  return {
    hosts: new Set(hosts.map(({ host }) => String(host))),
    uids: new Set(profiles.map(({ uid }) => String(uid))),
  };
}

/**
 * Counts the secret of the account and the master key in a backup. A dump of PostgreSQL is compressed, so it is not searched.
 * @param {string} file
 * @param {Store} store
 */
function countSecrets(file, store) {
  const key = readFileSync(join(String(store.env.USHER_DATA), 'master.key'), 'utf8').trim();
  const secrets = [Buffer.from(SECRET), Buffer.from(key), Buffer.from(key, 'base64')];
  const content = store.env.DATABASE_URL === undefined ? readFileSync(file) : Buffer.alloc(0);
  return secrets.filter((secret) => content.includes(secret)).length;
}

/** @param {Store} store */
function logBytes(store) {
  const file = join(String(store.env.USHER_DATA), 'usher.db-wal');
  return existsSync(file) ? statSync(file).size : 0;
}
