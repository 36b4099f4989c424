import { dayOf } from '@usher/domain';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addSignedIn } from '../../server/test/sign-in.ts';
import { addActivity, recountUse } from '../../server/test/use-rows.ts';
import { accessibilityProblems, type Dashboard, focused, startDashboard, takePicture } from './browser.ts';
import { openPalette } from './by-hand.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

const panel = (page: Page, name: string) => page.getByRole('region', { name });
const removeDialog = (page: Page) => page.getByRole('alertdialog', { name: 'Remove sample data?' });
const loadSample = () => dashboard.api.post('/v3/edit/sample_data');
const hostile = `<img src=x onerror=alert(1)> ${'very long name '.repeat(12)}‮ end`;

/** Fills an account in which people work: with Experiences of their own, several Environments, and problems. */
async function fillAccount() {
  const { api } = dashboard;
  const { account_id } = api.account;
  const groups = [];
  for (const [name, short_name, color] of [
    ['Production', 'PRD', 'C0392B'],
    ['Staging', 'STG', 'F1C40F'],
  ]) {
    const params = { name, short_name, style_short_name_color: color };
    groups.push((await api.post('/v3/edit/url_groups', params)).body.url_group.id);
  }
  await api.post('/v3/edit/urls', { host: 'app.acme.test', enabled: 'on', url_group_id: groups[0] });
  const target = { elements: [{ selector: '#x' }] };
  const made = [];
  for (const [path, params, step] of [
    ['tours', { name: 'Welcome to Acme', url_group_ids: [groups[0]] }, { position_type: 'snap_to_element', ...target }],
    ['surveys', { name: 'After the first week', url_group_ids: groups }, { preset: 'survey_nps' }],
    ['tooltips', { name: hostile }, { position_type: 'inline', ...target }],
    ['embeds', { name: 'What is new in spring', url_group_ids: [groups[1]] }, { position_type: 'inline', ...target }],
  ] as const) {
    const steps = [{ title: 'Hi', ...step }];
    const { status, body } = await api.post(`/v3/edit/${path}`, { ...params, steps, published_at: '$now' });
    expect([status, body.messages]).toEqual([201, undefined]);
    made.push(body[path.slice(0, -1)]);
  }
  const [tour] = made;
  await api.app.storage.write(account_id, async (db) => {
    for (let index = 0; index < 12; index++) {
      const id = `${index}`.padStart(24, 'a');
      await db
        .insertInto('profiles')
        .values({ account_id, id, updated_at: 1, uid: `user-${index}`, percent: 0, custom: '{}' })
        .execute();
      const of = { account_id, profile_id: id, experience_id: tour.id, day: dayOf(Date.now()) };
      await db
        .insertInto('activities')
        .values({ ...of, what: 'started', part_id: '' })
        .execute();
      if (index < 9)
        await db
          .insertInto('activities')
          .values({ ...of, what: 'completed', part_id: '' })
          .execute();
    }
    const counts = { users_count: 30, total_users_count: 40, since: Date.now() - 1000, checked_at: Date.now() };
    const place = { part_id: tour.steps[0].id, path: '/settings', browser: 'firefox', is_failing: true } as const;
    await db
      .insertInto('failing_steps')
      .values({ account_id, experience_id: tour.id, ...place, ...counts })
      .execute();
  });
  await recountUse(api.app, account_id);
  await api.post('/v3/edit/webhooks', {
    url: 'https://hooks.example.com/usher',
    name: 'To the CRM',
    topics: ['tour.*'],
  });
  await api.app.storage.write(account_id, (db) =>
    db
      .updateTable('webhooks')
      .set({ failing_since: Date.now() - 3 * 3_600_000 })
      .where('account_id', '=', account_id)
      .execute(),
  );
  await api.post('/v3/edit/secrets', { name: 'Nightly export', scope: 'read', expires_at: '+5d' });
  return { tour, groups };
}

describe('an empty account', () => {
  it('leads to the templates, to the draft, and to what is live', async () => {
    await dashboard.api.post('/v3/edit/urls', { host: 'app.acme.test', enabled: 'on' });
    const page = await dashboard.open('/app');
    const start = panel(page, 'Get started');
    // There is no draft to open yet.
    await start.getByText('1 of 4 done').waitFor();
    expect(await start.getByRole('link', { name: 'Open the draft' }).count()).toBe(0);
    await start.getByRole('link', { name: 'Choose a template' }).click();
    await page.getByRole('option', { name: 'Welcome tour' }).click();
    await page.getByRole('button', { name: 'Create Experience' }).click();
    await page.getByRole('heading', { level: 1, name: 'Welcome tour' }).waitFor();
    await page.goBack();
    await page.getByRole('grid').getByText('Welcome tour').first().waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await start.getByText('2 of 4 done').waitFor();
    await start.getByRole('link', { name: 'Open the draft' }).click();
    await page.getByRole('button', { name: 'Publish…' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Publish / })
      .click();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await start.getByText('3 of 4 done').waitFor();
    await panel(page, 'Live now').getByText('Welcome tour').waitFor();
  });

  it('says what to do, loads sample data and removes it by mouse', async () => {
    const page = await dashboard.open('/app');
    await panel(page, 'Get started').getByText('0 of 4 done').waitFor();
    await panel(page, 'Live now').getByRole('button', { name: 'Load sample data' }).waitFor();
    await panel(page, 'Needs attention').getByText('Nothing needs attention').waitFor();
    await panel(page, 'Recent changes').getByText('No changes yet').waitFor();
    await page.getByRole('button', { name: 'Load sample data' }).click();
    await page.getByText('Sample data is loaded').waitFor();
    const live = panel(page, 'Live now');
    await live.getByText('Welcome tour').waitFor();
    expect(await live.getByRole('row').count()).toBe(6);
    // The person who loaded the sample data has not made its Experiences.
    await panel(page, 'Recent changes').getByText('“Welcome tour” came with the sample data').waitFor();
    expect(await panel(page, 'Recent changes').getByText('You', { exact: true }).count()).toBe(0);
    await panel(page, 'Needs attention').getByText('A step of “What takes a seat?” does not show').waitFor();
    // The sample data does not count as the customer's own first Experience.
    await panel(page, 'Get started').getByText('0 of 4 done').waitFor();
    await panel(page, 'Recent changes').getByText('New: filters by status and owner').waitFor();

    await page.getByRole('button', { name: 'Remove sample data' }).click();
    const dialog = removeDialog(page);
    await dialog.getByText('40 people and 6 Companies').waitFor();
    await dialog.getByText('also what somebody has changed in them').waitFor();
    expect(await accessibilityProblems(page, '[role="alertdialog"]')).toEqual([]);
    await takePicture(page, 'home-remove-sample-light');
    await dialog.getByRole('button', { name: 'Remove sample data' }).click();
    await page.getByText('Sample data is removed').waitFor();
    await page.getByRole('button', { name: 'Load sample data' }).waitFor();
    expect((await dashboard.api.get('/v3/edit/sample_data')).body.sample_data.loaded_at).toBe(null);
  });

  it('loads sample data and removes it by keyboard alone, and says so if it cannot', async () => {
    const { api } = dashboard;
    const page = await dashboard.open('/app');
    const load = page.getByRole('button', { name: 'Load sample data' });
    await load.waitFor();
    await tabTo(page, 'button Load sample data');
    await page.keyboard.press('Enter');
    const remove = page.getByRole('button', { name: 'Remove sample data' });
    await remove.waitFor();
    await page.keyboard.press('Escape');
    await tabTo(page, 'button Remove sample data');
    await page.keyboard.press('Enter');
    await removeDialog(page).waitFor();
    // The safe button comes first.
    await expect.poll(() => focused(page)).toBe('button Keep sample data');
    await page.keyboard.press('Escape');
    await removeDialog(page).waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('button Remove sample data');
    await page.keyboard.press('Enter');
    await tabTo(page, 'button Keep sample data');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('button Remove sample data');
    await page.keyboard.press('Enter');
    await page.getByText('Sample data is removed').waitFor();

    // Another person loads the sample data first.
    await load.waitFor();
    await loadSample();
    await load.click();
    await page.getByText('Sample data is loaded already').waitFor();
    await panel(page, 'Live now').getByText('Welcome tour').waitFor();
    // The sample data stays while a record of the account uses it.
    const { url_groups } = (await api.get('/v3/edit/url_groups')).body;
    await api.post('/v3/edit/tours', { name: 'My copy', url_group_ids: [url_groups[0].id] });
    await remove.click();
    const dialog = removeDialog(page);
    await dialog.getByRole('button', { name: 'Remove sample data' }).click();
    await dialog.getByText('Nothing was removed').waitFor();
    await dialog.getByText('The tour "My copy" is in the sample Environment').waitFor();
    await takePicture(page, 'home-not-removed-light');
  });

  it('keeps its other parts when one fails, and has its sample data loaded and removed from the palette on any page', async () => {
    const page = await dashboard.open('/app/settings/profile');
    await page.route('**/v3/analyze/attention', (route) =>
      route.fulfill({ status: 403, json: { code: 403, messages: ['Not now'] } }),
    );
    await page.getByRole('link', { name: 'Home' }).click();
    await panel(page, 'Needs attention').getByText('Not now').waitFor();
    await panel(page, 'Live now').getByRole('button', { name: 'Load sample data' }).waitFor();
    await page.unrouteAll();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Your profile' }).waitFor();
    const choose = async (name: string) => {
      await openPalette(page);
      await page.keyboard.type('sample');
      await page.getByRole('menuitem', { name }).waitFor();
      expect(await page.getByRole('menuitem').count()).toBe(1);
      await page.keyboard.press('Enter');
    };
    await choose('Load sample data');
    await panel(page, 'Live now').getByText('Welcome tour').waitFor();
    await page.getByRole('button', { name: 'Remove sample data' }).waitFor();
    await choose('Remove sample data');
    await removeDialog(page).getByRole('button', { name: 'Remove sample data' }).click();
    await page.getByText('Sample data is removed').waitFor();
    expect(new URL(page.url()).search).toBe('');
  });
});

describe('a busy account', () => {
  it('marks what is live but can show nowhere, until there is a domain for it', async () => {
    await fillAccount();
    const page = await dashboard.open('/app');
    const title = '“What is new in spring” is live, but shows nowhere';
    const entry = panel(page, 'Needs attention').getByRole('listitem').filter({ hasText: title });
    await entry.waitFor();
    const row = panel(page, 'Live now').getByRole('row').filter({ hasText: 'What is new in spring' });
    await row.getByText('Shows nowhere').waitFor();
    await entry.getByRole('link', { name: 'Open the Experience' }).click();
    await page.getByText('Live, but shows nowhere').waitFor();
    await page.goto(new URL('/app/experiences', page.url()).href);
    const listed = page.getByRole('row').filter({ hasText: 'What is new in spring' });
    await listed.getByText('Live, but shows nowhere').waitFor();
    expect(await page.getByText('Live, but shows nowhere').count()).toBe(1);

    const { url_groups } = (await dashboard.api.get('/v3/edit/url_groups')).body;
    const { id } = url_groups.find(({ name }: { name: string }) => name === 'Staging');
    await dashboard.api.post('/v3/edit/urls', { host: 'staging.acme.test', enabled: 'on', url_group_id: id });
    await page.reload();
    await listed.getByText('Live', { exact: true }).waitFor();
  });

  it('shows what is live, also in one Environment, and what fails, and hides Get started when it is dismissed', async () => {
    await fillAccount();
    const page = await dashboard.open('/app');
    const live = panel(page, 'Live now');
    const tour = live.getByRole('row').filter({ hasText: 'Welcome to Acme' });
    await expect.poll(() => tour.innerText()).toMatch(/Production[\s\S]*12[\s\S]*75%/);
    const attention = panel(page, 'Needs attention');
    await attention.getByText('A step of “Welcome to Acme” does not show').waitFor();
    await attention.getByText('75% of 40 people in 24 hours, most often on /settings in Firefox').waitFor();
    await attention.getByText('The webhook “To the CRM” fails').waitFor();
    await attention.getByText('The secret “Nightly export” expires soon').waitFor();
    await panel(page, 'Get started').getByText('3 of 4 done').waitFor();
    // Names are real links: their address can be copied, and they open in another tab.
    const name = live.getByRole('link', { name: 'Welcome to Acme' });
    expect(await name.getAttribute('href')).toMatch(/^\/app\/experiences\/[0-9a-f]{24}$/);
    const [opened] = await Promise.all([page.context().waitForEvent('page'), name.click({ modifiers: ['Control'] })]);
    await opened.getByRole('heading', { name: 'Welcome to Acme' }).waitFor();
    await opened.close();
    expect(new URL(page.url()).pathname).toBe('/app');
    await panel(page, 'Recent changes').getByRole('link', { name: '“Welcome to Acme”' }).waitFor();

    expect(await live.getByRole('row').count()).toBe(5);
    await page.getByRole('button', { name: /^Environment: / }).click();
    await page.getByRole('menuitemradio', { name: 'Staging' }).click();
    await live.getByText('Welcome to Acme').waitFor({ state: 'detached' });
    expect(await live.getByRole('row').count()).toBe(4);

    const start = panel(page, 'Get started');
    await start.getByRole('button', { name: 'Dismiss' }).click();
    await start.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await start.getByRole('button', { name: 'Dismiss' }).click();
    await page.reload();
    await live.getByText('What is new in spring').waitFor();
    expect(await start.count()).toBe(0);
  });

  it('says what people did in sentences, calls the reader "You", and has no Get started when everything is done', async () => {
    const { api } = dashboard;
    const { tour } = await fillAccount();
    const admin = await addSignedIn(api, 'editor');
    await admin.browser.send('PATCH', `/v3/edit/tours/${tour.id}`, { body: { published_at: null } });
    const { account_id } = api.account;
    await api.app.storage.write(account_id, (db) =>
      db
        .updateTable('urls')
        .set({ installed_at: 1000, first_seen_at: 1000 })
        .where('account_id', '=', account_id)
        .execute(),
    );
    const page = await dashboard.open('/app', { admin });
    const changes = panel(page, 'Recent changes');
    await changes.getByText('You unpublished “Welcome to Acme”').waitFor();
    await changes.getByText('created and published “What is new in spring”').waitFor();
    await panel(page, 'Live now').getByText('What is new in spring').waitFor();
    await panel(page, 'Get started').waitFor({ state: 'detached' });
    await takePicture(page, 'home-done-light', true);
  });

  it('is for viewers to look at, without buttons', async () => {
    await fillAccount();
    const page = await dashboard.open('/app', { as: 'viewer' });
    await panel(page, 'Live now').getByText('Welcome to Acme').waitFor();
    await panel(page, 'Needs attention').getByText('The webhook “To the CRM” fails').waitFor();
    expect(await panel(page, 'Get started').count()).toBe(0);
    // Secrets are for owners.
    expect(await page.getByText('Nightly export').count()).toBe(0);
    expect(await page.locator('main').getByRole('button').allTextContents()).toEqual(['No, thanks', 'Show me around']);
    await takePicture(page, 'home-viewer-light', true);
    await openPalette(page);
    await page.keyboard.type('sample');
    await page.getByText('Nothing found for “sample”').waitFor();
  });
});

/** Presses Tab until the wanted element has the focus. */
async function tabTo(page: Page, wanted: string): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    if ((await focused(page)) === wanted) return;
    await page.keyboard.press('Tab');
  }
  expect(await focused(page)).toBe(wanted);
}

it.each([1440, 375])('shows large numbers on one line, and the whole number on hover, at %i pixels', async (width) => {
  await loadSample();
  const page = await dashboard.open('/app/people', { width, isNew: true });
  await page.route('**/v3/analyze/live*', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(/"(shown|completed)":\d+/g, '"$1":1203345');
    await route.fulfill({ response, body });
  });
  await page.goto(`${dashboard.api.url}/app`);
  const number = panel(page, 'Live now').getByTitle('1,203,345').first();
  await number.waitFor();
  expect(await number.innerText()).toContain('1.2M');
  const { lines, isCut } = await number.evaluate((element) => {
    const cell = element.closest('td') as HTMLElement;
    return { lines: element.getClientRects().length, isCut: cell.scrollWidth > cell.clientWidth };
  });
  expect([lines, isCut]).toEqual([1, false]);
});

describe('the tiles', () => {
  const tile = (page: Page, label: string) =>
    page.getByRole('region', { name: 'The last 7 days' }).getByRole('listitem').filter({ hasText: label });

  it('compare the last 7 days with the 7 days before, in words for screen readers', async () => {
    const { api } = dashboard;
    const { body } = await api.post('/v3/edit/tours', { name: 'Hi', steps: [{ title: 'Hi' }], published_at: '$now' });
    const today = dayOf(Date.now());
    for (const [uid, days, what] of [
      ['ann', 0, 'started'],
      ['bob', 1, 'started'],
      ['cat', 2, 'started'],
      ['ann', 9, 'started'],
      ['bob', 9, 'started'],
      ['cat', 2, 'completed'],
    ] as const) {
      const { profile } = (await api.post('/v3/observe/hooks/profiles', { uid })).body;
      const { account_id } = api.account;
      await addActivity(
        api.app,
        { account_id, experience_id: body.tour.id, profile_id: profile.id },
        today - days,
        what,
      );
    }
    const page = await dashboard.open('/app');
    await tile(page, 'Experiences seen').getByText('50% more than the 2 of the 7 days before').waitFor();
    await tile(page, 'Experiences completed').getByText('No data before').waitFor();
    await tile(page, 'Experiences dismissed').getByText('No data before').waitFor();
    await tile(page, 'Live now').getByRole('link', { name: 'Show them' }).click();
    await page.waitForURL(/\/app\/experiences\?state=live$/);
  });

  it('do not show in an account in which nothing happened', async () => {
    const page = await dashboard.open('/app');
    await page.getByText('Nothing needs attention').waitFor();
    expect(await page.getByRole('region', { name: 'The last 7 days' }).count()).toBe(0);
  });
});

describe('the tour of the dashboard', () => {
  const card = (page: Page) => page.getByRole('region', { name: 'New here?' });
  const box = (page: Page) => page.locator('usher-layer .box:not([inert])');

  it('is painted over the frame by the script, without a request of a page, and is offered once', async () => {
    const admin = await addSignedIn(dashboard.api, 'editor');
    const page = await dashboard.open('/app', { admin, isNew: true });
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await card(page).getByRole('button', { name: 'Show me around' }).press('Enter');
    for (const title of ['Everything is here', 'Create Experiences', 'Choose an Environment', 'Find anything']) {
      await box(page).getByRole('heading', { name: title }).waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      await takePicture(page, `home-tour-${title.split(' ')[0]?.toLowerCase()}-light`);
      await box(page).getByRole('button', { name: 'Next' }).press('Enter');
    }
    await box(page).getByRole('heading', { name: 'Get help' }).waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await takePicture(page, 'home-tour-dark');
    await box(page).getByRole('button', { name: 'Done' }).click();
    await card(page).waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toContain('Home');
    await page.waitForLoadState('networkidle');
    expect(requests.filter((path) => /observe|\/script\//.test(path))).toEqual([]);
    expect((await admin.browser.get('/v3/session')).body.preferences.has_seen_tour).toBe(true);
    await page.reload();
    await panel(page, 'Get started').waitFor();
    expect(await card(page).count()).toBe(0);
  });

  it('has the steps that a phone shows, and ends with Escape', async () => {
    const admin = await addSignedIn(dashboard.api, 'viewer');
    const page = await dashboard.open('/app', { admin, isNew: true });
    await page.setViewportSize({ width: 375, height: 720 });
    await card(page).getByRole('button', { name: 'Show me around' }).click();
    await box(page).getByRole('heading', { name: 'Choose an Environment' }).waitFor();
    await takePicture(page, 'home-tour-phone');
    await page.keyboard.press('Escape');
    await card(page).waitFor({ state: 'detached' });
    expect(await box(page).count()).toBe(0);
  });

  it('can be declined', async () => {
    const admin = await addSignedIn(dashboard.api, 'viewer');
    const page = await dashboard.open('/app', { admin, isNew: true });
    await takePicture(page, 'home-tour-card-light');
    await card(page).getByRole('button', { name: 'No, thanks' }).click();
    await card(page).waitFor({ state: 'detached' });
    await expect.poll(async () => (await admin.browser.get('/v3/session')).body.preferences.has_seen_tour).toBe(true);
  });
});
