import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createApp } from '../../server/src/app.ts';
import { createLog } from '../../server/src/log/log.ts';
import { openAppContext } from '../../server/src/serve.ts';
import { readSettings } from '../../server/src/settings/settings.ts';
import { lockDatabase } from '../../server/test/lock-database.ts';
import { addSignedIn, PASSWORD } from '../../server/test/sign-in.ts';
import { builtDashboard, type Dashboard, startOwnDashboard, takePicture } from './browser.ts';

const REQUESTS_PER_MINUTE = 60;

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startOwnDashboard({ USHER_LIMIT_PER_SECRET: String(REQUESTS_PER_MINUTE) });
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

const PATH = '/app/settings/account';
const nameField = (page: Page) => page.getByRole('textbox', { name: 'Account name' });
const save = (page: Page) => page.getByRole('button', { name: 'Save account' });
const accountName = async () => (await dashboard.api.get('/v3/edit/account')).body.account.name;

/** Another server on the same database, which a test can stop and start again at the same port. */
async function startNode(port = 0): Promise<{ url: string; port: number; stop(): Promise<void> }> {
  const settings = readSettings({ ...dashboard.api.database.env });
  const log = createLog('silent');
  const app = await openAppContext(settings, log);
  const http = createApp(app, { ...settings, dashboard: builtDashboard }, log);
  const url = await http.listen({ host: '127.0.0.1', port });
  let isStopped = false;
  const stop = async () => {
    if (isStopped) return;
    isStopped = true;
    await http.close();
    await app.storage.close();
  };
  onTestFinished(stop);
  return { url, port: Number(new URL(url).port), stop };
}

describe('a server that stops', () => {
  it('is noticed while saving, keeps what was typed, and saves it after the restart', async () => {
    const node = await startNode();
    const page = await dashboard.open('/app');
    await page.goto(node.url + PATH);
    await nameField(page).fill('Typed before the stop');
    await node.stop();
    await save(page).click();
    await page.getByText('No connection to the server.').waitFor();
    await page.getByRole('alert').filter({ hasText: 'The server cannot be reached' }).waitFor();
    await takePicture(page, 'faults-lost-light');
    expect(await nameField(page).inputValue()).toBe('Typed before the stop');
    await startNode(node.port);
    await page.getByRole('button', { name: 'Try now' }).click();
    await page.getByText('The connection is back').waitFor();
    expect(await nameField(page).inputValue()).toBe('Typed before the stop');
    await save(page).click();
    await page.getByText('Saved: Account name').waitFor();
    expect(await accountName()).toBe('Typed before the stop');
  });

  it('is found again without a click, and the page is loaded again', async () => {
    const node = await startNode();
    const page = await dashboard.open('/app');
    await page.goto(`${node.url}/app/settings/profile`);
    await page.getByLabel('Name').waitFor();
    await node.stop();
    await page.getByRole('link', { name: 'Languages' }).click();
    await page.getByText('No connection to the server.').waitFor();
    await startNode(node.port);
    await page.getByText('The connection is back').waitFor();
    await page.getByRole('button', { name: 'Add language' }).waitFor();
    expect(await page.getByText('No connection to the server.').count()).toBe(0);
  });
});

describe('a session that ends while somebody types', () => {
  it('asks for the password, loses nothing, and saves', async () => {
    const admin = await addSignedIn(dashboard.api, 'owner');
    const page = await dashboard.open(PATH, { admin });
    await nameField(page).fill('Typed before the end');
    await dashboard.api.app.storage.write(null, (db) =>
      db.updateTable('sessions').set({ ended_at: Date.now() }).where('person_id', '=', admin.personId).execute(),
    );
    await save(page).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel(/^Password/).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('Saved: Account name').waitFor();
    expect(await nameField(page).inputValue()).toBe('Typed before the end');
    expect(await accountName()).toBe('Typed before the end');
  });

  it('keeps what was typed when the person is removed from the account', async () => {
    const admin = await addSignedIn(dashboard.api, 'owner');
    const page = await dashboard.open(PATH, { admin });
    await nameField(page).fill('Typed before the removal');
    expect((await dashboard.api.send('DELETE', `/v3/edit/admins/${admin.id}`)).status).toBe(200);
    await save(page).click();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await nameField(page).inputValue()).toBe('Typed before the removal');
    expect(await accountName()).toBe('Acme');
  });
});

describe('too many requests', () => {
  it('shows how long to wait, counts that down, and keeps what was typed', async () => {
    const page = await dashboard.open(PATH);
    await nameField(page).fill('Typed too fast');
    const statuses = await page.evaluate(
      (count) => Promise.all(Array.from({ length: count }, () => fetch('/v3/session').then(({ status }) => status))),
      REQUESTS_PER_MINUTE + 10,
    );
    expect(statuses).toContain(429);
    await save(page).click();
    const notice = page.getByRole('alert').filter({ hasText: 'Too many requests' });
    const seconds = async () => Number(/Try again in (\d+) s/.exec(await notice.innerText())?.[1]);
    await notice.getByText(/Try again in \d+ s/).waitFor();
    const first = await seconds();
    await takePicture(page, 'faults-limited-light');
    await expect.poll(seconds, { timeout: 10_000 }).toBeLessThan(first - 1);
    expect(await nameField(page).inputValue()).toBe('Typed too fast');
  });
});

describe('a database that cannot be written', () => {
  it('is explained, keeps what was typed, and saves when it is back', async () => {
    const page = await dashboard.open(PATH);
    await nameField(page).fill('Typed while locked');
    const unlock = lockDatabase(dashboard.api.database.env);
    await save(page).click();
    await page.getByRole('alert').filter({ hasText: 'The server cannot reach its database' }).waitFor();
    await takePicture(page, 'faults-unavailable-light');
    expect(await nameField(page).inputValue()).toBe('Typed while locked');
    unlock();
    await save(page).click();
    await page.getByText('Saved: Account name').waitFor();
    expect(await accountName()).toBe('Typed while locked');
  });
});

describe('a role that was changed meanwhile', () => {
  it('is explained instead of failing silently', async () => {
    const admin = await addSignedIn(dashboard.api, 'owner');
    const page = await dashboard.open(PATH, { admin });
    await nameField(page).fill('No longer mine');
    await dashboard.api.app.storage.write(null, (db) =>
      db.updateTable('admins').set({ role: 'viewer' }).where('id', '=', admin.id).execute(),
    );
    await save(page).click();
    await page.getByRole('alert').filter({ hasText: 'You may not do this' }).waitFor();
    expect(await nameField(page).inputValue()).toBe('No longer mine');
  });
});
