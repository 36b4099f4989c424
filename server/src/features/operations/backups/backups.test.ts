import { readdirSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { addSignedIn } from '../../../../test/sign-in.ts';
import { FolderStore } from '../../../backup/folder-store.ts';
import { scheduleBackups } from '../../../backup/schedule-backups.ts';
import { claimWork } from '../../../backup/scheduled-state.ts';
import { createLog } from '../../../log/log.ts';
import { readSettings } from '../../../settings/settings.ts';

const PATH = '/v3/edit/backups';
const HOUR = 60 * 60_000;
const untilItHappens = { timeout: 20_000, interval: 20 };
let now: number;

beforeEach(() => {
  now = Date.parse('2029-04-07T03:00:00Z');
});

/** Starts a server. With a folder, its scheduler runs, and has made the first backup. */
async function startBackups(folder?: string): Promise<{ api: Api; stop: () => Promise<void> | undefined }> {
  const api = await startApi({ now: () => now });
  if (folder === undefined) return { api, stop: () => undefined };
  const settings = readSettings({
    ...{ PATH: process.env.PATH, ...api.database.env },
    ...{ USHER_BACKUP_TO: folder, USHER_BACKUP_KEEP: '3' },
  });
  const scheduler = scheduleBackups(api.app, settings, createLog('silent'), join(settings.data, 'forgotten.jsonl'));
  scheduler?.start();
  await scheduler?.check();
  onTestFinished(async () => scheduler?.stop());
  return { api, stop: () => scheduler?.stop() };
}

async function newBackupFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'usher-backups-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await new FolderStore(folder).create();
  return folder;
}

const filesIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('usher-'));
/** The account that was created first. */
const firstAccount = async ({ app }: Api) =>
  (await app.storage.reader(null).selectFrom('accounts').select('id').orderBy('id').executeTakeFirst())?.id ?? '';
const signInFirst = async (api: Api) =>
  (await addSignedIn(api, 'owner', { accountId: await firstAccount(api) })).browser;

describe('backups', () => {
  it('are listed with their size, until when they are kept, and the command that restores them', async () => {
    const folder = await newBackupFolder();
    const { api } = await startBackups(folder);
    const owner = await signInFirst(api);
    const { status, body } = await owner.get(PATH);
    expect([status, body.backups.place, body.backups.every_hours, body.backups.keep]).toEqual([200, folder, 24, 3]);
    const [name = ''] = filesIn(folder);
    const isSqlite = body.backups.engine === 'sqlite';
    expect(body.backups.list).toEqual([
      {
        name,
        created_at: '2029-04-07T03:00:00.000Z',
        bytes: expect.any(Number),
        kept_until: '2029-04-10T03:00:00.000Z',
        restore_command: `npx usher restore ${folder}/${name}${isSqlite ? '' : ' --force'}`,
      },
    ]);
    expect(body.backups.list[0].bytes).toBeGreaterThan(10_000);
  });

  it('are made now, with an entry in the audit log', async () => {
    const folder = await newBackupFolder();
    const { api } = await startBackups(folder);
    const owner = await signInFirst(api);
    const tooEarly = await owner.post(PATH);
    expect([tooEarly.status, tooEarly.body.messages]).toEqual([409, [expect.stringContaining('ten minutes')]]);
    now += HOUR;
    const started = await owner.post(PATH);
    expect(started.status).toBe(202);
    await vi.waitFor(async () => {
      const { body } = await owner.get(PATH);
      expect([body.backups.running, body.backups.list.length]).toEqual([null, 2]);
    }, untilItHappens);
    expect(filesIn(folder)).toHaveLength(2);
    const { body } = await owner.get('/v3/analyze/audit_entries');
    expect(body.audit_entries[0]).toMatchObject({ action: 'backup.create', details: { place: folder } });
  });

  it('are not made twice at a time', async () => {
    const { api } = await startBackups(await newBackupFolder());
    const owner = await signInFirst(api);
    now += HOUR;
    expect(await claimWork(api.app, 'scheduled_backup', 0)).toBe(true);
    expect((await owner.get(PATH)).body.backups.running).toEqual({ bytes: 0 });
    const second = await owner.post(PATH);
    expect([second.status, second.body.messages]).toEqual([
      409,
      ['A backup is being made already: wait until it is complete'],
    ]);
  });

  it('say what is wrong when there is no place, or it cannot be read', async () => {
    const without = await startBackups();
    const owner = await signInFirst(without.api);
    expect((await owner.get(PATH)).body.backups).toMatchObject({ place: null, list: [], problem: null });
    const rejected = await owner.post(PATH);
    expect([rejected.status, rejected.body.messages[0]]).toEqual([409, expect.stringContaining('USHER_BACKUP_TO')]);
    const folder = await newBackupFolder();
    const { api } = await startBackups(folder);
    rmSync(folder, { recursive: true });
    const { body } = await (await signInFirst(api)).get(PATH);
    expect(body.backups).toMatchObject({ list: [], problem: expect.stringContaining('does not exist') });
  });

  it('are only for owners of the account that was created first', async () => {
    const { api } = await startBackups(await newBackupFolder());
    const others = (
      await api.app.storage.reader(null).selectFrom('accounts').select('id').orderBy('id').execute()
    ).slice(1);
    expect(others.length).toBeGreaterThan(0);
    const editor = (await addSignedIn(api, 'editor', { accountId: await firstAccount(api) })).browser;
    const stranger = (await addSignedIn(api, 'owner', { accountId: others[0]?.id ?? '' })).browser;
    now += HOUR;
    for (const browser of [editor, stranger])
      for (const method of ['GET', 'POST']) expect((await browser.send(method, PATH)).status).toBe(403);
    expect((await api.get(PATH)).status).toBeGreaterThanOrEqual(400);
    expect((await api.get(PATH, { as: null })).status).toBe(401);
  });
});
