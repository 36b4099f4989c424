import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

const DEBIAN_HOME = '/usr/lib/postgresql';

/**
 * Starts a throwaway PostgreSQL from the machine's own binaries, as an unprivileged user when we are root.
 * @param {{ durable?: boolean, host?: string, namespace?: string, replicaOf?: string }} [options] `durable` keeps fsync on, for benchmarks and
 *   for tests that kill it; with `namespace` it runs in that network namespace, at its address `host`; with `replicaOf`, the
 *   address of another one, it is a standby of that one
 * @typedef {{
 *   url: string,
 *   halt: (signal?: NodeJS.Signals) => Promise<void>,
 *   resume: () => Promise<void>,
 *   stop: () => Promise<void>,
 * }} Postgres `halt` ends it and keeps its data, with SIGQUIT as in a crash; `stop` also removes the data
 * @returns {Promise<Postgres>}
 */
export async function startPostgres({ durable = false, host = '127.0.0.1', namespace, replicaOf } = {}) {
  const bin = ensurePostgres();
  const folder = mkdtempSync(join(tmpdir(), 'usher-postgres-'));
  const user = unprivilegedUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const [program = '', ...args] = replicaOf
    ? ['pg_basebackup', '-D', data, '-d', replicaOf, '-R', '-X', 'stream', '-c', 'fast', '--no-sync']
    : ['initdb', '-D', data, '-U', 'usher', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
  const made = spawnSync(join(bin, program), args, { ...user, encoding: 'utf8', cwd: folder });
  if (made.status !== 0) throw new Error(`${program} failed: ${made.stderr}`);
  const port = await freePort();
  const settings = {
    port,
    listen_addresses: host,
    unix_socket_directories: folder,
    max_connections: 200,
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = [join(bin, 'postgres'), '-D', data, ...flags];
  if (namespace !== undefined) appendFileSync(join(data, 'pg_hba.conf'), 'host all all samenet trust\n');
  const launch = () => {
    if (namespace === undefined)
      return spawn(command[0] ?? '', command.slice(1), { ...user, stdio: 'ignore', cwd: folder });
    const as = ['setpriv', `--reuid=${user?.uid}`, `--regid=${user?.gid}`, '--clear-groups'];
    return spawn('ip', ['netns', 'exec', namespace, ...as, ...command], { stdio: 'ignore', cwd: folder });
  };
  const url = `postgres://usher@${host}:${port}/postgres`;

  let server = launch();
  const halt = async (/** @type {NodeJS.Signals} */ signal = 'SIGINT') => {
    const exited = new Promise((resolve) => server.once('exit', resolve));
    if (server.exitCode === null && server.signalCode === null && server.kill(signal)) await exited;
  };
  const resume = async () => {
    server = launch();
    await untilReady(url);
  };
  await untilReady(url);
  return {
    url,
    halt,
    resume,
    stop: async () => {
      await halt();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the folder of PostgreSQL's binaries. Installs them if needed, or throws an error with the command that does. */
export function ensurePostgres() {
  return findBinaries() ?? installBinaries();
}

function findBinaries() {
  const config = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  const versions = existsSync(DEBIAN_HOME) ? readdirSync(DEBIAN_HOME).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(DEBIAN_HOME, version, 'bin')), config.stdout?.trim() ?? ''];
  return folders.find((folder) => folder !== '' && existsSync(join(folder, 'initdb')));
}

function installBinaries() {
  const mayInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
  if (mayInstall) {
    console.log('PostgreSQL is not installed here: installing it with apt-get');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env });
    spawnSync('apt-get', ['install', '-y', '-qq', 'postgresql'], { stdio: 'inherit', env });
  }
  const bin = findBinaries();
  if (bin) return bin;
  throw new Error(
    'PostgreSQL is needed and not installed. Run `sudo apt-get install postgresql`, set TEST_DATABASE_URL, or test on SQLite alone: npm test -- --engine sqlite',
  );
}

/** PostgreSQL does not run as root. */
export function unprivilegedUser() {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (!user) throw new Error('There is neither a postgres nor a nobody user to run PostgreSQL as');
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

/** @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** @param {string} url */
async function untilReady(url) {
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return;
    } catch (error) {
      if (tries === 300) throw error;
      await pause(50);
    } finally {
      await client.end().catch(() => {});
    }
  }
}
