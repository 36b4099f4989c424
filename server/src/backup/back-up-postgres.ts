import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { BackupProblem } from './errors.ts';
import { type WrittenBackup, writeBackup } from './write-backup.ts';

const DOCS = 'docs/backup.md';

/** Backs up a PostgreSQL database with the client's own `pg_dump`. */
export async function backUpPostgres(
  databaseUrl: string,
  file: string,
  { force = false, hasCitus = false, env }: { force?: boolean; hasCitus?: boolean; env: NodeJS.ProcessEnv },
): Promise<WrittenBackup> {
  if (hasCitus)
    throw new BackupProblem(
      `pg_dump cannot copy a Citus database as one: back up the coordinator and every worker, in the order of ${DOCS}`,
    );
  return writeBackup(file, { force }, (part) => dump(databaseUrl, part, env));
}

async function dump(databaseUrl: string, part: string, ownEnv: NodeJS.ProcessEnv): Promise<void> {
  const { address, password } = splitPassword(databaseUrl);
  const options = ['--format=custom', '--no-owner', '--no-privileges', `--file=${part}`, `--dbname=${address}`];
  // Every user of the machine can read the arguments of a process, but not its environment.
  const env = { ...ownEnv, ...(password !== undefined && { PGPASSWORD: password }) };
  const child = spawn('pg_dump', options, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const said = text(child.stderr);
  const code = await new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => reject(error.code === 'ENOENT' ? missing() : error));
    child.once('close', resolve);
  });
  if (code !== 0) throw new BackupProblem(`pg_dump failed: ${(await said).trim() || `it ended with ${code}`}`);
}

function missing(): BackupProblem {
  return new BackupProblem(
    `there is no pg_dump on this machine: install the PostgreSQL client of your server's version (on Debian: apt install postgresql-client), or make the backup where it is installed, as ${DOCS} says`,
  );
}

/** The password is passed on separately. */
function splitPassword(databaseUrl: string): { address: string; password: string | undefined } {
  const url = new URL(databaseUrl);
  const password = url.searchParams.get('password') ?? (url.password ? decodeURIComponent(url.password) : undefined);
  url.password = '';
  url.searchParams.delete('password');
  return { address: url.href, password };
}
