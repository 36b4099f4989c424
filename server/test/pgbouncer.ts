import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, unprivilegedUser } from '../../scripts/postgres.mjs';

const command = process.env.PGBOUNCER_PATH || 'pgbouncer';

/** The version of the PgBouncer on this machine, such as 1.21; undefined if there is none. */
export const pgbouncerVersion = /PgBouncer (\d+\.\d+)/.exec(
  spawnSync(command, ['-V'], { encoding: 'utf8', env: { PATH: `${process.env.PATH}:/usr/sbin` } }).stdout ?? '',
)?.[1];

/** Whether this PgBouncer tracks which client has prepared which statement. */
const tracksStatements = Number(pgbouncerVersion?.split('.')[1]) >= 21;

/** Starts a real PgBouncer in front of a PostgreSQL server, with the settings that docs/postgres.md names, only less patient. */
export async function startPgbouncer(url: string, mode: 'session' | 'transaction', poolSize: number) {
  const { port: serverPort, username } = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), 'usher-pgbouncer-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content, { mode: 0o644 });
    return join(folder, name);
  };
  const users = file('users.txt', `"${username}" ""\n`);
  const config = file(
    'pgbouncer.ini',
    `[databases]
* = host=127.0.0.1 port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = ${poolSize}
max_client_conn = 500
ignore_startup_parameters = statement_timeout
server_login_retry = 1
query_wait_timeout = 2
${tracksStatements ? 'max_prepared_statements = 200' : ''}
`,
  );
  const launch = () =>
    spawn(command, [config], {
      ...unprivilegedUser(),
      stdio: 'ignore',
      env: { PATH: `${process.env.PATH}:/usr/sbin` },
    });
  let child = launch();
  const stop = async () => {
    const exited = once(child, 'exit');
    if (child.kill('SIGKILL')) await exited;
  };
  await untilListening(port);
  const pooled = new URL(url);
  pooled.port = String(port);
  return {
    url: pooled.href,
    restart: async () => {
      await stop();
      child = launch();
      await untilListening(port);
    },
    close: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilListening(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const socket = connect(port, '127.0.0.1');
    const isListening = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isListening) return;
    await pause(25);
  }
  throw new Error('PgBouncer does not listen');
}
