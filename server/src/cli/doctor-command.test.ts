import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../test/engine.ts';
import { newKey } from '../keys/secret-box.ts';
import { serve } from '../serve.ts';
import { readSettings } from '../settings.ts';
import { runCommand } from './cli.ts';

/** Runs `usher doctor --json` and returns the exit code and the states by name. */
async function doctor(env: NodeJS.ProcessEnv) {
  let output = '';
  const print = (text: string) => {
    output += text;
  };
  const code = await runCommand(['doctor', '--json'], env, { print, printError: print, untilStopped: async () => {} });
  const { checks } = JSON.parse(output) as { checks: { name: string; state: string; message: string }[] };
  const states = Object.fromEntries(checks.map(({ name, state }) => [name, state]));
  return { code, states, messages: checks.map(({ message }) => message).join(' ') };
}

/** What `usher doctor` prints for people. */
async function report(env: NodeJS.ProcessEnv): Promise<string> {
  let output = '';
  const print = (text: string) => {
    output += text;
  };
  await runCommand(['doctor'], env, { print, printError: print, untilStopped: async () => {} });
  return output;
}

async function started(database: TestDatabase, env: NodeJS.ProcessEnv = {}) {
  onTestFinished(() => database.remove());
  const settings = { ...database.env, PORT: '0', USHER_LOG_LEVEL: 'silent', USHER_DEMO: 'false', ...env };
  return serve(readSettings(settings), () => {});
}

describe('usher doctor', () => {
  it('works beside a server and after it, and recognizes the installation behind the public URL', async () => {
    const database = await createTestDatabase();
    const server = await started(database);
    const env = { ...database.env, USHER_PUBLIC_URL: server.address };
    const beside = await doctor(env);
    expect(beside).toMatchObject({
      code: 0,
      states: {
        ...{ storage: 'good', schema: 'good', integrity: 'good', files: 'good', secrets: 'good' },
        ...{ reachable: 'good', page_loads: 'good' },
      },
    });
    await server.stop();
    const after = await doctor(env);
    expect(after).toMatchObject({ code: 0, states: { storage: 'good', reachable: 'attention' } });
  });

  it('says that the public URL leads to another installation', async () => {
    const [one, other] = [await createTestDatabase(), await createTestDatabase()];
    const server = await started(other);
    await (await started(one)).stop();
    const { code, states } = await doctor({ ...one.env, USHER_PUBLIC_URL: server.address });
    expect([code, states.reachable]).toEqual([1, 'problem']);
    await server.stop();
  });

  it('creates and migrates nothing', async () => {
    const { env, remove } = await createEmptyDatabase();
    onTestFinished(remove);
    const { code, states, messages } = await doctor(env);
    expect([code, states.storage]).toEqual([1, 'problem']);
    expect(messages).toContain('There is no database at');
    expect(readdirSync(env.USHER_DATA)).toEqual([]);
    writeFileSync(join(env.USHER_DATA, 'usher.db'), '', { mode: 0o600 });
    expect((await doctor(env)).states).toMatchObject({ storage: 'good', schema: 'attention' });
    expect(existsSync(join(env.USHER_DATA, 'master.key'))).toBe(false);
  });

  it('says why the last backup failed, or the next one would, with figures and a summary', async () => {
    const database = await createTestDatabase();
    const { env } = database;
    const file = join(env.USHER_DATA, 'no-folder');
    writeFileSync(file, '');
    await (await started(database, { USHER_BACKUP_TO: file })).stop();
    expect(await report({ ...env, USHER_BACKUP_TO: file })).toMatch(
      /^attention +backups +No backup can be made: the folder .+ cannot be read: it is no folder\.$/m,
    );
    const text = await report({ ...env, USHER_BACKUP_TO: join(env.USHER_DATA, 'backups') });
    expect(text).toMatch(/^attention +backups +The last backup failed at 2\S+Z: .+\.$/m);
    expect(text).toMatch(/^ok +version +\d\S+$/m);
    expect(text).toMatch(/^ok +engine +(SQLite|PostgreSQL) \d\S+/m);
    expect(text).toMatch(/^ok +database +\d\S* \w+$/m);
    expect(text).toMatch(/\n\n\d to look at\. docs\/doctor\.md explains each line\.\n$/);
  });

  it('finds a wrong setting, a wrong key, open files and a database that cannot be reached', async () => {
    const database = await createTestDatabase();
    await (await started(database)).stop();
    const { env } = database;
    expect(await doctor({ ...env, PORT: 'x' })).toMatchObject({ code: 1, states: { settings: 'problem' } });
    expect((await doctor({ ...env, USHER_BACKUP_FOLDER: 'backups' })).states.settings).toBe('attention');
    expect((await doctor({ ...env, USHER_MASTER_KEY: newKey() })).states.secrets).toBe('problem');
    chmodSync(join(env.USHER_DATA, 'usher.db'), 0o644);
    expect((await doctor(env)).states.files).toBe('problem');
    const unreachable = await doctor({ ...env, DATABASE_URL: 'postgres://usher:password@127.0.0.1:9/usher' });
    expect(unreachable).toMatchObject({ code: 1, states: { storage: 'problem' } });
    expect(unreachable.messages).not.toContain('password');
    writeFileSync(join(env.USHER_DATA, 'usher.db'), 'this is no database, but some text that is long enough');
    expect((await doctor(env)).states.storage).toBe('problem');
  });
});
