import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TICKS_PER_MS } from '@usher/domain';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createEmptyDatabase, createTestDatabase, engine, type TestDatabase } from '../../test/engine.ts';
import { FolderStore } from '../backup/folder-store.ts';
import { bundleFolder } from '../folders.ts';
import { newKey } from '../keys/secret-box.ts';
import { createLog } from '../log/log.ts';
import { openAppContext, serve } from '../serve.ts';
import { readSettings } from '../settings/settings.ts';
import { runCommand } from './cli.ts';

const bundlePath = fileURLToPath(bundleFolder);

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

  it('says whether pages reach the installation, and whether the base path arrives', async () => {
    const database = await createTestDatabase();
    const server = await started(database, { USHER_BASE_PATH: '/help' });
    const env = { ...database.env, USHER_PUBLIC_URL: server.address };
    const stateWith = async (more: NodeJS.ProcessEnv) => (await doctor({ ...env, ...more })).states.page_url;
    expect(await stateWith({})).toBeUndefined();
    expect(await stateWith({ USHER_BASE_PATH: '/help' })).toBe('good');
    expect(await stateWith({ USHER_BASE_PATH: '/other' })).toBe('problem');
    const stripped = await doctor({
      ...env,
      USHER_BASE_PATH: '/help',
      USHER_PAGE_URL: server.address.replace('127.0.0.1', 'localhost'),
    });
    expect(stripped.states.page_url).toBe('problem');
    expect(stripped.messages).toContain('does not pass the base path /help on');
    await server.stop();
    expect(await stateWith({ USHER_BASE_PATH: '/help' })).toBe('attention');
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
    const server = await started(database, { USHER_BACKUP_TO: file });
    const failed = /^attention +backups +The last backup failed at 2\S+Z: .+\.$/m;
    const folder = join(env.USHER_DATA, 'backups');
    await new FolderStore(folder).create();
    // The first backup is tried while the server starts.
    await vi.waitFor(async () => expect(await report({ ...env, USHER_BACKUP_TO: folder })).toMatch(failed), 20_000);
    await server.stop();
    expect(await report({ ...env, USHER_BACKUP_TO: file })).toMatch(
      /^attention +backups +No backup can be made: the folder .+ cannot be read: it is no folder\.$/m,
    );
    const text = await report({ ...env, USHER_BACKUP_TO: folder });
    expect(text).toMatch(failed);
    expect(text).toMatch(/^ok +version +\d\S+$/m);
    expect(text).toMatch(/^ok +engine +(SQLite|PostgreSQL) \d\S+/m);
    expect(text).toMatch(/^ok +database +\d\S* \w+$/m);
    expect(text).toMatch(/\n\n\d to look at\. \/docs\/doctor of the server explains each line\.\n$/);
  });

  it('finds a wrong setting, a wrong key, open files and a database that cannot be reached', async () => {
    const database = await createTestDatabase();
    await (await started(database)).stop();
    const { env } = database;
    expect(await doctor({ ...env, PORT: 'x' })).toMatchObject({ code: 1, states: { settings: 'problem' } });
    const alias = await doctor({ ...env, USHER_SCRIPT_ALIAS: 'guide:/v3/:token.js' });
    expect(alias).toMatchObject({ code: 1, states: { settings: 'problem' } });
    expect(alias.messages).toContain('"/v3" belongs to Usher itself');
    expect((await doctor({ ...env, USHER_SCRIPT_ALIAS: 'guide:/guide/:token.js' })).states.settings).toBe('good');
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

  it('is not content without automatic backups, and does not say that there are none', async () => {
    const database = await createTestDatabase();
    await (await started(database)).stop();
    const { env } = database;
    const next = 'set USHER_BACKUP_TO before this is in use, or run “usher backup FILE” regularly';
    expect(await report(env)).toMatch(
      new RegExp(`^attention +backups +No backups are made automatically: ${next}`, 'm'),
    );
    const folder = join(env.USHER_DATA, 'backups');
    await new FolderStore(folder).create();
    expect(await report({ ...env, USHER_BACKUP_TO: folder })).toMatch(
      /^attention +backups +No automatic backup was made yet: /m,
    );
  });

  it('says nothing about what it has not read', async () => {
    const database = await createTestDatabase();
    await (await started(database)).stop();
    expect(await report(database.env)).toMatch(/^ok +webhooks +Sending is not paused\.$/m);
    const text = await report({ ...database.env, DATABASE_URL: 'postgres://usher@127.0.0.1:9/usher' });
    expect(text).toMatch(/^problem +storage +The database cannot be read \(.+\): check DATABASE_URL and its role, /m);
    expect(text).toMatch(/^ok +secrets +There is a master key\. Without the database /m);
  });

  it('says that the name of a bucket is too short', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.remove());
    const keys = { USHER_S3_ACCESS_KEY: 'a', USHER_S3_SECRET_KEY: 'b' };
    const { messages } = await doctor({ ...database.env, ...keys, USHER_BACKUP_TO: 's3://bk/prod' });
    expect(messages).toContain('the name of a bucket has 3 to 63 lowercase letters');
  });

  it('says that a record is from the future, and not that the clock is wrong for certain', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.remove());
    const { storage } = await openAppContext(readSettings(database.env), createLog('silent'));
    const tick = Date.parse('2099-01-01T00:00:00Z') * TICKS_PER_MS;
    await storage.write('acme', (db) => db.insertInto('account_clocks').values({ account_id: 'acme', tick }).execute());
    await storage.close();
    const { states, messages } = await doctor(database.env);
    expect(states.clock).toBe('attention');
    expect(messages).toContain(
      'The newest record is from 2099-01-01T00:00:00.000Z, and the clock of this machine says',
    );
  });

  /** Root may write everywhere, so another user runs the command, if the files of this checkout can be read by others. */
  const asOther = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const main = join(bundlePath, 'main.js');
  const canRun = spawnSync(process.execPath, ['-e', `fs.accessSync(${JSON.stringify(main)})`], asOther).status === 0;
  it.runIf(engine === 'sqlite' && canRun)('says that the data folder cannot be written', async () => {
    const database = await createTestDatabase();
    await (await started(database)).stop();
    const folder = database.env.USHER_DATA;
    for (const name of ['.', ...readdirSync(folder)]) {
      if (asOther.uid !== undefined) chownSync(join(folder, name), asOther.uid, asOther.gid ?? 0);
      chmodSync(join(folder, name), name === '.' ? 0o500 : 0o400);
    }
    const { stdout } = spawnSync(process.execPath, [main, 'doctor'], {
      ...asOther,
      env: { PATH: process.env.PATH, ...database.env },
      encoding: 'utf8',
    });
    chmodSync(folder, 0o700);
    expect(stdout).toMatch(
      /^problem +storage +\S+ cannot be written: this user has no permission\. Give it to the user/m,
    );
  });

  it.runIf(engine === 'sqlite' && spawnSync('prlimit', ['--version']).status === 0)(
    'says that the process may open too few files',
    async () => {
      const database = await createTestDatabase();
      await (await started(database)).stop();
      const texts = [24, 26].map(
        (limit) =>
          spawnSync('prlimit', [`--nofile=${limit}:${limit}`, process.execPath, main, 'doctor'], {
            env: { PATH: process.env.PATH, ...database.env },
            encoding: 'utf8',
          }).stdout,
      );
      expect(texts.join('')).not.toMatch(/check its owner|check DNS/);
      expect(texts.join('')).toContain('this process may open too few files');
    },
  );
});
