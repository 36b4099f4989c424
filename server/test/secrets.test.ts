import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AppContext } from '../src/context.ts';
import { createContext } from '../src/create-context.ts';
import { recordDeletions } from '../src/features/audience/deletions/record-deletions.ts';
import { type CreatedAccount, createAccount } from '../src/features/team/accounts/create-account.ts';
import { createUidSecret } from '../src/features/team/accounts/create-uid-secret.ts';
import { openKey } from '../src/keys/account-keys.ts';
import { KeyProblem, resetKey, rotateKey } from '../src/keys/master-key.ts';
import { newKey } from '../src/keys/secret-box.ts';
import { createLog } from '../src/log/log.ts';
import { openAppContext, serve } from '../src/serve.ts';
import { WrongSetting } from '../src/settings/read-setting.ts';
import { readSettings } from '../src/settings/settings.ts';
import { newEmail } from './api.ts';
import { createTestDatabase, engine, type TestDatabase } from './engine.ts';

const usherFile = join(dirname(dirname(fileURLToPath(import.meta.url))), 'bin/usher.js');
const columns = ['hash_key', 'visit_key', 'uid_secret'] as const;

async function testDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(() => database.remove());
  return database;
}

type Env = Record<string, string>;

async function open(database: TestDatabase, env: Env = {}): Promise<AppContext> {
  const app = await openAppContext(readSettings({ ...database.env, ...env }), createLog('silent'));
  onTestFinished(() => app.storage.close());
  return app;
}

/** Creates an account that has all of its keys, and uses each of them. */
async function addAccount(app: AppContext): Promise<CreatedAccount & { uidSecret: string }> {
  const account = await createAccount(app, { name: 'Acme', email: newEmail() });
  const ctx = contextOf(app, account);
  const uidSecret = await createUidSecret(ctx);
  await ctx.transaction((ctx) => recordDeletions(ctx, [{ name: 'profile ann' }]));
  await app.publishedCache.account(account.account_id);
  return { ...account, uidSecret };
}

function contextOf(app: AppContext, { account_id, user_id }: CreatedAccount) {
  const actor = { id: user_id, name: 'Ann', email: 'ann@acme.test', role: 'owner' as const };
  return createContext(app, { account: { id: account_id }, actor });
}

async function storedIn(app: AppContext, { account_id }: { account_id: string }) {
  const query = app.storage
    .reader(null)
    .selectFrom('accounts')
    .select(['id', ...columns]);
  return query.where('id', '=', account_id).executeTakeFirstOrThrow();
}

/** The keys in plain text, as the server uses them. */
async function plainIn(app: AppContext, account: { account_id: string }): Promise<Record<string, string | null>> {
  const stored = await storedIn(app, account);
  return Object.fromEntries(columns.map((column) => [column, openKey(app.secretBox, stored, column)]));
}

function bytesIn(database: TestDatabase): string {
  const folder = database.env.USHER_DATA;
  const files = readdirSync(folder).filter((name) => name.startsWith('usher.db'));
  return files.map((name) => readFileSync(join(folder, name), 'latin1')).join('');
}

describe('the keys of an account', () => {
  it('encrypts the keys of an account in the database, differently each time', async () => {
    const database = await testDatabase();
    const app = await open(database);
    const [account, other] = [await addAccount(app), await addAccount(app)];
    const [stored, plain] = [await storedIn(app, account), await plainIn(app, account)];
    for (const column of columns) {
      expect(stored[column]).toMatch(/^sealed\.[0-9a-f]{16}\.[\w-]+$/);
      expect(stored[column]).not.toContain(plain[column]);
    }
    expect(plain.uid_secret).toBe(account.uidSecret);
    expect((await app.publishedCache.account(account.account_id))?.uidSecret).toBe(account.uidSecret);
    expect((await app.publishedCache.account(account.account_id))?.visitKey).toBe(plain.visit_key);
    expect(await plainIn(app, other)).not.toEqual(plain);
    if (engine === 'sqlite')
      for (const column of columns) expect(bytesIn(database)).not.toContain(String(plain[column]));
  });

  it('cannot decrypt a key in another row, in another column, or after a change', async () => {
    const app = await open(await testDatabase());
    const [account, other] = [await addAccount(app), await addAccount(app)];
    const [stored, foreign] = [await storedIn(app, account), await storedIn(app, other)];
    const read = (row: typeof stored) => openKey(app.secretBox, row, 'uid_secret');
    expect(read(stored)).toBe(account.uidSecret);
    expect(() => read({ ...stored, uid_secret: foreign.uid_secret })).toThrow();
    expect(() => read({ ...stored, uid_secret: stored.visit_key })).toThrow();
    expect(() => read({ ...stored, uid_secret: String(stored.uid_secret).replace(/.{4}$/, 'AAAA') })).toThrow();
    expect(() => read({ ...stored, uid_secret: account.uidSecret })).toThrow();
  });

  it('encrypts plain keys of an earlier version at the next start without changing them', async () => {
    const database = await testDatabase();
    const first = await open(database);
    const account = await addAccount(first);
    const plain = {
      hash_key: 'a'.repeat(64),
      visit_key: 'b'.repeat(64),
      uid_secret: `usher_uid_secret_${'c'.repeat(43)}`,
    };
    await first.storage.write(null, async (db) => {
      await db.updateTable('accounts').set(plain).where('id', '=', account.account_id).execute();
      await db.deleteFrom('installation').execute();
    });
    if (engine === 'sqlite') expect(bytesIn(database)).toContain(plain.uid_secret);
    const second = await open(database);
    const stored = await storedIn(second, account);
    for (const column of columns) expect(stored[column]).toMatch(/^sealed\./);
    expect(await plainIn(second, account)).toEqual(plain);
    if (engine === 'sqlite') for (const value of Object.values(plain)) expect(bytesIn(database)).not.toContain(value);
  });
});

describe('the master key', () => {
  const [one, other] = [newKey(), newKey()];

  it('creates one master key, readable by its owner only, when several nodes start at the same time', async () => {
    const database = await testDatabase();
    const nodes = await Promise.all(Array.from({ length: 6 }, () => open(database)));
    expect(new Set(nodes.map(({ secretBox }) => secretBox.fingerprints.join())).size).toBe(1);
    const folder = database.env.USHER_DATA;
    expect(readdirSync(folder).filter((name) => name.startsWith('master'))).toEqual(['master.key']);
    expect(statSync(join(folder, 'master.key')).mode & 0o777).toBe(0o600);
  });

  it.each(['base64', 'base64url', 'hex'] as const)('accepts a master key in %s', async (encoding) => {
    const database = await testDatabase();
    const { secretBox } = await open(database, { USHER_MASTER_KEY: Buffer.from(one, 'base64').toString(encoding) });
    expect(existsSync(join(database.env.USHER_DATA, 'master.key'))).toBe(false);
    const again = await open(database, { USHER_MASTER_KEY: one });
    expect(again.secretBox.fingerprints).toEqual(secretBox.fingerprints);
  });

  it('does not start with a different master key and says what to do', async () => {
    const database = await testDatabase();
    const app = await open(database, { USHER_MASTER_KEY: one });
    const account = await addAccount(app);
    const before = await storedIn(app, account);
    const attempt = open(database, { USHER_MASTER_KEY: other });
    await expect(attempt).rejects.toThrow(KeyProblem);
    await expect(attempt).rejects.toThrow(
      new RegExp(`master key ${app.secretBox.fingerprints[0]}, and USHER_MASTER_KEY has .* every node needs the same`),
    );
    const without = open(database);
    await expect(without).rejects.toThrow(/master\.key has none: every node needs the same key/);
    expect(existsSync(join(database.env.USHER_DATA, 'master.key'))).toBe(false);
    expect(await storedIn(app, account)).toEqual(before);
  });

  it('rotates the master key while nodes that have both keys keep running', async () => {
    const database = await testDatabase();
    const account = await addAccount(await open(database, { USHER_MASTER_KEY: one }));
    const node = await open(database, { USHER_MASTER_KEY: `${one},${other}` });
    const before = await plainIn(node, account);

    const settings = readSettings({ ...database.env, USHER_MASTER_KEY: `${other},${one}` });
    const [replaced, fingerprint] = node.secretBox.fingerprints;
    expect(await rotateKey(node.storage, settings.masterKey)).toEqual({ fingerprint, replaced, accounts: 1 });
    await expect(rotateKey(node.storage, settings.masterKey)).rejects.toThrow(
      /is the one in use: put a new one before/,
    );

    expect(await plainIn(node, account)).toEqual(before);
    // A node that was started before the rotation writes with the new key too.
    const made = await createUidSecret(contextOf(node, account));
    const alone = await open(database, { USHER_MASTER_KEY: other });
    expect(await plainIn(alone, account)).toEqual({ ...before, uid_secret: made });
    await expect(open(database, { USHER_MASTER_KEY: one })).rejects.toThrow(KeyProblem);
  });

  it('resets a lost master key together with everything encrypted with it', async () => {
    const database = await testDatabase();
    const node = await open(database, { USHER_MASTER_KEY: one });
    const account = await addAccount(node);
    const { masterKey } = readSettings({ ...database.env, USHER_MASTER_KEY: other });
    const same = readSettings({ ...database.env, USHER_MASTER_KEY: one });
    await expect(resetKey(node.storage, same.masterKey)).rejects.toThrow('the master key is not lost');
    await resetKey(node.storage, masterKey);
    const app = await open(database, { USHER_MASTER_KEY: other });
    expect(await plainIn(app, account)).toEqual({ hash_key: null, visit_key: null, uid_secret: null });
    expect((await app.publishedCache.account(account.account_id))?.visitKey).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([
    [{ USHER_MASTER_KEY: 'short' }, 'USHER_MASTER_KEY must be 32 bytes in base64 or hex'],
    [{ USHER_MASTER_KEY: `${one},` }, 'USHER_MASTER_KEY must be 32 bytes in base64 or hex'],
    [{ USHER_MASTER_KEY: one, USHER_MASTER_KEY_FILE: '/tmp/key' }, 'USHER_MASTER_KEY and USHER_MASTER_KEY_FILE'],
  ])('rejects an invalid master key in one line without repeating it', (env, message) => {
    const read = () => readSettings(env as Env);
    expect(read).toThrow(WrongSetting);
    expect(read).toThrow(message);
    expect(read).not.toThrow(one);
  });

  it('reads the master key from a separate file that must contain keys', async () => {
    const database = await testDatabase();
    const file = join(database.env.USHER_DATA, 'elsewhere.key');
    writeFileSync(file, `${other}\n${one}\n`);
    const { secretBox } = await open(database, { USHER_MASTER_KEY_FILE: file });
    expect(secretBox.fingerprints).toHaveLength(2);
    writeFileSync(file, 'nothing of that kind');
    await expect(open(database, { USHER_MASTER_KEY_FILE: file })).rejects.toThrow(/must have master keys of 32 bytes/);
  });

  it.each(['', ' \n\n'])('does not start with a master key file that contains %j', async (text) => {
    const database = await testDatabase();
    const file = join(database.env.USHER_DATA, 'empty.key');
    writeFileSync(file, text);
    const opening = open(database, { USHER_MASTER_KEY_FILE: file });
    await expect(opening).rejects.toThrow(KeyProblem);
    await expect(opening).rejects.toThrow(/empty\.key has no master key/);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
});

describe('files', () => {
  /** Runs a command as a process of its own, with a umask that would let everyone read and write. */
  function run(argv: string, env: Env): { status: number | null; out: string; err: string } {
    const script = `umask 000; exec ${process.execPath} ${usherFile} ${argv}`;
    const { status, stdout, stderr } = spawnSync('sh', ['-c', script], {
      env: { PATH: String(process.env.PATH), ...env },
      encoding: 'utf8',
    });
    return { status, out: stdout, err: stderr };
  }
  const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

  it.runIf(engine === 'sqlite')('gives files in the data folder to their owner only, whatever the umask', async () => {
    const folder = join((await testDatabase()).env.USHER_DATA, 'deep', 'data');
    expect(run('migrate', { USHER_DATA: folder })).toMatchObject({ status: 0 });
    expect(modeOf(folder)).toBe('700');
    const app = await openAppContext(readSettings({ USHER_DATA: folder }), createLog('silent'));
    onTestFinished(() => app.storage.close());
    await addAccount(app);
    const files = readdirSync(folder).sort();
    expect(files).toEqual(['master.key', 'usher.db', 'usher.db-shm', 'usher.db-wal']);
    expect(files.map((name) => modeOf(join(folder, name)))).toEqual(['600', '600', '600', '600']);
  });

  it.runIf(engine === 'sqlite')(
    'removes the permissions of others from files of an earlier version at the start',
    async () => {
      const { USHER_DATA: folder } = (await testDatabase()).env;
      expect(run('migrate', { USHER_DATA: folder })).toMatchObject({ status: 0 });
      chmodSync(folder, 0o755);
      for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
      writeFileSync(join(folder, 'notes.txt'), 'not ours');
      chmodSync(join(folder, 'notes.txt'), 0o644);
      expect(run('account list', { USHER_DATA: folder })).toMatchObject({ status: 0 });
      expect(modeOf(folder)).toBe('700');
      for (const name of readdirSync(folder))
        expect([name, modeOf(join(folder, name))]).toEqual([name, name === 'notes.txt' ? '644' : '600']);
    },
  );

  it('writes the first secret to the configured file and does not print it', async () => {
    const database = await testDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'usher-first-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'secret');
    const settings = readSettings({
      ...database.env,
      PORT: '0',
      USHER_LOG_LEVEL: 'silent',
      USHER_FIRST_SECRET_FILE: file,
    });
    let printed = '';
    const print = (text: string) => {
      printed += text;
    };
    const { address, stop } = await serve(settings, print);
    onTestFinished(() => stop());
    const secret = readFileSync(file, 'utf8').trim();
    expect(modeOf(file)).toBe('600');
    expect(printed).toContain(`account secret  in ${file}`);
    expect(printed).not.toContain(secret);
    const response = await fetch(address, { headers: { 'X-Account-Secret': secret } });
    expect(response.status).toBe(200);
  });

  it('never overwrites a secret file, and then creates no account', async () => {
    const database = await testDatabase();
    const file = join(database.env.USHER_DATA, 'secret');
    mkdirSync(database.env.USHER_DATA, { recursive: true });
    writeFileSync(file, 'kept');
    const env = { ...database.env, PORT: '0', USHER_LOG_LEVEL: 'silent', USHER_FIRST_SECRET_FILE: file };
    await expect(serve(readSettings(env), () => {})).rejects.toThrow(
      'USHER_FIRST_SECRET_FILE names a file that exists, and is not overwritten',
    );
    expect(readFileSync(file, 'utf8')).toBe('kept');
    const { storage } = await open(database);
    expect(await storage.reader(null).selectFrom('accounts').select('id').execute()).toEqual([]);
  });

  it('runs the master key commands although the server does not start', async () => {
    const { env } = await testDatabase();
    const [key, next] = [newKey(), newKey()];
    expect(run('migrate', { ...env, USHER_MASTER_KEY: key })).toMatchObject({ status: 0 });
    const rejected = run('account list', { ...env, USHER_MASTER_KEY: next });
    expect(rejected).toMatchObject({
      status: 1,
      err: expect.stringMatching(/^usher: the secrets in this database.*\n$/),
    });
    expect(run('key rotate --json', { ...env, USHER_MASTER_KEY: `${next},${key}` })).toMatchObject({
      status: 0,
      err: '',
    });
    expect(run('account list', { ...env, USHER_MASTER_KEY: next })).toMatchObject({ status: 0 });
    expect(run('key reset --json', { ...env, USHER_MASTER_KEY: key })).toMatchObject({
      status: 0,
      out: '{"reset":true}\n',
    });
    const made = run('key create --json', env);
    expect(Buffer.from(JSON.parse(made.out).master_key, 'base64')).toHaveLength(32);
  });
});
