import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addSignedIn, forgetConfirmation, PASSWORD, storeSession } from '../../server/test/sign-in.ts';
import { accessibilityProblems, type Dashboard, focused, startDashboard, takePicture } from './browser.ts';
import { openPalette } from './by-hand.ts';
import { hostileName } from './looks.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
  await dashboard.api.post('/v3/edit/url_groups', { name: 'Production', style_short_name_color: 'D92D20' });
  await dashboard.api.post('/v3/edit/url_groups', { name: 'Staging', style_short_name_color: '1E90FF' });
});
afterAll(() => dashboard.stop());

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

async function expectTitle(page: Page, title: string): Promise<void> {
  await heading(page, title).waitFor();
  await expect.poll(() => page.title()).toBe(`${title} · Usher`);
}
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

it('reaches everything in the order of the page, and skips to the content', async () => {
  const page = await dashboard.open('/app');
  const rail = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents();
  expect([rail[0], rail.at(-1)]).toEqual(['Home', 'Settings']);
  const seen: string[] = [];
  for (let count = 0; count < rail.length + 7; count++) {
    await page.keyboard.press('Tab');
    seen.push(await focused(page));
  }
  expect(seen).toEqual([
    'a Skip to content',
    ...rail.map((name) => `a ${name}`),
    'button Collapse sidebar',
    'button Account: Acme. Switch account',
    'button Environment: All Environments. Switch Environment',
    'button Search',
    'button Help',
    expect.stringMatching(/^button You: Kim owner/),
  ]);
  await page.locator('a[href="#content"]').focus();
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  await expectTitle(page, 'Home');
});

it('opens the navigation as a sheet on phones', async () => {
  const page = await dashboard.open('/app/no-such-page');
  await expectTitle(page, 'This page does not exist');
  await page.setViewportSize({ width: 375, height: 700 });
  await page.getByRole('button', { name: 'Open navigation' }).click();
  const sheet = page.getByRole('dialog', { name: 'Main' });
  await sheet.getByRole('link', { name: 'Settings' }).waitFor();
  expect(await accessibilityProblems(page, '[role=dialog], [role=menu]')).toEqual([]);
  await takePicture(page, 'navigation-phone');
  await sheet.getByRole('link', { name: 'Settings' }).click();
  await heading(page, 'Account').waitFor();
  await sheet.waitFor({ state: 'detached' });
});

describe('the frame by keyboard', () => {
  it('does nothing with letters that are typed into a field, and moves between rows of a table with j and k', async () => {
    const admin = await addSignedIn(dashboard.api, 'owner');
    await storeSession(dashboard.api, admin.personId, dashboard.api.account.account_id);
    const page = await dashboard.open('/app/settings/profile', { admin });
    await expectTitle(page, 'Your profile');
    const name = page.getByLabel('Name');
    await name.fill('');
    await name.pressSequentially('gh?[');
    expect(await name.inputValue()).toBe('gh?[');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await name.fill('Kim owner');
    // The code and the data of a page load when its link is hovered.
    const loaded = page.waitForRequest('**/v3/sessions');
    const link = page.getByRole('link', { name: 'Your devices' });
    await link.hover();
    await loaded;
    await link.click();
    await page.getByText('This device', { exact: true }).waitFor();
    await expectTitle(page, 'Your devices');
    const rows = page.getByRole('grid').getByRole('row');
    const hasFocus = (index: number) => rows.nth(index).evaluate((row) => row === document.activeElement);
    for (const [key, row] of [
      ['j', 1],
      ['j', 2],
      ['k', 1],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => hasFocus(row)).toBe(true);
    }
  });

  it('goes to a page with two keys, back with the browser, and to another from the palette with the focus at its heading', async () => {
    await dashboard.api.post('/v3/edit/tours', { name: hostileName });
    const { tour } = (await dashboard.api.post('/v3/edit/tours', { name: 'Welcome tour' })).body;
    const page = await dashboard.open('/app');
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.getByText('Go to Settings').waitFor();
    expect(await accessibilityProblems(page, '[role=dialog], [role=menu]')).toEqual([]);
    await takePicture(page, 'shortcuts-light');
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await press(page, 'g', 's');
    await heading(page, 'Account').waitFor();
    await page.goBack();
    await heading(page, 'Home').waitFor();
    const palette = page.getByRole('dialog', { name: 'Search and commands' });
    await openPalette(page);
    await page.keyboard.type('devi');
    await page.getByRole('menuitem', { name: 'Your devices' }).waitFor();
    // One press of Escape closes the palette, even if something is typed.
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    await openPalette(page);
    await page.keyboard.type('devi');
    await page.getByRole('menuitem', { name: 'Your devices' }).waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'Your devices').waitFor();
    await expect.poll(() => focused(page)).toBe('h1 Your devices');
    expect(page.url()).toMatch(/\/app\/settings\/devices$/);
    await expectExperienceFound(page, tour.id);
  });

  it('creates from the palette on any page, as far as the person may', async () => {
    const run = async (page: Page, typed: string, name: string) => {
      await openPalette(page);
      await page.keyboard.type(typed);
      await page.getByRole('menuitem', { name }).waitFor();
      await page.keyboard.press('Enter');
    };
    const page = await dashboard.open('/app/settings/devices');
    await heading(page, 'Your devices').waitFor();
    await run(page, 'new surv', 'New survey');
    const dialog = page.getByRole('dialog', { name: 'New Experience' });
    await dialog.getByRole('button').filter({ hasText: 'Survey' }).first().waitFor();
    expect(new URL(page.url()).search).toBe('?kind=survey');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await run(page, 'invite', 'Invite colleague');
    await page.getByRole('dialog', { name: /^Invite/ }).waitFor();
    await page.keyboard.press('Escape');
    const viewer = await dashboard.open('/app', { as: 'viewer' });
    await heading(viewer, 'Home').waitFor();
    await openPalette(viewer);
    await viewer.keyboard.type('new survey');
    await viewer.getByText('Nothing found for “new survey”').waitFor();
  });

  it('leads from every page to the section of its guide on this server', async () => {
    const page = await dashboard.open('/app/segments');
    await heading(page, 'Segments').waitFor();
    await page.getByRole('button', { name: 'Help' }).click();
    expect(await accessibilityProblems(page, '[role=menu]')).toEqual([]);
    const opened = page.context().waitForEvent('page');
    await page.getByRole('menuitem', { name: 'Guide: Segments' }).click();
    const guide = await opened;
    await guide.getByRole('heading', { name: 'Segments', level: 2, exact: true }).waitFor();
    const { pathname, hash } = new URL(guide.url());
    expect(pathname + hash).toBe('/docs/guides/people#segments');
    // The guide opens at its section and not at its title.
    await expect.poll(() => guide.evaluate(() => scrollY)).toBeGreaterThan(0);
    expect(await accessibilityProblems(guide)).toEqual([]);
    await takePicture(guide, 'guide-light');
    await guide.close();
  });

  /** Finds an Experience by its name in the palette, and expects that a superseded search is canceled. */
  async function expectExperienceFound(page: Page, id: string): Promise<void> {
    const isSearch = (url: URL) => url.pathname === '/v3/edit/experiences' && url.searchParams.has('search');
    // The first search never gets a response.
    await page.route(isSearch, () => undefined, { times: 1 });
    await openPalette(page);
    const first = page.waitForRequest((request) => isSearch(new URL(request.url())));
    await page.keyboard.type('wel');
    const canceled = page.waitForEvent('requestfailed', async (request) => request === (await first));
    await first;
    await page.getByText('Searching…').waitFor();
    await page.keyboard.type('c');
    await canceled;
    await page.getByRole('menuitem', { name: 'Welcome tour' }).waitFor();
    await takePicture(page, 'palette-experience-light');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('<img');
    await page.getByRole('menuitem').filter({ hasText: '<img src=x' }).waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('zzz');
    await page.getByText('Nothing found for “zzz”').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('welc');
    await page.getByRole('menuitem', { name: 'Welcome tour' }).waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'Welcome tour').waitFor();
    expect(page.url()).toMatch(new RegExp(`/app/experiences/${id}$`));
  }
});

describe('the top bar', () => {
  it('chooses an Environment and shows its color, beside a navigation of icons, also after a reload', async () => {
    const page = await dashboard.open('/app');
    await page.keyboard.press('[');
    await page.getByRole('button', { name: 'Expand sidebar' }).waitFor();
    await page.getByRole('button', { name: /^Environment/ }).click();
    await takePicture(page, 'environments-light');
    await page.getByRole('menuitemradio', { name: 'Production' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Environment: Production. Switch Environment' }).waitFor();
    await page.getByRole('button', { name: 'Expand sidebar' }).waitFor();
    await heading(page, 'Home').waitFor();
    // Only the header and the navigation are checked: the content of Home is the same with a wide navigation.
    expect(await accessibilityProblems(page, 'header, nav')).toEqual([]);
    await takePicture(page, 'collapsed-light');
  });

  it('shows a name as text, whatever is in it, and chooses the theme, in which the page also says that it loads', async () => {
    const admin = await addSignedIn(dashboard.api, 'owner');
    await admin.browser.patch('/v3/person', { name: '<img src=x onerror=alert(1)>"\'&amp;\u202e' });
    const page = await dashboard.open('/app', { admin });
    await page.getByRole('button', { name: /^You/ }).click();
    await page.getByText('<img src=x onerror=alert(1)>').first().waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await accessibilityProblems(page, '[role=dialog], [role=menu]')).toEqual([]);
    await takePicture(page, 'user-menu-light');
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    await expect.poll(theme).toBe('dark');
    await page.route('**/assets/index-*.js', () => undefined);
    await page.reload({ waitUntil: 'commit' });
    await page.getByRole('status').getByText('Loading…').waitFor();
    await expect.poll(theme).toBe('dark');
    await takePicture(page, 'loading-dark');
  });
});

describe('the password', () => {
  const endSessions = (personId: string) =>
    dashboard.api.app.storage.write(null, (db) =>
      db.updateTable('sessions').set({ ended_at: Date.now() }).where('person_id', '=', personId).execute(),
    );
  const peopleNamed = async (name: string) => {
    const people = dashboard.api.app.storage.reader(null).selectFrom('people').select('id').where('name', '=', name);
    return (await people.execute()).length;
  };

  it('is asked for when the session has ended or was not confirmed lately, keeps what was typed, and repeats the request', async () => {
    const admin = await addSignedIn(dashboard.api, 'editor');
    const page = await dashboard.open('/app/settings/profile', { admin });
    const save = () => page.getByRole('button', { name: 'Save profile' }).click();
    await page.getByLabel('Name').fill('Kim Changed');
    await endSessions(admin.personId);
    await save();
    const ended = page.getByRole('dialog', { name: 'Your session has ended' });
    await ended.waitFor();
    await page.keyboard.press('Escape');
    await ended.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name').inputValue()).toBe('Kim Changed');
    await save();
    await ended.waitFor();
    expect(await accessibilityProblems(page, '[role=dialog], [role=menu]')).toEqual([]);
    await takePicture(page, 'session-ended-light');
    await page.keyboard.type('wrong password');
    await page.keyboard.press('Enter');
    await ended.getByText('This password is wrong').waitFor();
    await ended.getByLabel(/^Password/).fill(PASSWORD);
    await page.keyboard.press('Enter');
    const saved = page.getByText('Profile saved');
    await saved.waitFor();
    await ended.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name').inputValue()).toBe('Kim Changed');
    expect(await peopleNamed('Kim Changed')).toBe(1);

    await forgetConfirmation(dashboard.api, admin.personId);
    await page.getByLabel('Email').fill('kim.new@people.test');
    await save();
    await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor();
    await takePicture(page, 'confirm-light');
    const repeated = page.waitForResponse((response) => response.url().endsWith('/v3/person') && response.ok());
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await repeated;
    expect(await page.getByLabel('Email').inputValue()).toBe('kim.new@people.test');
  });
});

describe('a connection that fails', () => {
  it('shows a banner, loads everything again when it is back, and tries again on request', async () => {
    const page = await dashboard.open('/app', { savesData: false });
    const banner = page.getByText('No connection to the server');
    // The code of all pages is loaded while nothing else happens.
    await page.waitForLoadState('networkidle');
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Your devices' }).click();
    await banner.waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await takePicture(page, 'offline-light');
    await page.context().setOffline(false);
    await page.getByText('The connection is back').waitFor();
    await page.getByText('This device', { exact: true }).waitFor();
    expect(await banner.count()).toBe(0);

    const paths = ['**/v3/edit/admins?*', '**/readyz'];
    for (const path of paths) await page.route(path, (route) => route.abort());
    await page.getByRole('link', { name: 'Team' }).click();
    await banner.waitFor();
    // Nothing retries automatically for some seconds: the page has given up, and the server was just checked.
    await page.getByRole('alert').getByText('The server cannot be reached').waitFor();
    await page.waitForRequest('**/readyz');
    for (const path of paths) await page.unroute(path);
    await page.getByRole('button', { name: 'Try now' }).click();
    await page.getByRole('grid', { name: 'Team' }).waitFor();
    await banner.waitFor({ state: 'detached' });
  });

  it('explains what the server answers, and keeps what was typed', async () => {
    const page = await dashboard.open('/app/settings/profile');
    await page.getByLabel('Name').fill('Kim Typed');
    for (const [status, json, said] of [
      [409, { code: 409, messages: ['Somebody else has this email'] }, /Somebody else has this email/],
      [500, {}, /This did not work/],
      [503, { code: 503, messages: ['Gone'] }, /cannot reach its database/],
      [429, { code: 429, messages: ['Too many'], wait: 40 }, /Try again in \d+ s/],
    ] as const) {
      await page.route('**/v3/person', (route) => route.fulfill({ status, json }), { times: 1 });
      await page.getByRole('button', { name: 'Save profile' }).click();
      await page.getByRole('alert').filter({ hasText: said }).waitFor();
      expect(await page.getByLabel('Name').inputValue()).toBe('Kim Typed');
    }
  });
});
