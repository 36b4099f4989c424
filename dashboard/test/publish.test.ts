import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addSignedIn } from '../../server/test/sign-in.ts';
import { type Dashboard, focused, startDashboard, takePicture } from './browser.ts';
import { tabTo } from './by-hand.ts';
import { field } from './editor-page.ts';
import { expectGoodLook, expectGoodLooks, hostileName } from './looks.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

const steps = [
  { title: 'Hello', body: 'This is **new**.', buttons: [{ text: 'Next', tour_action: 'next' }] },
  { title: 'Goodbye', buttons: [{ text: 'Done', tour_action: 'exit' }] },
];
async function add(params: object = {}): Promise<string> {
  const { status, body } = await dashboard.api.post('/v3/edit/tours', { name: 'Welcome', steps, ...params });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.tour.id;
}
const addLive = (params: object = {}) => add({ published_at: '$now', ...params });
const addEnvironment = async (name: string): Promise<string> =>
  (await dashboard.api.post('/v3/edit/url_groups', { name })).body.url_group.id;
const show = async (id: string) => (await dashboard.api.get(`/v3/edit/experiences/${id}`)).body.experience;
const setTitle = async (id: string, title: string) => {
  const [first, second] = (await show(id)).steps;
  const params = { steps: [{ id: first.id, title }, { id: second.id }] };
  expect((await dashboard.api.patch(`/v3/edit/tours/${id}`, params)).status).toBe(200);
};
const open = (id: string, options = {}) => dashboard.open(`/app/experiences/${id}`, options);
const DIALOG = '[role=dialog]';
const HEADER = 'div:has(> div > a[href^="/app/experiences?kind="])';
const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Publish/ });
const publishButton = (page: Page) => dialogOf(page).getByRole('button', { name: /^Publish / });
const openDialog = async (page: Page): Promise<Locator> => {
  await page.getByRole('button', { name: 'Publish…' }).click();
  await dialogOf(page).getByRole('group', { name: 'Who sees it' }).waitFor();
  return dialogOf(page);
};
const choose = async (page: Page, item: string, picture?: string) => {
  await page.getByRole('button', { name: /^More for Welcome/ }).click();
  if (picture !== undefined) await takePicture(page, picture);
  await page.getByRole('menuitem', { name: item }).click();
};
/** Presses "Undo" in the message that begins with these words. */
const undo = (page: Page, words: string) =>
  page.getByRole('alertdialog').filter({ hasText: words }).getByRole('button', { name: 'Undo' }).click();

describe('the publish dialog', () => {
  it('is accessible and fits, also with hostile names', async () => {
    await dashboard.api.post('/v3/observe/hooks/profiles', { uid: 'ann' });
    const environment = await addEnvironment(hostileName.slice(0, 60));
    const id = await addLive({ name: hostileName, url_group_ids: [environment] });
    await setTitle(id, hostileName);
    const page = await open(id);
    const dialog = await openDialog(page);
    await dialog.getByText('1 person is in its target now').waitFor();
    await dialog.getByText('1 person in the live version').waitFor();
    await dialog.getByText('It can start on every page').waitFor();
    await dialog.getByRole('button', { name: /^Publish to \u2068<img src=x.* now$/ }).waitFor();
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    await expectGoodLooks(page, 'publish', DIALOG);
  });

  it('moves it before others, publishes at a time of the reader’s clock, and cancels it; then it is archived and deleted', async () => {
    const other = await addLive({ name: 'Older' });
    const id = await add();
    const page = await open(id);
    const dialog = await openDialog(page);
    await dialog.getByText('On the same pages, others come first: “Older”').waitFor();
    await dialog.getByRole('button', { name: 'Show this one first' }).click();
    await dialog.getByText('On the same pages, it comes before others: “Older”').waitFor();
    const { experiences } = (await dashboard.api.get('/v3/edit/experiences?order=position')).body;
    expect(experiences.map((one: { id: string }) => one.id)).toEqual([id, other]);

    await dialog.getByText('At a time', { exact: true }).click();
    await dialog.getByLabel('Date and time').fill('2020-01-01T09:00');
    await dialog.getByText('This time has passed. Choose a later one.').waitFor();
    expect(await publishButton(page).isDisabled()).toBe(true);
    await dialog.getByLabel('Date and time').fill('2099-11-20T09:00');
    await dialog.getByText('Your time zone: Coordinated Universal Time (UTC)').waitFor();
    await expectGoodLook(page, 'publish-later-light', DIALOG);
    await dialog.getByRole('button', { name: 'Publish on Nov 20, 2099, 9:00 AM' }).click();
    await page.getByText(/^Scheduled for Nov 20, 2099/).waitFor();
    expect(await show(id)).toMatchObject({ state: 'scheduled', published_at: '2099-11-20T09:00:00.000Z' });
    await choose(page, 'Cancel publishing');
    await page.getByText('“Welcome” is a draft again').waitFor();
    expect((await show(id)).state).toBe('draft');
    await expectArchiveAndDelete(page, id);
  });

  /** Archives the Experience and undoes it, and deletes it after its name was typed. */
  async function expectArchiveAndDelete(page: Page, id: string): Promise<void> {
    await choose(page, 'Archive');
    await page.getByText('Archived', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Publish…' }).count()).toBe(0);
    await undo(page, 'Archived “Welcome”');
    await page.getByText('Draft', { exact: true }).waitFor();
    await choose(page, 'Delete…');
    const dialog = page.getByRole('alertdialog').filter({ hasText: 'Nothing else uses it.' });
    await dialog.getByRole('textbox').fill('Welcome');
    await dialog.getByRole('button', { name: 'Delete tour' }).click();
    await page.waitForURL(/\/app\/experiences$/);
    expect((await dashboard.api.get(`/v3/edit/tours/${id}`)).status).toBe(404);
  }

  it('shows what must be fixed, and goes to the field by mouse and by keyboard, also of another tab', async () => {
    const { api } = dashboard;
    const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
    await api.post('/v3/edit/segments', { name: 'Admins', items });
    await api.post('/v3/edit/languages', { code: 'de' });
    const url = { url: '[', match_type: 'regex' };
    const buttons = [{ text: 'Open', additional_actions: ['cta_url'] }];
    const page = await open(
      await add({ steps: [{ title: 'Fine', quantifier_urls: [url] }, {}, { title: 'Go', buttons }] }),
    );
    const dialog = await openDialog(page);
    await dialog.getByRole('group', { name: /^\d things to fix before publishing/ }).waitFor();
    expect(await publishButton(page).isDisabled()).toBe(true);
    await expectGoodLook(page, 'publish-problem-light', DIALOG);
    await dialog.getByText('are not translated into German (de)').waitFor();
    // Translations have no page that the dialog could lead to.
    expect(await dialog.getByRole('button', { name: /translated/ }).count()).toBe(0);
    await dialog.getByRole('button', { name: /^Go to the field: .*opens a page/ }).click();
    await expect.poll(() => focused(page)).toBe('input Address');
    const goTo = async (name: RegExp) => {
      await page.keyboard.press('Control+Enter');
      await dialog.getByRole('group', { name: 'Who sees it' }).waitFor();
      await tabTo(page, dialog.getByRole('button', { name }));
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'hidden' });
    };
    await goTo(/^Go to the field: .*URL pattern/);
    await expect.poll(() => focused(page)).toBe('combobox Page 1');
    await goTo(/^Go to the field: It is for all users/);
    await expect.poll(() => focused(page)).toBe('combobox Add Segment');
    // The list of Segments opens, and Escape closes it first.
    await page.getByRole('option', { name: 'Admins' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('option', { name: 'Admins' }).waitFor({ state: 'detached' });
    await goTo(/^Go to the field: .*step 2/i);
    await expect.poll(() => focused(page)).toBe('textarea Title');
    expect(new URL(page.url()).search).toBe('');
  });

  it('publishes nothing that it did not show, if somebody changed or published it meanwhile', async () => {
    const id = await addLive();
    await setTitle(id, 'Mine');
    const page = await open(id);
    await openDialog(page);
    const kim = await addSignedIn(dashboard.api, 'editor');
    await kim.browser.patch('/v3/person', { name: 'Kim Doe' });
    await kim.browser.patch(`/v3/edit/tours/${id}`, { published_at: '$now' });
    await publishButton(page).click();
    await dialogOf(page).getByText('Users already see this version').waitFor();
    expect(await publishButton(page).isDisabled()).toBe(true);
    // The button that was pressed has lost the focus.
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'hidden' });

    await field(page, 'Title').fill('Mine again');
    await openDialog(page);
    await kim.browser.patch(`/v3/edit/tours/${id}`, { goal: 'invited' });
    await publishButton(page).click();
    const notice = dialogOf(page).getByRole('alert');
    await notice.getByText('Kim Doe changed this meanwhile').waitFor();
    await notice.getByText('Set the goal', { exact: true }).waitFor();
    expect((await show(id)).has_unpublished_changes).toBe(true);
    await dialogOf(page).getByText('Changed the title of step 1').waitFor();
    await expectGoodLook(page, 'publish-meanwhile-light', DIALOG);
    await publishButton(page).click();
    await page.getByText('Published “Welcome”').waitFor();
    expect(await show(id)).toMatchObject({ has_unpublished_changes: false, goal: 'invited' });
  });
});

describe('the header', () => {
  it('pauses and resumes in one click, and undo takes it back', async () => {
    const id = await addLive();
    const page = await open(id);
    const expectState = async (shown: string, state: string) => {
      await page.getByText(shown, { exact: true }).waitFor();
      expect((await show(id)).state).toBe(state);
    };
    await page.getByRole('button', { name: 'Pause' }).click();
    await expectState('Paused', 'draft');
    expect((await show(id)).paused_at).toEqual(expect.any(String));
    await expectGoodLook(page, 'publish-paused-light', HEADER);
    // The toast is over the empty end of the navigation, so that it does not cover the page.
    const [rail, message] = await Promise.all(
      [page.getByRole('navigation', { name: 'Main' }), page.getByRole('alertdialog')].map((one) => one.boundingBox()),
    );
    expect((message?.x ?? 0) + (message?.width ?? 0)).toBeLessThanOrEqual(rail?.width ?? 0);
    await undo(page, 'Paused “Welcome”');
    await expectState('Live', 'live');
    expect(await page.getByText('Somebody else').count()).toBe(0);
    await page.getByRole('button', { name: 'Pause' }).click();
    await expectState('Paused', 'draft');
    await page.getByRole('button', { name: 'Resume' }).click();
    await expectState('Live', 'live');
    await undo(page, 'Resumed “Welcome”');
    await expectState('Paused', 'draft');
  });

  it('discards changes of a live one with undo, and duplicates it as a draft with what was just typed', async () => {
    const id = await addLive();
    await setTitle(id, 'Mine');
    const page = await open(id);
    await choose(page, 'Discard changes', 'publish-menu-light');
    await page.getByText('Changes discarded').waitFor();
    expect((await show(id)).steps[0].title).toBe('Hello');
    await undo(page, 'Changes discarded');
    await page.getByText('The draft is as before').waitFor();
    expect((await show(id)).steps[0].title).toBe('Mine');

    await field(page, 'Title').fill('Typed');
    await choose(page, 'Duplicate');
    await page.getByText(/^Duplicated as “/).waitFor();
    await page.getByText('Draft', { exact: true }).waitFor();
    const copyId = new URL(page.url()).pathname.split('/').at(-1) as string;
    expect(copyId).not.toBe(id);
    const copy = await show(copyId);
    expect([copy.state, copy.steps.map(({ title }: { title: string }) => title)]).toEqual([
      'draft',
      ['Typed', 'Goodbye'],
    ]);
    expect(await show(id)).toMatchObject({ state: 'live', name: 'Welcome' });
  });

  it('has no buttons for a viewer, and says who publishes to an editor who may not', async () => {
    const id = await addLive();
    const viewer = await open(id, { as: 'viewer' });
    await viewer.getByText('You may look at this, but not change it.').waitFor();
    expect(await viewer.getByRole('button', { name: /Publish|Pause|More for/ }).count()).toBe(0);
    await dashboard.api.patch('/v3/edit/account', { who_may_publish: 'owners' });
    const editor = await open(id, { as: 'editor' });
    await editor.getByText(/^Only owners publish in this account/).waitFor();
    expect(await editor.getByRole('button', { name: /Publish|Pause/ }).count()).toBe(0);
    await expectGoodLook(editor, 'publish-editor-light', HEADER);
  });
});
