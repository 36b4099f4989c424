import { resolve } from 'node:path';
import { sql } from 'kysely';
import { backUpPostgres } from '../backup/back-up-postgres.ts';
import { backUpSqlite } from '../backup/back-up-sqlite.ts';
import { openStorage } from '../db/open-storage.ts';
import { createLog } from '../log.ts';
import type { Settings } from '../settings.ts';
import { UsageError } from './errors.ts';

/** `usher backup FILE`. It neither migrates the database nor needs the master key. */
export async function runBackup(settings: Settings, words: string[], options: { force?: boolean }): Promise<object> {
  const [name, another] = words;
  if (name === undefined || another !== undefined) throw new UsageError('give one file: usher backup FILE');
  const { databaseUrl, sqliteFile, programEnv: env } = settings;
  const file = resolve(name);
  if (databaseUrl === undefined) {
    const { bytes } = await backUpSqlite(sqliteFile, file, options);
    return { file, bytes, restore: `usher restore ${file}`, master_key: 'is not in it: keep it elsewhere' };
  }
  const hasCitus = await findCitus(databaseUrl);
  const { bytes } = await backUpPostgres(databaseUrl, file, { ...options, hasCitus, env });
  return { file, bytes, restore: 'with pg_restore: see docs/backup.md', master_key: 'is not in it: keep it elsewhere' };
}

async function findCitus(databaseUrl: string): Promise<boolean> {
  const storage = openStorage({ databaseUrl }, createLog('silent'));
  try {
    const { rows } = await sql`select 1 from pg_extension where extname = 'citus'`.execute(storage.reader(null));
    return rows.length > 0;
  } finally {
    await storage.close();
  }
}
