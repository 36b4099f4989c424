import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { openStorage } from '../src/db/open-storage.ts';
import { emptyLog } from '../src/db/sqlite/stopped-file.ts';
import type { Storage } from '../src/db/storage.ts';
import { createLog } from '../src/log/log.ts';
import { readSettings } from '../src/settings/settings.ts';

/** A database of the engine under test, in the form of the server's own settings. */
export interface TestDatabase {
  env: { USHER_DATA: string; DATABASE_URL?: string };
  remove(): Promise<void>;
}

const injected = inject('engine');
if (injected === undefined)
  throw new Error('This test file runs in the project `server`, which has no database: see vitest.config.ts');
export const engine = injected;

/** Creates a database without tables, for tests of migrations and of the first start. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return engine === 'sqlite' ? createFolder() : createSchema();
}

/** Creates a database with the current tables and no rows. It is a copy, which is faster than running all migrations. */
export async function createTestDatabase(): Promise<TestDatabase> {
  if (engine === 'sqlite') return copySqliteFile();
  return inject('canCopyDatabases') ? copyPostgresDatabase() : createSchema();
}

function createFolder(): TestDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'usher-test-'));
  return { env: { USHER_DATA: folder }, remove: async () => rmSync(folder, { recursive: true, force: true }) };
}

let migratedFile: Promise<Buffer> | undefined;

async function copySqliteFile(): Promise<TestDatabase> {
  migratedFile ??= createMigratedFile();
  const content = await migratedFile;
  const database = createFolder();
  writeFileSync(readSettings(database.env).sqliteFile, content, { mode: 0o600 });
  return database;
}

async function createMigratedFile(): Promise<Buffer> {
  const { env, remove } = createFolder();
  const { sqliteFile } = readSettings(env);
  await migrate(openStorage({ sqliteFile }, createLog('silent')));
  // The storage is closed, but libsql has not closed the file yet, so the tables are still in the log.
  emptyLog(sqliteFile);
  const content = readFileSync(sqliteFile);
  await remove();
  return content;
}

/** Creates a schema and not a database: a new database would lack the extensions, and on Citus the workers. */
async function createSchema(): Promise<TestDatabase> {
  const { env, remove } = createFolder();
  const name = newName();
  const base = inject('postgresUrl');
  await command(base, `create schema ${name}`);
  return {
    env: { ...env, DATABASE_URL: urlOf(base, { options: `-c search_path=${name}`, application_name: name }) },
    remove: async () => {
      await command(base, `drop schema if exists ${name} cascade`);
      await remove();
    },
  };
}

let template: Promise<string> | undefined;

async function copyPostgresDatabase(): Promise<TestDatabase> {
  template ??= createTemplate();
  const { env, remove } = createFolder();
  const base = inject('postgresUrl');
  const name = newName();
  await command(base, `create database ${name} template ${await template}`);
  return {
    env: { ...env, DATABASE_URL: urlOf(base, { application_name: name }, name) },
    remove: async () => {
      await command(base, `drop database if exists ${name} with (force)`);
      await remove();
    },
  };
}

/** Each worker has its own template, which is removed with the whole cluster. */
async function createTemplate(): Promise<string> {
  const base = inject('postgresUrl');
  const name = newName();
  await command(base, `create database ${name}`);
  await migrate(openStorage({ databaseUrl: urlOf(base, {}, name) }, createLog('silent')));
  return name;
}

async function migrate(storage: Storage): Promise<void> {
  await storage.migrate();
  await storage.close();
}

function newName(): string {
  return `usher_${randomBytes(8).toString('hex')}`;
}

function urlOf(base: string, parameters: Record<string, string>, database?: string): string {
  const url = new URL(base);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  if (database !== undefined) url.pathname = `/${database}`;
  return url.href;
}

async function command(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
