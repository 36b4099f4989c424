import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { BackupProblem } from './errors.ts';

interface ProgramResult {
  code: number | null;
  out: string;
  err: string;
}

/** Runs `pg_dump` or `pg_restore`. The password is not among the arguments, which every user of the machine can read. */
export async function runPostgresProgram(
  program: 'pg_dump' | 'pg_restore',
  options: readonly string[],
  { databaseUrl, file, env: ownEnv }: { databaseUrl?: string; file?: string; env: NodeJS.ProcessEnv },
): Promise<ProgramResult> {
  const { address, password } = databaseUrl === undefined ? {} : splitPassword(databaseUrl);
  const args = [
    ...options,
    ...(address === undefined ? [] : [`--dbname=${address}`]),
    ...(file === undefined ? [] : [file]),
  ];
  const env = { ...ownEnv, ...(password !== undefined && { PGPASSWORD: password }) };
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => reject(error.code === 'ENOENT' ? missing(program) : error));
    child.once('close', resolve);
  });
  const [out, err] = await printed;
  return { code, out, err: err.trim() };
}

function missing(program: string): BackupProblem {
  return new BackupProblem(
    `there is no ${program} on this machine: install the PostgreSQL client of your server's version (on Debian: apt install postgresql-client), or run this where it is installed, as docs/backup.md says`,
  );
}

/** The password is passed on separately. */
function splitPassword(databaseUrl: string): { address: string; password: string | undefined } {
  const url = new URL(databaseUrl);
  const password = url.searchParams.get('password') ?? (url.password ? decodeURIComponent(url.password) : undefined);
  url.password = '';
  url.searchParams.delete('password');
  // These programs do not read a plus sign as a space.
  url.search = url.search.replaceAll('+', '%20');
  return { address: url.href, password };
}
