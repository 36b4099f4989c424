import { firstIdAt } from '@usher/domain';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '../../server/src/features/team/accounts/create-account.ts';
import { addSignedIn, type TestAdmin } from '../../server/test/sign-in.ts';
import { visit } from '../../server/test/visiting.ts';
import { accessibilityProblems, type Dashboard, focused, startDashboard, takePicture } from './browser.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());

const steps = [{ title: 'Hello', buttons: [{ text: 'Next' }] }];
let count = 0;

/** Creates an account with two Environments, domains and Experiences, and its owner. */
async function setUp() {
  const { api } = dashboard;
  const as = await createAccount(api.app, { name: 'Acme', email: `owner${++count}@domains.test` });
  const post = async (path: string, params: object) => {
    const { status, body } = await api.post(path, params, { as });
    expect([path, status, body.messages]).toEqual([path, 201, undefined]);
    return body;
  };
  const addEnvironment = async (name: string, short_name: string, style_short_name_color: string): Promise<string> =>
    (await post('/v3/edit/url_groups', { name, short_name, style_short_name_color })).url_group.id;
  const addUrl = async (host: string, params: object = {}) => (await post('/v3/edit/urls', { host, ...params })).url;
  const addTour = async (name: string, url_group_ids: string[], published_at: string | null = '$now') =>
    (await post('/v3/edit/tours', { name, steps, url_group_ids, published_at })).tour;
  const production = await addEnvironment('Production', 'PRO', 'C62F26');
  const staging = await addEnvironment('Staging', 'STG', '1D6FD1');
  const urls = async () => (await api.get('/v3/edit/urls', { as, query: 'limit=500' })).body.urls;
  const urlOf = async (host: string) => (await urls()).find((url: { host: string }) => url.host === host);
  const admin = await addSignedIn(api, 'owner', { accountId: as.account_id, email: `kim${count}@domains.test` });
  return { as, admin, production, staging, addUrl, addTour, urls, urlOf };
}
type Account = Awaited<ReturnType<typeof setUp>>;

/** Creates an account with a domain in each state, and Experiences for everybody, for staging and for production. */
async function setUpAll(): Promise<Account> {
  const account = await setUp();
  const { addUrl, addTour, production, staging, as } = account;
  await addUrl('app.acme.test', { url_group_id: production });
  await addUrl('acme.test', { url_group_id: production, enabled: 'subdomain' });
  await addUrl('beta.acme.test', { url_group_id: staging });
  await addUrl('old.acme.test', { archived_at: '$now' });
  await addUrl('docs.acme.test', { enabled: 'off' });
  await visit(dashboard.api, { uid: 'ann', href: 'https://app.acme.test/' }, { as });
  await visit(dashboard.api, { uid: 'ann', href: 'https://preview-14.acme-pages.test/' }, { as });
  await addTour('Welcome', []);
  await addTour('What is new', [staging]);
  await addTour('Invite your team', [staging]);
  await addTour('Upgrade', [production]);
  await addTour('Not ready', [staging], null);
  return account;
}

const grid = (page: Page, name = 'Domains') => page.getByRole('grid', { name });
const row = (page: Page, host: string) => grid(page).getByRole('row').filter({ hasText: host });
const open = async (path: string, admin: TestAdmin, options: object = {}) => {
  const page = await dashboard.open(path, { admin, ...options });
  await page.getByRole('tab', { name: 'Domains' }).waitFor();
  return page;
};
const toast = (page: Page, title: string) => page.getByRole('alertdialog').filter({ hasText: title });
const undo = (page: Page, title: string) => toast(page, title).getByRole('button', { name: 'Undo' });

describe('the page about domains', () => {
  it('shows how many live Experiences can show, and which', async () => {
    const { admin } = await setUpAll();
    const page = await open('/app/domains', admin);
    await row(page, 'app.acme.test').waitFor();
    expect(await page.title()).toBe('Domains · Usher');
    await expect.poll(() => row(page, 'beta.acme.test').textContent()).toContain('Staging3');
    expect(await row(page, 'docs.acme.test').textContent()).toContain('No Environment–');
    await row(page, 'beta.acme.test').getByRole('button').click();
    await page.getByRole('menuitem', { name: 'What shows here' }).click();
    const dialog = page.getByRole('dialog', { name: 'beta.acme.test' });
    await dialog.getByText('Invite your team').waitFor();
    expect(await dialog.getByText('Upgrade').count()).toBe(0);
    expect(await accessibilityProblems(page, '[role=dialog]')).toEqual([]);
    await takePicture(page, 'domains-details-light');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Environments' }).click();
    await grid(page, 'Environments').getByText('Staging').waitFor();
  });
});

/** Counts the clicks and keys of a person. */
function countClicks(page: Page) {
  return page.evaluate(() => {
    const counted = window as unknown as { clicks: number };
    counted.clicks = 0;
    addEventListener('click', ({ isTrusted }) => isTrusted && counted.clicks++, true);
  });
}
const clicks = (page: Page) => page.evaluate(() => (window as unknown as { clicks: number }).clicks);
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

it('leaves the Experiences of the demo behind when a domain gets its Environment', async () => {
  const { as, admin, addUrl, addTour, production, staging } = await setUp();
  await addUrl('beta.acme.test');
  await addTour('Demo: welcome to Harbor', [production]);
  await addTour('Upgrade', [production]);
  const page = await open('/app/domains', admin);
  await row(page, 'beta.acme.test').getByRole('button').click();
  await page.getByRole('menuitem', { name: 'Move to another Environment' }).click();
  const dialog = page.getByRole('dialog', { name: 'Move beta.acme.test' });
  await dialog.getByRole('button', { name: /Move to$/ }).click();
  await page.getByRole('option', { name: 'Staging' }).click();
  await dialog.getByText('They show here because the domain has no Environment').waitFor();
  await dialog.getByRole('button', { name: 'Move domain to Staging (1 Experience stops)' }).click();
  await toast(page, 'Moved beta.acme.test to Staging').getByText('1 Experience now also shows there.').waitFor();
  const { experiences } = (await dashboard.api.get('/v3/analyze/urls', { as })).body;
  expect(experiences).toMatchObject([
    { name: 'Demo: welcome to Harbor', url_group_ids: [production] },
    { name: 'Upgrade', url_group_ids: [production, staging] },
  ]);
});

describe('turning a staging domain into production with its Experiences', () => {
  /** The Environments of each live Experience, by its name. */
  const groupsOf = async ({ as }: Account) => {
    const { experiences } = (await dashboard.api.get('/v3/analyze/urls', { as })).body;
    return Object.fromEntries(
      experiences.map(({ name, url_group_ids }: { name: string; url_group_ids: string[] }) => [name, url_group_ids]),
    );
  };

  it('takes at most 7 clicks by mouse, says what happens before, can be undone, and stops if it was changed meanwhile', async () => {
    const account = await setUpAll();
    const { production, staging, urlOf } = account;
    const page = await open('/app/domains', account.admin);
    await countClicks(page);
    await row(page, 'beta.acme.test').getByRole('button').click();
    await page.getByRole('menuitem', { name: 'Move to another Environment' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move beta.acme.test' });
    // With two Environments the other one is chosen already.
    await dialog.getByText('Only for Staging').waitFor();
    // All Experiences are taken along unless the person unchecks them.
    await dialog.getByText('3 live Experiences now, 4 after the move').waitFor();
    expect(await dialog.getByText('Stops', { exact: true }).count()).toBe(0);
    await dialog.getByText('Take all along').click();
    await dialog.getByText('3 live Experiences now, 2 after the move').waitFor();
    expect(await dialog.getByText('Stops', { exact: true }).count()).toBe(2);
    await dialog.getByRole('button', { name: 'Move domain to Production (2 Experiences stop)' }).waitFor();
    await dialog.getByText('Take all along').click();
    await dialog.getByText(/also shows on the other domains of Production: (app\.)?acme\.test/).waitFor();
    expect(await accessibilityProblems(page, '[role=dialog]')).toEqual([]);
    await takePicture(page, 'domains-move-light');
    // The name is the label of the checkbox, so a click on it works.
    await dialog.getByText('Invite your team').click();
    expect(await dialog.getByRole('checkbox', { name: 'Invite your team' }).isChecked()).toBe(false);
    await dialog.getByText('3 live Experiences now, 3 after the move').waitFor();
    await dialog.getByRole('button', { name: 'Move domain to Production (1 Experience stops)' }).click();
    await toast(page, 'Moved beta.acme.test to Production').getByText('2 Experiences now also show there.').waitFor();
    expect(await clicks(page)).toBeLessThanOrEqual(7);
    await expect.poll(() => row(page, 'beta.acme.test').textContent()).toContain('Production3');
    expect((await urlOf('beta.acme.test')).url_group_id).toBe(production);
    expect(await groupsOf(account)).toMatchObject({
      'What is new': [staging, production],
      'Invite your team': [staging],
      'Not ready': [staging, production],
    });
    await undo(page, 'Moved beta.acme.test').click();
    await toast(page, 'Undone').waitFor();
    await expect.poll(() => row(page, 'beta.acme.test').textContent()).toContain('Staging3');
    expect(await groupsOf(account)).toMatchObject({ 'What is new': [staging], 'Not ready': [staging] });

    await row(page, 'beta.acme.test').getByRole('button').click();
    await page.getByRole('menuitem', { name: 'Move to another Environment' }).click();
    await dialog.getByText('3 live Experiences now').waitFor();
    const { id } = await urlOf('beta.acme.test');
    await dashboard.api.patch(`/v3/edit/urls/${id}`, { enabled: 'off' }, { as: account.as });
    await dialog.getByRole('button', { name: 'Move domain to Production' }).click();
    await dialog.getByText('Somebody changed this domain meanwhile').waitFor();
    await dialog.getByText('This domain is off').waitFor();
    expect((await urlOf('beta.acme.test')).url_group_id).toBe(staging);
    await takePicture(page, 'domains-conflict-light');
    await dialog.getByRole('button', { name: 'Move domain to Production' }).click();
    await toast(page, 'Moved beta.acme.test').waitFor();
  });

  it('works by keyboard alone', async () => {
    const account = await setUpAll();
    const page = await open('/app/domains', account.admin);
    await row(page, 'beta.acme.test').waitFor();
    // These keys move to the third row, then to its last cell with the menu.
    await press(page, 'j', 'j', 'j');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('beta.acme.test');
    await press(page, 'ArrowLeft', 'Enter');
    await page.getByRole('menu').waitFor();
    await press(page, 'ArrowDown', 'ArrowDown', 'Enter');
    const dialog = page.getByRole('dialog', { name: 'Move beta.acme.test' });
    await dialog.waitFor();
    await expect.poll(() => focused(page)).toContain('button');
    await press(page, 'Tab');
    await dialog.getByText('3 live Experiences now, 4 after the move').waitFor();
    await press(page, 'Enter');
    await toast(page, 'Moved beta.acme.test to Production').waitFor();
    expect((await account.urlOf('beta.acme.test')).url_group_id).toBe(account.production);
  });

  it('lets nobody take live Experiences along who may not publish', async () => {
    const { api } = dashboard;
    const account = await setUpAll();
    await api.patch('/v3/edit/account', { who_may_publish: 'owners' }, { as: account.as });
    const admin = await addSignedIn(api, 'editor', {
      accountId: account.as.account_id,
      email: `e${++count}@domains.test`,
    });
    const page = await open('/app/domains', admin);
    await row(page, 'beta.acme.test').getByRole('button').click();
    await page.getByRole('menuitem', { name: 'Move to another Environment' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move beta.acme.test' });
    await dialog.getByText('Only owners publish in this account').waitFor();
    expect(await dialog.getByRole('checkbox', { name: 'What is new' }).isDisabled()).toBe(true);
    expect(await dialog.getByRole('checkbox', { name: 'Not ready' }).isDisabled()).toBe(false);
    await takePicture(page, 'domains-move-editor-light');
  });
});

describe('domains', () => {
  it('are offered when they are newly seen, and are not changed back by an Undo that is outdated', async () => {
    const account = await setUpAll();
    await visit(dashboard.api, { uid: 'ann', href: 'https://scraper.test/' }, { as: account.as });
    const page = await open('/app/domains', account.admin);
    const section = page.getByRole('region', { name: /Newly seen/ });
    await section.getByRole('button', { name: 'Ignore scraper.test' }).click();
    await undo(page, 'Ignored scraper.test').waitFor();
    expect((await account.urlOf('scraper.test')).archived_at).not.toBeNull();
    await section.getByRole('button', { name: 'Turn on preview-14.acme-pages.test' }).click();
    const dialog = page.getByRole('dialog', { name: 'Turn on preview-14' });
    await dialog.getByText('every live Experience can show there').waitFor();
    await dialog.getByRole('button', { name: /Environment$/ }).click();
    await page.getByRole('option', { name: 'Staging' }).click();
    await dialog.getByText('3 live Experiences can show there right away.').waitFor();
    expect(await accessibilityProblems(page, '[role=dialog]')).toEqual([]);
    await takePicture(page, 'domains-turn-on-light');
    await dialog.getByRole('button', { name: 'Turn on 1 domain' }).click();
    await toast(page, 'Turned on preview-14.acme-pages.test').waitFor();
    expect(await account.urlOf('preview-14.acme-pages.test')).toMatchObject({
      enabled: 'on',
      url_group_id: account.staging,
    });
    await section.waitFor({ state: 'detached' });

    const choose = async (name: string) => {
      await row(page, 'beta.acme.test').getByRole('button').click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('Turn off');
    await undo(page, 'Turned off beta.acme.test').waitFor();
    await choose('Archive domain');
    await undo(page, 'Archived beta.acme.test').waitFor();
    await toast(page, 'Turned off beta.acme.test').waitFor({ state: 'detached' });
    const { id } = await account.urlOf('beta.acme.test');
    await dashboard.api.patch(`/v3/edit/urls/${id}`, { enabled: 'on' }, { as: account.as });
    await undo(page, 'Archived beta.acme.test').click();
    await toast(page, 'Not undone').getByText('Somebody has changed it meanwhile').waitFor();
    expect((await account.urlOf('beta.acme.test')).archived_at).not.toBeNull();
  });

  it('are added from a pasted address, by keyboard, in an account without domains', async () => {
    const account = await setUp();
    const page = await open('/app/domains', account.admin);
    await page.getByText('No domains yet').waitFor();
    const dialog = page.getByRole('dialog', { name: 'Add domain' });
    await page.getByRole('button', { name: 'Add domain' }).last().click();
    await dialog.waitFor();
    await press(page, 'Escape');
    await dialog.waitFor({ state: 'detached' });
    await press(page, 'c');
    await dialog.waitFor();
    await page.keyboard.type('not a domain');
    await press(page, 'Enter');
    await dialog.getByText('Type a host such as app.example.com').waitFor();
    await dialog.getByLabel('Domain', { exact: true }).fill('https://*.Bücher.example:8443/start?a=b');
    await dialog.getByText('Will be added as xn--bcher-kva.example').waitFor();
    expect(await dialog.getByRole('checkbox').isChecked()).toBe(true);
    await takePicture(page, 'domains-add-light');
    await press(page, 'Enter');
    await toast(page, 'Added xn--bcher-kva.example').waitFor();
    expect(await account.urlOf('xn--bcher-kva.example')).toMatchObject({ enabled: 'subdomain' });
    await row(page, 'xn--bcher-kva.example').waitFor();
    await page.getByRole('button', { name: 'Add domain' }).click();
    await dialog.getByLabel('Domain', { exact: true }).fill('xn--bcher-kva.example');
    await dialog.getByText('This domain is in the list already.').waitFor();
    await dialog.getByLabel('Domain', { exact: true }).fill('http://localhost:3000');
    await dialog.getByText('localhost is on only until').waitFor();
  });

  it('propose the Environment that their name suggests, and create it if there is none', async () => {
    const account = await setUp();
    const page = await open('/app/domains', account.admin);
    const dialog = page.getByRole('dialog', { name: 'Add domain' });
    const add = async (host: string) => {
      await page.getByRole('button', { name: 'Add domain' }).last().click();
      await dialog.getByLabel('Domain', { exact: true }).fill(host);
    };
    await add('staging.acme.test');
    await dialog.getByRole('button', { name: /^Staging/ }).waitFor();
    await press(page, 'Enter');
    await toast(page, 'Added staging.acme.test').waitFor();
    expect(await account.urlOf('staging.acme.test')).toMatchObject({ url_group_id: account.staging });
    await add('qa.acme.test');
    await dialog.getByRole('checkbox', { name: 'Create the Environment “Test” for it' }).waitFor();
    expect(await accessibilityProblems(page, '[role=dialog]')).toEqual([]);
    await takePicture(page, 'domains-proposal-light');
    await dialog.getByRole('button', { name: 'Add domain' }).click();
    await toast(page, 'Added qa.acme.test').waitFor();
    const { body } = await dashboard.api.get('/v3/edit/url_groups', { as: account.as });
    const created = body.url_groups.find(({ name }: { name: string }) => name === 'Test');
    expect(await account.urlOf('qa.acme.test')).toMatchObject({ url_group_id: created.id });
    await add('app.acme.test');
    await dialog.getByText(/Nothing is live for it/).waitFor();
    expect(await dialog.getByText(/Create the Environment/).count()).toBe(0);
  });

  it('count what can show in the Environment that is created with them, and name it as chosen', async () => {
    const { admin, addTour, production, staging } = await setUp();
    await addTour('Upgrade', [production]);
    await addTour('What is new', [staging]);
    await addTour('Welcome', []);
    const page = await open('/app/domains', admin);
    await page.getByRole('button', { name: 'Add domain' }).last().click();
    const dialog = page.getByRole('dialog', { name: 'Add domain' });
    await dialog.getByLabel('Domain', { exact: true }).fill('qa.acme.test');
    await dialog.getByRole('button', { name: /^Test \(new\)/ }).waitFor();
    await dialog.getByText('1 live Experience can show there right away.').waitFor();
    await dialog.getByText('Create the Environment “Test” for it').click();
    await dialog.getByRole('button', { name: /^No Environment/ }).click();
    await page.getByRole('option', { name: 'Test (new)' }).click();
    await dialog.getByText('1 live Experience can show there right away.').waitFor();
    expect(await dialog.getByRole('checkbox', { name: /^Create the Environment/ }).isChecked()).toBe(true);
  });

  it('say on phones what was done over the bar at the top, one at a time, and cover nothing of the page', async () => {
    const { admin } = await setUpAll();
    const page = await open('/app/domains', admin, { width: 375, height: 812 });
    const turnOff = async (host: string) => {
      await row(page, host).getByRole('button').last().click();
      await page.getByRole('menuitem', { name: 'Turn off' }).click();
      await toast(page, `Turned off ${host}`).waitFor();
    };
    const bottomOf = (selector: string) =>
      page.locator(selector).evaluate((one) => Math.round(one.getBoundingClientRect().bottom));
    await turnOff('app.acme.test');
    expect(await bottomOf('.toasts')).toBeLessThanOrEqual(await bottomOf('header'));
    await turnOff('beta.acme.test');
    expect(await toast(page, 'Turned off app.acme.test').isVisible()).toBe(false);
    expect(await bottomOf('.toasts')).toBeLessThanOrEqual(await bottomOf('header'));
    await takePicture(page, 'domains-toast-375');
    await undo(page, 'Turned off beta.acme.test').click();
    await toast(page, 'Turned off app.acme.test').waitFor();
  });

  it('stay in their place when they are changed or selected, and each gets back what it was with undo', async () => {
    const account = await setUpAll();
    const states = async () =>
      (await account.urls()).map(({ host, enabled, archived_at, url_group_id }: Record<string, unknown>) => [
        host,
        enabled,
        archived_at === null,
        url_group_id,
      ]);
    const before = await states();
    const page = await open('/app/domains', account.admin);
    const topOf = (host: string) => row(page, host).evaluate((one) => one.getBoundingClientRect().top);
    await row(page, 'app.acme.test').waitFor();
    const places = () => Promise.all(['app.acme.test', 'beta.acme.test', 'docs.acme.test'].map(topOf));
    const placesBefore = await places();
    await row(page, 'app.acme.test').getByRole('button').click();
    await page.getByRole('menuitem', { name: 'Turn off' }).click();
    await row(page, 'app.acme.test').getByText('Off', { exact: true }).waitFor();
    expect(await places()).toEqual(placesBefore);
    await undo(page, 'Turned off app.acme.test').click();
    await expect.poll(states).toEqual(before);
    await page.getByRole('checkbox', { name: 'Select docs.acme.test' }).setChecked(true, { force: true });
    await page.getByRole('region', { name: '1 domain selected' }).waitFor();
    expect(await places()).toEqual(placesBefore);

    await page.getByRole('checkbox', { name: 'Select all' }).setChecked(true, { force: true });
    const bar = page.getByRole('region', { name: '5 domains selected' });
    await bar.waitFor();
    await takePicture(page, 'domains-selected-light');
    await bar.getByRole('button', { name: 'Assign to Environment' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move 5 domains to an Environment' });
    await dialog.getByRole('button', { name: /Environment$/ }).click();
    await page.getByRole('option', { name: 'Staging' }).click();
    await dialog.getByText('2 Experiences can start to show on at least one of them, 1 Experience will stop').waitFor();
    await takePicture(page, 'domains-assign-light');
    await dialog.getByRole('button', { name: 'Move 5 domains' }).click();
    await undo(page, 'Moved 5 domains to Staging').click();
    await expect.poll(states).toEqual(before);
    await bar.getByRole('button', { name: 'Turn off' }).click();
    await undo(page, 'Turned off 3 domains').click();
    await expect.poll(states).toEqual(before);
    await page.getByRole('checkbox', { name: 'Select all' }).setChecked(true, { force: true });
    await bar.getByRole('button', { name: 'Archive' }).click();
    await undo(page, 'Archived 5 domains').click();
    await expect.poll(states).toEqual(before);
    await page.getByRole('columnheader', { name: 'State' }).click();
    await expect.poll(() => topOf('app.acme.test')).not.toBe(placesBefore[0]);
  });

  it('keep search, filters and order in the address, and their place when going back', async () => {
    const account = await setUp();
    const { as, admin } = account;
    const rows = Array.from({ length: 500 }, (_, index) => ({
      account_id: as.account_id,
      id: firstIdAt(Date.UTC(2020, 0, 1) + index),
      updated_at: 1000,
      host: `h${String(index).padStart(3, '0')}.acme.test`,
      domain: 'acme.test',
      enabled: 'on' as const,
      url_group_id: index < 400 ? account.staging : null,
    }));
    await dashboard.api.app.storage.write(as.account_id, (db) => db.insertInto('urls').values(rows).execute());
    const page = await open(`/app/domains?environment=${account.staging}&sort=-host`, admin);
    await row(page, 'h399.acme.test').waitFor();
    expect(await grid(page).getAttribute('aria-rowcount')).toBe('401');
    await page.getByLabel('Search domains').fill('h39');
    await expect.poll(() => grid(page).getAttribute('aria-rowcount')).toBe('11');
    expect(new URL(page.url()).searchParams.get('q')).toBe('h39');
    await page.getByRole('columnheader', { name: 'Domain' }).click();
    await expect.poll(() => grid(page).getByRole('row').nth(1).textContent()).toContain('h390');
    await page.getByLabel('Search domains').fill('');
    await grid(page).evaluate((table) => table.scrollTo(0, 4000));
    await row(page, 'h105.acme.test').waitFor();
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page.goBack();
    await row(page, 'h105.acme.test').waitFor();
    expect(new URL(page.url()).searchParams.get('environment')).toBe(account.staging);
    await page.getByLabel('Search domains').fill('nothing like this');
    await page.getByText('No domain matches').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => grid(page).getAttribute('aria-rowcount')).toBe('501');
  });

  it('break nothing with hostile names', async () => {
    const account = await setUp();
    const { api } = dashboard;
    const long = `${Array(4).fill('a'.repeat(60)).join('.')}.test`;
    await account.addUrl(long);
    await account.addUrl('xn--80ak6aa92e.com');
    const hostile = '\u202eevil<img src=x onerror=alert(1)>'.repeat(6);
    const group = await api.post('/v3/edit/url_groups', { name: hostile, short_name: '😀‮W' }, { as: account.as });
    expect(group.status).toBe(201);
    await account.addUrl('bidi.acme.test', { url_group_id: group.body.url_group.id });
    await account.addTour(hostile, [group.body.url_group.id]);
    const page = await open('/app/domains', account.admin);
    for (const width of [1440, 375]) {
      await page.setViewportSize({ width, height: 900 });
      await row(page, 'bidi.acme.test').waitFor();
      await row(page, 'xn--80ak6aa92e.com').waitFor();
      const root = page.locator('html');
      expect(await root.evaluate((html) => html.scrollWidth - html.clientWidth)).toBeLessThanOrEqual(0);
      await takePicture(page, `domains-hostile-${width}`);
    }
    await row(page, 'bidi.acme.test').getByRole('button').click();
    await page.getByRole('menuitem', { name: 'Move to another Environment' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move bidi.acme.test' });
    await dialog.getByRole('button', { name: /Move to$/ }).click();
    await page.getByRole('option', { name: 'Production' }).click();
    await dialog.getByText('1 live Experience now, 1 after the move').waitFor();
    expect(await accessibilityProblems(page, '[role=dialog]')).toEqual([]);
    await takePicture(page, 'domains-hostile-move-375');
  });

  it('can only be looked at by a viewer', async () => {
    const account = await setUpAll();
    const admin = await addSignedIn(dashboard.api, 'viewer', {
      accountId: account.as.account_id,
      email: `v${++count}@domains.test`,
    });
    const page = await open('/app/domains', admin);
    await row(page, 'beta.acme.test').waitFor();
    for (const name of ['Add domain', /^Turn on/, /^Ignore/])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    expect(await page.getByRole('checkbox').count()).toBe(0);
    await row(page, 'beta.acme.test').getByRole('button').click();
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['What shows here']);
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Environments' }).click();
    await grid(page, 'Environments').getByText('Staging').waitFor();
    expect(await page.getByRole('button', { name: /New Environment|Actions/ }).count()).toBe(0);
  });
});

describe('Environments', () => {
  it('are added with a color, renamed, archived and restored', async () => {
    const account = await setUpAll();
    const { api } = dashboard;
    const groups = async () => (await api.get('/v3/edit/url_groups', { as: account.as })).body.url_groups;
    const page = await open('/app/domains?tab=environments', account.admin);
    const list = grid(page, 'Environments');
    await list.getByText('Staging').waitFor();
    await page.getByRole('button', { name: 'New Environment' }).click();
    const dialog = page.getByRole('dialog', { name: 'New Environment' });
    await dialog.getByLabel('Name', { exact: true }).fill('Preview');
    await dialog.getByLabel('Short name').fill('TOOLONG');
    await dialog.getByLabel('Custom color').fill('c62f20');
    await dialog.getByText('Production looks almost the same.').waitFor();
    await dialog.getByTitle('Teal').click();
    expect(await dialog.getByLabel('Custom color').inputValue()).toBe('0F766E');
    await dialog.getByRole('button', { name: 'Create Environment' }).click();
    await dialog.getByText(/^Short name has 6 characters/).waitFor();
    await dialog.getByLabel('Short name').fill('PRE');
    expect(await accessibilityProblems(page, '[role=dialog]')).toEqual([]);
    await takePicture(page, 'environment-add-light');
    await press(page, 'Enter');
    await toast(page, 'Created Preview').waitFor();
    expect((await groups())[0]).toMatchObject({ name: 'Preview', short_name: 'PRE', style_short_name_color: '0F766E' });

    await list.getByRole('button', { name: 'Actions for Staging' }).click();
    await page.getByRole('menuitem', { name: 'Edit Environment' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit Staging' });
    await edit.getByLabel('Name', { exact: true }).fill('Stage');
    await api.patch(`/v3/edit/url_groups/${account.staging}`, { description: 'Before release' }, { as: account.as });
    await edit.getByRole('button', { name: 'Save Environment' }).click();
    await edit.getByText('Somebody changed this Environment meanwhile').waitFor();
    await edit.getByRole('button', { name: 'Save Environment' }).click();
    await toast(page, 'Saved Stage').waitFor();
    expect(await groups()).toContainEqual(expect.objectContaining({ name: 'Stage', description: 'Before release' }));

    await list.getByRole('button', { name: 'Actions for Stage' }).click();
    await page.getByRole('menuitem', { name: 'Archive Environment' }).click();
    const archive = page.getByRole('dialog', { name: 'Archive Stage' });
    await archive.getByText('What happens to its 1 domain?').waitFor();
    await archive.getByText('Archive them too').click();
    expect(await accessibilityProblems(page, '[role=dialog]')).toEqual([]);
    await takePicture(page, 'environment-archive-light');
    await archive.getByRole('button', { name: 'Archive Environment' }).click();
    await toast(page, 'Archived Stage').waitFor();
    expect((await account.urlOf('beta.acme.test')).archived_at).not.toBeNull();
    await list.getByText('Archived', { exact: true }).waitFor();
    await undo(page, 'Archived Stage').click();
    await toast(page, 'Undone').waitFor();
    expect((await account.urlOf('beta.acme.test')).archived_at).toBeNull();
    await list.getByRole('link', { name: '1 domain of Stage' }).click();
    await row(page, 'beta.acme.test').waitFor();
    expect(await grid(page).getAttribute('aria-rowcount')).toBe('2');
  });
});
