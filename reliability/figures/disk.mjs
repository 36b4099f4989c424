import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SECRET, startUsher } from '../../bench/servers.mjs';
import { fillUntil } from '../disk/fill-until.mjs';

const MEGABYTE = 1_000_000;
const WRITERS = 4;
const LIMIT_MB = 20;
const MAX_WAIT_MS = 30_000;

/**
 * Fills a small file system under load, several times: below the limit, and to the last byte. Every write must be
 * acknowledged and kept, or rejected with 507; page loads must always get 200; and writes must work again when there is
 * space. Needs root, to mount the file system.
 * @param {import('../../bench/harness.mjs').Bench} bench
 */
export async function fullDisk(bench) {
  const folder = mkdtempSync(join(bench.folder, 'disk-'));
  const isMounted =
    bench.engine === 'sqlite' && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', folder]).status === 0;
  if (!isMounted) {
    bench.note(bench.engine === 'sqlite' ? 'skipped: a file system cannot be mounted here' : 'skipped: only on SQLite');
    return [{ part: 'rounds', value: 0, unit: 'rounds' }];
  }
  await bench.cleanup.add(() => void spawnSync('umount', ['-l', folder]));
  const env = { USHER_DATA: folder, USHER_MIN_FREE_DISK: String(LIMIT_MB), USHER_BOOTSTRAP_TOKEN: 'full-disk-token' };
  const usher = await startUsher(bench, { env, connect: () => Promise.reject(new Error('not used')) });
  const address = `http://127.0.0.1:${usher.port}`;
  const counts = { acknowledged: 0, rejected: 0, wrong: 0, failedLoads: 0, loads: 0, late: 0 };
  /** @type {Set<string>} */
  const acknowledged = new Set();
  await addDomain(address, 'app.example.com');
  await loadPage(address);

  const filler = join(folder, 'filler');
  const rounds = bench.quick ? 2 : 20;
  for (let round = 0; round < rounds; round++) {
    const work = { isOver: false };
    const writing = Array.from({ length: WRITERS }, async (_, writer) => {
      for (let n = 0; !work.isOver; n++) {
        const host = `d${round}-${writer}-${n}.example.com`;
        const status = await addDomain(address, host);
        if (status === 201) acknowledged.add(host);
        else counts[status === 507 ? 'rejected' : 'wrong'] += 1;
        if (status === 507) await pause(5);
      }
    });
    const loading = (async () => {
      while (!work.isOver) {
        counts.loads += 1;
        if ((await loadPage(address)) !== 200) counts.failedLoads += 1;
        await pause(2);
      }
    })();
    await pause(200);
    const before = counts.rejected;
    fillUntil(filler, folder, round % 2 === 0 ? (LIMIT_MB - 4) * MEGABYTE : 0);
    if (!(await happens(() => counts.rejected > before))) counts.late += 1;
    rmSync(filler);
    const stored = acknowledged.size;
    if (!(await happens(() => acknowledged.size > stored))) counts.late += 1;
    work.isOver = true;
    await Promise.all([...writing, loading]);
    bench.note(`round ${round + 1} of ${rounds}: ${acknowledged.size} stored, ${counts.rejected} rejected`);
  }
  const hosts = await storedHosts(address);
  const lost = [...acknowledged].filter((host) => !hosts.has(host)).length;
  return [
    { part: 'lost', value: lost, unit: 'writes', target: { most: 0 } },
    { part: 'failed_loads', value: counts.failedLoads, unit: 'page loads', target: { most: 0 } },
    { part: 'other_statuses', value: counts.wrong, unit: 'writes', target: { most: 0 } },
    { part: 'not_noticed', value: counts.late, unit: 'times', target: { most: 0 } },
    { part: 'loads', value: counts.loads, unit: 'page loads' },
    { part: 'acknowledged', value: acknowledged.size, unit: 'writes' },
    { part: 'rejected', value: counts.rejected, unit: 'writes' },
    { part: 'rounds', value: rounds, unit: 'rounds' },
  ];
}

/**
 * @param {() => boolean} condition
 * @returns {Promise<boolean>}
 */
async function happens(condition) {
  for (const deadline = Date.now() + MAX_WAIT_MS; Date.now() < deadline; await pause(20)) if (condition()) return true;
  return false;
}

/**
 * @param {string} address
 * @param {string} host
 */
async function addDomain(address, host) {
  const response = await fetch(`${address}/v3/edit/urls`, {
    method: 'POST',
    headers: { 'x-account-secret': SECRET },
    body: JSON.stringify({ host, enabled: 'on' }),
  });
  await response.text();
  return response.status;
}

/** @param {string} address */
async function loadPage(address) {
  const response = await fetch(`${address}/v3/observe/visits`, {
    method: 'POST',
    body: JSON.stringify({ account_token: 'full-disk-token', uid: 'known', href: 'https://app.example.com/' }),
  });
  await response.text();
  return response.status;
}

/** @param {string} address */
async function storedHosts(address) {
  /** @type {Set<string>} */
  const hosts = new Set();
  for (let before = ''; ; ) {
    const response = await fetch(`${address}/v3/edit/urls?limit=500${before}`, {
      headers: { 'x-account-secret': SECRET },
    });
    const { urls, cursor } = await response.json();
    for (const { host } of urls) hosts.add(host);
    if (cursor.before === null) return hosts;
    before = `&before=${cursor.before}`;
  }
}
