import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addSignedIn, forgetConfirmation, PASSWORD } from '../../server/test/sign-in.ts';
import { type Dashboard, focused, startDashboard, takePicture } from './browser.ts';
import { expectGoodLook, expectGoodLooks, hostileName } from './looks.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

const PATH = '/app/settings/account';
const open = async (options?: Parameters<Dashboard['open']>[1]) => {
  const page = await dashboard.open(PATH, options);
  await page.getByLabel('Account name').waitFor();
  return page;
};
const show = async () => (await dashboard.api.get('/v3/edit/account')).body.account;
const save = (page: Page) => page.getByRole('button', { name: 'Save account' });

describe('by mouse', () => {
  it('saves what was changed, and says what that was', async () => {
    const page = await open();
    expect(await save(page).isDisabled()).toBe(true);
    await page.getByLabel('Account name').fill('Acme Two');
    await page.getByLabel('Pending Deliveries per person').fill('7');
    await page.getByText('Not saved yet').waitFor();
    await save(page).click();
    await page.getByText('Saved: Account name, Pending Deliveries per person').waitFor();
    expect(await show()).toMatchObject({ name: 'Acme Two', delivery_ids_limit: 7 });
    await page.getByRole('button', { name: 'Account: Acme Two. Switch account' }).waitFor();
    expect(await save(page).isDisabled()).toBe(true);
  });

  it('explains the risk of code, and asks for the password before it is on', async () => {
    const admin = await addSignedIn(dashboard.api, 'owner');
    await forgetConfirmation(dashboard.api, admin.personId);
    const page = await open({ admin });
    await page.getByText('Allow code in Experiences').click();
    await page.getByText('People who can write this code can do everything as your users').waitFor();
    await takePicture(page, 'account-code-light', true);
    await save(page).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByLabel(/^Password/).fill(PASSWORD);
    expect((await show()).allow_scripts).toBe(false);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Saved: Allow code in Experiences').waitFor();
    expect((await show()).allow_scripts).toBe(true);
    await page.getByText('Allow code in Experiences', { exact: true }).click();
    await page.getByText('Code that is published stays').waitFor();
    await save(page).click();
    await expect.poll(async () => (await show()).allow_scripts).toBe(false);
  });

  it('explains the risk of values of the page, and asks for the password before texts show them', async () => {
    const admin = await addSignedIn(dashboard.api, 'owner');
    await forgetConfirmation(dashboard.api, admin.personId);
    const page = await open({ admin });
    await page.getByText('Allow values of the page in texts').click();
    await page.getByText('Editors can then show every value that your pages keep in `window`').waitFor();
    await save(page).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByLabel(/^Password/).fill(PASSWORD);
    expect((await show()).allow_globals).toBe(false);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Saved: Allow values of the page in texts').waitFor();
    expect((await show()).allow_globals).toBe(true);
  });

  it('asks for the password before pages may read percent', async () => {
    const admin = await addSignedIn(dashboard.api, 'owner');
    await forgetConfirmation(dashboard.api, admin.personId);
    const page = await open({ admin });
    await page.getByText('Pages may read the percent of their user', { exact: true }).click();
    await save(page).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByLabel(/^Password/).fill(PASSWORD);
    expect((await show()).allow_percent).toBe(false);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Saved: Pages may read the percent of their user').waitFor();
    expect((await show()).allow_percent).toBe(true);
  });

  it('asks for the password before pages are trusted without proof', async () => {
    await dashboard.api.post('/v3/edit/account/uid_secret');
    await dashboard.api.patch('/v3/edit/account', { require_uid_hash: true });
    const admin = await addSignedIn(dashboard.api, 'owner');
    await forgetConfirmation(dashboard.api, admin.personId);
    const page = await open({ admin });
    await page.getByText('Pages must prove who their user is', { exact: true }).click();
    await save(page).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByLabel(/^Password/).fill(PASSWORD);
    expect((await show()).require_uid_hash).toBe(true);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText(/^Saved: /).waitFor();
    expect((await show()).require_uid_hash).toBe(false);
  });

  it('copies the token', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(dashboard.api.account.account_token);
  });
});

it('saves by keyboard alone', async () => {
  const page = await open();
  await page.getByLabel('Account name').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('By keys');
  await page.keyboard.press('Enter');
  await page.getByText('Saved: Account name').waitFor();
  expect((await show()).name).toBe('By keys');
  expect(await focused(page)).toBe('input Account name');
});

describe('what the server rejects', () => {
  it('shows at the field what is wrong', async () => {
    const page = await open();
    await page.getByLabel('Pending Deliveries per person').fill('many');
    await save(page).click();
    await page.getByText(/^Pending Deliveries per person must be a whole number from 1 to 100/).waitFor();
    expect(await page.getByLabel('Pending Deliveries per person').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Pending Deliveries per person').inputValue()).toBe('many');
    await expectGoodLook(page, 'account-wrong-light');
  });

  it('explains why proof cannot be required yet', async () => {
    const page = await open();
    await page.getByText('Pages must prove who their user is').click();
    await save(page).click();
    await page.getByRole('alert').filter({ hasText: 'There is nothing yet to make uid_hash with' }).waitFor();
  });

  it('shows what somebody else has changed, keeps what was typed, and saves it afterwards', async () => {
    const page = await open();
    await page.getByLabel('Account name').fill('Mine');
    await dashboard.api.patch('/v3/edit/account', { name: 'Theirs', delivery_ids_limit: 9 });
    await save(page).click();
    const notice = page.getByRole('alert').filter({ hasText: 'Somebody changed this meanwhile' });
    await notice.getByText('Account name: was “Acme”, is now “Theirs”').waitFor();
    await notice.getByText('Pending Deliveries per person: was “3”, is now “9”').waitFor();
    expect(await page.getByLabel('Account name').inputValue()).toBe('Mine');
    expect(await page.getByLabel('Pending Deliveries per person').inputValue()).toBe('9');
    await expectGoodLook(page, 'account-conflict-light');
    await save(page).click();
    await page.getByText('Saved: Account name').waitFor();
    expect(await show()).toMatchObject({ name: 'Mine', delivery_ids_limit: 9 });
  });
});

describe('unsaved changes', () => {
  it('are kept unless the person wants to leave', async () => {
    const page = await open();
    await page.getByLabel('Account name').fill('Half done');
    await page.getByRole('link', { name: 'Languages' }).click();
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    await question.waitFor();
    await expect.poll(() => focused(page)).toBe('button Stay on page');
    await takePicture(page, 'unsaved-light');
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Account name').inputValue()).toBe('Half done');
    await page.getByRole('link', { name: 'Languages' }).click();
    await question.getByRole('button', { name: 'Leave page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Languages' }).waitFor();
    expect((await show()).name).toBe('Acme');
  });

  it('are kept when the browser goes back, unless the person wants that', async () => {
    const page = await dashboard.open('/app/settings/limits');
    await page.getByRole('link', { name: 'Account', exact: true }).click();
    await page.getByLabel('Account name').fill('Half done');
    await page.evaluate(() => history.back());
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Stay on page' }).click();
    expect(page.url()).toContain(PATH);
    expect(await page.getByLabel('Account name').inputValue()).toBe('Half done');
    await page.evaluate(() => history.back());
    await question.getByRole('button', { name: 'Leave page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Limit groups' }).waitFor();
    expect(page.url()).toContain('/app/settings/limits');
  });

  it('cause no question after they are discarded', async () => {
    const page = await open();
    await page.getByLabel('Account name').fill('Half done');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    expect(await page.getByLabel('Account name').inputValue()).toBe('Acme');
    await page.getByRole('link', { name: 'Languages' }).click();
    await page.getByRole('heading', { level: 1, name: 'Languages' }).waitFor();
  });
});

it('shows a hostile name as text', async () => {
  await dashboard.api.patch('/v3/edit/account', { name: hostileName });
  const page = await open({ width: 375 });
  expect(await page.getByLabel('Account name').inputValue()).toBe(hostileName);
  expect(await page.locator('img').count()).toBe(0);
  await expectGoodLook(page, 'account-hostile-phone');
});

it.each(['viewer', 'editor'] as const)('lets a %s read only', async (as) => {
  const page = await open({ as });
  await page.getByText('Only owners can change these settings.').waitFor();
  expect(await save(page).count()).toBe(0);
  expect(await page.getByLabel('Account name').getAttribute('readonly')).not.toBe(null);
  expect(await page.getByRole('checkbox').first().isDisabled()).toBe(true);
  await expectGoodLook(page, `account-${as}-light`);
});

it('begins the settings with the account', async () => {
  const page = await dashboard.open('/app/settings', { as: 'viewer' });
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
  const list = page.getByRole('navigation', { name: 'Settings' });
  expect(await list.getByRole('link', { name: 'Version and health' }).count()).toBe(0);
});

describe('test users', () => {
  const addUser = (uid: string, params: object) => dashboard.api.post('/v3/observe/hooks/profiles', { uid, ...params });
  const emails = (page: Page) => page.getByLabel('Emails of test users', { exact: true });

  it('are found by their email, and shown with how many they are', async () => {
    await addUser('1', { email: 'ann@acme.test', name: 'Ann' });
    await addUser('2', { email: 'bob@example.com' });
    for (let n = 3; n < 10; n += 1) await addUser(`${n}`, { email: `qa+${n}@acme.test` });
    const page = await open();
    await page.getByText('No test users', { exact: true }).waitFor();
    await emails(page).fill('*@ACME.test\n\n bob@example.com');
    await save(page).click();
    await page.getByText('Saved: Emails of test users').waitFor();
    expect((await show()).test_emails).toEqual(['*@ACME.test', 'bob@example.com']);
    await page.getByText('9 test users', { exact: true }).waitFor();
    const list = page.getByRole('list', { name: 'Newest test users' });
    expect(await list.getByRole('listitem').allTextContents()).toEqual([
      ...[9, 8, 7, 6, 5].map((n) => `qa+${n}@acme.test`),
      'and 4 more',
    ]);
    await emails(page).scrollIntoViewIfNeeded();
    await expectGoodLooks(page, 'account-test-users');
  });

  it('are set by keyboard alone', async () => {
    await addUser('1', { email: 'ann@acme.test', name: hostileName });
    const page = await open({ width: 375 });
    await emails(page).focus();
    await page.keyboard.type('ann@acme.test');
    await page.keyboard.press('Enter');
    await page.keyboard.type('*@acme.example');
    for (let n = 0; n < 20 && (await focused(page)) !== 'button Save account'; n += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('1 test user', { exact: true }).waitFor();
    expect((await show()).test_emails).toEqual(['ann@acme.test', '*@acme.example']);
    expect(await page.locator('img').count()).toBe(0);
    await expectGoodLook(page, 'account-test-users-hostile-phone');
  });

  it('are not saved while a pattern matches everybody, and the field says why', async () => {
    const page = await open();
    await emails(page).fill('*@*');
    await save(page).click();
    await page.getByText(/needs a letter or a digit, or it would match every user/).waitFor();
    expect(await emails(page).getAttribute('aria-invalid')).toBe('true');
    expect((await show()).test_emails).toEqual([]);
  });

  it('are shown to a viewer, who cannot change them', async () => {
    await dashboard.api.patch('/v3/edit/account', { test_emails: ['*@acme.test'] });
    await addUser('1', { email: 'ann@acme.test' });
    const page = await open({ as: 'viewer' });
    await page.getByText('1 test user', { exact: true }).waitFor();
    expect(await emails(page).inputValue()).toBe('*@acme.test');
    expect(await emails(page).getAttribute('readonly')).not.toBe(null);
  });
});

describe('the appearance of the dashboard', () => {
  it('changes by keyboard, and this browser remembers it', async () => {
    const page = await dashboard.open('/app/settings/appearance', { isNew: true });
    const headings = page.getByRole('navigation', { name: 'Settings' }).getByRole('heading');
    expect(await headings.allTextContents()).toEqual(['Account', 'Team', 'Appearance', 'Integrations', 'Operations']);
    await page.getByRole('radio', { name: 'Same as system' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    await page.getByRole('switch', { name: /only the icons/ }).press('Space');
    await page.locator('[data-rail=collapsed]').waitFor();
    await page.reload();
    await page.locator('[data-rail=collapsed]').waitFor();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
  });
});
