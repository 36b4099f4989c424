import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAdmin } from '../../server/src/features/team/admins/create-admin.ts';
import { createSecret } from '../../server/src/features/team/secrets/create-secret.ts';
import {
  addSignedIn,
  Browser,
  forgetConfirmation,
  PASSWORD,
  storeSession,
  type TestAdmin,
} from '../../server/test/sign-in.ts';
import { accessibilityProblems, type Dashboard, focused, startDashboard, takePicture } from './browser.ts';
import { expectFittingTables, hostileName } from './looks.ts';

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
});

const path = '/app/settings/team';
const admins = async () => (await elsewhere.get('/v3/edit/admins')).body.admins;
const roleOf = async (id: string) => (await admins()).find((one: { id: string }) => one.id === id)?.role;
const openTeam = async (options: object = {}) => {
  const page = await dashboard.open(path, { admin: owner, ...options });
  await page.getByRole('grid', { name: 'Team' }).waitFor();
  return page;
};
const chooseRole = async (page: Page, name: string, role: string) => {
  await page.getByRole('button', { name: new RegExp(`^Role of ${name}`) }).click();
  await page.getByRole('menuitemradio', { name: role }).click();
};
/** Removes the first owner, so that the account has only the owner of the test. */
const removeFirstOwner = () => owner.browser.delete(`/v3/edit/admins/${dashboard.api.account.user_id}`);
const addPerson = async (name: string, role: 'editor' | 'owner' | 'viewer' = 'editor') => {
  const person = await addSignedIn(dashboard.api, role);
  await person.browser.patch('/v3/person', { name });
  return person;
};

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

describe('the team', () => {
  it('marks the reader, and explains that the last owner stays', async () => {
    await removeFirstOwner();
    await addPerson('Ann Lee');
    await addPerson('Mo <script>alert(1)</script> \u202eevil', 'viewer');
    await createAdmin(dashboard.api.app, {
      accountId: dashboard.api.account.account_id,
      email: `${'long'.repeat(40)}@people.test`,
      role: 'translator',
      name: 'A name that is so long that no column of any table could ever show all of it in one line',
    });
    for (const [role, note] of [
      ['viewer', null],
      ['editor', 'Ann from support'],
      ['viewer', hostileName],
    ])
      await owner.browser.post('/v3/edit/invitations', { role, note });
    const page = await openTeam({ height: 1300 });
    await page.getByText('Mo <script>').waitFor();
    await page.getByRole('grid', { name: 'Open invitations' }).waitFor();
    await rowOf(page, owner.email).getByText('You', { exact: true }).waitFor();
    expect(await rowOf(page, owner.email).locator('time').count()).toBe(1);
    expect(await rowOf(page, 'Not yet').count()).toBe(1);
    await expectFittingTables(page, 'team');
    await page.setViewportSize({ width: 1440, height: 1300 });
    await expectLastOwnerToStay(page);
  });

  /** Expects that the last owner can neither be removed nor get another role, and that no request is sent for that. */
  async function expectLastOwnerToStay(page: Page): Promise<void> {
    let requests = 0;
    await page.route('**/v3/edit/admins/*', (route) => {
      requests++;
      return route.continue();
    });
    await chooseRole(page, 'Kim owner', 'Viewer');
    const dialog = page.getByRole('dialog', { name: 'An account needs an owner' });
    await dialog.getByText('You are the only owner.').waitFor();
    expect(await accessibilityProblems(page, '[role=dialog]')).toEqual([]);
    await takePicture(page, 'team-last-owner-light');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Leave account' }).click();
    await dialog.waitFor();
    expect(requests).toBe(0);
  }

  it('changes a role by mouse, takes it back, and changes it by keyboard alone after the password', async () => {
    const ann = await addPerson('Ann Lee');
    const page = await openTeam();
    await chooseRole(page, 'Ann Lee', 'Viewer');
    await page.getByText('Ann Lee is now viewer').waitFor();
    await page.getByText('They have to sign in again.').waitFor();
    await takePicture(page, 'team-role-changed-light');
    expect([await roleOf(ann.id), (await ann.browser.get('/v3/session')).status]).toEqual(['viewer', 401]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Ann Lee is now editor').waitFor();
    expect(await roleOf(ann.id)).toBe('editor');

    await forgetConfirmation(dashboard.api, owner.personId);
    await page.getByRole('grid', { name: 'Team' }).getByRole('row').nth(1).focus();
    await expect.poll(() => focused(page)).toMatch(/^row/);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => focused(page)).toBe('button Role of Ann Lee: Editor. Change role');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitemradio', { name: 'Editor' }).waitFor();
    await page.keyboard.type('Tra');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor();
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('Ann Lee is now translator').waitFor();
    expect(await roleOf(ann.id)).toBe('translator');
    await expect.poll(() => focused(page)).toBe('button Role of Ann Lee: Translator. Change role');
  });

  it('says which secrets stop working before it removes somebody, and who was removed meanwhile', async () => {
    const ann = await addPerson('Ann Lee');
    const mo = await addPerson('Mo Day');
    const { app, account } = dashboard.api;
    await createSecret(app, { accountId: account.account_id, email: ann.email, name: 'Nightly export' });
    const page = await openTeam();
    await page.getByRole('button', { name: 'Remove Ann Lee' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Remove Ann Lee from this account?' });
    await dialog.getByText('This API secret stops working immediately:').waitFor();
    await dialog.getByText('Nightly export').waitFor();
    expect(await accessibilityProblems(page, '[role=alertdialog]')).toEqual([]);
    await takePicture(page, 'team-removal-light');
    expect(await roleOf(ann.id)).toBe('editor');
    await dialog.getByRole('button', { name: 'Remove from account' }).click();
    await page.getByText('Ann Lee was removed').waitFor();
    await page.getByText('1 secret was revoked.').waitFor();
    await expect.poll(() => rowOf(page, 'Ann Lee').count()).toBe(0);
    expect((await ann.browser.get('/v3/session')).status).toBe(401);

    await owner.browser.delete(`/v3/edit/admins/${mo.id}`);
    await chooseRole(page, 'Mo Day', 'Viewer');
    await page.getByText('This is gone').waitFor();
    await expect.poll(() => rowOf(page, 'Mo Day').count()).toBe(0);
  });

  it('has a table of roles by the rules of the server, and asks before owners give up their own role', async () => {
    const page = await openTeam();
    const row = page.getByRole('row', { name: /^Publish, so that users see it/ });
    await expect.poll(() => row.getByRole('cell').allTextContents()).toEqual(['Yes', 'Yes', 'No', 'No']);
    await page.getByText('Owners only').click();
    await page.getByText('Only owners publish now').waitFor();
    await expect.poll(() => row.getByRole('cell').allTextContents()).toEqual(['Yes', 'No', 'No', 'No']);
    expect((await owner.browser.get('/v3/edit/account')).body.account.who_may_publish).toBe('owners');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Editors and owners publish now').waitFor();
    expect((await owner.browser.get('/v3/edit/account')).body.account.who_may_publish).toBe('editors');

    await chooseRole(page, 'Kim owner', 'Viewer');
    const dialog = page.getByRole('alertdialog', { name: 'Become viewer?' });
    await dialog.getByRole('button', { name: 'Change my role' }).click();
    await page.getByText('Owners see this page, and you are a viewer in this account.').waitFor();
    expect(await page.getByRole('link', { name: 'Team' }).count()).toBe(0);
  });

  it('shows an error instead of the list, and lets an owner leave, who is signed out then', async () => {
    const page = await dashboard.open('/app/settings/profile', { admin: owner });
    await page.route('**/v3/edit/admins?*', (route) => route.fulfill({ status: 500, json: {} }));
    await page.getByRole('link', { name: 'Team' }).click();
    await page.getByRole('alert').getByText('This did not work').waitFor();
    await page.unrouteAll();
    await page.getByRole('link', { name: 'Your profile' }).click();
    await page.getByRole('link', { name: 'Team' }).click();
    await page.getByRole('button', { name: 'Leave account' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Leave Acme?' });
    await dialog.getByText('No API secret belongs to you.').waitFor();
    await dialog.getByRole('button', { name: 'Leave account' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});

describe('inviting a colleague who may only look', () => {
  /** Opens the link in another browser, joins, and checks that nothing can be changed there. */
  const acceptAndLook = async (url: string) => {
    expect(url).toMatch(new RegExp(`^${dashboard.api.url}/app/join#`));
    const guest = await dashboard.open(url.replace(dashboard.api.url, ''), { as: null });
    await guest.getByText('You are invited as viewer.').waitFor();
    await guest.getByLabel('Your name').fill('Bo Young');
    await guest.getByLabel('Email').fill(`bo${Math.random()}@people.test`);
    await guest.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await guest.getByRole('button', { name: 'Join account' }).click();
    await guest.getByRole('button', { name: 'You: Bo Young' }).waitFor();
    await guest.goto(dashboard.api.url + path);
    await guest.getByText('Owners see this page, and you are a viewer in this account.').waitFor();
    for (const name of ['Team', 'API secrets', 'Audit log'])
      expect(await guest.getByRole('link', { name, exact: true }).count()).toBe(0);
    expect(await guest.getByRole('button', { name: /invite|remove|create|edit|publish|delete/i }).count()).toBe(0);
    await takePicture(guest, 'team-viewer-light');
  };

  it('takes five clicks by mouse', async () => {
    const page = await dashboard.open('/app', { admin: owner });
    let clicks = 0;
    const click = async (name: string, role: 'link' | 'button' = 'button') => {
      clicks++;
      await page.getByRole(role, { name, exact: true }).click();
    };
    await click('Settings', 'link');
    await click('Team', 'link');
    await click('Invite colleague');
    await page.getByRole('dialog', { name: 'Invite colleague' }).waitFor();
    expect(await page.getByRole('radio', { name: 'Viewer' }).isChecked()).toBe(true);
    expect(await accessibilityProblems(page, '[role=dialog]')).toEqual([]);
    await takePicture(page, 'team-invite-light');
    await click('Create link');
    await page.getByText('Send this link to your colleague: the person who opens it joins as viewer.').waitFor();
    await takePicture(page, 'team-invite-link-light');
    await click('Copy');
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(clicks).toBe(5);
    await acceptAndLook(await page.evaluate(() => navigator.clipboard.readText()));
    await page.getByRole('button', { name: 'Done' }).click();
    await page.reload();
    await page.getByRole('row').filter({ hasText: 'Bo Young' }).getByText('Viewer').waitFor();
    await page.getByText('No one is invited at the moment.').waitFor();
  });

  it('works by keyboard alone, and shows open invitations without their links, which are withdrawn', async () => {
    const { url } = (await owner.browser.post('/v3/edit/invitations', { role: 'editor' })).body.invitation;
    const page = await openTeam();
    await page.keyboard.press('c');
    await page.getByRole('dialog', { name: 'Invite colleague' }).waitFor();
    await expect.poll(() => focused(page)).toBe('button Create link');
    await page.getByLabel('Who is it for?').focus();
    await page.keyboard.type('Ann from support');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('button Copy');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(`${dashboard.api.url}/app/join#`);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    const withdraw = page.getByRole('button', { name: 'Withdraw the invitation as viewer for Ann from support' });
    await withdraw.click();
    await page.getByText('Invitation withdrawn').waitFor();
    await withdraw.waitFor({ state: 'detached' });
    const grid = page.getByRole('grid', { name: 'Open invitations' });
    await grid.getByText('Kim owner').waitFor();
    await grid.getByText('in 7 days').waitFor();
    const token = url.split('#')[1];
    const check = () => owner.browser.post('/v3/links/check', { token });
    expect([await page.getByText(token).count(), (await check()).status]).toEqual([0, 200]);
    await page.getByRole('button', { name: /^Withdraw the invitation as editor/ }).click();
    await page.getByText('No one is invited at the moment.').waitFor();
    expect((await check()).status).toBe(404);
    await page.getByRole('button', { name: 'Invite again' }).first().click();
    await page.getByRole('dialog', { name: 'Invite colleague' }).waitFor();
  });
});

it('explains to an editor that the team is for owners', async () => {
  const page = await dashboard.open(path, { as: 'editor' });
  await page.getByText('Owners see this page').waitFor();
  expect(await page.getByRole('link', { name: 'Team' }).count()).toBe(0);
  expect(await accessibilityProblems(page)).toEqual([]);
});
