import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { newFolder, run, start, usher } from '../../test/backups.ts';
import { createEmptyDatabase, engine, type TestDatabase } from '../../test/engine.ts';
import { createOlderSchema } from '../../test/older-schema.ts';
import { migrations } from '../db/migrations/index.ts';
import { openForInspection } from '../db/open-for-inspection.ts';
import { readMigrations } from '../db/sqlite/stopped-file.ts';
import { createLog } from '../log/log.ts';
import { readSettings } from '../settings/settings.ts';

const names = Object.keys(migrations);
const last = names.at(-1) as string;
/** Schemas from before and after the first one with a table for the installation itself. */
const olderSchemas = ['0001-foundation', '0015-filter-operators', '0016-installation', '0031-timelines'];
const canDump = engine === 'sqlite' || (inject('canCopyDatabases') && spawnSync('pg_dump', ['--version']).status === 0);

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  onTestFinished(() => database.remove());
  return database;
}

it('inspects the schema of every earlier version', async () => {
  const database = await emptyDatabase();
  const { databaseUrl, sqliteFile } = readSettings(database.env);
  const seen: string[] = [];
  await createOlderSchema(database, last, async (name) => {
    const address = databaseUrl === undefined ? { sqliteFile } : { databaseUrl };
    const inspection = openForInspection(address, createLog('silent'));
    try {
      const found = await inspection.inspect(Date.now());
      expect(found).toMatchObject({ plainKeys: 0, failingWebhooks: 0, newestAt: null, isReadOnly: false });
      expect(found.migrations.at(-1)).toBe(name);
    } finally {
      await inspection.close();
    }
    seen.push(name);
  });
  expect(seen).toEqual(names);
});

describe.each(olderSchemas)('a database with the schema %s', (schema) => {
  it('is diagnosed by usher doctor', async () => {
    const database = await emptyDatabase();
    await createOlderSchema(database, schema);
    const { out } = await usher(database.env, 'doctor', '--json');
    const checks: { name: string; state: string; message: string }[] = JSON.parse(out).checks;
    const check = (name: string) => checks.find((one) => one.name === name);
    expect(check('storage')?.state).toBe('good');
    expect(check('schema')).toMatchObject({ state: 'attention' });
    expect(check('schema')?.message).toMatch(/^\d+ migrations are missing: make a backup/);
  });

  it.runIf(canDump)('is backed up, and the backup can be restored', async () => {
    const database = await emptyDatabase();
    await createOlderSchema(database, schema);
    const file = join(newFolder(), 'usher.backup');
    await run(database.env, 'backup', file);
    expect(statSync(file).size).toBeGreaterThan(0);
    if (engine === 'postgres') return;
    expect(readMigrations(file)?.at(-1)).toBe(schema);
    const other = { USHER_DATA: newFolder() };
    expect(await run(other, 'restore', file)).toContain('usher webhooks resume');
    expect(readMigrations(join(other.USHER_DATA, 'usher.db'))).toEqual(names);
  });
});

describe('the update of a database', () => {
  const beforeUpdate = ({ env }: TestDatabase) => join(env.USHER_DATA, 'usher.db.before-update');

  it('says what is missing, after a backup on SQLite', async () => {
    const database = await emptyDatabase();
    await createOlderSchema(database, '0031-timelines');
    const { code, err } = await usher(database.env, 'migrate');
    expect(code).toBe(0);
    const missing = names.slice(names.indexOf('0031-timelines') + 1);
    expect(err).toContain(`the schema of the database is updated: ${missing.join(', ')}`);
    if (engine === 'postgres') return expect(err).not.toContain('backed up');
    expect(err).toContain(`the database was backed up before the update: ${beforeUpdate(database)}`);
    expect(readMigrations(beforeUpdate(database))?.at(-1)).toBe('0031-timelines');
    expect(statSync(beforeUpdate(database)).mode & 0o777).toBe(0o600);
    const first = readFileSync(beforeUpdate(database));
    await run(database.env, 'migrate');
    expect(readFileSync(beforeUpdate(database)).equals(first)).toBe(true);
  });

  it.runIf(engine === 'sqlite')(
    'goes on without a backup if the disk has no room for it, or a setting says so',
    async () => {
      for (const [env, sentence] of [
        [{ USHER_MIN_FREE_DISK: '90000000' }, 'is updated without a backup: there is too little space in'],
        [{ USHER_BACKUP_BEFORE_UPDATE: 'false' }, 'the schema of the database is updated'],
      ] as const) {
        const database = await emptyDatabase();
        await createOlderSchema(database, '0031-timelines');
        const { code, err } = await usher({ ...database.env, ...env }, 'migrate');
        expect([code, err]).toEqual([0, expect.stringContaining(sentence)]);
        expect(existsSync(beforeUpdate(database))).toBe(false);
      }
    },
  );

  it('makes no backup of a new database', async () => {
    const database = await emptyDatabase();
    await (await start(database.env)).stop();
    expect(existsSync(beforeUpdate(database))).toBe(false);
  });
});
