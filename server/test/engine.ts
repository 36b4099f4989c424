import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';

/** An empty database of the engine under test, as the server's own settings name it. */
export interface TestDatabase {
  env: { USHER_DATA: string; DATABASE_URL?: string };
  remove(): Promise<void>;
}

export const engine = inject('engine');

export async function createTestDatabase(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'usher-test-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  if (engine === 'sqlite') return { env: { USHER_DATA: folder }, remove: async () => removeFolder() };

  // A schema, not a database: a new database would be without the extensions, and on Citus without the workers.
  const name = `usher_${randomBytes(8).toString('hex')}`;
  const base = inject('postgresUrl');
  await command(base, `create schema ${name}`);
  const url = new URL(base);
  url.searchParams.set('options', `-c search_path=${name}`);
  url.searchParams.set('application_name', name);
  return {
    env: { USHER_DATA: folder, DATABASE_URL: url.href },
    remove: async () => {
      await command(base, `drop schema if exists ${name} cascade`);
      removeFolder();
    },
  };
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
