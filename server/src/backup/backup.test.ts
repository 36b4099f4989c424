import { createHmac } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTestDatabase, engine } from '../../test/engine.ts';
import { startReceiver } from '../../test/receiver.ts';
import { runCommand } from '../cli/cli.ts';
import { type Running, serve } from '../serve.ts';
import { readSettings } from '../settings.ts';

const SECRET = 'the-secret-of-these-tests';
const TOKEN = 'the-token-of-these-tests';
const untilItHappens = { timeout: 20_000, interval: 5 };
type Env = NodeJS.ProcessEnv & { USHER_DATA: string };

async function start(env: Env): Promise<Running> {
  const own = { PORT: '0', USHER_LOG_LEVEL: 'silent', USHER_DEMO: 'false', USHER_WEBHOOK_ALLOW_NETWORKS: '127.0.0.1' };
  const first = { USHER_BOOTSTRAP_SECRET: SECRET, USHER_BOOTSTRAP_TOKEN: TOKEN };
  const running = await serve(readSettings({ ...own, ...first, ...env }), () => {});
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= running.stop();
    return stopping;
  };
  onTestFinished(stop);
  return { ...running, stop };
}

async function send({ address }: Running, method: string, path: string, content?: object) {
  const response = await fetch(address + path, {
    method,
    headers: { 'x-account-secret': SECRET, 'content-type': 'application/json' },
    ...(content && { body: JSON.stringify(content) }),
  });
  return { status: response.status, text: await response.text() };
}

async function callServer(running: Running, method: string, path: string, content?: object) {
  const { status, text } = await send(running, method, path, content);
  expect([status < 300, text]).toEqual([true, text]);
  return JSON.parse(text);
}

/** Runs a command in this process. */
async function usher(env: Env, ...argv: string[]) {
  const output = { out: '', err: '' };
  const code = await runCommand(
    argv,
    { PATH: process.env.PATH, ...env },
    {
      print: (text) => {
        output.out += text;
      },
      printError: (text) => {
        output.err += text;
      },
      untilStopped: async () => {},
    },
  );
  return { code, ...output };
}

async function run(env: Env, ...argv: string[]): Promise<string> {
  const { code, out, err } = await usher(env, ...argv);
  expect([code, err]).toEqual([0, '']);
  return out;
}

async function createDatabase(): Promise<Env> {
  const database = await createTestDatabase();
  onTestFinished(() => database.remove());
  return database.env;
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'usher-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Another machine, to which the operator has brought the master key. */
function anotherMachine(env: Env): Env {
  const folder = newFolder();
  copyFileSync(join(env.USHER_DATA, 'master.key'), join(folder, 'master.key'));
  return { USHER_DATA: folder, USHER_PUBLIC_URL: 'http://other.example.com' };
}

describe.runIf(engine === 'sqlite')('a backup on SQLite', () => {
  it('has every write that was acknowledged before it began, and works on another machine', async () => {
    const env = await createDatabase();
    const original = await start(env);
    const receiver = await startReceiver();
    const { webhook } = await callServer(original, 'POST', '/v3/edit/webhooks', {
      url: receiver.url,
      topics: ['tour.*'],
    });
    await run(env, 'webhooks', 'pause');
    const waiting = await callServer(original, 'POST', `/v3/edit/webhooks/${webhook.id}/ping`, {});
    const steps = [{ title: 'Hello', buttons: [{ text: 'Next' }] }];
    const { tour } = await callServer(original, 'POST', '/v3/edit/tours', { name: 'Welcome', steps });
    const { changes } = await callServer(original, 'GET', `/v3/edit/tours/${tour.id}/changes`);
    const captureId = changes.flatMap(
      ({ options }: { options: { capture_id?: string[] } }) => options.capture_id ?? [],
    );
    const picture = `/v3/edit/captures/${captureId.at(-1)}.svg`;

    const acknowledged: string[] = [];
    let writes = true;
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; writes; n++) {
        const host = `w${writer}-${n}.example.com`;
        await callServer(original, 'POST', '/v3/edit/urls', { host });
        acknowledged.push(host);
      }
    });
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(50), untilItHappens);
    const before = [...acknowledged];
    const file = join(newFolder(), 'usher.backup');
    await run(env, 'backup', file);
    writes = false;
    await Promise.all(writers);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file).includes(SECRET)).toBe(false);

    const other = anotherMachine(env);
    expect(await run(other, 'restore', file)).toContain('usher webhooks resume');
    const copy = await start(other);
    const stored = new Set<string>();
    for (let cursor = ''; ; ) {
      const page = await callServer(copy, 'GET', `/v3/edit/urls?limit=500${cursor}`);
      for (const { host } of page.urls) stored.add(host);
      if (page.cursor.before === null) break;
      cursor = `&before=${page.cursor.before}`;
    }
    expect(before.filter((host) => !stored.has(host))).toEqual([]);
    expect((await send(copy, 'GET', picture)).text).toBe((await send(original, 'GET', picture)).text);

    const items = async () => (await callServer(copy, 'GET', `/v3/edit/webhooks/${webhook.id}/items`)).items;
    expect(await items()).toMatchObject([{ id: waiting.item.id, state: 'pending', attempts_count: 0 }]);
    expect(receiver.received).toEqual([]);
    await run(other, 'webhooks', 'resume');
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), untilItHappens);
    const { headers = {}, body = '' } = receiver.received[0] ?? {};
    expect(JSON.parse(body)).toMatchObject({ id: waiting.item.id, kind: 'ping' });
    expect(headers['x-usher-signature']).toBe(createHmac('sha256', webhook.secret).update(body).digest('hex'));
  });

  it('gives up what waited in the copy, and sends what happens afterwards', async () => {
    const env = await createDatabase();
    const receiver = await startReceiver();
    const original = await start(env);
    const { webhook } = await callServer(original, 'POST', '/v3/edit/webhooks', {
      url: receiver.url,
      topics: ['tour.*'],
    });
    await run(env, 'webhooks', 'pause');
    const ping = async (running: Running) =>
      (await callServer(running, 'POST', `/v3/edit/webhooks/${webhook.id}/ping`, {})).item.id;
    const old = await ping(original);
    const file = join(newFolder(), 'usher.backup');
    // The backup has its own mark, so that its time is the end of what the original knows.
    await run(env, 'webhooks', 'resume');
    await original.stop();
    receiver.received.length = 0;
    await run(env, 'backup', file);
    const other = anotherMachine(env);
    await run(other, 'restore', file);
    const copy = await start(other);
    const later = await ping(copy);
    await run(other, 'webhooks', 'resume', '--skip-waiting');
    await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(0), untilItHappens);
    const sent = receiver.received.map(({ body }) => JSON.parse(body).id);
    expect(sent).toEqual([later]);
    expect(sent).not.toContain(old);
  });

  it('does not overwrite a file, unless it is forced to, and leaves nothing behind', async () => {
    const env = await createDatabase();
    const folder = newFolder();
    const file = join(folder, 'usher.backup');
    await run(env, 'backup', file);
    const first = readFileSync(file);
    expect(await usher(env, 'backup', file)).toMatchObject({ code: 1, err: expect.stringContaining('exists already') });
    expect(readFileSync(file).equals(first)).toBe(true);
    await run(env, 'backup', file, '--force');
    symlinkSync(file, join(folder, 'link'));
    for (const [target, message] of [
      [join(folder, 'missing', 'usher.backup'), 'the folder does not exist'],
      [folder, 'is no file'],
      [join(folder, 'link'), 'is no file'],
    ] as const)
      expect(await usher(env, 'backup', target)).toMatchObject({ code: 1, err: expect.stringContaining(message) });
    expect(await usher(env, 'backup')).toMatchObject({ code: 2 });
    expect(await usher({ USHER_DATA: join(folder, 'none') }, 'backup', join(folder, 'b'))).toMatchObject({ code: 1 });
    expect(readdirSync(folder).sort()).toEqual(['link', 'usher.backup']);
  });
});

describe.runIf(engine === 'sqlite')('a restore on SQLite', () => {
  /** A database with a backup of an earlier state. */
  async function withBackup() {
    const env = await createDatabase();
    const file = join(newFolder(), 'usher.backup');
    const first = await start(env);
    await callServer(first, 'POST', '/v3/edit/urls', { host: 'in-backup.example.com' });
    await run(env, 'backup', file);
    await callServer(first, 'POST', '/v3/edit/urls', { host: 'later.example.com' });
    await first.stop();
    return { env, file };
  }
  const hostsOf = async (env: Env) => {
    const running = await start(env);
    const { urls } = await callServer(running, 'GET', '/v3/edit/urls');
    await running.stop();
    return urls.map(({ host }: { host: string }) => host);
  };
  const filesOf = ({ USHER_DATA }: Env) => readdirSync(USHER_DATA).filter((name) => name.startsWith('usher.db'));

  it('keeps the database that it replaces', async () => {
    const { env, file } = await withBackup();
    await run(env, 'restore', file);
    const kept = filesOf(env).filter((name) => name.includes('before-restore'));
    expect([filesOf(env).length, kept.length]).toEqual([2, 1]);
    expect(await hostsOf(env)).toEqual(['in-backup.example.com']);
    await run(env, 'restore', join(env.USHER_DATA, kept[0] ?? ''));
    expect(await hostsOf(env)).toEqual(['later.example.com', 'in-backup.example.com']);
  });

  it('removes what a restore left that was killed before its last step', async () => {
    const { env, file } = await withBackup();
    const at = (end: string) => join(env.USHER_DATA, `usher.db${end}`);
    for (const end of ['.restoring', '.restoring-wal', '.restoring-shm', '.restored']) writeFileSync(at(end), 'half');
    linkSync(at(''), at('.before-restore-killed'));
    await run(env, 'restore', file);
    expect(filesOf(env).filter((name) => /restoring|restored|killed/.test(name))).toEqual([]);
    expect(await hostsOf(env)).toEqual(['in-backup.example.com']);
  });

  it('changes nothing while a server runs, or with a file that cannot be used', async () => {
    const { env, file } = await withBackup();
    const folder = newFolder();
    const change = (name: string, edit: (copy: string) => void) => {
      copyFileSync(file, join(folder, name));
      edit(join(folder, name));
      return join(folder, name);
    };
    const inSql = (sql: string) => (copy: string) => {
      const connection = new Database(copy);
      connection.exec(sql);
      connection.close();
    };
    mkdirSync(join(folder, 'folder'));
    writeFileSync(join(folder, 'text'), 'hello');
    writeFileSync(join(folder, 'dump'), 'PGDMP…');
    const failsWith = async (at: Env, name: string, message: string) => {
      expect(await usher(at, 'restore', name)).toMatchObject({ code: 1, err: expect.stringContaining(message) });
    };
    const running = await start(env);
    await failsWith(env, file, 'another server uses the data folder');
    await running.stop();
    const before = filesOf(env);
    for (const [name, message] of [
      [join(folder, 'missing'), 'there is no file'],
      [join(folder, 'folder'), 'is no file'],
      [join(folder, 'text'), 'is no backup of Usher'],
      [join(folder, 'dump'), 'pg_restore'],
      [change('cut', (copy) => truncateSync(copy, statSync(copy).size / 2)), 'damaged'],
      [change('other', inSql('drop table installation')), 'no backup of Usher'],
      [change('newer', inSql(`insert into migrations values ('9999-later')`)), 'newer version'],
    ] as const)
      await failsWith(env, name, message);
    writeFileSync(join(folder, 'key'), Buffer.alloc(32, 7).toString('base64'));
    await failsWith({ ...env, USHER_MASTER_KEY_FILE: join(folder, 'key') }, file, 'encrypted with the master key');
    const empty: Env = { USHER_DATA: join(folder, 'empty') };
    await failsWith(empty, file, 'has none');
    expect(readdirSync(empty.USHER_DATA).filter((name) => !name.startsWith('server.'))).toEqual([]);
    expect(filesOf(env)).toEqual(before);
    expect(await hostsOf(env)).toEqual(['later.example.com', 'in-backup.example.com']);
  });

  it('forgets again who was forgotten after the backup, with the same proof', async () => {
    const env = await createDatabase();
    const folder = newFolder();
    const file = join(folder, 'usher.backup');
    const first = await start(env);
    for (const uid of ['canary-one', 'canary-two', 'kept-user'])
      await callServer(first, 'POST', '/v3/observe/hooks/profiles', { uid, plan: `${uid} plan` });
    await run(env, 'backup', file);
    const forget = async (uid: string) =>
      (await callServer(first, 'DELETE', `/v3/edit/profiles/forget?uid=${uid}`)).deletion.id;
    const ids = [await forget('canary-one'), await forget('canary-two')];
    const log = join(env.USHER_DATA, 'forgotten.jsonl');
    expect(statSync(log).mode & 0o777).toBe(0o600);
    expect(readFileSync(log, 'utf8')).not.toContain('canary');
    await first.stop();

    // One restore has the log of the machine; the other machine has a copy of it beside the backup.
    const other = anotherMachine(env);
    expect(readFileSync(file).includes('canary-one')).toBe(true);
    copyFileSync(log, join(folder, 'forgotten-copy.jsonl'));
    rmSync(log);
    for (const [at, isCopied] of [
      [env, false],
      [other, true],
    ] as const) {
      if (!isCopied) rmSync(join(folder, 'forgotten-copy.jsonl'));
      else copyFileSync(join(env.USHER_DATA, 'forgotten.jsonl'), join(folder, 'forgotten-copy.jsonl'));
      expect(JSON.parse(await run(at, 'restore', file, '--json'))).toMatchObject({ forgotten_again: 2 });
      expect(readFileSync(join(at.USHER_DATA, 'usher.db')).includes('canary')).toBe(false);
      const found = await run(at, 'deletion', 'find', '--uid', 'canary-two', '--json');
      expect(JSON.parse(found)).toMatchObject([{ deletion_id: ids[1] }]);
      const running = await start(at);
      expect((await send(running, 'GET', '/v3/edit/profiles?uid=canary-one')).text).not.toContain('canary');
      const { profiles } = await callServer(running, 'GET', '/v3/edit/profiles');
      expect(profiles.map(({ uid }: { uid: string }) => uid)).toEqual(['kept-user']);
      await running.stop();
    }
  });

  it('replaces a database that is no longer one, with its log', async () => {
    const { env, file } = await withBackup();
    writeFileSync(join(env.USHER_DATA, 'usher.db'), 'not a database any more'.repeat(1000));
    writeFileSync(join(env.USHER_DATA, 'usher.db-wal'), 'nor a log');
    await run(env, 'restore', file);
    expect(await hostsOf(env)).toEqual(['in-backup.example.com']);
    expect(existsSync(join(env.USHER_DATA, 'usher.db-wal'))).toBe(false);
  });
});
