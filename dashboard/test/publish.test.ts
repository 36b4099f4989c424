import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addSignedIn } from '../../server/test/sign-in.ts';
import { type Dashboard, focused, startDashboard, takePicture } from './browser.ts';
import { tabTo } from './by-hand.ts';
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
const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Publish/ });
const publishButton = (page: Page) => dialogOf(page).getByRole('button', { name: /^Publish / });
const openDialog = async (page: Page): Promise<Locator> => {
  await page.getByRole('button', { name: 'Publish…' }).click();
  await dialogOf(page).getByRole('group', { name: 'Who sees it' }).waitFor();
  return dialogOf(page);
};

describe('the publish dialog', () => {
  it('is accessible and fits', async () => {
    await dashboard.api.post('/v3/observe/hooks/profiles', { uid: 'ann' });
    const id = await addLive({ url_group_ids: [await addEnvironment('Production')] });
    await setTitle(id, 'Hello again');
    const page = await open(id);
    const dialog = await openDialog(page);
    await dialog.getByText('1 person is in its target now').waitFor();
    await dialog.getByText('1 person in the live version').waitFor();
    await dialog.getByText('It can start on every page').waitFor();
    await dialog.getByRole('button', { name: 'Publish to \u2068Production\u2069 now' }).waitFor();
    await expectGoodLooks(page, 'publish', DIALOG);
  });

  it('publishes at a time of the reader’s clock, with the name of the time zone, and cancels it', async () => {
    const id = await add();
    const page = await open(id);
    const dialog = await openDialog(page);
    await dialog.getByText('At a time').click();
    await dialog.getByLabel('Date and time').fill('2020-01-01T09:00');
    await dialog.getByText('This time has passed. Choose a later one.').waitFor();
    expect(await publishButton(page).isDisabled()).toBe(true);
    await dialog.getByLabel('Date and time').fill('2099-11-20T09:00');
    await dialog.getByText('Your time zone: Coordinated Universal Time (UTC)').waitFor();
    await expectGoodLook(page, 'publish-later-light', DIALOG);
    await dialog.getByRole('button', { name: 'Publish on Nov 20, 2099, 9:00 AM' }).click();
    await page.getByText(/^Scheduled for Nov 20, 2099/).waitFor();
    expect(await show(id)).toMatchObject({ state: 'scheduled', published_at: '2099-11-20T09:00:00.000Z' });
    await page.getByRole('button', { name: 'More for Welcome' }).click();
    await page.getByRole('menuitem', { name: 'Cancel publishing' }).click();
    await page.getByText('“Welcome” is a draft again').waitFor();
    expect((await show(id)).state).toBe('draft');
  });

  it('shows what must be fixed, and goes to the field', async () => {
    const broken = [{ title: 'Fine' }, { title: 'Go', buttons: [{ text: 'Open', additional_actions: ['cta_url'] }] }];
    const page = await open(await add({ steps: broken }));
    const dialog = await openDialog(page);
    await dialog.getByRole('group', { name: '1 thing to fix before publishing' }).waitFor();
    expect(await publishButton(page).isDisabled()).toBe(true);
    await expectGoodLook(page, 'publish-problem-light', DIALOG);
    await dialog.getByRole('button', { name: /^Go to the field: .*opens a page/ }).click();
    await expect.poll(() => focused(page)).toBe('input Address');
  });

  it('goes to a field of another tab by keyboard, and back to one of the content', async () => {
    const { api } = dashboard;
    const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
    await api.post('/v3/edit/segments', { name: 'Admins', items });
    await api.post('/v3/edit/languages', { code: 'de' });
    const url = { url: '[', match_type: 'regex' };
    const page = await open(await add({ steps: [{ title: 'Fine', quantifier_urls: [url] }, {}] }));
    const goTo = async (name: RegExp) => {
      await page.keyboard.press('Control+Enter');
      await dialogOf(page).getByRole('group', { name: 'Who sees it' }).waitFor();
      await tabTo(page, dialogOf(page).getByRole('button', { name }));
      await page.keyboard.press('Enter');
      await dialogOf(page).waitFor({ state: 'hidden' });
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
    const dialog = await openDialog(page);
    await dialog.getByText('are not translated into de').waitFor();
    // Translations have no page that it could go to.
    expect(await dialog.getByRole('button', { name: /translated/ }).count()).toBe(0);
  });

  it('says what users see before it, and moves it before that at once', async () => {
    const other = await addLive({ name: 'Older' });
    const id = await add();
    const page = await open(id);
    const dialog = await openDialog(page);
    await dialog.getByText('On the same pages, others come first: “Older”').waitFor();
    await dialog.getByRole('button', { name: 'Show this one first' }).click();
    await dialog.getByText('On the same pages, it comes before others: “Older”').waitFor();
    const { experiences } = (await dashboard.api.get('/v3/edit/experiences?order=position')).body;
    expect(experiences.map((one: { id: string }) => one.id)).toEqual([id, other]);
    await publishButton(page).click();
    await page.getByText('Published “Welcome”').waitFor();
  });

  it('publishes nothing that it did not show, if somebody changed it meanwhile', async () => {
    const id = await addLive();
    await setTitle(id, 'Mine');
    const page = await open(id);
    await openDialog(page);
    const kim = await addSignedIn(dashboard.api, 'editor');
    await kim.browser.patch('/v3/person', { name: 'Kim Doe' });
    await kim.browser.patch(`/v3/edit/tours/${id}`, { goal: 'invited' });
    await publishButton(page).click();
    const notice = dialogOf(page).getByRole('alert');
    await notice.getByText('Kim Doe changed this meanwhile').waitFor();
    await notice.getByText('Set the goal').waitFor();
    expect((await show(id)).has_unpublished_changes).toBe(true);
    await dialogOf(page).getByText('Changed the title of step 1').waitFor();
    await expectGoodLook(page, 'publish-meanwhile-light', DIALOG);
    await publishButton(page).click();
    await page.getByText('Published “Welcome”').waitFor();
    expect(await show(id)).toMatchObject({ has_unpublished_changes: false, goal: 'invited' });
  });

  it('says that there is nothing to publish after somebody else has published', async () => {
    const id = await addLive();
    await setTitle(id, 'Mine');
    const page = await open(id);
    await openDialog(page);
    const kim = await addSignedIn(dashboard.api, 'editor');
    await kim.browser.patch(`/v3/edit/tours/${id}`, { published_at: '$now' });
    await publishButton(page).click();
    await dialogOf(page).getByText('Users already see this version').waitFor();
    expect(await publishButton(page).isDisabled()).toBe(true);
  });

  it('survives hostile names', async () => {
    const environment = await addEnvironment(hostileName.slice(0, 60));
    const id = await addLive({ name: hostileName, url_group_ids: [environment] });
    await setTitle(id, hostileName);
    const page = await open(id);
    await openDialog(page);
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    await takePicture(page, 'publish-hostile-light');
    await page.setViewportSize({ width: 375, height: 900 });
    await expectGoodLook(page, 'publish-hostile-phone', DIALOG);
  });
});

describe('the header', () => {
  it('pauses in one click, and undo resumes', async () => {
    const id = await addLive();
    const page = await open(id);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused', { exact: true }).waitFor();
    expect(await show(id)).toMatchObject({ state: 'draft', paused_at: expect.any(String) });
    await expectGoodLook(page, 'publish-paused-light');
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
    await page.getByText('Live', { exact: true }).waitFor();
    expect((await show(id)).state).toBe('live');
    expect(await page.getByText('Somebody else').count()).toBe(0);
  });

  it('discards changes of a live one, and undo brings them back', async () => {
    const id = await addLive();
    await setTitle(id, 'Mine');
    const page = await open(id);
    await page.getByRole('button', { name: 'More for Welcome' }).click();
    await takePicture(page, 'publish-menu-light');
    await page.getByRole('menuitem', { name: 'Discard changes' }).click();
    await page.getByText('Changes discarded').waitFor();
    expect((await show(id)).steps[0].title).toBe('Hello');
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
    await page.getByText('The draft is as before').waitFor();
    expect((await show(id)).steps[0].title).toBe('Mine');
  });

  it('duplicates what is live as a draft, with what was just typed', async () => {
    const id = await addLive();
    const page = await open(id);
    await page.getByRole('region', { name: 'Settings' }).getByLabel('Title', { exact: true }).fill('Typed');
    await page.getByRole('button', { name: 'More for Welcome' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
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

  it('resumes what is paused as users saw it, and undo pauses it again', async () => {
    const id = await addLive();
    await dashboard.api.patch(`/v3/edit/tours/${id}`, { published_at: null });
    const page = await open(id);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Live', { exact: true }).waitFor();
    expect((await show(id)).state).toBe('live');
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
    await page.getByText('Paused', { exact: true }).waitFor();
    expect((await show(id)).state).toBe('draft');
  });

  it('archives with undo, and deletes after its name was typed', async () => {
    const id = await add();
    const page = await open(id);
    const choose = async (item: string) => {
      await page.getByRole('button', { name: /^More for Welcome/ }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await choose('Archive');
    await page.getByText('Archived', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Publish…' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
    await page.getByText('Draft', { exact: true }).waitFor();
    await choose('Delete…');
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('Nothing else uses it.').waitFor();
    await dialog.getByRole('textbox').fill('Welcome');
    await dialog.getByRole('button', { name: 'Delete tour' }).click();
    await page.waitForURL(/\/app\/experiences$/);
    expect((await dashboard.api.get(`/v3/edit/tours/${id}`)).status).toBe(404);
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
    await expectGoodLook(editor, 'publish-editor-light');
  });
});
