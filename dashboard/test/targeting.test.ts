import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDomain, PAGE, visit } from '../../server/test/visiting.ts';
import { accessibilityProblems, type Dashboard, focused, startDashboard, takePicture } from './browser.ts';
import { expectGoodLook, expectGoodLooks, hostileName } from './looks.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(async () => {
  await dashboard.api.replaceAccounts();
  await openDomain(dashboard.api);
  await dashboard.api.post('/v3/observe/hooks/profiles', { uid: 'u-1', email: 'ann@example.com', name: 'Ann Lee' });
});
afterAll(() => dashboard.stop());

const host = new URL(PAGE).host;

async function add(params: object = {}, kind = 'tour'): Promise<string> {
  const steps = [{ title: 'Hello', buttons: [{ text: 'Next', tour_action: 'next' }] }, { title: 'Goodbye' }];
  const content = kind === 'launcher' ? { items: [{ kind: 'url', title: 'Docs', url: '/docs' }] } : { steps };
  const { body } = await dashboard.api.post(`/v3/edit/${kind}s`, { name: 'Welcome', ...content, ...params });
  expect(body.messages).toBeUndefined();
  return body[kind].id;
}
async function addSegment(name: string, value: string): Promise<string> {
  const items = [{ kind: 'property', prop: 'plan', op: 'eq', value }];
  return (await dashboard.api.post('/v3/edit/segments', { name, items })).body.segment.id;
}
const show = async (id: string) => (await dashboard.api.get(`/v3/edit/experiences/${id}`)).body.experience;
const open = (id: string, options = {}) => dashboard.open(`/app/experiences/${id}/targeting`, options);
const WHO = '[aria-label="Who sees this?"]';
const who = (page: Page) => page.getByRole('region', { name: 'Who sees this?' });
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
/** Resolves when the next autosave has reached the server. Call it before the action that causes the save. */
const nextSave = (page: Page) =>
  page.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok());

async function choosePerson(page: Page, typed = 'ann@'): Promise<void> {
  await who(page).getByRole('combobox', { name: 'Person' }).fill(typed);
  await page.getByRole('option', { name: /Ann Lee/ }).click();
}

describe('who sees this', () => {
  it('says why a person does not see it, and leads to the field that makes them see it', async () => {
    const id = await add({ segment_ids: [await addSegment('Admins', 'pro')] });
    const page = await dashboard.open(`/app/experiences/${id}`);
    await choosePerson(page);
    await who(page).getByText('The user is not in the Segment “Admins”').waitFor();
    await who(page).getByRole('button', { name: '0 people' }).waitFor();
    await expectGoodLooks(page, 'targeting-who-no', WHO);
    await who(page).getByRole('link', { name: 'Change Segments' }).click();
    await expect.poll(() => focused(page)).toBe('button Remove Admins');
    const saved = nextSave(page);
    await card(page, 'People').getByRole('button', { name: 'Remove Admins' }).click();
    await saved;
    await who(page).getByText('Yes, once it is published').waitFor();
    await who(page).getByRole('button', { name: '1 person' }).click();
    await page.getByRole('dialog', { name: 'People it is for' }).getByText('Ann Lee · ann@example.com · u-1').waitFor();
    expect(await accessibilityProblems(page, '[role=dialog]')).toEqual([]);
    await takePicture(page, 'targeting-audience-light');
    await dashboard.api.patch(`/v3/edit/tours/${id}`, { published_at: '$now' });
    const seen = await visit(dashboard.api, { uid: 'u-1' });
    expect(JSON.stringify(seen.body)).toContain('Hello');
  });

  it('does the same by keyboard alone, asks for a page when it is no address, and remembers the person', async () => {
    const id = await add({ segment_ids: [await addSegment('Admins', 'pro')] });
    const page = await open(id);
    await who(page).getByRole('combobox', { name: 'Person' }).focus();
    await page.keyboard.type('u-1');
    await page.getByRole('option', { name: /Ann Lee/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const link = who(page).getByRole('link', { name: 'Change Segments' });
    await link.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('button Remove Admins');
    const saved = nextSave(page);
    await page.keyboard.press('Enter');
    await saved;
    await who(page).getByText('Yes, once it is published').waitFor();
    await who(page).getByRole('combobox', { name: 'Page' }).fill('two words');
    await who(page).getByText('Choose a page of your product.').waitFor();
    await page.reload();
    await expect.poll(() => who(page).getByRole('combobox', { name: 'Person' }).inputValue()).toContain('Ann Lee');
    const forgotten = await dashboard.api.send('DELETE', '/v3/edit/profiles/forget', { query: 'uid=u-1' });
    expect(forgotten.status).toBe(200);
    await page.reload();
    await who(page).getByText('This person does not exist anymore. Choose another.').waitFor();
  });

  it('lists all reasons, and checks another page', async () => {
    const id = await add({
      style: 'manual',
      segment_ids: [await addSegment('Admins', 'pro')],
      steps: [{ title: 'Hello', quantifier_urls: [{ url: '/elsewhere', match_type: 'simple' }] }],
    });
    const page = await open(id);
    await choosePerson(page);
    await who(page).getByRole('button', { name: 'and 2 more' }).click();
    const reasons = page.getByRole('dialog', { name: 'Why it does not show' });
    expect(await reasons.getByRole('listitem').count()).toBe(3);
    await reasons.getByRole('link', { name: 'Change pages' }).click();
    await expect.poll(() => focused(page)).toBe('combobox Page 1');
    await who(page).getByRole('combobox', { name: 'Page' }).fill(`https://${host}/elsewhere`);
    await who(page).getByRole('button', { name: 'and 1 more' }).waitFor();
  });
});

describe('the targeting of a tour', () => {
  it('tests its pages with a typed address and with visited ones, and names the rule that fits', async () => {
    const id = await add();
    await visit(dashboard.api, { uid: 'u-1', href: `https://${host}/settings/team` });
    await visit(dashboard.api, { uid: 'u-1', href: `https://${host}/home` });
    const visited = async () => (await dashboard.api.get('/v3/analyze/paths')).body.paths.length;
    await expect.poll(visited, { timeout: 15_000 }).toBeGreaterThan(1);
    const page = await open(id);
    const pages = card(page, 'Pages');
    await pages.getByText('It starts on every page.').waitFor();
    await pages.getByText('Matches 2 of the 2 most visited pages').waitFor();
    await pages.getByRole('button', { name: 'Add page' }).click();
    // A row without an address is not a rule yet, so nothing is wrong and nothing is saved.
    await expect.poll(() => focused(page)).toBe('combobox Page 1');
    await page.getByText('Nothing to fix').waitFor();
    const saved = nextSave(page);
    await page.keyboard.type('/settings/*');
    await page.keyboard.press('Escape');
    await pages.getByText('Matches 1 of the 2 most visited pages').click();
    await pages.getByRole('combobox', { name: 'Test a page' }).fill('/settings/billing');
    await pages.getByText('Yes, it starts here: “Is /settings/*”').waitFor();
    await pages.getByRole('img', { name: 'Matches the tested page' }).waitFor();
    await page.keyboard.press('Escape');
    await pages.getByRole('combobox', { name: 'Test a page' }).fill('/home');
    await pages.getByText('No: none of the pages above matches.').waitFor();
    await saved;
    await page.keyboard.press('Escape');
    await expectGoodLook(page, 'targeting-tester-light', '[aria-label=Pages]');
    expect((await show(id)).steps[0].quantifier_urls).toEqual([{ url: '/settings/*', match_type: 'simple' }]);
  });

  it('has the pages of a launcher and no repetition, and takes an end in the time zone of the reader, but none in the past', async () => {
    const id = await add({ title: 'Help' }, 'launcher');
    const page = await open(id, { timeZone: 'Asia/Tokyo' });
    await card(page, 'Pages').getByRole('button', { name: 'Add page' }).waitFor();
    expect(await card(page, 'Frequency').count()).toBe(0);
    const schedule = card(page, 'Schedule');
    await schedule.getByText('Times are in your time zone, Asia/Tokyo (GMT+9).').waitFor();
    const ends = schedule.getByLabel('Ends');
    await ends.fill('2020-01-01T09:30');
    await ends.press('Enter');
    await schedule.getByText('This time has passed. Choose a later one.').waitFor();
    const saved = nextSave(page);
    await ends.fill('2040-01-01T09:30');
    await ends.press('Enter');
    await saved;
    expect((await show(id)).published_until).toBe('2040-01-01T00:30:00.000Z');
  });

  it('leaves out domains where a launcher does not show, and leads to them when they are the reason', async () => {
    const id = await add({ title: 'Help', blocked_domains: ['old.example.com'] }, 'launcher');
    const page = await open(id);
    const environments = card(page, 'Environments');
    const left = environments.getByRole('group', { name: 'Never on these domains' });
    await page.getByText('1 person').first().waitFor();
    const saved = nextSave(page);
    const field = left.getByRole('combobox', { name: 'Leave out a domain' });
    const option = page.getByRole('option', { name: host, exact: true });
    await field.focus();
    // The page scrolls to the field, and scrolling closes its list.
    await expect
      .poll(async () => {
        if (!(await option.isVisible())) await field.press('ArrowDown');
        return option.isVisible();
      })
      .toBe(true);
    await option.click();
    await saved;
    expect((await show(id)).blocked_domains).toEqual(['old.example.com', host]);
    await expectGoodLook(page, 'targeting-blocked');
    await choosePerson(page);
    await who(page).getByText(`It does not show on the domain “${host}”, which it leaves out`).waitFor();
    await who(page).getByRole('link', { name: 'Change domains' }).click();
    await expect.poll(() => focused(page)).toBe('button Show it on old.example.com again');
    const again = nextSave(page);
    await left.getByRole('button', { name: `Show it on ${host} again` }).click();
    await again;
    await who(page).getByText('Yes, once it is published').waitFor();
  });

  it('sets Segments, Environments, repetition, experiment and goal, accessibly, and undoes the last', async () => {
    const { api } = dashboard;
    const { url_group } = (await api.post('/v3/edit/url_groups', { name: 'Production' })).body;
    await api.post('/v3/edit/limit_groups', { name: 'Calm week', max_count: 2, period_hours: 168 });
    const segment = await addSegment('Admins', 'pro');
    const hostile = await addSegment(hostileName, 'x');
    const id = await add({ segment_ids: [hostile], excluded_segment_ids: [await addSegment('Interns', 'y')] });
    const page = await open(id);
    await page.getByText('Calm week: at most 2 in 7 days').waitFor();
    await card(page, 'People').getByRole('combobox', { name: 'Add Segment' }).fill('adm');
    await page.getByRole('option', { name: 'Admins' }).click();
    await card(page, 'People').getByText('0 people').first().waitFor();
    await card(page, 'Environments').getByText('Production').click();
    await card(page, 'Frequency').getByText('Show it again', { exact: true }).click();
    await card(page, 'Frequency').getByLabel('Days until it shows again').fill('14');
    await card(page, 'Experiment').getByText('Show it only to a share of people').click();
    await card(page, 'Experiment').getByLabel('Share in percent').fill('20');
    await card(page, 'Goals').getByRole('button', { name: 'Add goal' }).click();
    const dialog = page.getByRole('dialog', { name: 'New goal' });
    await dialog.getByRole('combobox', { name: 'Event' }).fill('Report exported');
    await dialog.getByRole('button', { name: 'Create goal' }).click();
    await card(page, 'Goals').getByText('Event Report exported, within 30 days').waitFor();
    const shown = () => show(id);
    const expected = {
      segment_ids: [hostile, segment],
      url_group_ids: [url_group.id],
      repeat_days: 14,
      experiment_range: '0-20',
      goal: 'report_exported',
    };
    await expect.poll(shown, { timeout: 15_000 }).toMatchObject(expected);
    await choosePerson(page);
    await who(page).getByText(/^No/).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(shown, { timeout: 15_000 }).toMatchObject({ ...expected, goal: null });
  });
});

describe('a step', () => {
  it('stands at an element that is found in several ways, and waits for something', async () => {
    const id = await add({ steps: [{ title: 'New', position_type: 'snap_to_element' }] });
    const page = await dashboard.open(`/app/experiences/${id}`);
    const settings = page.getByRole('region', { name: 'Settings' });
    const selector = settings.getByLabel('CSS selector', { exact: true });
    await selector.fill('#menu[');
    await settings.getByText('This is no CSS selector that browsers understand.').waitFor();
    await selector.fill('#menu');
    await settings.getByText('This is no CSS selector that browsers understand.').waitFor({ state: 'detached' });
    await settings.getByRole('button', { name: 'Add another way to find it' }).click();
    await settings.getByLabel('CSS selector, try 2').fill('nav button');
    await settings.getByText('More ways to describe it').nth(1).click();
    await settings.getByLabel('Text that it contains').nth(1).fill('Menu');
    await settings.getByRole('button', { name: 'Try 2 sooner' }).click();
    await settings.getByText('When it shows').click();
    await settings.getByRole('button', { name: /Then waits for/ }).click();
    await page.getByRole('option', { name: 'Some time on the page' }).click();
    await settings.getByText('It waits for some time, but not how long', { exact: false }).waitFor();
    await settings.getByLabel('Seconds to wait').fill('2.5');
    await page.getByText('Nothing to fix').waitFor();
    await expectGoodLooks(page, 'targeting-step', '[aria-label=Settings]');
    const step = async () => (await show(id)).steps[0];
    await expect.poll(step, { timeout: 15_000 }).toMatchObject({
      elements: [
        { selector: 'nav button', text: 'Menu', shadow_selector: null },
        { selector: '#menu', text: null, shadow_selector: null },
      ],
      secondary_trigger: 'time_on_page',
      trigger_delay: 2.5,
    });
    await expectCanceledCount(page);
  });

  /** Expects that a count is canceled when a newer one replaces it. */
  async function expectCanceledCount(page: Page): Promise<void> {
    await who(page).getByRole('button', { name: '1 person' }).waitFor();
    // The first count never gets a response.
    await page.route('**/audience', () => undefined, { times: 1 });
    const first = page.waitForRequest('**/audience');
    const canceled = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/audience'));
    const title = page.getByRole('region', { name: 'Settings' }).getByLabel('Title', { exact: true });
    await title.fill('Typed');
    await first;
    await title.fill('Typed again');
    expect((await canceled).failure()?.errorText).toBe('net::ERR_ABORTED');
    await who(page).getByRole('button', { name: '1 person' }).waitFor();
  }

  it('leads from a problem of the targeting to its field', async () => {
    const quantifier_urls = [{ url: '[', match_type: 'regex' }];
    const page = await dashboard.open(`/app/experiences/${await add({ steps: [{ title: 'New', quantifier_urls }] })}`);
    await page.getByRole('button', { name: '1 thing to fix' }).click();
    await page.getByRole('button', { name: /the URL pattern/ }).click();
    await expect.poll(() => focused(page)).toBe('combobox Page 1');
    await card(page, 'Pages')
      .getByText(/must be a regular expression/)
      .waitFor();
  });
});

it('says whom it is for, and names the draft only where there is one', async () => {
  const id = await add({ published_at: '$now' });
  const page = await open(id);
  const people = who(page).getByRole('button', { name: '1 person' });
  await people.click();
  await page.getByText('It is for 1 person, whatever page they are on.').waitFor();
  expect(await page.getByText('What is live now').count()).toBe(0);
  await dashboard.api.patch(`/v3/edit/tours/${id}`, { goal: 'signed_up' });
  await page.reload();
  await people.click();
  await page.getByText('The draft is for 1 person, whatever page they are on.').waitFor();
  await page.getByText('What is live now is for 1 person.').waitFor();
});

it('lets a viewer look and ask, but change nothing', async () => {
  const id = await add({ segment_ids: [await addSegment('Admins', 'pro')] });
  const page = await open(id, { as: 'viewer' });
  await choosePerson(page);
  await who(page).getByText('The user is not in the Segment “Admins”').waitFor();
  expect(await page.getByRole('button', { name: /^(Add|Remove|Undo)/ }).count()).toBe(0);
  expect(await page.getByRole('combobox', { name: 'Add Segment' }).count()).toBe(0);
  expect(await card(page, 'Schedule').getByLabel('Ends').getAttribute('readonly')).not.toBeNull();
});
