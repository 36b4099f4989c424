import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Dashboard, focused, startDashboard } from './browser.ts';
import { openPalette } from './by-hand.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

const PATH = '/app/people';
const grid = (page: Page) => page.getByRole('grid', { name: 'People' });
const row = (page: Page, name: string) => grid(page).getByRole('row').filter({ hasText: name });
const status = (page: Page, said: string | RegExp) => page.getByRole('status').filter({ hasText: said });
const search = (page: Page, words: string) => page.getByLabel('Search people').fill(words);
const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

const addPeople = async (profiles: object[]) => {
  const { status, body } = await dashboard.api.post('/v3/observe/hooks/profiles/batch', { profiles });
  expect([status, body.errors]).toEqual([202, undefined]);
};
/** Adds people whose names have four digits, so that no name is a part of another. */
const addMany = async (count: number) => {
  const all = [...Array(count).keys()].map((index) => ({
    uid: `u${index + 1}`,
    name: `Person ${String(index + 1).padStart(4, '0')}`,
    plan: index % 3 === 0 ? 'pro' : 'free',
  }));
  for (let start = 0; start < count; start += 1000) await addPeople(all.slice(start, start + 1000));
};
const addFew = async () => {
  await dashboard.api.patch('/v3/edit/account', { test_emails: ['*@orbit.test'] });
  await addPeople([
    { uid: 'ann-1', email: 'ann@acme.test', name: 'Ann Lee', plan: 'pro', company: { uid: 'acme', name: 'Acme' } },
    { uid: 'bob-2', email: 'bob@acme.test', first_name: 'Bob', last_name: 'Stone', plan: 'free' },
    { uid: 'kim-3', email: 'kim@orbit.test', name: 'Kim Tester', plan: 'pro' },
    { uid: 'only-a-uid-4' },
  ]);
};

describe('the list of people', () => {
  it('shows names, uids and Companies, and counts without test users', async () => {
    await addFew();
    const page = await dashboard.open(PATH);
    await status(page, '3 people, without test users').waitFor();
    await row(page, 'Kim Tester').getByText('Test user').waitFor();
    await row(page, 'Bob Stone').getByText('bob-2').waitFor();
    await row(page, 'Ann Lee').getByText('Acme', { exact: true }).waitFor();
  });

  it('loads thousands as one scrolls, with few rows in the page, and keeps the place', async () => {
    await addMany(2_500);
    const page = await dashboard.open(PATH);
    await status(page, '2,500 people').waitFor();
    await row(page, 'Person 2500').waitFor();
    const scrollTo = (top: number) => grid(page).evaluate((element, to) => element.scrollTo(0, to), top);
    const reachEnd = async () => {
      await scrollTo(1e9);
      return row(page, 'Person 0001').count();
    };
    await expect.poll(reachEnd, { timeout: 60_000 }).toBe(1);
    await row(page, 'Person 0001').waitFor();
    expect(await grid(page).getByRole('row').count()).toBeLessThan(60);
    // Every row is there once: the last row has the index 2501, after the headings.
    expect(await row(page, 'Person 0001').getAttribute('aria-rowindex')).toBe('2501');
    await scrollTo(1_000 * 40);
    await row(page, 'Person 1495').click();
    await page.waitForURL(/\/app\/people\/[0-9a-f]{24}/);
    await page.goBack();
    await row(page, 'Person 1495').waitFor();
    expect(await grid(page).evaluate(({ scrollTop }) => scrollTop)).toBe(1_000 * 40);
  });

  it('finds by uid, email or name, and goes back and forward', async () => {
    await addFew();
    const page = await dashboard.open(PATH);
    await row(page, 'Ann Lee').waitFor();
    for (const [words, name] of [
      ['only-a', 'only-a-uid-4'],
      ['BOB@', 'Bob Stone'],
      ['lee', 'Ann Lee'],
    ] as const) {
      await search(page, words);
      await status(page, /^1 person$/).waitFor();
      await row(page, name).waitFor();
      expect(param(page, 'text')).toBe(words);
    }
    await page.goBack();
    await status(page, '3 people').waitFor();
    expect(await page.getByLabel('Search people').inputValue()).toBe('');
    await page.goForward();
    await status(page, /^1 person$/).waitFor();
    await search(page, 'no such person');
    await page.getByText('No one found').waitFor();
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await row(page, 'only-a-uid-4').waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('filters, keeps the filters in the address, and saves them as a Segment in one click', async () => {
    await addFew();
    const page = await dashboard.open(PATH);
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('combobox', { name: 'Add condition' }).fill('plan');
    await page.getByRole('option', { name: /^plan/ }).first().click();
    await page.getByRole('combobox', { name: 'Value of plan' }).fill('pro');
    // The list of seen values covers the rest, so it is closed first.
    await page.keyboard.press('Tab');
    await row(page, 'Bob Stone').waitFor({ state: 'detached' });
    await row(page, 'Ann Lee').waitFor();
    await status(page, '1 person, without test users').waitFor();
    expect(JSON.parse(param(page, 'filters') ?? '')).toMatchObject([{ kind: 'property', prop: 'plan' }]);
    await page.getByRole('button', { name: 'Save as Segment' }).click();
    const toast = page.getByRole('alertdialog').filter({ hasText: /^Segment “.*pro.*” saved/ });
    await toast.waitFor();
    const { segments } = (await dashboard.api.get('/v3/edit/segments')).body;
    expect(segments).toMatchObject([{ items: [{ kind: 'property', prop: 'plan' }] }]);
    await page.reload();
    await row(page, 'Kim Tester').waitFor();
    expect(await grid(page).getByRole('row').count()).toBe(3);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await row(page, 'Bob Stone').waitFor();
    await page.goto(`${dashboard.api.url}${PATH}?filters=[{"kind":`);
    await page.getByText('The filters in the address cannot be read').waitFor();
    await row(page, 'Bob Stone').waitFor();
  });

  it('moves with keys, opens with Enter, and is found with the command palette, also by a viewer', async () => {
    await addFew();
    const page = await dashboard.open(PATH, { as: 'viewer' });
    await row(page, 'Ann Lee').waitFor();
    await page.keyboard.press('j');
    await expect.poll(() => focused(page)).toMatch(/^row only-a-uid-4/);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await expect.poll(() => focused(page)).toMatch(/^row Kim Tester/);
    await page.keyboard.press('End');
    await expect.poll(() => focused(page)).toMatch(/^row Ann Lee/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/app\/people\/[0-9a-f]{24}/);
    await openPalette(page);
    await page.keyboard.type('bob@');
    await page.getByRole('menuitem', { name: 'Bob Stone' }).click();
    await page.waitForURL((url) => /\/app\/people\/[0-9a-f]{24}/.test(url.pathname));
    await page.goto(`${dashboard.api.url}${PATH}?filters=[{"kind":"property","prop":"plan","op":"ex"}]`);
    await row(page, 'Ann Lee').waitFor();
    expect(await page.getByRole('button', { name: 'Save as Segment' }).count()).toBe(0);
  });

  it('says what to do without people, and goes on looking automatically until it is stopped', async () => {
    const page = await dashboard.open(PATH);
    await page.getByRole('button', { name: 'Install the script' }).waitFor();
    await addFew();
    // The server has searched only a part of a long list.
    let requests = 0;
    await page.route('**/v3/edit/profiles/search', async (route) => {
      const body = route.request().postDataJSON();
      if (body.text !== 'lee') return route.continue();
      requests++;
      if (requests === 3) await page.getByRole('button', { name: 'Stop looking' }).click();
      await route
        .fulfill({ json: { profiles: [], is_complete: false, cursor: { limit: 100, before: `part-${requests}` } } })
        .catch(() => undefined);
    });
    await search(page, 'lee');
    await status(page, 'Stopped looking. Nothing found so far.').waitFor();
    await page.unroute('**/v3/edit/profiles/search');
    await page.route('**/v3/edit/profiles/search', async (route) => {
      const { before, ...body } = route.request().postDataJSON();
      await route.continue({ postData: JSON.stringify(body) });
    });
    await page.getByRole('button', { name: 'Go on looking' }).click();
    await row(page, 'Ann Lee').waitFor();
    await status(page, /^1 person$/).waitFor();
  });
});
