import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Dashboard, focused, startDashboard, takePicture } from './browser.ts';
import {
  addExperience,
  clickInPreview,
  field,
  inPreview,
  isSaved,
  markdownOf,
  nextSave,
  readExperience,
  saveNow,
  settings,
} from './editor-page.ts';
import { expectGoodLook, hostileName } from './looks.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

const add = (kind?: string, params?: object) => addExperience(dashboard, kind, params);
const show = (id: string) => readExperience(dashboard, id);
const titles = async (id: string) => (await show(id)).steps.map((step: { title: string }) => step.title);
const open = (id: string, options = {}) => dashboard.open(`/app/experiences/${id}`, options);

describe('a tour', () => {
  it('has the steps in one row on a phone, above the preview', async () => {
    const page = await open(await add());
    await field(page, 'Title').waitFor();
    // On a phone, the titles of the steps are in one row, then come the preview and the fields.
    await page.setViewportSize({ width: 375, height: 800 });
    const place = async (name: string) => page.getByRole('region', { name, exact: true }).boundingBox();
    await expect.poll(async () => (await place('Steps'))?.height).toBeLessThan(60);
    expect((await place('Preview'))?.y).toBeLessThan(300);
    const tabs = page.getByRole('navigation', { name: 'Parts of the Experience' });
    expect(await tabs.evaluate((nav) => nav.scrollWidth - nav.clientWidth)).toBe(0);
    await page.getByRole('button', { name: /^2 Goodbye/ }).focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => focused(page)).toBe('button 1Hello');
    await takePicture(page, 'editor-steps-light-phone');
  });

  it('is written by mouse, and everything is saved', async () => {
    const id = await add();
    const page = await open(id);
    await page.getByRole('button', { name: /^2 Goodbye/ }).click();
    await field(page, 'Title').fill('See you');
    await page.getByRole('button', { name: 'Add step' }).click();
    await field(page, 'Title').fill('One more');
    await field(page, 'Text').fill('Read it');
    await field(page, 'Text').selectText();
    await settings(page).getByRole('button', { name: 'Bold' }).click();
    expect(await markdownOf(field(page, 'Text'))).toBe('**Read it**');
    await page.getByRole('button', { name: 'More for step 1' }).click();
    const saved = nextSave(page);
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await saved;
    await isSaved(page);
    expect(await titles(id)).toEqual(['Hello', 'Hello', 'See you', 'One more']);
    expect((await show(id)).steps[3].body).toBe('**Read it**');
    const { changes } = (await dashboard.api.get(`/v3/edit/tours/${id}/changes`)).body;
    expect(changes[0].kind).toBe('partial');
  });

  it('is written, ordered and undone by keyboard alone', async () => {
    const id = await add();
    const page = await open(id);
    await page.getByRole('button', { name: /^1 Hello/ }).focus();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByText('Moved to place 2 of 2').waitFor();
    expect(await focused(page)).toBe('button 2Hello');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Delete');
    await page.getByText('Step 1 deleted').waitFor();
    await page.keyboard.press('Control+z');
    await page.getByRole('button', { name: /^1 Goodbye/ }).waitFor();
    await field(page, 'Title').focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Bye');
    await saveNow(page);
    expect(await titles(id)).toEqual(['Bye', 'Hello']);
  });

  it('is ordered by drag, and renamed in place', async () => {
    const id = await add();
    const page = await open(id);
    const first = page.getByRole('button', { name: /^1 Hello/ });
    await first.dragTo(page.getByRole('button', { name: /^2 Goodbye/ }), { targetPosition: { x: 10, y: 100 } });
    await page.getByRole('button', { name: /^2 Hello/ }).waitFor();
    await page.getByRole('button', { name: 'Rename Welcome' }).click();
    await page.keyboard.type('Onboarding');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Onboarding' }).waitFor();
    await saveNow(page);
    expect(await titles(id)).toEqual(['Goodbye', 'Hello']);
    expect((await show(id)).name).toBe('Onboarding');
  });

  it('undoes the toolbar with the keys of typing, and offers values of the user with a fallback', async () => {
    await dashboard.api.post('/v3/observe/hooks/profiles', { uid: 'ann', plan: 'gold' });
    const page = await open(await add());
    await field(page, 'Text').fill('Read this');
    await field(page, 'Text').press('Control+a');
    await page.keyboard.press('Control+b');
    expect(await markdownOf(field(page, 'Text'))).toBe('**Read this**');
    await page.keyboard.press('Control+z');
    expect(await markdownOf(field(page, 'Text'))).toBe('Read this');
    await page.keyboard.press('Control+Shift+z');
    expect(await markdownOf(field(page, 'Text'))).toBe('**Read this**');
    await field(page, 'Title').fill('Hi ');
    await field(page, 'Title').pressSequentially('{{');
    const dialog = page.getByRole('dialog', { name: 'Insert a value of the user' });
    await dialog.getByRole('combobox', { name: 'Property' }).fill('pla');
    await page.getByRole('option', { name: /plan/ }).click();
    await dialog.getByLabel('If it is empty, say').fill('friend');
    await takePicture(page, 'editor-merge-tag-light');
    await dialog.getByRole('button', { name: 'Insert value' }).click();
    expect(await field(page, 'Title').inputValue()).toBe('Hi {{plan | fallback: "friend"}}');
    await saveNow(page);
  });

  it('offers how long ago a time was', async () => {
    await dashboard.api.post('/v3/observe/hooks/profiles', { uid: 'ann', started_on: '2029-04-07' });
    const page = await open(await add());
    await field(page, 'Title').fill('Since ');
    await field(page, 'Title').pressSequentially('{{');
    const dialog = page.getByRole('dialog', { name: 'Insert a value of the user' });
    await dialog.getByRole('combobox', { name: 'Property' }).fill('started');
    await page.getByRole('option', { name: /started_on/ }).click();
    await dialog.getByRole('button', { name: /The time itself/ }).click();
    await page.getByRole('option', { name: 'The number of weeks since then' }).click();
    await dialog.getByRole('button', { name: 'Insert value' }).click();
    expect(await field(page, 'Title').inputValue()).toBe('Since {{time_ago started_on in="weeks"}}');
    await saveNow(page);
  });

  it('says beside the field and in a list what keeps it from being published, and goes there', async () => {
    const steps = [{ title: 'Fine' }, { title: 'Go', buttons: [{ text: 'Open', additional_actions: ['cta_url'] }] }];
    const page = await open(await add('tour', { steps }));
    await page.getByRole('button', { name: '1 thing to fix' }).click();
    await page.getByRole('button', { name: /it opens a page, but none is given/ }).click();
    await page.getByText('It opens a page, but none is given: write its address.').waitFor();
    expect(await focused(page)).toBe('input Address');
    await expectGoodLook(page, 'editor-problem-light', 'section[aria-label="Settings"]');
    await page.keyboard.insertText('https://example.com/');
    await page.getByText('Nothing to fix').waitFor();
    await saveNow(page);
  });

  it('has a first step when it is empty', async () => {
    const page = await open(await add('tour', {}));
    await page.getByText('Nothing in it yet').waitFor();
    await page.getByRole('button', { name: 'Add the first step' }).click();
    expect(await focused(page)).toMatch(/textarea Title/);
    await saveNow(page);
  });

  it('paints the thumbnails in view each time that it is opened from the list', async () => {
    const steps = Array.from({ length: 20 }, (_, index) => ({ title: `Step ${index}` }));
    const page = await open(await add('tour', { steps }));
    const list = page.getByRole('list', { name: 'Steps' });
    for (let time = 0; time < 3; time++) {
      if (time > 0) {
        await page.getByRole('navigation').getByRole('link', { name: 'Experiences' }).first().click();
        await page.getByRole('row', { name: /Welcome/ }).click();
      }
      await list.locator('iframe[data-painted]').nth(4).waitFor();
      await expect.poll(() => list.locator('iframe:not([data-painted])').count(), { timeout: 20_000 }).toBe(0);
      const shown = await list.locator('iframe').count();
      expect([time, shown]).toEqual([time, await list.locator('iframe[data-painted]').count()]);
    }
  });

  it('survives hostile texts, and 200 steps', async () => {
    const steps = Array.from({ length: 200 }, (_, index) => ({ title: `${index} ${hostileName}`, body: hostileName }));
    const page = await open(await add('tour', { name: hostileName, steps }));
    await page.getByRole('button', { name: /^200 199/ }).click();
    await field(page, 'Title').pressSequentially('!');
    expect(await page.getByRole('button', { name: 'Add step' }).isDisabled()).toBe(true);
    await page.getByText('200 steps are the most.').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    await expectGoodLook(page, 'editor-many-light');
    await isSaved(page);
  });
});

const clickText = (page: Page, words: string) =>
  clickInPreview(page, inPreview(page).getByText(words, { exact: true }));
const card = (page: Page, name: string) => page.getByRole('group', { name, exact: true });
const cards = (page: Page) => page.locator('[data-edits]');
/** The text of the preview that has the focus. */
const focusedText = (page: Page) =>
  inPreview(page).locator('[data-path]:focus').getAttribute('data-path', { timeout: 3_000 });

describe('the preview', () => {
  it('edits a text where it is clicked, and undoes it there', async () => {
    await dashboard.api.post('/v3/edit/languages', { code: 'de' });
    const page = await open(await add());
    await clickText(page, 'Hello');
    await card(page, 'Edit title').waitFor();
    expect(await focused(page)).toBe('textarea Title');
    await page.keyboard.type(' there');
    await inPreview(page).getByText('Hello there').waitFor();
    expect(await field(page, 'Title').inputValue()).toBe('Hello there');
    expect(await settings(page).locator('[data-marked]').getAttribute('data-field')).toMatch(/ title$/);
    expect(await inPreview(page).locator('[data-edited]').innerText()).toBe('Hello there');
    await expectGoodLook(page, 'editor-card-light', '[data-edits]');
    await page.keyboard.press('Control+z');
    expect(await card(page, 'Edit title').getByLabel('Title', { exact: true }).inputValue()).toBe('Hello');
    expect(await focused(page)).toBe('textarea Title');
    await page.keyboard.press('Escape');
    await cards(page).waitFor({ state: 'detached' });
    expect(await settings(page).locator('[data-marked]').count()).toBe(0);
    await inPreview(page).locator('[data-edited]').waitFor({ state: 'detached' });
    // The focus is on the text again, so the keyboard opens the card too.
    expect(await focusedText(page)).toBe('steps.0.title');
    await page.keyboard.press('Enter');
    await card(page, 'Edit title').waitFor();
    await page.keyboard.press('Enter');
    await cards(page).waitFor({ state: 'detached' });
    expect(await focused(page)).toMatch(/^iframe/);
    // Translations have no field here, so a click leads to the source text.
    await page.getByRole('button', { name: 'Language' }).click();
    await page.getByRole('option', { name: 'German' }).click();
    await clickText(page, 'Hello');
    await expect.poll(() => focused(page)).toBe('textarea Title');
    expect(await cards(page).count()).toBe(0);
  });

  it('moves the card to the text that is clicked next, and closes it with a click elsewhere', async () => {
    const page = await open(await add());
    await clickText(page, 'Hello');
    await card(page, 'Edit title').waitFor();
    // The card closes when the mouse is pressed. The text must still be there when the mouse is released.
    await clickInPreview(page, inPreview(page).getByText('This is'), { delay: 100 });
    await card(page, 'Edit text').getByLabel('Text', { exact: true }).selectText();
    await card(page, 'Edit text').getByRole('button', { name: 'Italic' }).click();
    await inPreview(page).locator('.body em').waitFor();
    // The menu is outside of the card, and opening it does not close the card.
    await page.keyboard.press('End');
    await page.keyboard.type('{{');
    await page.getByRole('option', { name: /^email/ }).click();
    await page.getByRole('button', { name: 'Insert value' }).click();
    await expect.poll(() => focused(page)).toBe('textbox Text');
    expect(await markdownOf(field(page, 'Text'))).toBe('*This is **new**.{{email}}*');
    await takePicture(page, 'editor-card-text-light');
    expect(await cards(page).count()).toBe(1);
    await clickText(page, 'Next');
    await card(page, 'Edit button text').waitFor();
    expect(await cards(page).count()).toBe(1);
    await clickInPreview(page, inPreview(page).locator('main'), { percent: 1 });
    await cards(page).waitFor({ state: 'detached' });
    await clickText(page, 'Hello');
    await card(page, 'Edit title').waitFor();
    await page.getByRole('heading', { name: 'Step 1' }).click();
    await cards(page).waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 375, height: 800 });
    await clickInPreview(page, inPreview(page).getByText('This is'));
    const room = await page.locator('section[aria-label="Preview"]').boundingBox();
    const box = await card(page, 'Edit text').boundingBox();
    await takePicture(page, 'editor-card-text-light-phone');
    if (!room || !box) throw new Error('Neither is shown.');
    expect(box.x).toBeGreaterThan(room.x);
    expect(box.y).toBeGreaterThan(room.y);
    expect(box.x + box.width).toBeLessThan(room.x + room.width);
    expect(box.y + box.height).toBeLessThan(room.y + room.height);
  });

  it('shows a banner at the top of the page over its full width', async () => {
    const id = await add('embed', { template_id: 'banner' });
    const page = await open(id);
    const box = inPreview(page).locator('.box.banner');
    await box.waitFor();
    const place = await box.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const page = document.querySelector('header')?.getBoundingClientRect();
      return { left, top, isWide: width === innerWidth, isLow: height < 100, isAbovePage: page?.top === height };
    });
    expect(place).toEqual({ left: 0, top: 0, isWide: true, isLow: true, isAbovePage: true });
    await takePicture(page, 'editor-banner-light');
    // The placement is described in words, and only some placements need an element.
    const placement = settings(page).getByRole('button', { name: /Placement/ });
    expect(await placement.innerText()).toBe('At the top of the page');
    expect(await settings(page).getByLabel('CSS selector', { exact: true }).count()).toBe(0);
    const choose = async (option: string) => {
      const saved = nextSave(page);
      await placement.click();
      await page.getByRole('option', { name: option }).click();
      await saved;
    };
    await choose('After an element');
    await settings(page).getByLabel('CSS selector', { exact: true }).waitFor();
    await choose('At the bottom of the page');
    const [step] = (await readExperience(dashboard, id)).steps;
    expect([step.elements[0].selector, step.placement]).toEqual(['body', 'right']);
  });
});

describe('signing out', () => {
  const stored = (page: Page) =>
    page.evaluate(async () => {
      const request = indexedDB.open('usher-drafts', 1);
      await new Promise((done) => {
        request.onsuccess = done;
      });
      const copies = request.result.transaction('drafts').objectStore('drafts').getAll();
      await new Promise((done) => {
        copies.onsuccess = done;
      });
      request.result.close();
      const last = Object.keys(localStorage).filter((key) => key.startsWith('usher-draft'));
      return JSON.stringify([...copies.result, ...last.map((key) => localStorage.getItem(key))]);
    });
  const signOut = async (page: Page) => {
    await page.getByRole('button', { name: /^You:/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('textbox', { name: 'Password' }).waitFor();
  };

  it('removes the local copies of what the server has', async () => {
    const page = await open(await add());
    const saved = nextSave(page);
    await field(page, 'Title').fill('A secret plan');
    await expect.poll(() => stored(page)).toContain('A secret plan');
    await saved;
    await isSaved(page);
    await signOut(page);
    expect(await stored(page)).toBe('[]');
  });

  it('keeps local copies that are not saved', async () => {
    const page = await open(await add());
    await page.route(/edit\/tours/, (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    );
    await field(page, 'Title').fill('Only here');
    await expect.poll(() => stored(page)).toContain('Only here');
    await signOut(page);
    expect(await stored(page)).toContain('Only here');
  });

  it('is not needed to remove copies that are older than a month', async () => {
    const page = await dashboard.open('/app');
    const document = { kind: 'tour', steps: [] };
    const copy = { format: 1, base: { document, updated_at: '' }, document: { ...document, name: 'Old' } };
    const days = (count: number) => JSON.stringify({ ...copy, stored_at: Date.now() - count * 24 * 3600_000 });
    const copies = { 'usher-draft 1 old': days(31), 'usher-draft 1 new': days(29) };
    await page.evaluate((all) => Object.assign(localStorage, all), copies);
    await page.goto(`${dashboard.api.url}/app/experiences/${await add()}`);
    await field(page, 'Title').waitFor();
    const keys = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('usher-draft')));
    await expect.poll(keys).toEqual(['usher-draft 1 new']);
  });
});

describe('without a connection', () => {
  it('keeps what is typed, also after a reload, and saves it when the server is there again', async () => {
    const id = await add();
    const page = await open(id);
    await page.context().route('**/v3/edit/tours/**', (route) => route.abort());
    await field(page, 'Title').fill('Typed offline');
    await page.keyboard.press('Control+s');
    await page.getByText(/Not saved yet: no connection/).waitFor();
    await takePicture(page, 'editor-offline-light');
    await page.reload();
    await field(page, 'Title').waitFor();
    expect(await field(page, 'Title').inputValue()).toBe('Typed offline');
    await page.context().unroute('**/v3/edit/tours/**');
    await expect.poll(() => titles(id), { timeout: 20_000 }).toEqual(['Typed offline', 'Goodbye']);
    await page.keyboard.press('Control+z');
    expect(await field(page, 'Title').inputValue()).toBe('Hello');
  });
});

describe('saving', () => {
  it('happens immediately with Ctrl+S, when another tab is shown, and when the page is left; a rejected text is named', async () => {
    const id = await add();
    const page = await open(id);
    await field(page, 'Title').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Save now').waitFor();
    await page.keyboard.press('Escape');
    await field(page, 'Title').fill('long '.repeat(200));
    await page.keyboard.press('Control+s');
    await page.getByRole('alert').filter({ hasText: 'The last changes are not saved' }).waitFor();
    await field(page, 'Title').fill('By key');
    await saveNow(page);
    expect(await titles(id)).toEqual(['By key', 'Goodbye']);
    await field(page, 'Title').fill('By tab');
    const savedByTab = nextSave(page);
    await page.getByRole('link', { name: 'Targeting' }).click();
    await savedByTab;
    expect(await titles(id)).toEqual(['By tab', 'Goodbye']);
    await page.getByRole('link', { name: 'Content', exact: true }).click();
    await field(page, 'Title').fill('By leaving');
    const savedByLeaving = nextSave(page);
    await page.getByRole('navigation').getByRole('link', { name: 'Experiences' }).first().click();
    await savedByLeaving;
    expect(await titles(id)).toEqual(['By leaving', 'Goodbye']);
  });

  it('keeps fields that this version does not know, and completes fields that an older one left out', async () => {
    const id = await add();
    const { storage } = dashboard.api.app;
    const { account_id } = dashboard.api.account;
    // The stored draft has fields that no type knows.
    type StoredDraft = Record<string, unknown> & { steps: Record<string, unknown>[] };
    const read = async () => {
      const row = storage.reader(account_id).selectFrom('experiences').select('draft');
      const { draft } = await row.where('account_id', '=', account_id).where('id', '=', id).executeTakeFirstOrThrow();
      return (typeof draft === 'string' ? JSON.parse(draft) : draft) as StoredDraft;
    };
    const { goal: _, ...stored } = await read();
    const [{ elements: __, ...first } = {}, second] = stored.steps;
    const draft = { ...stored, future: { is: 'kept' }, steps: [{ ...first, future_text: 'kept too' }, second] };
    await storage.write(account_id, (db) =>
      db
        .updateTable('experiences')
        .set({ draft: JSON.stringify(draft) })
        .where('account_id', '=', account_id)
        .where('id', '=', id)
        .execute(),
    );
    const page = await open(id);
    await field(page, 'Title').fill('Changed');
    await saveNow(page);
    expect(await read()).toMatchObject({
      future: { is: 'kept' },
      steps: [{ title: 'Changed', future_text: 'kept too' }, { title: 'Goodbye' }],
    });
    await page.getByRole('button', { name: 'More for step 1' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await saveNow(page);
    expect((await read()).steps.map(({ title }) => title)).toEqual(['Changed', 'Changed', 'Goodbye']);
  });
});

describe('the other kinds', () => {
  it('asks a question of every kind, with a follow-up', async () => {
    const id = await add('survey', { steps: [{ title: 'How likely?', preset: 'survey_nps' }] });
    const page = await open(id);
    await field(page, 'Label of the lowest answer').fill('Never');
    await settings(page).getByRole('button', { name: 'Add follow-up' }).click();
    await page.getByRole('button', { name: /^2 What is the reason/ }).waitFor();
    await page.getByRole('button', { name: /^1 How likely/ }).click();
    await settings(page)
      .getByRole('button', { name: /Question type/ })
      .click();
    await page.getByRole('option', { name: /One of 3 answers/ }).click();
    for (const [index, answer] of ['Yes', 'No', 'Maybe'].entries())
      await settings(page).getByLabel('Button text', { exact: true }).nth(index).fill(answer);
    await saveNow(page);
    const { steps } = await show(id);
    expect(steps[0]).toMatchObject({
      preset: 'survey_three',
      buttons: [{ text: 'Yes' }, { text: 'No' }, { text: 'Maybe' }],
    });
    expect(steps[1]).toMatchObject({ preset: 'response' });
  });

  it('writes a launcher and its items', async () => {
    const id = await add('launcher', { items: [] });
    const page = await open(id);
    await field(page, 'Title').fill('Help');
    await field(page, 'Size of the icon in pixels').fill('40');
    await page.getByRole('button', { name: 'Add item' }).click();
    await field(page, 'Title').fill('Docs');
    await field(page, 'Address').fill('https://example.com/docs');
    await page.getByText('Nothing to fix').waitFor();
    await clickText(page, 'Docs');
    await card(page, 'Edit title').getByLabel('Title', { exact: true }).fill('Guides');
    await saveNow(page);
    expect(await show(id)).toMatchObject({
      title: 'Help',
      icon_size: 40,
      items: [{ title: 'Guides', url: 'https://example.com/docs' }],
    });
  });

  it('says when nothing in a checklist can be ticked off', async () => {
    const tour = await add('tour', { steps: [{ title: 'Hello' }], published_at: '$now' });
    const links = [{ title: 'Docs', kind: 'url', url: 'https://example.com/docs' }];
    const items = [...links, { title: 'Tour', kind: 'tour', campaign_id: tour }];
    const page = await open(await add('launcher', { title: 'Start', list_type: 'checklist', items: links }));
    await page.getByText('Nothing in it can be ticked off, so users see a list of links').waitFor();
    const other = await open(await add('launcher', { title: 'Start', list_type: 'checklist', items }));
    await other.getByText('Users tick off tours and surveys').waitFor();
    expect(await other.getByText('Nothing in it can be ticked off').count()).toBe(0);
  });

  it('writes a tooltip, which has one step', async () => {
    const id = await add('tooltip', { steps: [{ title: 'New', position_type: 'snap_to_element' }] });
    const page = await open(id);
    await page.getByText('1 thing to fix').waitFor();
    await field(page, 'CSS selector').fill('#new');
    await page.getByText('Nothing to fix').waitFor();
    expect(await page.getByRole('button', { name: 'Add step' }).isDisabled()).toBe(true);
    await saveNow(page);
  });
});

it('lets a viewer look only', async () => {
  const page = await open(await add(), { as: 'viewer' });
  await page.getByText('You may look at this, but not change it.').waitFor();
  expect(await field(page, 'Title').getAttribute('readonly')).not.toBeNull();
  expect(await page.getByRole('button', { name: /Add|Undo|Rename|More for/ }).count()).toBe(0);
  expect(await page.getByRole('radio', { name: 'Edit texts' }).count()).toBe(0);
  await page.getByRole('radio', { name: 'Look' }).waitFor();
  await clickText(page, 'Hello');
  await expect.poll(() => focused(page)).toBe('textarea Title');
  expect(await cards(page).count()).toBe(0);
});

it('says so when there is no such Experience', async () => {
  const page = await dashboard.open(`/app/experiences/${'f'.repeat(24)}`);
  await page.getByRole('heading', { name: 'This Experience does not exist' }).waitFor();
});
