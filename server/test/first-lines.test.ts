import { copyFileSync, cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { migrations } from '../src/db/migrations/index.ts';
import { openStorage } from '../src/db/open-storage.ts';
import { createLog } from '../src/log/log.ts';
import { readSettings } from '../src/settings/settings.ts';
import { newFolder } from './backups.ts';
import { engine } from './engine.ts';
import { createOlderSchema } from './older-schema.ts';
import { runToEnd, startServer, stopServer, testDatabase } from './run-process.ts';

/** Starts a server, stops it, and returns what it logged. */
async function firstLines(env: Record<string, string | undefined>): Promise<string[]> {
  const server = await startServer(env);
  await stopServer(server);
  return server
    .out()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line).msg);
}

it('says at the start what is migrated, and that a master key was created and where, once', async () => {
  const database = await testDatabase();
  await createOlderSchema(database, '0031-timelines');
  const key = join(database.env.USHER_DATA, 'master.key');
  const lines = await firstLines(database.env);
  const missing = Object.keys(migrations).filter((name) => name > '0031-timelines');
  expect(lines).toContainEqual(`the schema of the database is updated: ${missing.join(', ')}`);
  expect(lines).toContainEqual(expect.stringContaining(`a master key was created: ${key}`));
  if (engine === 'sqlite') expect(lines).toContainEqual(expect.stringContaining('was backed up before the update: '));
  const next = await firstLines(database.env);
  expect(next.filter((line) => /updated|created|backed up/.test(line))).toEqual([]);
});

it('says once at the start that a record is from the future', async () => {
  const database = await testDatabase();
  await firstLines(database.env);
  const { databaseUrl, sqliteFile } = readSettings(database.env);
  const storage = openStorage(databaseUrl === undefined ? { sqliteFile } : { databaseUrl }, createLog('silent'));
  await storage.write('acme', (db) =>
    db
      .insertInto('account_clocks')
      .values({ account_id: 'acme', tick: Date.parse('2099-01-01T00:00:00Z') * 1024 })
      .execute(),
  );
  await storage.close();
  const lines = (await firstLines(database.env)).filter((line) => line.startsWith('The newest record is from 2099'));
  expect(lines).toHaveLength(1);
});

it.runIf(engine === 'sqlite')(
  'pauses webhooks in a copy of the data folder, and not in one that was moved',
  async () => {
    const database = await testDatabase();
    const paused = expect.stringContaining('this database is a copy of another one, so webhooks are paused');
    const at = (folder: string) => ({ ...database.env, USHER_DATA: folder });
    const original = database.env.USHER_DATA;
    expect(await firstLines(at(original))).not.toContainEqual(paused);
    const moved = `${original}-moved`;
    onTestFinished(() => rmSync(moved, { recursive: true, force: true }));
    renameSync(original, moved);
    expect(await firstLines(at(moved))).not.toContainEqual(paused);

    const copy = join(newFolder(), 'data');
    cpSync(moved, copy, { recursive: true });
    expect(await firstLines(at(copy))).toContainEqual(paused);
    expect(await firstLines(at(moved))).not.toContainEqual(paused);
    expect((await runToEnd(['webhooks', 'resume'], at(copy))).out).toMatch(/webhooks +sending/);
    expect(await firstLines(at(copy))).not.toContainEqual(paused);

    // Sending is turned on before the first start.
    const another = newFolder();
    for (const name of ['usher.db', 'master.key']) copyFileSync(join(moved, name), join(another, name));
    await runToEnd(['webhooks', 'resume'], at(another));
    expect(await firstLines(at(another))).not.toContainEqual(paused);
  },
);
