import { sql } from 'kysely';
import { migrations } from '../src/db/migrations/index.ts';
import type { Migration } from '../src/db/migrations/migration.ts';
import { openStorage } from '../src/db/open-storage.ts';
import type { Storage } from '../src/db/storage.ts';
import { createLog } from '../src/log/log.ts';
import { readSettings } from '../src/settings/settings.ts';
import type { TestDatabase } from './engine.ts';

/** Since this migration, a table records the version of the schema after each update. */
const WITH_VERSION = '0016-installation';
const STAND_IN = '0000-table-for-the-version';

/**
 * Creates the tables of an earlier version in an empty database by running all migrations up to this one. With
 * `afterEach`, it stops at each earlier version and calls the function.
 */
export async function createOlderSchema(
  database: TestDatabase,
  last: string,
  afterEach?: (name: string) => Promise<void>,
): Promise<void> {
  const { databaseUrl, sqliteFile } = readSettings(database.env);
  const storage = openStorage(databaseUrl === undefined ? { sqliteFile } : { databaseUrl }, createLog('silent'));
  const names = Object.keys(migrations);
  const stops = afterEach ? names.slice(0, names.indexOf(last) + 1) : [last];
  try {
    for (const stop of stops) {
      await migrateTo(storage, stop);
      await afterEach?.(stop);
    }
  } finally {
    await storage.close();
  }
}

async function migrateTo(storage: Storage, last: string): Promise<void> {
  const all = { ...migrations };
  const hasVersion = last >= WITH_VERSION;
  const standIn: Migration = () => ['create table installation (name text primary key, value text not null)'];
  const older = Object.entries(all).filter(([name]) => name <= last);
  replaceMigrations({ ...(!hasVersion && { [STAND_IN]: standIn }), ...Object.fromEntries(older) });
  try {
    await storage.migrate();
  } finally {
    replaceMigrations(all);
  }
  if (hasVersion) return;
  await storage.write(null, async (db) => {
    await sql`drop table installation`.execute(db);
    await db.deleteFrom('migrations').where('name', '=', STAND_IN).execute();
  });
}

function replaceMigrations(wanted: Record<string, Migration>): void {
  for (const name of Object.keys(migrations)) delete migrations[name];
  Object.assign(migrations, wanted);
}
