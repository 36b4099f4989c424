import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FolderStore } from '../../server/src/backup/folder-store.ts';
import { scheduleBackups } from '../../server/src/backup/schedule-backups.ts';
import type { BackupScheduler } from '../../server/src/backup/scheduler.ts';
import { createLog } from '../../server/src/log/log.ts';
import { readSettings } from '../../server/src/settings/settings.ts';
import { addSignedIn } from '../../server/test/sign-in.ts';
import { type Dashboard, startOwnDashboard } from './browser.ts';
import { expectGoodLook, expectGoodLooks } from './looks.ts';

const PATH = '/app/settings/backups';
const folder = mkdtempSync(join(tmpdir(), 'usher-backups-'));
let dashboard: Dashboard;
let scheduler: BackupScheduler | undefined;
beforeAll(async () => {
  dashboard = await startOwnDashboard();
  await new FolderStore(folder).create();
});
afterAll(async () => {
  await scheduler?.stop();
  await dashboard.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens the page as an owner of the account that was created first. */
async function open() {
  const { app } = dashboard.api;
  const first = await app.storage.reader(null).selectFrom('accounts').select('id').orderBy('id').executeTakeFirst();
  const admin = await addSignedIn(dashboard.api, 'owner', { accountId: first?.id ?? '' });
  return dashboard.open(PATH, { admin });
}

it('says how to set up backups, then lists them, makes one, and shows the command that restores it', async () => {
  const page = await open();
  await page.getByText('No backups are made automatically').waitFor();
  await expectGoodLook(page, 'backups-none-light');

  const { api } = dashboard;
  const settings = readSettings({ PATH: process.env.PATH, ...api.database.env, USHER_BACKUP_TO: folder });
  scheduler = scheduleBackups(api.app, settings, createLog('silent'), join(settings.data, 'forgotten.jsonl'));
  scheduler?.start();
  await scheduler?.check();
  await page.reload();
  const rows = page.getByRole('grid', { name: 'Backups' }).getByRole('row');
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByRole('button', { name: 'Back up now' }).click();
  await page.getByText('The last backup is less than ten minutes old').waitFor();

  // The clock of this server is that of the machine, so an earlier backup has to look older.
  await api.app.storage.write(null, (db) =>
    db.updateTable('installation').set({ value: '{}' }).where('name', '=', 'scheduled_backup').execute(),
  );
  await page.reload();
  await page.getByRole('button', { name: 'Back up now' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => rows.count(), { timeout: 15_000 }).toBe(3);
  await expectGoodLooks(page, 'backups');

  await page
    .getByRole('button', { name: /^Restore the backup of/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Restore a backup' });
  await dialog.getByText(/npx usher restore .*usher-\d{4}.*\.db/).waitFor();
  await dialog.getByText('Webhooks are paused until you let them send again.').waitFor();
  await expectGoodLooks(page, 'backups-restore', '[role=dialog]');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

it('says to owners of other accounts who sees backups', async () => {
  const { app } = dashboard.api;
  const accounts = await app.storage.reader(null).selectFrom('accounts').select('id').orderBy('id').execute();
  const admin = await addSignedIn(dashboard.api, 'owner', { accountId: accounts.at(-1)?.id ?? '' });
  const page = await dashboard.open(PATH, { admin });
  await page.getByText('only owners of the account that was created first see them').waitFor();
  expect(await page.getByRole('button', { name: 'Back up now' }).count()).toBe(0);
});
