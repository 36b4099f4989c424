import { sql } from 'kysely';
import { BackupProblem } from '../backup/errors.ts';
import { checkMigrations } from '../backup/open-backup.ts';
import { runPostgresProgram } from '../backup/run-postgres-program.ts';
import { kindOfTable } from '../db/migrate.ts';
import type { Db } from '../db/storage.ts';
import { openPostgresSide } from '../db/transfer/postgres-side.ts';
import { endReadOnly, makeReadOnly } from '../db/transfer/read-only.ts';
import { hasReplaced, REPLACED } from '../db/transfer/replaced-schema.ts';
import { writeMovedTo } from '../db/transfer/transfer-notes.ts';
import type { TransferSide } from '../db/transfer/transfer-side.ts';
import type { DeletionEntry } from '../features/audience/deletions/deletion-log.ts';
import { MASTER_KEY } from '../keys/account-keys.ts';
import { createLog } from '../log/log.ts';
import type { Settings } from '../settings/settings.ts';
import { pauseFrom } from '../webhooks/sending/paused.ts';

interface Dump {
  file: string;
  /** The fingerprint of the master key that it needs; undefined if it has no secrets yet. */
  masterKey: string | undefined;
}

/** Checks a dump before anything is changed: that it is whole, of Usher, and of no newer version. */
export async function openDump(file: string, name: string, env: NodeJS.ProcessEnv): Promise<Dump> {
  const migrations = await readDumped(file, name, 'migrations', env);
  const names = migrations.map(([migration = '']) => migration).filter((migration) => migration !== '');
  checkMigrations(names.includes('0001-foundation') ? names : undefined, name);
  const installation = await readDumped(file, name, 'installation', env);
  return { file, masterKey: installation.find(([entry]) => entry === MASTER_KEY)?.[1] };
}

/** Returns the rows of a small table in a dump, in the form of `copy`. */
async function readDumped(file: string, name: string, table: string, env: NodeJS.ProcessEnv): Promise<string[][]> {
  const options = ['--data-only', `--table=${table}`, '--file=-'];
  const { code, out, err } = await runPostgresProgram('pg_restore', options, { file, env });
  if (code !== 0) throw new BackupProblem(`${name} cannot be read, perhaps because it was cut off: ${err}`);
  const [, rows = ''] = /^COPY [^\n]* FROM stdin;\n([\s\S]*?)\\\.$/m.exec(out) ?? [];
  return rows
    .split('\n')
    .filter((row) => row !== '')
    .map((row) => row.split('\t'));
}

interface RestoredDatabase {
  /** Whether there was something. */
  isReplacing: boolean;
  /** Of the database that is replaced. */
  deletions: DeletionEntry[];
  /**
   * Restores the dump, and calls `prepare` with an address at which the database can be written. If anything fails, the
   * database is as it was.
   */
  fill<T>(dump: Dump, prepare: (databaseUrl: string) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Opens the database of DATABASE_URL, which has to be empty unless it may be replaced. */
export async function openForRestore(
  settings: Settings & { databaseUrl: string },
  force: boolean,
): Promise<RestoredDatabase> {
  const side = openPostgresSide(settings.databaseUrl, createLog('silent'));
  try {
    await requireNoCitus(side.db);
    const found = await side.listTables();
    const isReplacing = found.length > 0 || (await hasReplaced(side.db));
    if (isReplacing) await requireReplaceable(side, found, force);
    const deletions = [
      ...(found.includes('deletions') ? await readDeletions(side.db) : []),
      ...((await hasReplaced(side.db)) ? await readDeletions(side.db.withSchema(REPLACED)) : []),
    ];
    return {
      isReplacing,
      deletions,
      fill: async (dump, prepare) => {
        await makeReadOnly(side.db);
        try {
          await putAside(side, found);
          return await replace(side, () => restoreInto(side, dump, settings, prepare));
        } finally {
          await endReadOnly(side.db);
        }
      },
      close: () => side.close(),
    };
  } catch (error) {
    await side.close();
    throw error;
  }
}

/** Removes what was put aside, or puts it back if the work fails. */
async function replace<T>(side: TransferSide, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    await side.write((db) => sql`drop schema if exists ${sql.id(REPLACED)} cascade`.execute(db));
    return result;
  } catch (error) {
    await putBack(side);
    throw error;
  }
}

async function restoreInto<T>(
  side: TransferSide,
  dump: Dump,
  { databaseUrl, programEnv: env }: Settings & { databaseUrl: string },
  prepare: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  await restoreDump(dump, databaseUrl, env);
  await side.write(async (db) => {
    await writeMovedTo(db, undefined);
    await pauseFrom(db, { reason: 'being restored', at: Date.now() });
  });
  return prepare(writable(databaseUrl));
}

async function requireNoCitus(db: Db): Promise<void> {
  const { rows } = await sql`select 1 from pg_extension where extname = 'citus'`.execute(db);
  if (rows.length > 0)
    throw new BackupProblem(
      'a Citus database is restored with the tools of PostgreSQL, in the order of docs/backup.md',
    );
}

async function requireReplaceable(side: TransferSide, found: readonly string[], force: boolean): Promise<void> {
  if (!force)
    throw new BackupProblem(
      `${side.name} is not empty: restore into a new database, or add --force. Then everything in it is replaced, and is gone: make a backup of it first`,
    );
  const others = found.filter((name) => name !== 'migrations' && kindOfTable(name) === undefined);
  if (others.length > 0)
    throw new BackupProblem(
      `${side.name} has tables that this version of Usher does not know (${others.join(', ')}): restore into a new database`,
    );
  const { rows } = await sql<{ count: number }>`select count(*) as count from pg_stat_activity
    where datname = current_database() and usename = current_user and backend_type = 'client backend'
      and pid <> pg_backend_pid()`.execute(side.db);
  if (Number(rows[0]?.count) > 0)
    throw new BackupProblem(`${side.name} is in use: stop every node, every command and every pooler, then try again`);
}

async function readDeletions(db: Db): Promise<DeletionEntry[]> {
  const rows = await db
    .selectFrom('deletions')
    .select(['account_id', 'id as deletion_id', 'profile_hash'])
    .where('profile_hash', 'is not', null)
    .execute();
  return rows.flatMap(({ profile_hash, ...row }) => (profile_hash === null ? [] : { ...row, profile_hash }));
}

/**
 * Moves the tables out of the way. If an earlier restore was interrupted, what it has replaced is there already, and the
 * tables are what it has restored.
 */
async function putAside(side: TransferSide, found: readonly string[]): Promise<void> {
  await side.write(async (db) => {
    if (await hasReplaced(db)) {
      for (const table of found) await sql`drop table ${sql.id(table)} cascade`.execute(db);
      return;
    }
    if (found.length === 0) return;
    await sql`create schema ${sql.id(REPLACED)}`.execute(db);
    for (const table of found) await sql`alter table ${sql.id(table)} set schema ${sql.id(REPLACED)}`.execute(db);
  });
}

async function putBack(side: TransferSide): Promise<void> {
  const found = await side.listTables();
  await side.write(async (db) => {
    for (const table of found) await sql`drop table ${sql.id(table)} cascade`.execute(db);
    if (!(await hasReplaced(db))) return;
    const { rows } = await sql<{ name: string; schema: string }>`
      select tablename as name, current_schema() as schema from pg_tables where schemaname = ${REPLACED}`.execute(db);
    for (const { name, schema } of rows)
      await sql`alter table ${sql.id(REPLACED, name)} set schema ${sql.id(schema)}`.execute(db);
    await sql`drop schema ${sql.id(REPLACED)}`.execute(db);
  });
}

async function restoreDump({ file }: Dump, databaseUrl: string, env: NodeJS.ProcessEnv): Promise<void> {
  const options = ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction'];
  const { code, err } = await runPostgresProgram('pg_restore', options, {
    databaseUrl: writable(databaseUrl),
    file,
    env,
  });
  if (code !== 0) throw new BackupProblem(`pg_restore failed, and the database is as it was: ${err}`);
}

/** The same address, for connections that may write although the role may not. */
function writable(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  const options = [url.searchParams.get('options'), '-c default_transaction_read_only=off'];
  url.searchParams.set('options', options.filter((option) => option !== null).join(' '));
  return url.href;
}
