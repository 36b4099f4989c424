import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addSignedIn, addToAccount } from '../../server/test/sign-in.ts';
import { accessibilityProblems, type Dashboard, focused, startDashboard, takePicture } from './browser.ts';
import { hostileName } from './looks.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

const PATH = '/app/experiences';
const steps = [{ title: 'Hello' }];
const create = async (path: string, params: object) => {
  const { status, body } = await dashboard.api.post(`/v3/edit/${path}`, params);
  expect([path, status, body.messages]).toEqual([path, 201, undefined]);
  return Object.values(body)[0] as { id: string };
};
const add = async (name: string, params: object = {}): Promise<string> =>
  (await create('tours', { name, steps, ...params })).id;
const tourOf = async (id: string) => (await dashboard.api.get(`/v3/edit/tours/${id}`)).body.tour;
const stateOf = async (id: string) => (await tourOf(id)).state;
const order = async (): Promise<string[]> =>
  (await dashboard.api.get('/v3/edit/experiences', { query: 'order=position&fields=list' })).body.experiences.map(
    ({ name }: { name: string }) => name,
  );

const grid = (page: Page) => page.getByRole('grid', { name: 'Experiences' });
const row = (page: Page, name: string) => grid(page).getByRole('row').filter({ hasText: name });
const menu = async (page: Page, name: string, entry: string) => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: entry }).click();
};
const toast = (page: Page, title: string) => page.getByRole('alertdialog').filter({ hasText: title });
const undo = (page: Page, title: string) => toast(page, title).getByRole('button', { name: 'Undo' }).click();
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
const shownOrder = async (page: Page) =>
  (await grid(page).getByRole('rowheader').locator('bdi').allTextContents()).map((name) => name.trim());

/** Creates three tours, and returns them in their order of priority. */
async function addThree(): Promise<string[]> {
  for (const name of ['One', 'Two', 'Three']) await add(name, { published_at: '$now' });
  return order();
}

/** Creates an Experience for each kind of row, with an Environment, Segments and tags. */
async function addAll() {
  const { id: production } = await create('url_groups', {
    name: 'Production',
    short_name: 'PRO',
    style_short_name_color: 'C62F26',
  });
  const { id: admins } = await create('segments', {
    name: 'Admins',
    items: [{ kind: 'property', prop: 'role', op: 'eq', value: 'admin' }],
  });
  const { id: onboarding } = await create('tags', { name: 'Onboarding' });
  const { id: growth } = await create('tags', { name: 'Growth' });
  await add('Welcome to Orbit', { published_at: '$now', url_group_ids: [production], tag_ids: [onboarding, growth] });
  await add('Invite your team', { segment_ids: [admins], tag_ids: [growth] });
  await create('surveys', {
    name: 'How likely are you to recommend us?',
    steps: [{ title: 'How likely?', preset: 'survey_nps' }],
    published_at: '$now',
    excluded_segment_ids: [admins],
  });
  await add('Summer sale', { published_at: '+2d' });
  return { production, admins, onboarding, growth };
}

/** Copies a row of the database, because creating each Experience with a request would take minutes. */
async function addMany(count: number): Promise<void> {
  const id = await add('Tour 1');
  const { account, app } = dashboard.api;
  const { storage, newId } = app;
  const rows = await storage.write(account.account_id, (db) =>
    db
      .selectFrom('experiences')
      .selectAll()
      .where('account_id', '=', account.account_id)
      .where('id', '=', id)
      .execute(),
  );
  const [row] = rows as unknown as [Record<string, unknown> & { draft: unknown }];
  const draft = JSON.stringify(row.draft);
  for (let start = 1; start < count; start += 500) {
    const copies = [...Array(Math.min(500, count - start)).keys()].map((index) => ({
      ...row,
      id: newId(),
      draft: draft.replace('"Tour 1"', `"Tour ${start + index + 1}"`),
      captures: JSON.stringify(row.captures),
      name_key: `tour ${start + index + 1}`,
      sort_key: `m${String(start + index).padStart(6, '0')}`,
    }));
    await storage.write(account.account_id, (db) =>
      db
        .insertInto('experiences')
        .values(copies as never)
        .execute(),
    );
  }
}

describe('the list', () => {
  it('shows a viewer everything, without the actions that they may not do', async () => {
    await addThree();
    const page = await dashboard.open(PATH, { as: 'viewer' });
    await page.getByText('3 Experiences').waitFor();
    expect(await page.getByRole('button', { name: /Actions for|New Experience|Drag/ }).count()).toBe(0);
    expect(await page.getByRole('checkbox').count()).toBe(0);
    await page.keyboard.press('c');
    await page.goto(`${dashboard.api.url}${PATH}?dialog=new`);
    await page.getByText('3 Experiences').waitFor();
    await page.waitForURL(`${dashboard.api.url}${PATH}`);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/app\/experiences\/[0-9a-f]{24}/);
  });

  it('has the menu of a row and its state on a phone, and filters behind a button', async () => {
    const { growth } = await addAll();
    const page = await dashboard.open(PATH, { width: 375, height: 812 });
    await row(page, 'Summer sale').getByText('Scheduled', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /Tag$/ }).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await takePicture(page, 'experiences-filter-menu-phone');
    await page.getByRole('button', { name: /Tag$/ }).click();
    await page.getByRole('option', { name: 'Growth' }).click();
    await page.getByRole('listbox').waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Filter' }).waitFor({ state: 'hidden' });
    await page.getByText('2 Experiences').waitFor();
    expect(new URL(page.url()).searchParams.get('tag')).toBe(growth);
    await page.getByRole('button', { name: 'Remove filter: Tag Growth' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await takePicture(page, 'experiences-filters-phone', true);
    await menu(page, 'Invite your team', 'Archive');
    await toast(page, 'Archived “Invite your team”').waitFor();
  });
});

describe('a name in the list', () => {
  it('is a link, which opens in another tab by Ctrl and by the middle button, and once by a click', async () => {
    const id = await add('Welcome');
    await add('Other');
    const page = await dashboard.open(PATH);
    const link = row(page, 'Welcome').getByRole('link', { name: 'Welcome' });
    expect(await link.getAttribute('href')).toBe(`/app/experiences/${id}`);
    for (const options of [{ modifiers: ['Control' as const] }, { button: 'middle' as const }]) {
      const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click(options)]);
      await opened.getByRole('heading', { name: 'Welcome' }).waitFor();
      await opened.close();
      expect(new URL(page.url()).pathname).toBe(PATH);
    }
    const steps = () => page.evaluate(() => history.length);
    const before = await steps();
    await link.click();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    expect(await steps()).toBe(before + 1);
  });
});

describe('filters', () => {
  it('are in the address, by Environment, Segment and tag, also if that was deleted', async () => {
    const { production, admins, onboarding } = await addAll();
    const page = await dashboard.open(`${PATH}?environment=${production}`);
    await page.getByText('1 Experience', { exact: true }).waitFor();
    expect(await shownOrder(page)).toEqual(['Welcome to Orbit']);
    await page.getByRole('button', { name: 'Remove filter: Environment Production' }).press('Enter');
    await expect.poll(() => focused(page)).toBe('button Filter');
    await page.keyboard.press('Enter');
    await page
      .getByRole('dialog', { name: 'Filter' })
      .getByRole('button', { name: /Segment/ })
      .press('Enter');
    await page.getByRole('option', { name: 'Admins' }).press('Enter');
    await page.keyboard.press('Escape');
    await expect.poll(() => shownOrder(page)).toContain('Invite your team');
    expect(new URL(page.url()).search).toBe(`?segment=${admins}`);
    await page.goto(`${dashboard.api.url}${PATH}?tag=${onboarding}&kind=survey`);
    await page.getByText('Nothing found').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('4 Experiences').waitFor();
    expect(new URL(page.url()).search).toBe('');
    // The filters say that the named record was deleted, and ignore a value that is no ID.
    await page.goto(`${dashboard.api.url}${PATH}?tag=${'0'.repeat(24)}&state=constructor&segment=%3Cb%3E`);
    await page.getByRole('button', { name: 'Remove filter: Tag Deleted meanwhile' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('4 Experiences').waitFor();
  });
});

describe('a saved view', () => {
  it('is saved by keyboard under a name, opens as a link, and is deleted with undo', async () => {
    await addAll();
    const admin = await addSignedIn(dashboard.api, 'editor');
    const page = await dashboard.open(`${PATH}?kind=tour&state=live`, { admin, isNew: true });
    await page.getByText('1 Experience', { exact: true }).waitFor();
    const views = page.getByRole('navigation', { name: 'Views' });
    expect(await views.count()).toBe(0);
    await page.getByRole('button', { name: 'Save view' }).press('Enter');
    await expect.poll(() => focused(page)).toContain('Name of the view');
    await page.keyboard.type('Live tours');
    await page.keyboard.press('Enter');
    const link = views.getByRole('link', { name: 'Live tours' });
    await link.waitFor();
    expect(await link.getAttribute('aria-current')).toBe('page');
    expect(await accessibilityProblems(page)).toEqual([]);
    await takePicture(page, 'experiences-view-light', true);
    await views.getByRole('link', { name: 'All' }).click();
    await page.getByText('4 Experiences').waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(await link.getAttribute('href')).toBe(`${PATH}?kind=tour&state=live`);
    await link.click();
    await page.getByText('1 Experience', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete view' }).click();
    await views.waitFor({ state: 'detached' });
    const stored = page.waitForResponse((one) => one.url().endsWith('/v3/session/preferences'));
    await undo(page, 'Deleted the view “Live tours”');
    await link.waitFor();
    await stored;
    // The server has it, so another browser of the person shows it too.
    const other = await dashboard.open(PATH, { admin, isNew: true });
    await other.getByRole('link', { name: 'Live tours' }).click();
    await other.getByText('1 Experience', { exact: true }).waitFor();
  });
});

describe('a row', () => {
  it('is 52 pixels high, with a drawing of the Experience and its kind in words', async () => {
    await add('Corner', {
      steps: [{ title: 'Hi', position_type: 'relative_to_screen', screen_position: 'top_right' }],
    });
    await create('surveys', { name: 'NPS', steps: [{ title: 'How likely?', preset: 'survey_nps' }] });
    const page = await dashboard.open(PATH);
    const one = row(page, 'Corner');
    expect((await one.boundingBox())?.height).toBe(52);
    await one.getByText('Tour', { exact: true }).waitFor();
    // The box is at its corner of the page.
    expect(await one.locator('rect.stroke-accent').getAttribute('x')).toBe('28');
    expect(await row(page, 'NPS').locator('path[stroke-dasharray]').count()).toBe(1);
  });
});

describe('the order of priority', () => {
  const moved = (page: Page) => page.waitForResponse((response) => response.url().endsWith('/experiences/order'));

  it('changes by drag immediately, and undo leads back', async () => {
    const before = await addThree();
    const page = await dashboard.open(PATH);
    await page.getByText('3 Experiences').waitFor();
    const [first, second, third] = before as [string, string, string];
    const response = moved(page);
    await row(page, third).dragTo(row(page, first), { targetPosition: { x: 200, y: 3 } });
    expect((await response).status()).toBe(200);
    await expect.poll(() => shownOrder(page)).toEqual([third, first, second]);
    expect(await order()).toEqual([third, first, second]);
    await takePicture(page, 'experiences-moved-light');
    const back = moved(page);
    await undo(page, `Moved “${third}” to place 1`);
    await back;
    expect(await order()).toEqual(before);
    await expect.poll(() => shownOrder(page)).toEqual(before);
  });

  it('changes by keyboard with the handle of the last row, and Esc puts it back', async () => {
    const [first, second, third] = (await addThree()) as [string, string, string];
    const page = await dashboard.open(PATH);
    const handle = page.getByRole('button', { name: `Drag ${third}` });
    await handle.waitFor();
    await press(page, 'j');
    await expect.poll(() => focused(page)).toMatch(new RegExp(`^row.*${first}`));
    await press(page, 'ArrowRight');
    await expect.poll(() => focused(page)).toBe(`button Drag ${first}`);
    await page.getByRole('searchbox').press('Tab');
    // Screen readers move the focus to a button directly.
    await handle.focus();
    await expect.poll(() => focused(page)).toBe(`button Drag ${third}`);
    const help = await handle.evaluate(
      (element) => document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent,
    );
    expect(help).toMatch(/^Press Enter to pick up this row/);
    await press(page, 'Enter');
    await expect.poll(() => focused(page)).toBe(`button Insert after ${third}`);
    await press(page, 'Escape');
    await expect.poll(() => focused(page)).toBe(`button Drag ${third}`);
    expect(await order()).toEqual([first, second, third]);
    await press(page, 'Enter');
    await expect.poll(() => focused(page)).toBe(`button Insert after ${third}`);
    await press(page, 'ArrowUp', 'ArrowUp');
    await expect.poll(() => focused(page)).toBe(`button Insert between ${first} and ${second}`);
    await takePicture(page, 'experiences-dragging-light');
    const response = moved(page);
    await press(page, 'Enter');
    await response;
    expect(await order()).toEqual([first, third, second]);
    expect(new URL(page.url()).pathname).toBe(PATH);
  });

  it('changes by the menu of a row, at the next page load without publishing, unless a row was deleted meanwhile', async () => {
    const before = await addThree();
    const { account_token } = dashboard.api.account;
    const load = async () => {
      const visit = { account_token, uid: 'ann', href: 'http://127.0.0.1/' };
      const { body } = await dashboard.api.post('/v3/observe/visits', visit, { as: null });
      const ids: string[] = body.experiences.map(({ id }: { id: string }) => id);
      return Promise.all(ids.map(async (id) => (await tourOf(id)).name));
    };
    expect(await load()).toEqual([before[0]]);
    const page = await dashboard.open(PATH);
    const response = moved(page);
    await menu(page, before[0] ?? '', 'Move down');
    await response;
    expect(await load()).toEqual([before[1]]);
    expect(await order()).toEqual([before[1], before[0], before[2]]);
    // Another person deletes a row meanwhile: the list says so, and is loaded again.
    await toast(page, 'Moved').getByRole('button', { name: 'Close' }).click();
    const { experiences } = (await dashboard.api.get('/v3/edit/experiences', { query: 'fields=list' })).body;
    const { id } = experiences.find(({ name }: { name: string }) => name === before[1]);
    await dashboard.api.send('DELETE', `/v3/edit/tours/${id}`);
    await menu(page, before[1] ?? '', 'Move down');
    await page.getByText('2 Experiences').waitFor();
    expect(await row(page, before[2] ?? '').count()).toBe(1);
    expect(await page.getByRole('alertdialog').count()).toBe(1);
  });

  it('cannot be changed where the list is in another order, or filtered', async () => {
    await addThree();
    const page = await dashboard.open(`${PATH}?order=name`);
    await page.getByText('3 Experiences').waitFor();
    expect(await page.getByRole('button', { name: /Drag/ }).count()).toBe(0);
    await page.goto(`${dashboard.api.url}${PATH}?kind=tour`);
    await page.getByText('3 Experiences').waitFor();
    expect(await page.getByRole('button', { name: /Drag/ }).count()).toBe(0);
    await page.goto(`${dashboard.api.url}${PATH}`);
    await page.getByRole('button', { name: /Drag/ }).first().waitFor();
    expect(await page.getByRole('button', { name: /Drag/ }).count()).toBe(3);
  });
});

describe('selected Experiences', () => {
  const select = (page: Page, name: string) =>
    page.getByRole('checkbox', { name: `Select ${name}` }).click({ force: true });

  it('are archived together, and undo restores the ones that were not archived before', async () => {
    await addThree();
    const page = await dashboard.open(PATH);
    await page.getByText('3 Experiences').waitFor();
    const place = await grid(page).boundingBox();
    await select(page, 'One');
    await select(page, 'Three');
    const bar = page.getByRole('region', { name: '2 selected' });
    await bar.waitFor();
    expect(await grid(page).boundingBox()).toEqual(place);
    expect(await accessibilityProblems(page, '[role=region], section')).toEqual([]);
    await takePicture(page, 'experiences-selected-light');
    await bar.getByRole('button', { name: 'Archive' }).click();
    await page.getByText('1 Experience', { exact: true }).waitFor();
    expect(await order()).toHaveLength(3);
    await undo(page, 'Archived 2 Experiences');
    await page.getByText('3 Experiences').waitFor();
  });

  it('get a new tag by keyboard, and undo takes it from the ones that did not have it', async () => {
    await addThree();
    const page = await dashboard.open(PATH);
    await row(page, 'Three').waitFor();
    await press(page, 'j');
    await expect.poll(() => focused(page)).toMatch(/^row/);
    await press(page, ' ', 'j', ' ');
    const bar = page.getByRole('region', { name: '2 selected' });
    await bar.getByRole('button', { name: 'Add Tag…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add a Tag to 2 Experiences' });
    await dialog.waitFor();
    await page.keyboard.type(hostileName.slice(0, 60));
    await dialog.getByRole('button', { name: /^Create and add Tag/ }).waitFor();
    await press(page, 'Enter');
    await toast(page, 'Tagged 2 Experiences').waitFor();
    const tagged = async () =>
      (await dashboard.api.get('/v3/edit/experiences', { query: 'fields=list' })).body.experiences.filter(
        ({ tag_ids }: { tag_ids: string[] }) => tag_ids.length > 0,
      ).length;
    expect(await tagged()).toBe(2);
    await undo(page, 'Tagged 2 Experiences');
    await expect.poll(tagged).toBe(0);
  });

  it('are published together, and the dialog keeps the one that has a problem', async () => {
    const ids = [await add('One'), await add('Two'), await add('Broken', { steps: [] })];
    const page = await dashboard.open(PATH);
    await page.getByText('3 Experiences').waitFor();
    for (const name of ['One', 'Two', 'Broken']) await select(page, name);
    await page.getByRole('region', { name: '3 selected' }).getByRole('button', { name: 'Publish…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Publish 3 Experiences' });
    await dialog.getByRole('button', { name: 'Publish 2 Experiences now' }).waitFor();
    expect(await dialog.getByRole('group', { name: 'What changes' }).count()).toBe(3);
    expect(await accessibilityProblems(page, '[role=dialog]')).toEqual([]);
    await takePicture(page, 'experiences-publish-light');
    await dialog.getByRole('button', { name: 'Publish 2 Experiences now' }).click();
    await dialog.getByText('Published 2 Experiences. These were not published:').waitFor();
    expect(await dialog.getByRole('heading', { level: 3 }).getByRole('link').allTextContents()).toEqual(['Broken']);
    expect(await dialog.getByRole('button', { name: /^Publish/ }).count()).toBe(0);
    await takePicture(page, 'experiences-publish-partly-light');
    expect(await Promise.all(ids.map(stateOf))).toEqual(['live', 'live', 'draft']);
    await press(page, 'Escape');
    await row(page, 'Two').getByText('Live').waitFor();
    await undo(page, 'Published 2 Experiences');
    await expect.poll(() => Promise.all(ids.map(stateOf))).toEqual(['draft', 'draft', 'draft']);
  });

  it('are published by keyboard', async () => {
    const ids = [await add('One'), await add('Two')];
    const page = await dashboard.open(PATH);
    await row(page, 'Two').waitFor();
    await press(page, 'j');
    await expect.poll(() => focused(page)).toMatch(/^row/);
    await press(page, ' ', 'j', ' ');
    await page.getByRole('region', { name: '2 selected' }).getByRole('button', { name: 'Publish…' }).press('Enter');
    await page.getByRole('button', { name: 'Publish 2 Experiences now' }).press('Enter');
    await toast(page, 'Published 2 Experiences').waitFor();
    expect(await Promise.all(ids.map(stateOf))).toEqual(['live', 'live']);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('are at most 50 if they are published together', async () => {
    await addMany(51);
    const page = await dashboard.open(PATH);
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText('51 Experiences').waitFor();
    await page.getByRole('checkbox', { name: 'Select all' }).click({ force: true });
    const publish = page.getByRole('region', { name: '51 selected' }).getByRole('button', { name: 'Publish…' });
    await publish.waitFor();
    expect(await publish.isDisabled()).toBe(true);
    await page.getByText('At most 50 can be published together').waitFor();
    await select(page, 'Tour 9');
    const allowed = page.getByRole('region', { name: '50 selected' }).getByRole('button', { name: 'Publish…' });
    await allowed.waitFor();
    expect(await allowed.isDisabled()).toBe(false);
  });

  it('stay as they are if one was deleted meanwhile', async () => {
    await add('Kept');
    const id = await add('Gone');
    const page = await dashboard.open(PATH);
    await page.getByText('2 Experiences').waitFor();
    await select(page, 'Kept');
    await select(page, 'Gone');
    await dashboard.api.send('DELETE', `/v3/edit/tours/${id}`);
    await page.getByRole('region', { name: '2 selected' }).getByRole('button', { name: 'Archive' }).click();
    await page.getByText('1 Experience', { exact: true }).waitFor();
    expect(await shownOrder(page)).toEqual(['Kept']);
  });
});

describe('the menu of a row', () => {
  it('gives each copy a name of its own', async () => {
    await add('Welcome');
    const page = await dashboard.open(PATH);
    for (const count of [2, 3]) {
      await menu(page, 'Welcome', 'Duplicate');
      await page.getByText(`${count} Experiences`).waitFor();
    }
    expect((await shownOrder(page)).toSorted()).toEqual(['Copy of Welcome', 'Copy of Welcome 2', 'Welcome']);
  });

  it('duplicates, pauses, resumes and archives, and undo leads back', async () => {
    const id = await add('Welcome', { published_at: '$now' });
    const page = await dashboard.open(PATH);
    await menu(page, 'Welcome', 'Duplicate');
    await page.getByText('2 Experiences').waitFor();
    await undo(page, 'Duplicated “Welcome”');
    await page.getByText('1 Experience', { exact: true }).waitFor();
    expect(await shownOrder(page)).toEqual(['Welcome']);
    await menu(page, 'Welcome', 'Pause');
    await toast(page, 'Paused “Welcome”').waitFor();
    expect(await stateOf(id)).toBe('draft');
    const resumed = page.waitForResponse((response) => response.url().endsWith('/resume'));
    await undo(page, 'Paused “Welcome”');
    await resumed;
    expect(await stateOf(id)).toBe('live');
    await row(page, 'Welcome').getByText('Live').waitFor();
    const pause = page.getByRole('button', { name: 'Pause Welcome' });
    await pause.hover();
    const [tooltip, place] = [await page.getByRole('tooltip').boundingBox(), await row(page, 'Welcome').boundingBox()];
    // The tooltip does not cover the buttons of the row above.
    expect(tooltip?.y).toBeGreaterThanOrEqual(place?.y ?? Number.NaN);
    await pause.click();
    await row(page, 'Welcome').getByText('Paused').waitFor();
    await menu(page, 'Welcome', 'Resume');
    await toast(page, 'Resumed “Welcome”').waitFor();
    expect(await stateOf(id)).toBe('live');
    await menu(page, 'Welcome', 'Archive');
    await toast(page, 'Archived “Welcome”').waitFor();
    expect(await stateOf(id)).toBe('archived');
  });

  it('deletes after the name was typed, says what uses it, and keeps what a Segment filters on', async () => {
    const kept = await add('Seen by admins');
    await create('segments', { name: 'Saw it', items: [{ kind: 'tour', range: 'completed', op: 'in', value: kept }] });
    const id = await add('Details', { published_at: '$now' });
    const buttons = [{ text: 'More', additional_actions: ['tour'], action_campaign_id: id }];
    await add(hostileName, { steps: [{ title: 'Hello', buttons }] });
    const page = await dashboard.open(PATH);
    await menu(page, 'Details', 'Delete…');
    const dialog = page.getByRole('alertdialog', { name: 'Delete tour' });
    await dialog.getByText('starts it, in a draft').waitFor();
    expect(await accessibilityProblems(page, '[role=alertdialog]')).toEqual([]);
    await takePicture(page, 'experiences-delete-light');
    const button = dialog.getByRole('button', { name: 'Delete tour' });
    expect(await button.isDisabled()).toBe(true);
    await page.keyboard.type('Details');
    await press(page, 'Enter');
    await toast(page, 'Deleted “Details”').waitFor();
    expect((await dashboard.api.get(`/v3/edit/tours/${id}`)).status).toBe(404);
    // The tooltip of the row below may cover the button.
    await page.getByRole('button', { name: 'Actions for Seen by admins' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await dialog.getByText('Take it out of them first').waitFor();
    await page.keyboard.type('Seen by admins');
    expect(await button.isDisabled()).toBe(true);
  });

  it('copies to another account, and says what that account does not have', async () => {
    const { api } = dashboard;
    const admin = await addSignedIn(api, 'owner');
    await addToAccount(api, admin.personId, api.other.account_id, 'editor');
    const { id: tag } = await create('tags', { name: 'Onboarding' });
    await add('Welcome', { tag_ids: [tag] });
    const page = await dashboard.open(PATH, { admin });
    await menu(page, 'Welcome', 'Copy to another account…');
    const dialog = page.getByRole('dialog', { name: 'Copy to another account' });
    await dialog.getByRole('button', { name: 'Copy to account' }).click();
    const dropped = page.getByRole('dialog', { name: 'Copied to Other, without this' });
    await dropped.getByText('Onboarding').waitFor();
    await takePicture(page, 'experiences-copied-light');
    const there = await api.get('/v3/edit/experiences', { as: api.other });
    expect(there.body.experiences).toMatchObject([{ name: 'Welcome', state: 'draft', tag_ids: [] }]);
  });
});

describe('a new Experience', () => {
  it('is offered where the list is empty, created from a template by keyboard, and opened', async () => {
    const page = await dashboard.open(PATH);
    await page.getByText('No Experiences yet').waitFor();
    await page.keyboard.press('c');
    const option = (name: string) => page.getByRole('option', { name });
    await expect.poll(() => option('Welcome tour').evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.type('nps');
    await expect.poll(() => option('NPS survey').getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/app\/experiences\/[0-9a-f]{24}/);
    const { experiences } = (await dashboard.api.get('/v3/edit/experiences')).body;
    expect(experiences).toMatchObject([{ kind: 'survey', name: 'NPS survey', state: 'draft' }]);
    // A second Experience from the same template gets a name of its own.
    await page.goto(`${dashboard.api.url}${PATH}?dialog=new&kind=survey`);
    await option('NPS survey').dblclick();
    await page.getByRole('heading', { name: 'NPS survey 2' }).waitFor();
  });

  it('shows each template as people will see it, in the default theme, while the arrow keys go through them', async () => {
    const theme = { name: 'Brand', default: true, published_at: '$now', style_color_button_highlight: '14532d' };
    expect((await dashboard.api.post('/v3/edit/themes', theme)).status).toBe(201);
    const page = await dashboard.open(PATH);
    await page.getByRole('button', { name: 'New Experience' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New Experience' });
    const shown = () =>
      dialog.locator('iframe[data-painted]').contentFrame().locator('.box').first().textContent({ timeout: 500 });
    const { templates } = (await dashboard.api.get('/v3/edit/templates')).body;
    for (const { document, name } of templates) {
      await dialog.getByRole('option', { name, selected: true }).waitFor();
      const { title } = document.steps[0] ?? document;
      const says = title.replace(/\{\{.*?"(.*?)"\}\}/, '$1');
      await expect.poll(() => shown().catch(() => ''), { timeout: 5000 }).toContain(says);
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Home');
    const button = dialog.locator('iframe').contentFrame().getByRole('button', { name: 'Show me around' });
    await expect.poll(() => button.evaluate((one) => getComputedStyle(one).backgroundColor)).toBe('rgb(20, 83, 45)');
    await dialog.getByRole('button', { name: 'Next step' }).click();
    await expect.poll(shown).toContain('Start here');
    expect(await accessibilityProblems(page, '[role=dialog]')).toEqual([]);
    await takePicture(page, 'experiences-new-light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await takePicture(page, 'experiences-new-dark');
    await page.setViewportSize({ width: 375, height: 720 });
    await expect.poll(shown).toContain('Start here');
    await takePicture(page, 'experiences-new-phone');
  });
});

describe('a list of 10,000', () => {
  it('shows the first page soon, and more on demand', async () => {
    await addMany(10_000);
    const page = await dashboard.open(PATH);
    await page.getByText('50 Experiences, and more').waitFor();
    expect(await grid(page).getByRole('row').count()).toBeLessThan(40);
    const response = page.waitForResponse((one) => one.url().includes('before='));
    await page.getByRole('button', { name: 'Load more' }).click();
    expect((await response).status()).toBe(200);
    await page.getByText('100 Experiences, and more').waitFor();
    await press(page, 'j');
    await expect.poll(() => focused(page)).toMatch(/^row.*Tour/);
    await press(page, 'End');
    await expect.poll(() => grid(page).evaluate((element) => element.scrollTop)).toBeGreaterThan(1000);
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('tour 9999');
    await page.getByText('1 Experience', { exact: true }).waitFor();
    expect(await shownOrder(page)).toEqual(['Tour 9999']);
  });
});
