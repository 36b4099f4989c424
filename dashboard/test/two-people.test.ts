import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addSignedIn } from '../../server/test/sign-in.ts';
import { type Dashboard, startDashboard } from './browser.ts';
import { tabTo } from './by-hand.ts';
import { startSiteWithScript } from './customer-site.ts';
import {
  addExperience,
  field,
  isSaved,
  markdownOf,
  openAs,
  publishButton,
  readExperience,
  saveNow,
  settings,
  twoSteps,
} from './editor-page.ts';
import { expectGoodLook } from './looks.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

const add = (params: object = { steps: twoSteps }) => addExperience(dashboard, 'tour', params);
const show = (id: string) => readExperience(dashboard, id);
const titles = async (id: string) => (await show(id)).steps.map((step: { title: string }) => step.title);
const open = (id: string) => dashboard.open(`/app/experiences/${id}`);
/**
 * Expects that the page does not say that everything is saved while a choice is open. A dialog hides the rest of the
 * page from screen readers.
 */
async function expectChoiceNeeded(page: Page): Promise<void> {
  await page.getByText('Not saved: choose between two changes').waitFor();
  await page.getByText('Choose between two changes before you publish').waitFor();
  expect(await page.getByText(/^Saved|Nothing to fix/).count()).toBe(0);
}

describe('task 7: two people edit the same live tour, and no word is lost', () => {
  const addLive = () => add({ steps: twoSteps, published_at: '$now' });
  const openBoth = async (id: string) =>
    [await openAs(dashboard, 'Ann Lee', id), await openAs(dashboard, 'Ben Poe', id)] as const;
  const clashOf = (page: Page) => page.getByRole('dialog', { name: 'Ann Lee changed the same text' });
  const expectSeen = async (visitSite: (uid: string) => Promise<Page>, ...texts: string[]) => {
    const page = await visitSite('user');
    for (const text of texts) await page.getByText(text, { exact: true }).waitFor();
  };

  it('works by mouse, and users see the merged tour', async () => {
    const visitSite = await startSiteWithScript(dashboard);
    const [ann, ben] = await openBoth(await addLive());
    const saveByMouse = (page: Page) => page.getByRole('link', { name: 'Targeting' }).click();
    await field(ann, 'Title').click();
    await field(ben, 'Text').click();
    await field(ann, 'Title').fill('Hello from Ann');
    await field(ben, 'Text').fill('Ben wrote this.');
    await field(ben, 'Title').fill('Hello from Ben');
    await saveByMouse(ann);
    await isSaved(ann);
    await saveByMouse(ben);
    await clashOf(ben).getByRole('button', { name: 'Use both' }).click();
    await clashOf(ben).getByRole('button', { name: 'Use this text' }).click();
    await ben.getByRole('button', { name: 'Publish…' }).click();
    await publishButton(ben).click();
    await publishButton(ben).waitFor({ state: 'hidden' });
    await expectSeen(visitSite, 'Hello from Ann Hello from Ben', 'Ben wrote this.');
  });

  it('works by keyboard alone, and users see the merged tour', async () => {
    const visitSite = await startSiteWithScript(dashboard);
    const [ann, ben] = await openBoth(await addLive());
    const goTo = async (page: Page, name: string) => {
      await field(page, name).waitFor();
      await tabTo(page, field(page, name));
    };
    const type = async (page: Page, text: string) => {
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText(text);
    };
    const press = async (page: Page, name: string) => {
      await clashOf(page).waitFor();
      await tabTo(page, clashOf(page).getByRole('button', { name }));
      await page.keyboard.press('Enter');
    };
    await goTo(ann, 'Title');
    await goTo(ben, 'Text');
    await type(ann, 'Ann was here first');
    await type(ben, 'Ben wrote this.');
    await saveNow(ann);
    await saveNow(ben);
    await goTo(ben, 'Title');
    await type(ann, 'Hello from Ann');
    await type(ben, 'Hello from Ben');
    await saveNow(ann);
    await ben.keyboard.press('Control+s');
    await press(ben, 'Use both');
    await press(ben, 'Use this text');
    await clashOf(ben).waitFor({ state: 'hidden' });
    await ben.keyboard.press('Control+Enter');
    await publishButton(ben).waitFor();
    await tabTo(ben, publishButton(ben));
    await ben.keyboard.press('Enter');
    await publishButton(ben).waitFor({ state: 'hidden' });
    await expectSeen(visitSite, 'Hello from Ann Hello from Ben', 'Ben wrote this.');
  });

  it('undoes and redoes a formatted text after both texts were used', async () => {
    const id = await addLive();
    const [ann, ben] = await openBoth(id);
    await field(ann, 'Text').fill('From Ann');
    await field(ben, 'Text').fill('From Ben');
    await saveNow(ann);
    await ben.keyboard.press('Control+s');
    await clashOf(ben).getByRole('button', { name: 'Use both' }).click();
    await clashOf(ben).getByRole('button', { name: 'Use this text' }).click();
    await clashOf(ben).waitFor({ state: 'hidden' });
    const both = await markdownOf(field(ben, 'Text'));
    expect(both).toMatch(/From Ann\s+From Ben/);
    const shown = async () => (await field(ben, 'Text').innerText()).replaceAll(/\s+/g, ' ').trim();
    expect(await shown()).toBe('From Ann From Ben');
    await field(ben, 'Text').focus();
    await ben.keyboard.press('Control+z');
    await expect.poll(shown).toBe((await markdownOf(field(ben, 'Text'))).replaceAll(/[\s*]+/g, ' ').trim());
    expect(await shown()).not.toBe('From Ann From Ben');
    await ben.keyboard.press('Control+Shift+z');
    await expect.poll(shown).toBe('From Ann From Ben');
    await saveNow(ben);
    expect((await readExperience(dashboard, id)).steps[0].body).toBe(both);
  });
});

describe('one person', () => {
  it('is informed about another tab with the same Experience, and stays visible to others until the last tab leaves', async () => {
    const id = await add();
    const ann = await openAs(dashboard, 'Ann Lee', id);
    await field(ann, 'Title').waitFor();
    expect(await ann.getByText('another tab').count()).toBe(0);
    const second = await ann.context().newPage();
    await second.goto(ann.url());
    await second.getByRole('status').getByText('You have this open in another tab too').waitFor();
    await second.getByRole('link', { name: 'Tours' }).click();
    await second.getByRole('heading', { level: 1, name: 'Experiences' }).waitFor();
    await second.waitForLoadState('networkidle');
    const ben = await openAs(dashboard, 'Ben Poe', id);
    await ben.getByRole('status').getByText('Ann Lee has this open too').waitFor();
    await second.close();
    await ann.reload();
    await ann.getByRole('status').getByText('Ben Poe has this open too').waitFor();
    expect(await ann.getByText('another tab').count()).toBe(0);
  });
});

describe('two people', () => {
  it('see who else has it open, until the other leaves', async () => {
    const id = await add();
    const ann = await openAs(dashboard, 'Ann Lee', id);
    await field(ann, 'Title').waitFor();
    const ben = await openAs(dashboard, 'Ben Poe', id);
    await ben.getByRole('status').getByText('Ann Lee has this open too').waitFor();
    await ann.getByRole('link', { name: 'Tours' }).click();
    await ann.getByRole('heading', { level: 1, name: 'Experiences' }).waitFor();
    await ben.reload();
    await field(ben, 'Title').waitFor();
    await expect.poll(() => ben.getByText('has this open too').count()).toBe(0);
  });

  it('no longer see a person who left while a report was still on its way', async () => {
    const id = await add();
    const ann = await openAs(dashboard, 'Ann Lee', id);
    await field(ann, 'Title').waitFor();
    let deliver = () => {};
    const isReport = (url: URL) => url.pathname.endsWith('/editors');
    const held = new Promise<void>((resolve) => {
      void ann.route(isReport, (route) => {
        if (route.request().postData()?.includes('"open":false')) return route.continue();
        deliver = () => void route.continue();
        resolve();
      });
    });
    // The page reports again when its tab is opened.
    await ann.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    await held;
    const left = ann.waitForResponse((response) => !!response.request().postData()?.includes('"open":false'));
    await ann.getByRole('link', { name: 'Tours' }).click();
    await ann.getByRole('heading', { level: 1, name: 'Experiences' }).waitFor();
    const reported = ann.waitForResponse((response) => isReport(new URL(response.url())));
    deliver();
    await Promise.all([left, reported]);
    await ann.waitForLoadState('networkidle');
    const ben = await addSignedIn(dashboard.api, 'editor');
    expect((await ben.browser.post(`/v3/edit/experiences/${id}/editors`, {})).body).toEqual({ editors: [] });
  });

  it('edit the same tour, and no word is lost', async () => {
    const id = await add();
    const [ann, ben] = [await open(id), await open(id)];
    await field(ann, 'Title').fill('Hello from Ann');
    await field(ben, 'Text').fill('Ben wrote this.');
    // Both people save at the same time, after the pause.
    await Promise.any([ann, ben].map((page) => page.getByText(/changed this too/).waitFor()));
    const step = async () => (await show(id)).steps[0];
    await expect.poll(step).toMatchObject({ title: 'Hello from Ann', body: 'Ben wrote this.' });
  });

  it('choose when they changed the same text, and see both', async () => {
    const id = await add();
    const [ann, ben] = [await openAs(dashboard, 'Ann Lee', id), await openAs(dashboard, 'Ben Poe', id)];
    await field(ann, 'Title').fill('Ann’s title');
    await field(ben, 'Title').fill('Ben’s title');
    await saveNow(ann);
    await ben.keyboard.press('Control+s');
    const dialog = ben.getByRole('dialog', { name: 'Ann Lee changed the same text' });
    await dialog.getByRole('region', { name: 'Your change' }).getByText('Ben’s title').waitFor();
    await dialog.getByRole('region', { name: 'The change of Ann Lee' }).getByText('Ann’s title').waitFor();
    await expectGoodLook(ben, 'editor-clash-light', '[role=dialog]');
    await dialog.getByRole('button', { name: 'Use both' }).click();
    await expectChoiceNeeded(ben);
    await dialog.getByRole('button', { name: 'Use this text' }).click();
    await saveNow(ben);
    await ben.getByText('Nothing to fix').waitFor();
    expect(await titles(id)).toEqual(['Ann’s title Ben’s title', 'Goodbye']);
  });

  it('choose between different choices, which are shown in words', async () => {
    const id = await add();
    const [ann, ben] = [await openAs(dashboard, 'Ann Lee', id), await openAs(dashboard, 'Ben Poe', id)];
    const choose = async (page: Page, position: string) => {
      await settings(page)
        .getByRole('button', { name: /Position$/ })
        .click();
      await page.getByRole('option', { name: position, exact: true }).click();
    };
    await choose(ann, 'Top left');
    await choose(ben, 'Bottom right');
    await saveNow(ann);
    await ben.keyboard.press('Control+s');
    const dialog = ben.getByRole('dialog', { name: 'Ann Lee changed the same setting' });
    await dialog.getByText('Step 1, Position on the screen:').waitFor();
    await dialog.getByRole('region', { name: 'Your change' }).getByText('Bottom right').waitFor();
    await dialog.getByRole('region', { name: 'The change of Ann Lee' }).getByText('Top left').waitFor();
    await expectGoodLook(ben, 'editor-clash-choice-light', '[role=dialog]');
    expect((await show(id)).steps[0].screen_position).toBe('top_left');
    await dialog.getByRole('button', { name: 'Use yours' }).click();
    await saveNow(ben);
    expect((await show(id)).steps[0].screen_position).toBe('bottom_right');
  });

  it('see it when the other publishes, and when the other deletes it', async () => {
    const id = await add();
    const page = await open(id);
    await dashboard.api.patch(`/v3/edit/tours/${id}`, { published_at: new Date().toISOString() });
    await field(page, 'Title').fill('Mine');
    await page.keyboard.press('Control+s');
    await page.getByText(/published this\. What you change now stays a draft/).waitFor();
    await page.getByText('1 unpublished change').waitFor();
    expect((await show(id)).state).toBe('live');
    await dashboard.api.send('DELETE', `/v3/edit/tours/${id}`);
    await field(page, 'Title').fill('Still mine');
    await page.keyboard.press('Control+s');
    await page.getByRole('alert').filter({ hasText: 'Somebody has deleted this' }).waitFor();
    await expectGoodLook(page, 'editor-deleted-light', '[role=alert]');
    expect(await field(page, 'Title').inputValue()).toBe('Still mine');
    await page.getByRole('button', { name: 'Create it again' }).click();
    await page.getByText('Welcome is back as a draft').waitFor();
    expect(await field(page, 'Title').inputValue()).toBe('Still mine');
  });

  it('see it when the other archives it, and what they type is kept', async () => {
    const id = await add();
    const page = await open(id);
    await field(page, 'Title').fill('Mine');
    await dashboard.api.patch(`/v3/edit/tours/${id}`, { archived_at: new Date().toISOString() });
    await saveNow(page);
    await page.getByText(/archived this\. It can be edited, but no user sees it/).waitFor();
    await page.getByText('Archived', { exact: true }).waitFor();
    expect(await show(id)).toMatchObject({ state: 'archived', steps: [{ title: 'Mine' }, { title: 'Goodbye' }] });
    expect(await field(page, 'Title').inputValue()).toBe('Mine');
  });
});

describe('two tabs of one person', () => {
  const openTwice = async (id: string) => {
    const first = await open(id);
    const second = await first.context().newPage();
    await second.goto(first.url());
    await field(second, 'Title').waitFor();
    return [first, second] as const;
  };
  const values = async (page: Page) => {
    await field(page, 'Title').waitFor();
    return [await field(page, 'Title').inputValue(), await markdownOf(field(page, 'Text'))];
  };
  const loseConnection = (page: Page) => page.context().route('**/v3/edit/tours/**', (route) => route.abort());
  const typeOffline = async (page: Page, name: string, text: string) => {
    await field(page, name).fill(text);
    await page.keyboard.press('Control+s');
    await page.getByText(/Not saved yet: no connection/).waitFor();
  };
  const tabId = (page: Page) => page.evaluate(() => sessionStorage.getItem('usher-tab'));

  it('keep their own texts and their own undo after a reload, and both are saved', async () => {
    const id = await add();
    const [first, second] = await openTwice(id);
    await loseConnection(first);
    await typeOffline(first, 'Title', 'First');
    await typeOffline(second, 'Text', 'Second');
    await Promise.all([first.reload(), second.reload()]);
    // A page tries to save again when it is closed, and this request may reach the server.
    expect((await values(first))[0]).toBe('First');
    expect((await values(second))[1]).toBe('Second');
    await first.context().unroute('**/v3/edit/tours/**');
    await first.keyboard.press('Control+s');
    await second.keyboard.press('Control+s');
    const step = async () => (await show(id)).steps[0];
    await expect.poll(step, { timeout: 10_000 }).toMatchObject({ title: 'First', body: 'Second' });
    await first.keyboard.press('Control+z');
    expect((await values(first))[0]).toBe('Hello');
    await second.keyboard.press('Control+z');
    expect((await values(second))[1]).toBe('This is **new**.');
  });

  it('choose between two versions of the same text as two people do', async () => {
    const [first, second] = await openTwice(await add());
    await field(first, 'Title').fill('One');
    await field(second, 'Title').fill('Two');
    await saveNow(first);
    await second.keyboard.press('Control+s');
    const dialog = second.getByRole('dialog', { name: 'You, in another window, changed the same text' });
    await dialog.getByRole('region', { name: 'Your change', exact: true }).getByText('Two').waitFor();
    await dialog.getByRole('region', { name: 'Your change in the other window' }).getByText('One').waitFor();
  });

  it('lose nothing when one is closed before it has saved: the other has its text after a reload', async () => {
    const id = await add();
    const [first, second] = await openTwice(id);
    await loseConnection(first);
    await typeOffline(first, 'Title', 'First');
    await typeOffline(second, 'Text', 'Second');
    await second.close();
    expect(await titles(id)).toEqual(['Hello', 'Goodbye']);
    await first.reload();
    expect(await values(first)).toEqual(['First', 'Second']);
    await first.context().unroute('**/v3/edit/tours/**');
    await saveNow(first);
    expect((await show(id)).steps[0]).toMatchObject({ title: 'First', body: 'Second' });
  });

  it('stay separate when one is a duplicate of the other', async () => {
    const first = await open(await add());
    await field(first, 'Title').waitFor();
    const opened = first.waitForEvent('popup');
    await first.evaluate(() => void window.open(location.href));
    const second = await opened;
    await field(second, 'Title').waitFor();
    const [before, other] = [await tabId(first), await tabId(second)];
    expect(other).not.toBe(before);
    await first.reload();
    await field(first, 'Title').waitFor();
    expect([await tabId(first), await tabId(second)]).toEqual([before, other]);
  });
});
