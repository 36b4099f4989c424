import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addSignedIn, addToAccount, type TestAdmin } from '../../server/test/sign-in.ts';
import { accessibilityProblems, type Dashboard, focused, startDashboard, takePicture } from './browser.ts';

let dashboard: Dashboard;
let admin: TestAdmin;
beforeAll(async () => {
  dashboard = await startDashboard();
  const { api } = dashboard;
  await api.post('/v3/edit/url_groups', { name: 'Acme production', style_short_name_color: 'D92D20' });
  await api.post('/v3/edit/url_groups', { name: 'Other production' }, { as: api.other });
});
afterAll(() => dashboard.stop());
beforeEach(async () => {
  const { api } = dashboard;
  admin = await addSignedIn(api, 'owner');
  await addToAccount(api, admin.personId, api.other.account_id, 'viewer');
});

const accountButton = (page: Page, name: string) =>
  page.getByRole('button', { name: `Account: ${name}. Switch account` });
const switchTo = async (page: Page, from: string, to: string) => {
  await accountButton(page, from).click();
  await page.getByRole('menuitemradio', { name: to }).click();
  await accountButton(page, to).waitFor();
};
const environmentNames = async (page: Page) => {
  await page.getByRole('button', { name: /^Environment:/ }).click();
  const names = await page.getByRole('menuitemradio').allTextContents();
  await page.keyboard.press('Escape');
  return names;
};
/** Another tab of the same browser. */
const openTab = async (page: Page, path: string) => {
  const tab = await page.context().newPage();
  await tab.goto(dashboard.api.url + path);
  await tab.getByRole('heading', { level: 1 }).waitFor();
  return tab;
};
const nameOfPerson = async () => {
  const people = dashboard.api.app.storage.reader(null).selectFrom('people').select('name');
  return (await people.where('id', '=', admin.personId).executeTakeFirstOrThrow()).name;
};

describe('a person in two accounts', () => {
  it('switches in the top bar, which changes everything that is shown', async () => {
    const page = await dashboard.open('/app/settings/profile', { admin });
    expect(await environmentNames(page)).toEqual(['All Environments', 'Acme production']);
    await switchTo(page, 'Acme', 'Other');
    await page.getByText('Switched to Other').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(await environmentNames(page)).toEqual(['All Environments', 'Other production']);
    await page.getByRole('button', { name: /^You/ }).click();
    await page.getByText('Viewer').waitFor();
    await page.reload();
    await accountButton(page, 'Other').waitFor();
  });

  it('switches by keyboard alone', async () => {
    const page = await dashboard.open('/app', { admin });
    await accountButton(page, 'Acme').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitemradio', { name: 'Acme' }).waitFor();
    await page.keyboard.type('Oth');
    await page.keyboard.press('Enter');
    await accountButton(page, 'Other').waitFor();
    expect(await focused(page)).toBe('button Account: Other. Switch account');
  });
});

describe('a tab that shows the account before the switch', () => {
  it('says so, and follows on request', async () => {
    const page = await dashboard.open('/app/settings/profile', { admin });
    const tab = await openTab(page, '/app');
    await switchTo(tab, 'Acme', 'Other');
    const dialog = page.getByRole('dialog', { name: 'This tab shows Acme' });
    await dialog.getByText('You have switched to Other in another tab').waitFor();
    expect(await accessibilityProblems(page, '[role=dialog]')).toEqual([]);
    await takePicture(page, 'switched-elsewhere-light');
    await dialog.getByRole('button', { name: 'Go on in the other account' }).click();
    await accountButton(page, 'Other').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('goes on automatically when the other tab switches back', async () => {
    const page = await dashboard.open('/app/settings/profile', { admin });
    const tab = await openTab(page, '/app');
    await switchTo(tab, 'Acme', 'Other');
    await page.getByRole('dialog', { name: 'This tab shows Acme' }).waitFor();
    await switchTo(tab, 'Other', 'Acme');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('saves nothing before the person has chosen, and what was typed after that', async () => {
    const page = await dashboard.open('/app/settings/profile', { admin, isNew: true });
    // The tabs cannot talk to each other here, so only the server notices that the account is another one.
    const context = page.context();
    await context.addInitScript(() => {
      BroadcastChannel.prototype.postMessage = () => undefined;
    });
    const tab = await openTab(page, '/app');
    await page.getByLabel('Name').fill('Kim Typed');
    await switchTo(tab, 'Acme', 'Other');
    const rejected = page.waitForResponse(
      (response) => response.url().endsWith('/v3/person') && response.status() === 409,
    );
    await page.getByRole('button', { name: 'Save profile' }).click();
    await rejected;
    const dialog = page.getByRole('dialog', { name: 'This tab shows Acme' });
    await dialog.waitFor();
    expect(await nameOfPerson()).toBe('Kim owner');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name').inputValue()).toBe('Kim Typed');
    await page.getByRole('button', { name: 'Save profile' }).click();
    await dialog.getByRole('button', { name: 'Switch back' }).click();
    await page.getByText('Profile saved').waitFor();
    expect(await nameOfPerson()).toBe('Kim Typed');
  });

  it('does not take the account of another tab when it loads the session again', async () => {
    const page = await dashboard.open('/app/settings/profile', { admin, isNew: true });
    await page.context().addInitScript(() => {
      BroadcastChannel.prototype.postMessage = () => undefined;
    });
    const tab = await openTab(page, '/app');
    await switchTo(tab, 'Acme', 'Other');
    // Everything is loaded again after the connection was lost.
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Your devices' }).hover();
    await page.getByText('No connection to the server').waitFor();
    const loaded = page.waitForResponse('**/v3/session');
    await page.context().setOffline(false);
    await loaded;
    await page.getByRole('dialog', { name: 'This tab shows Acme' }).waitFor();
    await accountButtonBehind(page, 'Acme');
  });

  it('says so if somebody else has signed in', async () => {
    const page = await dashboard.open('/app/settings/profile', { admin });
    const another = await addSignedIn(dashboard.api, 'editor');
    const { url } = dashboard.api;
    const value = another.browser.cookie ?? '';
    await page.context().addCookies([{ name: 'usher_session', value, url, httpOnly: true }]);
    await page.getByLabel('Name').fill('Kim Mistaken');
    await page.getByRole('button', { name: 'Save profile' }).click();
    const dialog = page.getByRole('dialog', { name: 'This tab shows Acme' });
    await dialog.getByText('Kim editor has signed in to this browser').waitFor();
    expect(await dialog.getByRole('button', { name: 'Switch back' }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Load page again' }).click();
    await page.getByRole('button', { name: 'You: Kim editor' }).waitFor();
  });
});

/** The dialog hides the page from screen readers, but it is still there. */
const accountButtonBehind = (page: Page, name: string) =>
  page.getByRole('button', { name: `Account: ${name}. Switch account`, includeHidden: true }).waitFor();
