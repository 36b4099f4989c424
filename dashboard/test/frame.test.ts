import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addSignedIn, forgetConfirmation, PASSWORD, storeSession } from '../../server/test/sign-in.ts';
import { accessibilityProblems, type Dashboard, focused, startDashboard, takePicture } from './browser.ts';
import { expectGoodLooks, hostileName } from './looks.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
  await dashboard.api.post('/v3/edit/url_groups', { name: 'Production', style_short_name_color: 'D92D20' });
  await dashboard.api.post('/v3/edit/url_groups', { name: 'Staging', style_short_name_color: '1E90FF' });
});
afterAll(() => dashboard.stop());

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

describe.each([
  ['home', '/app', 'Home'],
  ['profile', '/app/settings/profile', 'Your profile'],
  ['devices', '/app/settings/devices', 'Your devices'],
  ['not-found', '/app/no-such-page', 'This page does not exist'],
])('the page %s', (name, path, title) => {
  it('is accessible and fits', async () => {
    const page = await dashboard.open(path);
    await heading(page, title).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.title()).toBe(`${title} · Usher`);
    await expectGoodLooks(page, name);
  });
});

describe('the frame by keyboard', () => {
  it('skips to the content, and reaches everything in the order of the page', async () => {
    const page = await dashboard.open('/app');
    const seen: string[] = [];
    for (let count = 0; count < 10; count++) {
      await page.keyboard.press('Tab');
      seen.push(await focused(page));
    }
    expect(seen).toEqual([
      'a Skip to content',
      'a Home',
      'a Experiences',
      'a Domains',
      'a Settings',
      'button Collapse sidebar',
      'button Account: Acme. Switch account',
      'button Environment: All Environments. Switch Environment',
      'button Search',
      expect.stringMatching(/^button You: Kim owner/),
    ]);
    await page.locator('a[href="#content"]').focus();
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  });

  it('goes to another page from the palette, with the focus at its heading', async () => {
    const page = await dashboard.open('/app');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('devi');
    await page.getByRole('menuitem', { name: 'Your devices' }).waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'Your devices').waitFor();
    await expect.poll(() => focused(page)).toBe('h1 Your devices');
    expect(page.url()).toMatch(/\/app\/settings\/devices$/);
  });

  it('finds an Experience by its name from the palette, and cancels a search that is superseded', async () => {
    await dashboard.api.post('/v3/edit/tours', { name: hostileName });
    const { tour } = (await dashboard.api.post('/v3/edit/tours', { name: 'Welcome tour' })).body;
    const page = await dashboard.open('/app');
    const isSearch = (url: URL) => url.pathname === '/v3/edit/experiences' && url.searchParams.has('search');
    // The first answer never comes.
    await page.route(isSearch, () => undefined, { times: 1 });
    await page.keyboard.press('Control+k');
    const first = page.waitForRequest((request) => isSearch(new URL(request.url())));
    await page.keyboard.type('wel');
    const canceled = page.waitForEvent('requestfailed', async (request) => request === (await first));
    await first;
    await page.getByText('Searching…').waitFor();
    await page.keyboard.type('c');
    await canceled;
    await page.getByRole('menuitem', { name: 'Welcome tour' }).waitFor();
    await takePicture(page, 'palette-experience-light');
    await page.keyboard.press('Enter');
    await heading(page, 'Welcome tour').waitFor();
    expect(page.url()).toMatch(new RegExp(`/app/experiences/${tour.id}$`));
    await page.keyboard.press('Control+k');
    await page.keyboard.type('zzz');
    await page.getByText('Nothing found for “zzz”').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('<img');
    await page.getByRole('menuitem').filter({ hasText: '<img src=x' }).waitFor();
  });

  it('goes to pages with two keys, and back with the browser', async () => {
    const page = await dashboard.open('/app');
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await heading(page, 'Account').waitFor();
    await page.goBack();
    await heading(page, 'Home').waitFor();
  });

  it('does nothing with letters that are typed into a field', async () => {
    const page = await dashboard.open('/app/settings/profile');
    const name = page.getByLabel('Name');
    await name.fill('');
    await name.pressSequentially('gh?[');
    expect(await name.inputValue()).toBe('gh?[');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('moves between the rows of a table with j and k', async () => {
    const admin = await addSignedIn(dashboard.api, 'owner');
    await storeSession(dashboard.api, admin.personId, dashboard.api.account.account_id);
    const page = await dashboard.open('/app/settings/devices', { admin });
    const rows = page.getByRole('grid').getByRole('row');
    await page.getByText('This device', { exact: true }).waitFor();
    const hasFocus = (index: number) => rows.nth(index).evaluate((row) => row === document.activeElement);
    await page.keyboard.press('j');
    await expect.poll(() => hasFocus(1)).toBe(true);
    await page.keyboard.press('j');
    await expect.poll(() => hasFocus(2)).toBe(true);
    await page.keyboard.press('k');
    await expect.poll(() => hasFocus(1)).toBe(true);
  });

  it('loads the code and the data of a page when its link is hovered', async () => {
    const page = await dashboard.open('/app/settings/profile');
    const loaded = page.waitForRequest('**/v3/sessions');
    await page.getByRole('link', { name: 'Your devices' }).hover();
    await loaded;
  });

  it('shows the shortcuts with a question mark', async () => {
    const page = await dashboard.open('/app');
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.getByText('Go to Settings').waitFor();
    expect(await accessibilityProblems(page, '[role=dialog], [role=menu]')).toEqual([]);
    await takePicture(page, 'shortcuts-light');
  });

  it('collapses to icons, also after a reload', async () => {
    const page = await dashboard.open('/app');
    await page.keyboard.press('[');
    await page.getByRole('button', { name: 'Expand sidebar' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Expand sidebar' }).waitFor();
    await heading(page, 'Home').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await takePicture(page, 'collapsed-light');
  });
});

describe('the top bar', () => {
  it('chooses an Environment, and shows its color', async () => {
    const page = await dashboard.open('/app');
    await page.getByRole('button', { name: /^Environment/ }).click();
    await takePicture(page, 'environments-light');
    await page.getByRole('menuitemradio', { name: 'Production' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Environment: Production. Switch Environment' }).waitFor();
    await heading(page, 'Home').waitFor();
    await takePicture(page, 'production-light');
  });

  it('chooses the theme', async () => {
    const page = await dashboard.open('/app');
    await page.getByRole('button', { name: /^You/ }).click();
    expect(await accessibilityProblems(page, '[role=dialog], [role=menu]')).toEqual([]);
    await takePicture(page, 'user-menu-light');
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
  });

  it('switches to another account of the same person', async () => {
    const { api } = dashboard;
    const admin = await addSignedIn(api, 'owner');
    await addSignedIn(api, 'viewer', { accountId: api.other.account_id, email: admin.email });
    const page = await dashboard.open('/app/settings/devices', { admin });
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitemradio', { name: /Other/ }).click();
    await page.getByRole('button', { name: 'Account: Other. Switch account' }).waitFor();
    await heading(page, 'Home').waitFor();
    await page.getByText('Switched to Other').waitFor();
    expect(page.url()).toMatch(/\/app$/);
  });

  it('opens the navigation as a sheet on phones', async () => {
    const page = await dashboard.open('/app', { width: 375, height: 700 });
    await page.getByRole('button', { name: 'Open navigation' }).click();
    const sheet = page.getByRole('dialog', { name: 'Main' });
    await sheet.getByRole('link', { name: 'Settings' }).waitFor();
    expect(await accessibilityProblems(page, '[role=dialog], [role=menu]')).toEqual([]);
    await takePicture(page, 'navigation-phone');
    await sheet.getByRole('link', { name: 'Settings' }).click();
    await heading(page, 'Account').waitFor();
    await sheet.waitFor({ state: 'detached' });
  });
});

describe('a session that has ended', () => {
  const endSessions = (personId: string) =>
    dashboard.api.app.storage.write(null, (db) =>
      db.updateTable('sessions').set({ ended_at: Date.now() }).where('person_id', '=', personId).execute(),
    );

  it('asks for the password, keeps what was typed, and repeats the request', async () => {
    const admin = await addSignedIn(dashboard.api, 'editor');
    const page = await dashboard.open('/app/settings/profile', { admin });
    await page.getByLabel('Name').fill('Kim Changed');
    await endSessions(admin.personId);
    await page.getByRole('button', { name: 'Save profile' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    expect(await accessibilityProblems(page, '[role=dialog], [role=menu]')).toEqual([]);
    await takePicture(page, 'session-ended-light');
    await page.keyboard.type('wrong password');
    await page.keyboard.press('Enter');
    await dialog.getByText('This password is wrong').waitFor();
    await dialog.getByLabel(/^Password/).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('Profile saved').waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name').inputValue()).toBe('Kim Changed');
    const { rows } = await peopleNamed('Kim Changed');
    expect(rows).toBe(1);
  });

  it('leaves the form as it is when the dialog is closed', async () => {
    const admin = await addSignedIn(dashboard.api, 'editor');
    const page = await dashboard.open('/app/settings/profile', { admin });
    await page.getByLabel('Name').fill('Kim Kept');
    await endSessions(admin.personId);
    await page.getByRole('button', { name: 'Save profile' }).click();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name').inputValue()).toBe('Kim Kept');
  });

  const peopleNamed = async (name: string) => {
    const people = dashboard.api.app.storage.reader(null).selectFrom('people').select('id').where('name', '=', name);
    return { rows: (await people.execute()).length };
  };
});

describe('what needs the password again', () => {
  it('asks for it and repeats the request', async () => {
    const admin = await addSignedIn(dashboard.api, 'editor');
    await forgetConfirmation(dashboard.api, admin.personId);
    const page = await dashboard.open('/app/settings/profile', { admin });
    await page.getByLabel('Email').fill('kim.new@people.test');
    await page.getByRole('button', { name: 'Save profile' }).click();
    await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor();
    await takePicture(page, 'confirm-light');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('Profile saved').waitFor();
  });
});

it('says that it loads, in the theme that was chosen, until its code is there', async () => {
  const page = await dashboard.open('/app');
  await page.evaluate(() => localStorage.setItem('usher-theme', 'dark'));
  await page.route('**/assets/index-*.js', () => undefined);
  await page.reload({ waitUntil: 'commit' });
  await page.getByRole('status').getByText('Loading…').waitFor();
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
  await takePicture(page, 'loading-dark');
});

describe('a connection that fails', () => {
  it('shows a banner, and loads everything again when it is back', async () => {
    const page = await dashboard.open('/app', { savesData: false });
    // The code of all pages is loaded while nothing else happens.
    await page.waitForLoadState('networkidle');
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Your devices' }).click();
    await page.getByText('No connection to the server').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await takePicture(page, 'offline-light');
    await page.context().setOffline(false);
    await page.getByText('The connection is back').waitFor();
    await page.getByText('This device', { exact: true }).waitFor();
    expect(await page.getByText('No connection to the server').count()).toBe(0);
  });

  it('tries again at once when it is told to', async () => {
    const page = await dashboard.open('/app');
    const paths = ['**/v3/sessions', '**/readyz'];
    for (const path of paths) await page.route(path, (route) => route.abort());
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Your devices' }).click();
    await page.getByText('No connection to the server').waitFor();
    // Nothing else tries again for some seconds: the page has given up, and the server was just checked.
    await page.getByRole('alert').getByText('The server cannot be reached').waitFor();
    await page.waitForRequest('**/readyz');
    for (const path of paths) await page.unroute(path);
    await page.getByRole('button', { name: 'Try now' }).click();
    await page.getByText('The connection is back').waitFor();
    await page.getByText('This device', { exact: true }).waitFor();
  });

  it.each([
    [429, { code: 429, messages: ['Too many'], wait: 40 }, /Try again in \d+ s/],
    [503, { code: 503, messages: ['Gone'] }, /cannot reach its database/],
    [409, { code: 409, messages: ['Somebody else has this email'] }, /Somebody else has this email/],
    [500, {}, /This did not work/],
  ])('explains %i and keeps what was typed', async (status, body, said) => {
    const page = await dashboard.open('/app/settings/profile');
    await page.route('**/v3/person', (route) => route.fulfill({ status, json: body }));
    await page.getByLabel('Name').fill('Kim Typed');
    await page.getByRole('button', { name: 'Save profile' }).click();
    await page.getByRole('alert').filter({ hasText: said }).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Kim Typed');
  });
});

it('shows names as text, whatever is in them', async () => {
  const { api } = dashboard;
  const admin = await addSignedIn(api, 'owner');
  const name = '<img src=x onerror=alert(1)>"\'&amp;\u202e';
  await admin.browser.patch('/v3/person', { name });
  const page = await dashboard.open('/app', { admin });
  await page.getByRole('button', { name: /^You/ }).click();
  await page.getByText('<img src=x onerror=alert(1)>').first().waitFor();
  expect(await page.locator('img').count()).toBe(0);
});
