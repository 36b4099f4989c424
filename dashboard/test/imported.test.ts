import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Dashboard, startDashboard } from './browser.ts';
import { addExperience, nextSave, readExperience, settings } from './editor-page.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

const place = { title: 'Hello', position_type: 'snap_to_element', position_element: { tag: 'li', path_index: 2 } };
const target = { selector: 'li', text: null, shadow_selector: null };

async function importTour(step: object): Promise<string> {
  const id = await addExperience(dashboard, 'tour', {});
  const { status, body } = await dashboard.api.post(`/v3/edit/tours/${id}/import`, { name: 'Tour', steps: [step] });
  expect([status, body.messages]).toEqual([200, undefined]);
  return id;
}
const stepOf = async (id: string) => (await readExperience(dashboard, id)).steps[0];
const notice = (page: Page) => settings(page).getByText('Imported, please check');
const press = (page: Page, name: string) => settings(page).getByRole('button', { name, exact: true }).click();

async function savedAfter(page: Page, act: () => Promise<unknown>): Promise<void> {
  const saved = nextSave(page);
  await act();
  await saved;
}

describe('an imported step', () => {
  it('can be accepted as it is', async () => {
    const id = await importTour({ ...place, exit_element: { selector: '#out' }, follow_up_delay: 3 });
    const page = await dashboard.open(`/app/experiences/${id}`);
    await notice(page).waitFor();
    for (const text of ['number 3 of the elements alike', 'An element ended it', 'came after a delay (3)'])
      await settings(page).getByText(text).waitFor();
    await savedAfter(page, () => press(page, 'Accept it as it is'));
    await notice(page).waitFor({ state: 'detached' });
    expect(await stepOf(id)).toMatchObject({
      ...{ elements: [target], position_element: null, exit_element: null, follow_up_delay: null },
    });
  });

  it('can be removed', async () => {
    const id = await importTour(place);
    const page = await dashboard.open(`/app/experiences/${id}`);
    await savedAfter(page, () => press(page, 'Remove'));
    await notice(page).waitFor({ state: 'detached' });
    expect(await stepOf(id)).toMatchObject({ elements: [], position_element: null });
  });

  it('can be picked again', async () => {
    const id = await importTour(place);
    const page = await dashboard.open(`/app/experiences/${id}`);
    await press(page, 'Pick again');
    await page.getByRole('dialog').getByRole('combobox', { name: 'Page' }).waitFor();
  });

  it('has no notice where it means the same here', async () => {
    const id = await importTour({ ...place, position_element: { tag: 'li', attr_id: 'x' } });
    const page = await dashboard.open(`/app/experiences/${id}`);
    expect(await settings(page).getByLabel('CSS selector', { exact: true }).inputValue()).toBe('li#x');
    expect(await notice(page).count()).toBe(0);
  });

  it('is reached from the publish dialog', async () => {
    const id = await importTour(place);
    const page = await dashboard.open(`/app/experiences/${id}`);
    await page.getByRole('button', { name: 'Publish…' }).click();
    const dialog = page.getByRole('dialog', { name: /^Publish/ });
    await dialog.getByText('Step 1 was imported, please check it').waitFor();
  });
});

describe('an imported action', () => {
  it('is named, and can only be removed', async () => {
    const button = {
      ...{ text: 'Go', additional_actions: ['helpbar', 'element_click'], action_element: { tag: 'li', path_index: 2 } },
    };
    const id = await importTour({ title: 'Hello', buttons: [button] });
    const page = await dashboard.open(`/app/experiences/${id}`);
    await settings(page).getByText('Also “helpbar”, which does nothing here, clicks an element').click();
    await notice(page).waitFor();
    await savedAfter(page, () => press(page, 'Accept it as it is'));
    await savedAfter(page, () => settings(page).getByText('“helpbar” of another service').click());
    await settings(page).getByText('Also clicks an element').waitFor();
    const { additional_actions, action_element } = (await stepOf(id)).buttons[0];
    expect([additional_actions, action_element]).toEqual([['element_click'], target]);
    // Undoing brings back what only an import can bring.
    await savedAfter(page, () => page.keyboard.press('Control+z'));
    expect((await stepOf(id)).buttons[0].additional_actions).toEqual(['helpbar', 'element_click']);
  });
});

describe('an imported condition', () => {
  it('stays when other conditions change, until somebody removes it', async () => {
    const { api } = dashboard;
    const { segment } = (await api.post('/v3/edit/segments', { name: 'VIPs' })).body;
    const items = [{ kind: 'intercom', prop: 'vip', op: 'ex' }];
    await api.post(`/v3/edit/segments/${segment.id}/import`, { items });
    await api.post('/v3/observe/hooks/profiles', { uid: 'ann' });
    const page = await dashboard.open(`/app/segments/${segment.id}`);
    await page.getByText('It was imported and cannot be checked here, so it matches nobody').waitFor();
    await page.getByRole('status').filter({ hasText: '0 people' }).first().waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Best');
    await savedAfter(page, () => page.getByRole('button', { name: 'Save Segment' }).click());
    const read = async () => (await api.get(`/v3/edit/segments/${segment.id}`)).body.segment;
    expect(await read()).toMatchObject({ name: 'Best', items, unsupported_kinds: ['intercom'] });
    await page.getByRole('button', { name: 'Remove “intercom” of another service' }).click();
    await savedAfter(page, () => page.getByRole('button', { name: 'Save Segment' }).click());
    expect((await read()).items).toEqual([]);
  });
});
