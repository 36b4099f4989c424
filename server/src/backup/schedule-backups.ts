import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import type { AppContext } from '../context.ts';
import type { Storage } from '../db/storage.ts';
import type { Log } from '../log/log.ts';
import type { Settings } from '../settings/settings.ts';
import { backUpPostgres } from './back-up-postgres.ts';
import { backUpSqlite } from './back-up-sqlite.ts';
import { BackupScheduler } from './scheduler.ts';
import { describeTarget, openStore } from './store.ts';
import type { WrittenBackup } from './write-backup.ts';

/** Makes backups as the settings say; undefined if they ask for none. */
export function scheduleBackups(
  app: AppContext,
  settings: Settings,
  log: Log,
  deletionLog: string,
): BackupScheduler | undefined {
  if (!settings.backup) return undefined;
  const { to, everyMs, keep } = settings.backup;
  return new BackupScheduler({
    app,
    log,
    everyMs,
    keep,
    folder: settings.data,
    place: describeTarget(to),
    store: openStore(to, settings),
    make: (file) => backUp(app.storage, settings, file),
    readDeletionLog: () => readFile(deletionLog, 'utf8').catch(() => ''),
  });
}

/** Writes a backup of the database, whichever engine it is. */
export async function backUp(
  storage: Pick<Storage, 'reader'> | undefined,
  { databaseUrl, sqliteFile, programEnv: env }: Settings,
  file: string,
  options: { force?: boolean } = {},
): Promise<WrittenBackup> {
  if (databaseUrl === undefined || !storage) return backUpSqlite(sqliteFile, file, options);
  const { rows } = await sql`select 1 from pg_extension where extname = 'citus'`.execute(storage.reader(null));
  return backUpPostgres(databaseUrl, file, { ...options, hasCitus: rows.length > 0, env });
}
