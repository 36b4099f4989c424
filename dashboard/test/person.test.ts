import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadPage } from '../../server/test/open-page.ts';
import { addSignedIn, forgetConfirmation, PASSWORD } from '../../server/test/sign-in.ts';
import { type Dashboard, focused, startDashboard } from './browser.ts';
import { expectGoodLook, hostileName } from './looks.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

const UID = 'ann-7';
const send = async (params: object = {}): Promise<string> => {
  const { status, body } = await dashboard.api.post('/v3/observe/hooks/profiles', { uid: UID, ...params });
  expect([status, body.messages]).toEqual([200, undefined]);
  return body.profile.id;
};
const add = async (kind: string, params: object): Promise<{ id: string; steps: { id: string }[] }> => {
  const { status, body } = await dashboard.api.post(`/v3/edit/${kind}s`, { published_at: '$now', ...params });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body[kind];
};
const show = async (id: string) => (await dashboard.api.get(`/v3/edit/profiles/${id}`)).body.profile;
const chooseAction = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name }).click();
};
const property = (page: Page, name: string): Locator =>
  page.getByRole('table', { name: 'Properties' }).getByRole('row', { name: new RegExp(`^${name}`) });
const fact = (page: Page, label: string): Locator =>
  page.locator('dl > div').filter({ has: page.locator('dt', { hasText: label }) });

/** Creates a person with data from the backend and from a page, who saw a tour and answered a survey. */
async function addBusyPerson() {
  const tour = await add('tour', { name: 'Welcome', steps: [{ title: 'Hello' }] });
  const steps = [{ title: 'How likely is it?', preset: 'survey_nps' }];
  const survey = await add('survey', { name: 'How likely?', style: 'manual', steps });
  await dashboard.api.post('/v3/edit/segments', {
    name: 'On plan pro',
    items: [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }],
  });
  const id = await send({
    ...{ name: 'Ann Lee', email: 'ann@example.com', plan: 'pro', seats: 12000, is_admin: true },
    ...{ teams: ['Sales', 'Support'], trial_ends_at: '2027-01-02T03:04:05.000Z', notes: 'long '.repeat(60) },
    ...{ settings: { theme: 'dark' }, site: 'javascript:alert(1)', company: { uid: 'acme', name: 'Acme' } },
  });
  const page = await loadPage(dashboard.api, UID, { properties: { color: 'green' } });
  const report = async (params: object) => expect((await page.report(params)).status).toBe(200);
  await report({ experience_id: tour.id, state: 'started' });
  await report({ experience_id: tour.id, state: 'completed' });
  await page.track({ name: 'Opened it', properties: { from: 'menu', count: 3 } });
  const shown = { experience_id: survey.id, showing: 60_000 };
  await report({ ...shown, state: 'started' });
  await report({ ...shown, step_id: survey.steps[0]?.id, response: { value: '9' } });
  await dashboard.api.post('/v3/edit/deliveries', { model_kind: 'survey', model_id: survey.id, uid: UID });
  return { id, tour, survey };
}

describe('the overview', () => {
  it('shows who the person is, and each property as it was sent, when and by whom', async () => {
    const { id } = await addBusyPerson();
    const page = await dashboard.open(`/app/people/${id}`);
    await page.getByRole('heading', { level: 1, name: 'Ann Lee' }).waitFor();
    await fact(page, 'Email').getByText('ann@example.com').waitFor();
    await fact(page, 'Company').getByText('Acme').waitFor();
    await fact(page, 'Sessions').getByText('1', { exact: true }).waitFor();
    await page.getByText('On plan pro').waitFor();
    await page.getByText('1 of at most').waitFor();
    const rows = {
      plan: ['pro', 'Text', 'Your backend'],
      seats: ['12,000', 'Whole number', 'Your backend'],
      is_admin: ['Yes', 'Yes or no', 'Your backend'],
      teams: ['Sales', 'Support', 'List'],
      trial_ends_at: ['Jan 2, 2027', 'Time'],
      settings: ['"theme": "dark"', 'Group of values'],
      color: ['green', 'A page', 'Not proven'],
    };
    for (const [prop, words] of Object.entries(rows)) {
      const said = await property(page, prop).innerText();
      for (const word of words) expect([prop, said]).toEqual([prop, expect.stringContaining(word)]);
    }
    expect(await property(page, 'plan').innerText()).not.toContain('Not proven');
    expect(await property(page, 'site').getByRole('link').count()).toBe(0);
    const notes = property(page, 'notes');
    expect((await notes.innerText()).length).toBeLessThan(270);
    await notes.getByRole('button', { name: 'Show all of notes' }).click();
    expect((await notes.innerText()).length).toBeGreaterThan(290);
    await page.getByLabel('Search properties').fill('dark');
    await page.getByText('1 of 10 properties').waitFor();
    await page.getByRole('button', { name: 'Copy uid' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(UID);
  });

  it('has no actions for a viewer, takes any name, and says that nothing was sent', async () => {
    const id = await send({ uid: hostileName });
    const page = await dashboard.open(`/app/people/${id}`, { as: 'viewer' });
    await page.getByText('No properties yet').waitFor();
    await fact(page, 'Last seen').getByText('Never on a page').waitFor();
    expect(await page.getByRole('button', { name: /Actions|Change test user/ }).count()).toBe(0);
    expect(await page.locator('img').count()).toBe(0);
    await page.goto(`${dashboard.api.url}/app/people/${id}/timeline`);
    await page.getByText('Became known to Usher').waitFor();
    await page.goto(`${dashboard.api.url}/app/people/${'f'.repeat(24)}`);
    await page.getByRole('heading', { name: 'There is no such person' }).waitFor();
    await page.goto(`${dashboard.api.url}/app/people/unknown`);
    await page.getByRole('heading', { name: 'There is no such person' }).waitFor();
  });

  it('marks a test user, says what decides it, and undoes the mark', async () => {
    await dashboard.api.patch('/v3/edit/account', { test_emails: ['*@acme.test'] });
    const id = await send({ email: 'ann@acme.test' });
    const page = await dashboard.open(`/app/people/${id}`);
    await fact(page, 'Test user').getByText('Yes: the email matches a pattern').waitFor();
    await page.getByRole('button', { name: 'Change test user' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitemradio', { name: 'Not a test user' }).press('Enter');
    await fact(page, 'Test user').getByText('No, set for this person').waitFor();
    expect(await show(id)).toMatchObject({ test: false, is_test: false });
    await page.getByRole('button', { name: 'Undo' }).click();
    await fact(page, 'Test user').getByText('Yes: the email matches a pattern').waitFor();
    expect(await show(id)).toMatchObject({ test: null, is_test: true });
  });
});

describe('the timeline', () => {
  it('lists what happened, limits it to kinds that are in the address, and moves by keyboard', async () => {
    const { id, tour } = await addBusyPerson();
    const page = await dashboard.open(`/app/people/${id}`);
    await page.getByRole('link', { name: 'Timeline' }).click();
    const feed = page.getByRole('feed');
    const entry = (name: string | RegExp) => feed.getByRole('article', { name });
    await entry(/^Completed tour Welcome/).waitFor();
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    expect(
      await entry(/^Completed/)
        .getByRole('link')
        .getAttribute('href'),
    ).toBe(`/app/experiences/${tour.id}`);
    expect(await entry(/^Answered survey How likely\?/).innerText()).toMatch(/How likely is it\?\s+9/);
    await entry(/^Tracked Opened it/)
      .getByRole('button', { name: 'Show 2 properties' })
      .click();
    expect(await entry(/^Tracked/).innerText()).toMatch(/count\s+3\s+from\s+menu|from\s+menu\s+count\s+3/);
    await entry(/^Delivery created for survey/).waitFor();
    await page.getByRole('button', { name: 'Tracked' }).click();
    await page.getByRole('button', { name: 'Answered' }).click();
    await entry(/^Completed/).waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?kinds=answered%2Ctracked');
    await page.reload();
    await entry(/^Tracked/).waitFor();
    expect(await feed.getByRole('article').count()).toBe(2);
    await page.keyboard.press('j');
    expect(await focused(page)).toMatch(/^article Answered|^article Tracked/);
    const first = await focused(page);
    await page.keyboard.press('PageDown');
    expect(await focused(page)).not.toBe(first);
    await page.keyboard.press('k');
    expect(await focused(page)).toBe(first);
    await page.getByRole('button', { name: 'Delivered' }).click();
    await page.getByRole('button', { name: 'Answered' }).click();
    await page.getByRole('button', { name: 'Tracked' }).click();
    await entry(/^Delivery created/).waitFor();
    expect(await feed.getByRole('article').count()).toBe(1);
  });

  it('loads older entries when the end comes near', async () => {
    const id = await send();
    const opened = await loadPage(dashboard.api, UID);
    for (let n = 0; n < 120; n++) await opened.track({ name: 'Clicked', properties: { n } });
    const page = await dashboard.open(`/app/people/${id}/timeline?kinds=tracked`);
    await page.getByRole('article').first().waitFor();
    expect(await page.getByRole('article').count()).toBeLessThan(120);
    await expect
      .poll(async () => {
        await page.getByRole('article').last().scrollIntoViewIfNeeded();
        return page.getByRole('article').count();
      })
      .toBe(120);
    await page.getByText('120 entries, and nothing before them').waitFor();
  });
});

describe('the actions', () => {
  it('export everything as one file, and clear the history', async () => {
    const { id } = await addBusyPerson();
    const page = await dashboard.open(`/app/people/${id}/timeline`);
    const saved = page.waitForEvent('download');
    await chooseAction(page, 'Export as JSON');
    const file = await saved;
    expect(file.suggestedFilename()).toBe(`person-${id}.json`);
    const exported = JSON.parse(await readFile(await file.path(), 'utf8'));
    expect(exported.profile).toMatchObject({ id, uid: UID, email: 'ann@example.com' });
    expect(JSON.stringify(exported)).toContain('"menu"');
    await page.getByRole('article', { name: /^Completed/ }).waitFor();
    await chooseAction(page, 'Clear history');
    const dialog = page.getByRole('dialog', { name: 'Clear the history of this person?' });
    await dialog.getByText('uid, email, Company and properties.').waitFor();
    await expectGoodLook(page, 'person-clear-light', '[role=dialog]');
    await dialog.getByRole('button', { name: 'Clear history' }).click();
    await page.getByRole('article', { name: 'History was cleared' }).waitFor();
    expect(await page.getByRole('article', { name: /^Completed/ }).count()).toBe(0);
    await fact(page, 'Last seen').getByText('Never on a page').waitFor();
    expect(await show(id)).toMatchObject({ last_seen_session_count: 0, delivery_ids: [], email: 'ann@example.com' });
  });

  it('forget the person after the uid and the password, and show the record as proof', async () => {
    const { id } = await addBusyPerson();
    const admin = await addSignedIn(dashboard.api, 'owner');
    await forgetConfirmation(dashboard.api, admin.personId);
    const page = await dashboard.open(`/app/people/${id}`, { admin });
    await page.getByRole('link', { name: 'Timeline' }).click();
    await page.getByRole('article').first().waitFor();
    await page.getByRole('button', { name: 'Actions' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Forget person' }).press('Enter');
    const dialog = page.getByRole('alertdialog', { name: 'Forget this person?' });
    await expectGoodLook(page, 'person-forget-light', '[role=alertdialog]');
    expect(await dialog.getByRole('button', { name: 'Forget person' }).isDisabled()).toBe(true);
    await page.keyboard.type(UID);
    await page.keyboard.press('Enter');
    const password = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await password.getByLabel(/^Password/).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'This person is forgotten' }).waitFor();
    const [record] = await dashboard.api.app.storage
      .reader(dashboard.api.account.account_id)
      .selectFrom('deletions')
      .select('id')
      .where('account_id', '=', dashboard.api.account.account_id)
      .execute();
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied').waitFor();
    const proof = await page.evaluate(() => navigator.clipboard.readText());
    expect(proof).toContain(`Deletion record: ${record?.id}`);
    expect(proof).toMatch(/Deleted at: 20\d\d-\d\d-\d\dT[\d:.]+Z/);
    expect(proof).not.toContain(UID);
    await expectGoodLook(page, 'person-forgotten-light');
    expect((await dashboard.api.get(`/v3/edit/profiles/${id}`)).status).toBe(404);
    await page.goBack();
    await page.getByRole('heading', { name: 'This person is forgotten' }).waitFor();
    expect(await page.getByText(/Ann Lee|ann@example.com/).count()).toBe(0);
    await page.reload();
    await page.getByRole('heading', { name: 'There is no such person' }).waitFor();
  });
});
