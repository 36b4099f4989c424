import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { type Api, startApi } from '../../test/api.ts';
import { engine } from '../../test/engine.ts';
import { BUCKET, type S3Server, startS3 } from '../../test/s3-server.ts';
import { runCommand } from '../cli/cli.ts';
import { createLog } from '../log/log.ts';
import { DELETION_LOG } from '../serve.ts';
import { readSettings } from '../settings/settings.ts';
import { FolderStore } from './folder-store.ts';
import { scheduleBackups } from './schedule-backups.ts';
import { isDue } from './scheduled-state.ts';
import type { BackupScheduler } from './scheduler.ts';
import { openStore } from './store.ts';

const HOUR = 60 * 60_000;

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'usher-scheduled-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates a folder for backups, as an operator who begins to use it. */
async function newBackupFolder(): Promise<string> {
  const folder = newFolder();
  await new FolderStore(folder).create();
  return folder;
}

const visibleFiles = (folder: string) => readdirSync(folder).filter((name) => name !== '.usher-backups');

function schedule(api: Api, env: NodeJS.ProcessEnv): BackupScheduler {
  const settings = readSettings({ PATH: process.env.PATH, ...api.database.env, ...env });
  const log = join(settings.data, DELETION_LOG);
  const scheduler = scheduleBackups(api.app, settings, createLog('silent'), log) as BackupScheduler;
  onTestFinished(() => scheduler.stop());
  return scheduler;
}

async function usher(env: NodeJS.ProcessEnv, ...argv: string[]): Promise<string> {
  let out = '';
  const print = (text: string) => {
    out += text;
  };
  await runCommand(
    argv,
    { PATH: process.env.PATH, ...env },
    { print, printError: print, untilStopped: async () => {} },
  );
  return out;
}

/** A database from the outside may be one of Citus, which pg_dump cannot copy. */
const canDump = engine === 'sqlite' || (inject('canCopyDatabases') && spawnSync('pg_dump', ['--version']).status === 0);

describe.runIf(canDump)('scheduled backups', () => {
  it('are made on time by one of several nodes, and the oldest are removed', async () => {
    const clock = { now: Date.parse('2029-04-07T12:00:00Z') };
    const api = await startApi({ now: () => clock.now });
    const beside = await startApi({ beside: api, now: () => clock.now });
    const folder = await newBackupFolder();
    const env = { USHER_BACKUP_TO: folder, USHER_BACKUP_EVERY: '2', USHER_BACKUP_KEEP: '2' };
    const nodes = [schedule(api, env), schedule(beside, env)];
    const checkAll = () => Promise.all(nodes.map((node) => node.check()));
    for (let hour = 0; hour < 7; hour++) {
      await checkAll();
      clock.now += HOUR;
    }
    // The other node sees the last backup when it looks again.
    await checkAll();
    const end = engine === 'sqlite' ? 'db' : 'dump';
    expect(visibleFiles(folder).sort()).toEqual([
      `usher-2029-04-07T16-00-00Z.${end}`,
      `usher-2029-04-07T18-00-00Z.${end}`,
    ]);
    expect(api.app.backups).toMatchObject({ last: { at: Date.parse('2029-04-07T18:00:00Z') }, lastError: undefined });
    const listed = await usher({ ...api.database.env, ...env }, 'backup', 'list', '--json');
    expect(JSON.parse(listed)).toMatchObject([
      { backup: join(folder, `usher-2029-04-07T18-00-00Z.${end}`) },
      { backup: join(folder, `usher-2029-04-07T16-00-00Z.${end}`) },
    ]);
  });

  it('say that they failed, keep the old ones, and are tried again', async () => {
    const clock = { now: Date.parse('2029-04-07T12:00:00Z') };
    const api = await startApi({ now: () => clock.now });
    const folder = newFolder();
    await new FolderStore(join(folder, 'to')).create();
    const node = schedule(api, { USHER_BACKUP_TO: join(folder, 'to'), USHER_BACKUP_KEEP: '1' });
    await node.check();
    renameSync(join(folder, 'to'), join(folder, 'kept'));
    writeFileSync(join(folder, 'to'), 'a file instead of a folder');
    clock.now += 24 * HOUR;
    await node.check();
    expect(api.app.backups).toMatchObject({ last: { at: clock.now - 24 * HOUR }, lastError: { at: clock.now } });
    expect((await api.get('/v3/analyze/health')).body.health.backups.failed_at).toBe('2029-04-08T12:00:00.000Z');
    rmSync(join(folder, 'to'));
    renameSync(join(folder, 'kept'), join(folder, 'to'));
    clock.now += HOUR / 2;
    await node.check();
    expect(api.app.backups).toMatchObject({ last: { at: clock.now }, lastError: undefined });
  });

  it('fail in a folder that does not exist or holds nothing of Usher, until usher backup --to has used it', async () => {
    const clock = { now: Date.parse('2029-04-07T12:00:00Z') };
    const api = await startApi({ now: () => clock.now });
    const { env } = api.database;
    const parent = newFolder();
    const folder = join(parent, 'not', 'mounted');
    const node = schedule(api, { USHER_BACKUP_TO: folder });
    const attempt = async () => {
      clock.now += HOUR;
      await node.check();
      return api.app.backups.lastError?.message;
    };
    expect(await attempt()).toContain(`the folder ${folder} does not exist: mount its disk, or`);
    expect(readdirSync(parent)).toEqual([]);
    const health = () => api.get('/v3/analyze/health').then(({ body }) => body.health.checks);
    expect(await health()).toContainEqual(expect.objectContaining({ name: 'backups', state: 'attention' }));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'notes.txt'), '');
    expect(await attempt()).toContain(`${folder} has no backup of Usher yet: mount its disk, or`);
    expect(await usher({ ...env, USHER_BACKUP_TO: folder }, 'doctor')).toContain('No backup can be made: the folder');
    expect(readdirSync(folder)).toEqual(['notes.txt']);

    const made = JSON.parse(await usher(env, 'backup', '--to', folder, '--json'));
    expect(existsSync(made.file)).toBe(true);
    expect(await attempt()).toBeUndefined();
    expect(await usher({ ...env, USHER_BACKUP_TO: folder }, 'doctor')).toMatch(/^ok +backups/m);
    // A folder with earlier backups is used as it is, and so is a folder whose backups were moved away.
    rmSync(join(folder, '.usher-backups'));
    clock.now += 24 * HOUR;
    expect(await attempt()).toBeUndefined();
    for (const name of readdirSync(folder).filter((name) => name.startsWith('usher-'))) rmSync(join(folder, name));
    clock.now += 24 * HOUR;
    expect(await attempt()).toBeUndefined();
  });

  it('are also made by usher backup --to in a new folder, and only there', async () => {
    const { database } = await startApi();
    const folder = join(newFolder(), 'new', 'folder');
    const { file } = JSON.parse(await usher(database.env, 'backup', '--to', folder, '--json'));
    expect(readdirSync(folder).map((name) => join(folder, name))).toContain(file);
    for (const argv of [
      ['list', '--to', folder],
      ['x.db', '--to', folder],
      ['--to', 's3://bk/prod'],
    ])
      expect(await usher(database.env, 'backup', ...argv)).toMatch(/^usher: /);
  });

  it('remove only their own files, and never the new one', async () => {
    const clock = { now: Date.parse('2029-04-07T12:00:00Z') };
    const api = await startApi({ now: () => clock.now });
    const folder = newFolder();
    const end = engine === 'sqlite' ? 'db' : 'dump';
    // The clock was set back after these backups.
    const later = ['01', '02'].map((day) => `usher-2030-01-${day}T00-00-00Z.${end}`);
    const others = ['.notes.0123456789ab.part', '.usher-0123456789ab.part', 'usher-2028.db', `old ${later[0]}`];
    mkdirSync(join(folder, '.usher-ba9876543210.part'));
    for (const name of [...later, ...others]) writeFileSync(join(folder, name), '');
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), 0, 0);
    await schedule(api, { USHER_BACKUP_TO: folder, USHER_BACKUP_KEEP: '2' }).check();
    expect(visibleFiles(folder).sort()).toEqual([
      '.notes.0123456789ab.part',
      '.usher-ba9876543210.part',
      `old ${later[0]}`,
      'usher-2028.db',
      `usher-2029-04-07T12-00-00Z.${end}`,
      later[1],
    ]);
  });

  it.each([
    [{}, true],
    [{ last: { at: 0, bytes: 1, name: '' } }, true],
    [{ last: { at: 1, bytes: 1, name: '' } }, false],
    [{ claimed_at: 24 * HOUR - 60_000 }, false],
    [{ claimed_at: 23 * HOUR }, true],
    [{ error: { at: 24 * HOUR - 60_000, message: '' } }, false],
    [{ error: { at: 23 * HOUR, message: '' } }, true],
    // The clock was ahead when this backup was made.
    [{ last: { at: 90 * HOUR, bytes: 1, name: '' } }, true],
    [{ error: { at: 90 * HOUR, message: '' } }, true],
    [{ claimed_at: 90 * HOUR }, true],
  ])('with %j: due is %s', (state, expected) => {
    expect(isDue(state, 24 * HOUR, 24 * HOUR)).toBe(expected);
  });
});

describe.runIf(engine === 'sqlite')('backups on S3', () => {
  const envOf = (s3: S3Server) => ({ ...s3.keys, USHER_BACKUP_TO: `s3://${BUCKET}/my prefix/a+b` });

  it('are uploaded, listed and restored elsewhere, and who was forgotten since is forgotten again', async () => {
    const s3 = await startS3();
    const api = await startApi();
    const env = envOf(s3);
    const node = schedule(api, env);
    for (const uid of ['canary-ann', 'bob']) await api.post('/v3/observe/hooks/profiles', { uid });
    node.start();
    await node.check();
    const [key = ''] = s3.objects.keys();
    expect(key).toMatch(/^my prefix\/a\+b\/usher-.*\.db$/);
    await api.send('DELETE', '/v3/edit/profiles/forget?uid=canary-ann');
    expect([...s3.objects.keys()].filter((name) => name.includes('forgotten'))).toHaveLength(1);

    const other = { USHER_DATA: newFolder(), ...env };
    copyFileSync(join(api.database.env.USHER_DATA, 'master.key'), join(other.USHER_DATA, 'master.key'));
    const [{ backup }] = JSON.parse(await usher(other, 'backup', 'list', '--json'));
    expect(backup).toBe(`s3://${BUCKET}/${key}`);
    expect(JSON.parse(await usher(other, 'restore', backup, '--json'))).toMatchObject({ forgotten_again: 1 });
    expect(readFileSync(join(other.USHER_DATA, 'usher.db')).includes('canary')).toBe(false);
    expect(readFileSync(join(other.USHER_DATA, 'usher.db')).includes('bob')).toBe(true);
    expect(readdirSync(other.USHER_DATA).filter((name) => /load/.test(name))).toEqual([]);
  });

  it('are uploaded in parts, and nothing is left of an upload that failed', async () => {
    const s3 = await startS3();
    const settings = readSettings({ USHER_DATA: newFolder(), ...envOf(s3) });
    const store = openStore({ bucket: BUCKET, prefix: '' }, settings);
    const content = Buffer.alloc(40 * 1024 * 1024, 'usher');
    const make = async (file: string) => writeFileSync(file, content);
    await store.save('large.db', make);
    expect(s3.objects.get('large.db')?.equals(content)).toBe(true);
    s3.failWith = ({ url }) => (url?.includes('partNumber=2') ? 400 : undefined);
    await expect(store.save('broken.db', make)).rejects.toThrow('rejected');
    expect([s3.objects.has('broken.db'), s3.uploads.size]).toEqual([false, 0]);
    expect(readdirSync(settings.data)).toEqual([]);
  });

  it('do not delay a forget, and get it later, while the storage is down', async () => {
    const s3 = await startS3();
    const api = await startApi();
    const node = schedule(api, envOf(s3));
    node.start();
    await node.check();
    s3.failWith = () => 403;
    await api.post('/v3/observe/hooks/profiles', { uid: 'ann' });
    expect((await api.send('DELETE', '/v3/edit/profiles/forget?uid=ann')).status).toBe(200);
    s3.failWith = () => undefined;
    await vi.waitFor(
      async () => {
        await node.publishLog();
        expect([...s3.objects.keys()].some((name) => name.includes('forgotten'))).toBe(true);
      },
      { timeout: 10_000 },
    );
    expect(existsSync(join(api.database.env.USHER_DATA, DELETION_LOG))).toBe(true);
  });

  it('end with an error if the storage sends without end', async () => {
    const s3 = await startS3();
    const store = openStore({ bucket: BUCKET, prefix: '' }, readSettings({ USHER_DATA: newFolder(), ...envOf(s3) }));
    const next = '<NextContinuationToken>again</NextContinuationToken>';
    for (const [answer, message] of [
      [`<ListBucketResult>${next}`, 'does not end'],
      ['<Contents>'.repeat(900_000), 'more than 8 MB'],
      ['<html>Welcome</html>', 'is no S3 storage: check USHER_S3_ENDPOINT'],
    ] as const) {
      s3.answerWith = () => answer;
      await expect(store.list()).rejects.toThrow(message);
    }
    s3.answerWith = () => `<ListBucketResult>${'<Contents>'.repeat(800_000)}`;
    expect(await store.list()).toEqual([]);
    s3.answerWith = () => 'x'.repeat(1000);
    const file = join(newFolder(), 'fetched');
    for (const bytes of [999, 1001]) {
      await expect(store.fetchTo('backup.db', file, bytes)).rejects.toThrow(`${bytes} bytes`);
      rmSync(file, { force: true });
    }
  });

  it('say what is wrong with the storage', async () => {
    const s3 = await startS3();
    const api = await startApi();
    const node = schedule(api, { ...envOf(s3), USHER_S3_SECRET_KEY: 'wrong' });
    await node.check();
    expect(api.app.backups.lastError?.message).toContain('403 SignatureDoesNotMatch');
    expect(JSON.stringify(api.app.backups)).not.toContain('wrong');
  });
});
