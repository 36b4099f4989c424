import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  addSignedIn,
  Browser,
  forgetConfirmation,
  PASSWORD,
  storeSession,
  type TestAdmin,
} from '../../server/test/sign-in.ts';
import { accessibilityProblems, type Dashboard, focused, startDashboard, takePicture } from './browser.ts';

let dashboard: Dashboard;
let owner: TestAdmin;
/** The session of the same owner in another browser, because a page gets a new cookie when the password is given. */
let elsewhere: Browser;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());
beforeEach(async () => {
  await dashboard.api.replaceAccounts();
  owner = await addSignedIn(dashboard.api, 'owner');
  const { account_id } = dashboard.api.account;
  elsewhere = new Browser(dashboard.api, await storeSession(dashboard.api, owner.personId, account_id));
  for (const { id } of await listSecrets()) await elsewhere.delete(`/v3/edit/secrets/${id}`);
});

const path = '/app/settings/secrets';
const DAY = 24 * 60 * 60_000;
const listSecrets = async () => (await elsewhere.get('/v3/edit/secrets')).body.secrets;
const addSecret = async (params: object) =>
  (await elsewhere.post('/v3/edit/secrets', { name: 'Export', scope: 'read', ...params })).body.secret;
const expireNow = ({ id }: { id: string }) =>
  dashboard.api.app.storage.write(null, (db) =>
    db
      .updateTable('secrets')
      .set({ expires_at: Date.now() - DAY })
      .where('id', '=', id)
      .execute(),
  );
const openSecrets = (options: object = {}) => dashboard.open(path, { admin: owner, ...options });
const createSecret = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Create secret' });

describe('API secrets', () => {
  it('say when they expire', async () => {
    await addSecret({ name: 'Reports', expires_at: '+10d' });
    await expireNow(await addSecret({ name: 'Old script', scope: 'all', expires_at: '+1d' }));
    const page = await openSecrets();
    await page.getByText('Expired', { exact: true }).waitFor();
    await page.getByText('in 10 days', { exact: true }).waitFor();
  });

  it('say what they may do in words, from where, when they were used and who made them', async () => {
    const { secret } = await addSecret({ name: 'Import', scope: 'ingest', networks: ['127.0.0.0/8'] });
    await dashboard.api.post('/v3/observe/hooks/profiles', { uid: 'a' }, { as: { account_secret: secret } });
    await expect.poll(async () => (await listSecrets())[0].last_used_at).not.toBe(null);
    const page = await openSecrets();
    const row = page.getByRole('row').filter({ hasText: 'Import' });
    for (const said of ['Sends users, Companies and events, and reads nothing', '127.0.0.0/8', 'Kim owner', 'Never'])
      await row.getByText(said).waitFor();
    expect(await row.locator('time').count()).toBe(1);
  });

  it('are explained if there are none, with the next step', async () => {
    const page = await openSecrets();
    await page.getByText('No program uses the API yet').waitFor();
    await page.getByRole('button', { name: 'New API secret' }).click();
    await page.getByRole('dialog', { name: 'New API secret' }).waitFor();
  });
});

describe('making a secret', () => {
  it('works by mouse, shows it once, and does not close before it is stored', async () => {
    const page = await openSecrets();
    await page.getByRole('button', { name: 'New API secret' }).click();
    const dialog = page.getByRole('dialog', { name: 'New API secret' });
    await dialog.getByLabel('Name').fill('Nightly import');
    await dialog.getByText('Send data', { exact: true }).click();
    await dialog.getByLabel('Networks').fill('192.0.2.0/24\n198.51.100.7');
    expect(await accessibilityProblems(page, '[role=dialog]')).toEqual([]);
    await takePicture(page, 'secrets-create-light');
    await createSecret(page).click();
    const shown = page.getByRole('dialog', { name: 'Store this secret now' });
    await shown.waitFor();
    expect(await accessibilityProblems(page, '[role=dialog]')).toEqual([]);
    await takePicture(page, 'secrets-shown-light');
    await page.keyboard.press('Escape');
    await shown.getByText('No one can show this secret again.').waitFor();
    await shown.getByRole('button', { name: 'Copy' }).click();
    await shown.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    await shown.getByRole('button', { name: 'I have stored it' }).click();
    await shown.waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: 'Nightly import' }).waitFor();
    expect(await page.content()).not.toContain(copied);
    const [secret] = await listSecrets();
    expect(secret).toMatchObject({ scope: 'ingest', networks: ['192.0.2.0/24', '198.51.100.7'] });
    const days = (Date.parse(secret.expires_at) - Date.now()) / DAY;
    expect(Math.round(days)).toBe(90);
  });

  it('works by keyboard alone, and the secret works', async () => {
    const page = await openSecrets();
    await page.getByText('No program uses the API yet').waitFor();
    await page.keyboard.press('c');
    await page.getByRole('dialog', { name: 'New API secret' }).waitFor();
    expect(await focused(page)).toBe('input Name');
    await page.keyboard.type('Reports');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('button Copy');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const account_secret = await page.evaluate(() => navigator.clipboard.readText());
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('button I have stored it');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await dashboard.api.get('/v3/edit/urls', { as: { account_secret } })).status).toBe(200);
  });

  it('says at the field what is wrong, before it asks for the password', async () => {
    await forgetConfirmation(dashboard.api, owner.personId);
    const page = await openSecrets();
    await page.getByRole('button', { name: 'New API secret' }).click();
    await page.getByLabel('Networks').fill('192.0.2.0/24, localhost');
    await page.getByRole('button', { name: /^In 90 days/ }).click();
    await page.getByRole('option', { name: 'On a date' }).click();
    await page.getByRole('textbox', { name: 'Date' }).fill('2001-01-01');
    await createSecret(page).click();
    await page.getByText('“localhost” is no address and no network.').waitFor();
    await page.getByText('Say what it is for.').waitFor();
    await page.getByText('Choose a day in the future.').waitFor();
    expect(await accessibilityProblems(page, '[role=dialog]')).toEqual([]);
    await takePicture(page, 'secrets-wrong-light');
    await page.getByLabel('Networks').fill('192.0.2.0/24');
    await page.getByLabel('Name').fill('Reports');
    await page.getByRole('textbox', { name: 'Date' }).fill('2099-12-31');
    await createSecret(page).click();
    await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor();
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Store this secret now' }).waitFor();
    expect((await listSecrets())[0].expires_at).toBe('2099-12-31T23:59:59.999Z');
  });

  it('keeps what was typed if the password is not given', async () => {
    await forgetConfirmation(dashboard.api, owner.personId);
    const page = await openSecrets();
    await page.getByRole('button', { name: 'New API secret' }).click();
    await page.getByLabel('Name').fill('Kept');
    await createSecret(page).click();
    await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'New API secret' }).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Kept');
    expect(await listSecrets()).toEqual([]);
  });
});

describe('revoking a secret', () => {
  it('needs its name to be typed, and takes effect immediately', async () => {
    const { secret } = await addSecret({ name: 'Nightly export' });
    const page = await openSecrets();
    await page.getByRole('button', { name: 'Revoke Nightly export' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Revoke API secret' });
    const button = dialog.getByRole('button', { name: 'Revoke secret' });
    await dialog.getByText('This cannot be undone.').waitFor();
    expect(await button.isDisabled()).toBe(true);
    expect(await accessibilityProblems(page, '[role=alertdialog]')).toEqual([]);
    await takePicture(page, 'secrets-revoke-light');
    await page.keyboard.type('Nightly export');
    await page.keyboard.press('Enter');
    await page.getByText('Nightly export was revoked').waitFor();
    await page.getByText('No program uses the API yet').waitFor();
    expect((await dashboard.api.get('/v3/edit/urls', { as: { account_secret: secret } })).status).toBe(403);
  });

  it('names the secrets that stop with it, and keeps them if that is chosen', async () => {
    for (const keeps of [false, true]) {
      const name = keeps ? 'Second' : 'First';
      const parent = await addSecret({ name, scope: 'all' });
      const as = { account_secret: parent.secret };
      const params = { name: `Child of ${name}`, scope: 'read' };
      const child = (await dashboard.api.post('/v3/edit/secrets', params, { as })).body.secret;
      const page = await openSecrets();
      await page.getByRole('button', { name: `Revoke ${name}`, exact: true }).click();
      const dialog = page.getByRole('alertdialog', { name: 'Revoke API secret' });
      await dialog.getByText(`which stop with it: “Child of ${name}”`).waitFor();
      expect(await accessibilityProblems(page, '[role=alertdialog]')).toEqual([]);
      await takePicture(page, 'secrets-revoke-children-light');
      if (keeps) await dialog.getByText('Keep the secrets that it has made').click();
      await dialog.getByRole('textbox').fill(name);
      await dialog.getByRole('button', { name: 'Revoke secret' }).click();
      await page.getByText(`${name} was revoked`).waitFor();
      const { status } = await dashboard.api.get('/', { as: { account_secret: child.secret } });
      expect([name, status]).toEqual([name, keeps ? 200 : 403]);
    }
  });

  it('says that it is gone if somebody else has revoked it', async () => {
    const { id } = await addSecret({ name: 'Gone' });
    const page = await openSecrets();
    await page.getByRole('button', { name: 'Revoke Gone' }).click();
    await elsewhere.delete(`/v3/edit/secrets/${id}`);
    await page.keyboard.type('Gone');
    await page.keyboard.press('Enter');
    await page.getByText('This is gone').waitFor();
    await page.getByText('No program uses the API yet').waitFor();
  });
});

it('explains to an editor that secrets are for owners', async () => {
  const page = await dashboard.open(path, { as: 'editor' });
  await page.getByText('Owners see this page').waitFor();
  expect(await page.getByRole('link', { name: 'API secrets' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'New API secret' }).count()).toBe(0);
});
