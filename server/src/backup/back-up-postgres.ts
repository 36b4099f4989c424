import { BackupProblem } from './errors.ts';
import { runPostgresProgram } from './run-postgres-program.ts';
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

async function dump(databaseUrl: string, part: string, env: NodeJS.ProcessEnv): Promise<void> {
  const options = ['--format=custom', '--no-owner', '--no-privileges', `--file=${part}`];
  const { code, err } = await runPostgresProgram('pg_dump', options, { databaseUrl, env });
  if (code !== 0) throw new BackupProblem(`pg_dump failed: ${err || `it ended with ${code}`}`);
}
