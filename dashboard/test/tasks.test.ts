import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Dashboard, focused, startDashboard } from './browser.ts';
import { countClicks, tabTo } from './by-hand.ts';
import { startCustomerSite, startSiteWithScript } from './customer-site.ts';
import { inPreview } from './editor-page.ts';
import { itInAll } from './in-all.ts';

/* Tasks that a stranger must do without help, from the beginning to what a user sees in another browser. */

let dashboard: Dashboard;
let visitSite: (uid: string) => Promise<Page>;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(async () => {
  await dashboard.api.replaceAccounts();
  visitSite = await startSiteWithScript(dashboard);
});
afterAll(() => dashboard.stop());

async function addLive(params: object = {}): Promise<string> {
  const steps = [
    { title: 'Hello', body: 'This is **new**.', buttons: [{ text: 'Next', tour_action: 'next' }] },
    { title: 'Goodbye', buttons: [{ text: 'Done', tour_action: 'exit' }] },
  ];
  const all = { name: 'Welcome', steps, published_at: '$now', ...params };
  const { status, body } = await dashboard.api.post('/v3/edit/tours', all);
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.tour.id;
}
const open = (id: string) => dashboard.open(`/app/experiences/${id}`);
const field = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Settings' }).getByLabel(name, { exact: true }).first();
const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Publish/ });
const publishButton = (page: Page) => dialogOf(page).getByRole('button', { name: /^Publish / });
const goBack = (page: Page) =>
  page
    .locator('ol > li')
    .last()
    .getByRole('button', { name: /^Go back/ });
const expectSeen = async (uid: string, text: string) =>
  (await visitSite(uid)).getByText(text, { exact: true }).waitFor();

async function publish(page: Page, says: string): Promise<void> {
  await page.getByRole('button', { name: 'Publish…' }).click();
  await dialogOf(page).getByText(says).waitFor();
  await publishButton(page).click();
  await page.getByText('Live', { exact: true }).waitFor();
}

/** Publishes by keyboard. Unsaved changes are saved first. */
async function publishByKeyboard(page: Page, says: string): Promise<void> {
  await page.keyboard.press('Control+Enter');
  await dialogOf(page).getByText(says).waitFor();
  await tabTo(page, publishButton(page));
  await page.keyboard.press('Enter');
  await dialogOf(page).waitFor({ state: 'hidden' });
  await page.getByText('Live', { exact: true }).waitFor();
}

describe('task 3: a new tour from a template, at an element of the page, seen in another browser', () => {
  it('takes at most 15 clicks with the picker', async () => {
    const { api } = dashboard;
    const script = `${api.url}/script/${api.account.account_token}.js`;
    const site = await startCustomerSite(() => `<script src="${script}"></script>`);
    const page = await dashboard.open('/app/experiences');
    const clicks = await countClicks(page);
    await page.getByRole('button', { name: 'New Experience' }).first().click();
    await page.getByRole('button', { name: 'Create Experience' }).click();
    await field(page, 'Title').click();
    await field(page, 'Title').fill('Welcome to Acme');
    await page.getByRole('button', { name: 'Pick on your page' }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Page' }).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(site.url);
    const opened = page.context().waitForEvent('page');
    await page.getByRole('button', { name: 'Open page' }).click();
    const tab = await opened;
    await tab.getByRole('button', { name: 'Start picking' }).click();
    await tab.getByRole('heading', { name: 'Acme', exact: true }).click();
    await tab.getByText('Go back to the tab with Usher to use it.').first().waitFor();
    await page.getByRole('button', { name: /^Use th/ }).click();
    await publish(page, 'It was never published');
    // Two clicks were on the page of the customer.
    expect((await clicks()) + 2).toBe(11);
    await expectSeen('ann', 'Welcome to Acme');
  });

  it('takes at most 15 clicks with a pasted selector', async () => {
    const page = await dashboard.open('/app/experiences');
    const clicks = await countClicks(page);
    await page.getByRole('button', { name: 'New Experience' }).first().click();
    await page.getByRole('button', { name: 'Create Experience' }).click();
    await field(page, 'Title').click();
    await field(page, 'Title').fill('Welcome to Acme');
    await page.getByRole('button', { name: /Placement$/ }).click();
    await page.getByRole('option', { name: 'At an element of the page' }).click();
    await field(page, 'CSS selector').click();
    await page.evaluate(() => navigator.clipboard.writeText('h1'));
    await page.keyboard.press('Control+v');
    await publish(page, 'It was never published');
    expect(await clicks()).toBe(8);
    await expectSeen('ann', 'Welcome to Acme');
  });

  itInAll('works by keyboard alone', async () => {
    const page = await dashboard.open('/app/experiences');
    await page.getByText('No Experiences yet').waitFor();
    await page.keyboard.press('c');
    await expect.poll(() => focused(page)).toMatch(/Welcome tour/);
    await page.keyboard.press('Enter');
    await tabTo(page, field(page, 'Title'));
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Typed');
    await tabTo(page, page.getByRole('button', { name: /Placement$/ }));
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'At an element of the page' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await tabTo(page, field(page, 'CSS selector'));
    await page.keyboard.type('h1');
    await publishByKeyboard(page, 'It was never published');
    await expectSeen('ann', 'Typed');
  });
});

describe('task 4: say why a person does not see it, and make them see it', () => {
  const who = (page: Page) => page.getByRole('region', { name: 'Who sees this?' });
  const why = (page: Page) => who(page).getByText('The user is not in the Segment “Admins”').waitFor();
  let page: Page;
  beforeEach(async () => {
    const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
    const { segment } = (await dashboard.api.post('/v3/edit/segments', { name: 'Admins', items })).body;
    const id = await addLive({ segment_ids: [segment.id] });
    const ann = await visitSite('ann');
    expect(await ann.getByText('Hello', { exact: true }).count()).toBe(0);
    page = await open(id);
  });

  it('works by mouse, in 7 clicks', async () => {
    const clicks = await countClicks(page);
    await who(page).getByRole('combobox', { name: 'Person' }).click();
    await page.keyboard.type('ann');
    await page.getByRole('option', { name: 'ann' }).click();
    await why(page);
    await who(page).getByRole('link', { name: 'Change Segments' }).click();
    await page.getByRole('button', { name: 'Remove Admins' }).click();
    await who(page).getByText('Yes, once the changes are published').waitFor();
    await publish(page, '1 person is in its target now');
    expect(await clicks()).toBeLessThanOrEqual(7);
    await expectSeen('ann', 'Hello');
  });

  itInAll('works by keyboard alone', async () => {
    await tabTo(page, who(page).getByRole('combobox', { name: 'Person' }));
    await page.keyboard.type('ann');
    await page.getByRole('option', { name: 'ann' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await why(page);
    await tabTo(page, who(page).getByRole('link', { name: 'Change Segments' }));
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('button Remove Admins');
    await page.keyboard.press('Enter');
    await publishByKeyboard(page, '1 person is in its target now');
    await expectSeen('ann', 'Hello');
  });
});

describe('task 6: translate one step into German and Arabic, and look at both', () => {
  const german = ['Hallo', 'Das ist **neu**.', 'Weiter'];
  const arabic = ['أهلا', 'هذا **جديد**.', 'التالي'];
  const tabOf = (page: Page) =>
    page.getByRole('navigation', { name: 'Parts of the Experience' }).getByRole('link', { name: 'Languages' });
  const text = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
  const typeAll = async (page: Page, texts: readonly string[]) => {
    for (const [at, one] of texts.entries()) {
      if (at > 0) await page.keyboard.press('Enter');
      // Key by key, because that makes text between asterisks bold.
      await page.keyboard.type(one);
    }
  };
  const expectStored = (id: string) =>
    expect
      .poll(async () => {
        const { body } = await dashboard.api.get(`/v3/edit/tours/${id}/translations`);
        const texts: { translations: Record<string, { text: string }> }[] = body.translations.steps[0].texts;
        return ['de', 'ar'].map((code) => texts.map(({ translations }) => translations[code]?.text));
      })
      .toEqual([german, arabic]);

  it('works by mouse, in 9 clicks from an account without languages', async () => {
    const id = await addLive();
    const page = await open(id);
    const clicks = await countClicks(page);
    await tabOf(page).click();
    for (const name of ['German', 'Arabic']) {
      await page.getByRole('button', { name: 'Add language' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add language' });
      await dialog.getByRole('combobox', { name: 'Language' }).pressSequentially(name);
      await page.getByRole('option', { name, exact: true }).click();
      await dialog.getByRole('button', { name: 'Add language' }).click();
      await dialog.waitFor({ state: 'hidden' });
    }
    await text(page, 'German: Title, 1 Hello').click();
    await typeAll(page, german);
    await inPreview(page).getByRole('button', { name: 'Weiter' }).waitFor();
    await text(page, 'Arabic: Title, 1 Hello').click();
    await typeAll(page, arabic);
    await inPreview(page).getByRole('button', { name: 'التالي' }).waitFor();
    expect(await inPreview(page).locator('html').getAttribute('dir')).toBe('rtl');
    await expectStored(id);
    expect(await clicks()).toBe(9);
  });

  itInAll('works by keyboard alone', async () => {
    const id = await addLive();
    const page = await open(id);
    await tabTo(page, tabOf(page));
    await page.keyboard.press('Enter');
    for (const name of ['German', 'Arabic']) {
      const add = page.getByRole('button', { name: 'Add language' });
      await add.waitFor();
      await tabTo(page, add);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Add language' }).waitFor();
      await page.keyboard.type(name);
      // The first Enter accepts the language, the second one submits.
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      await text(page, `${name}: Title, 1 Hello`).waitFor();
    }
    await tabTo(page, text(page, 'German: Title, 1 Hello'));
    await typeAll(page, german);
    await inPreview(page).getByRole('button', { name: 'Weiter' }).waitFor();
    await tabTo(page, text(page, 'Arabic: Button, 1 Hello'));
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await typeAll(page, arabic);
    await inPreview(page).getByRole('button', { name: 'التالي' }).waitFor();
    await expectStored(id);
  });
});

describe('task 5: show it only to a new Segment, with its count', () => {
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'New Segment' });
  const adder = (page: Page) => dialog(page).getByRole('combobox', { name: 'Add condition' });
  const createButton = (page: Page) => page.getByRole('button', { name: 'Create and use Segment' });
  const NAME = 'Admins on plan pro, seen in the last 7 days';
  let page: Page;
  beforeEach(async () => {
    for (const [uid, role, plan] of [
      ['ann', 'admin', 'pro'],
      ['ben', 'viewer', 'pro'],
      ['cem', 'admin', 'free'],
    ])
      await dashboard.api.post('/v3/observe/hooks/profiles', { uid, role, plan });
    await visitSite('ann');
    page = await dashboard.open(`/app/experiences/${await addLive({ published_at: null })}/targeting`);
  });
  const expectOnlyAnn = async () => {
    await expectSeen('ann', 'Hello');
    for (const uid of ['ben', 'cem'])
      expect(await (await visitSite(uid)).getByText('Hello', { exact: true }).count()).toBe(0);
  };

  it('works by mouse, in 12 clicks', async () => {
    const clicks = await countClicks(page);
    await page.getByRole('button', { name: 'New Segment' }).click();
    for (const [prop, value] of [
      ['role', 'admin'],
      ['plan', 'pro'],
    ] as const) {
      await adder(page).click();
      await page.getByRole('option', { name: prop }).click();
      await page.getByRole('option', { name: value, exact: true }).click();
    }
    await adder(page).click();
    await page.getByRole('option', { name: 'Last seen' }).click();
    await dialog(page).getByRole('status').filter({ hasText: '1 person' }).waitFor();
    expect(await dialog(page).getByLabel('Name', { exact: true }).inputValue()).toBe(NAME);
    await createButton(page).click();
    await page.getByRole('group', { name: 'Only people in' }).getByText(NAME).waitFor();
    await publish(page, 'It was never published');
    expect(await clicks()).toBe(12);
    await expectOnlyAnn();
  });

  itInAll('works by keyboard alone', async () => {
    await tabTo(page, page.getByRole('button', { name: 'New Segment' }));
    await page.keyboard.press('Enter');
    for (const [prop, value] of [
      ['role', 'admin'],
      ['plan', 'pro'],
      ['last seen', ''],
    ] as const) {
      await tabTo(page, adder(page));
      await page.keyboard.type(prop);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expect.poll(() => focused(page)).toMatch(new RegExp(prop, 'i'));
      await page.keyboard.type(value);
      await page.keyboard.press('Tab');
    }
    await dialog(page).getByRole('status').filter({ hasText: '1 person' }).waitFor();
    await tabTo(page, createButton(page));
    await page.keyboard.press('Enter');
    await page.getByRole('group', { name: 'Only people in' }).getByText(NAME).waitFor();
    await publishByKeyboard(page, 'It was never published');
    await expectOnlyAnn();
  });
});

describe('task 8: change a live tour without anybody seeing it, compare, publish, revert', () => {
  it('works by mouse', async () => {
    const page = await open(await addLive());
    await field(page, 'Title').fill('Hello again');
    await page.getByText('Live, with unpublished changes').waitFor();
    await expectSeen('ann', 'Hello');
    const clicks = await countClicks(page);
    await page.getByRole('button', { name: 'Publish…' }).click();
    await dialogOf(page).getByText('Changed the title of step 1').waitFor();
    await dialogOf(page).getByRole('img', { name: 'Step 1 before' }).waitFor();
    await publishButton(page).click();
    await page.getByText('Live', { exact: true }).waitFor();
    await expectSeen('ben', 'Hello again');
    await page.getByRole('link', { name: 'History' }).click();
    await goBack(page).click();
    await page.getByText('The draft is as it was then').waitFor();
    await expectSeen('cem', 'Hello again');
    await publish(page, 'Changed the title of step 1');
    await expectSeen('dee', 'Hello');
    expect(await clicks()).toBe(6);
    expect(await page.getByText('Somebody else').count()).toBe(0);
  });

  itInAll('works by keyboard alone', async () => {
    const page = await open(await addLive());
    await tabTo(page, field(page, 'Title'));
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Typed');
    await page.getByText('Live, with unpublished changes').waitFor();
    await expectSeen('ann', 'Hello');
    await publishByKeyboard(page, 'Changed the title of step 1');
    await expectSeen('ben', 'Typed');
    await tabTo(page, page.getByRole('link', { name: 'History' }));
    await page.keyboard.press('Enter');
    await goBack(page).waitFor();
    await tabTo(page, goBack(page));
    await page.keyboard.press('Enter');
    await page.getByText('The draft is as it was then').waitFor();
    await publishByKeyboard(page, 'Changed the title of step 1');
    await expectSeen('cem', 'Hello');
  });
});
