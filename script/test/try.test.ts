import type { BrowserContext, Locator, Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { accountRows } from '../../server/test/account-rows.ts';
import { call, dialog, type Harness, type Site, uid, until, useHarness } from './browser.ts';
import { violations } from './kinds-page.ts';

const harness = useHarness();

type Kind = Parameters<Harness['create']>[0];

/** Moves the content of the page below the bar. */
const space = '<br>'.repeat(12);
const body = `${space}<main><h1>Reports</h1><button id="save">Save</button> <button id="more">More</button> <input id="name" aria-label="Name"></main>`;
const atSave = { elements: [{ selector: '#save' }], position_type: 'snap_to_element' };

const barOf = (page: Page): Locator => page.getByRole('region', { name: 'Usher picker' });
const button = (page: Page, name: string): Locator => barOf(page).getByRole('button', { name });
const says = (page: Page, text: string | RegExp) => barOf(page).getByText(text).first().waitFor();
const announcerOf = (page: Page): Locator => page.locator('.announcer');

interface Made {
  id: string;
  experience: Awaited<ReturnType<Harness['create']>>;
  hash: string;
}

/** Makes a draft that was never published, and a pick to try it. */
async function makeTry(kind: Kind, fields: object, { step, ...params }: { step?: number; uid?: string } = {}) {
  const experience = await harness.create(kind, { name: 'Saving', published_at: null, ...fields });
  const response = await harness.api.post('/v3/edit/picks', {
    ...{ purpose: 'try', experience_id: experience.id, href: `${harness.pagesUrl}/`, ...params },
    ...(step !== undefined && { step_id: experience.steps[step]?.id }),
  });
  expect([response.status, response.body.messages]).toEqual([201, undefined]);
  const { id, address } = response.body.pick;
  return { id, experience, hash: new URL(address).hash } satisfies Made;
}

interface OpenOptions {
  site?: Site;
  context?: BrowserContext;
  /** The step to begin with, from 0. */
  step?: number;
  /** The user whom the administrator chose. */
  as?: string;
  isReal?: boolean;
}

/** Opens the page as the dashboard does. */
async function openTry(kind: Kind, fields: object, { site = { body }, context, step, as }: OpenOptions = {}) {
  const made = await makeTry(kind, fields, { ...(step !== undefined && { step }), ...(as && { uid: as }) });
  const page = await harness.open(site, { ...(context && { context }), uid, hash: made.hash });
  await button(page, 'Begin').waitFor();
  return { page, ...made };
}

async function begin(kind: Kind, fields: object, options: OpenOptions = {}) {
  const opened = await openTry(kind, fields, options);
  if (options.isReal) await button(opened.page, 'Real triggers').click();
  await button(opened.page, 'Begin').click();
  return opened;
}

const threeSteps = {
  steps: [
    { title: 'One', ...atSave },
    { title: 'Two', ...atSave },
    { title: 'Three', ...atSave },
  ],
};

/** Reads all rows of the account, except for picks and the audit log. */
async function readRows(): Promise<Record<string, string[]>> {
  const { picks: _, audit_entries: __, ...rows } = await accountRows(harness.api.app, harness.api.account.account_id);
  return rows;
}

/** The requests that send data about users to the server, without the visit of each page load. */
const reports = () => harness.requests.filter((path) => /POST/.test(path) && !/visits|picks/.test(path));

describe('trying a draft', () => {
  it('names the administrator, the server and the Experience, and waits for a click', async () => {
    const { page } = await openTry('tour', threeSteps, { step: 1 });
    const text = await barOf(page).textContent();
    expect(text).toContain('Try the tour “Saving” on this page');
    expect(text).toContain('Starts with step 2 “Two”.');
    expect(text).toContain(`(Acme) on ${new URL(harness.proxyUrl).host}. Nothing is counted or saved.`);
    expect(harness.requests).not.toContain('POST /v3/observe/picks/content');
    await button(page, 'Begin').click();
    await dialog(page, 'Two').waitFor();
    await says(page, 'Step 2 of 3 “Two”');
    await says(page, 'On the screen.');
  });

  it('moves its bar away from a box that it would cover', async () => {
    const context = await harness.browser.newContext({
      ...{ viewport: { width: 375, height: 740 }, reducedMotion: 'reduce' },
    });
    onTestFinished(() => context.close());
    const steps = [{ title: 'One', buttons: [{ text: 'Next', tour_action: 'next' }] }, { title: 'Two' }];
    const { page } = await begin('tour', { steps }, { context });
    await until(async () => (await barOf(page).boundingBox())?.y).toBe(12);
    // The click is not forced, so it fails if the bar is above the button.
    await dialog(page, 'One').getByRole('button', { name: 'Next' }).click();
    await dialog(page, 'Two').waitFor();
  });

  it('plays what is edited meanwhile when it starts again', async () => {
    const { page, experience } = await begin('tour', threeSteps);
    await dialog(page, 'One').waitFor();
    const path = `/v3/edit/tours/${experience.id}/steps/${experience.steps[0]?.id}`;
    expect((await harness.api.patch(path, { title: 'Edited' })).status).toBe(200);
    await button(page, 'Start again').click();
    await dialog(page, 'Edited').waitFor();
    await says(page, 'Step 1 of 3 “Edited”');
  });

  it('moves with its own buttons and with the buttons of the bar', async () => {
    const { page } = await begin('tour', threeSteps);
    await dialog(page, 'One').getByRole('button', { name: 'Next' }).click();
    await says(page, 'Step 2 of 3 “Two”');
    await button(page, 'Next step').click();
    await dialog(page, 'Three').waitFor();
    expect(await button(page, 'Next step').getAttribute('aria-disabled')).toBe('true');
    await button(page, 'Previous').click();
    await dialog(page, 'Two').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(1);
    await button(page, 'Start again').click();
    await dialog(page, 'One').waitFor();
  });

  it('stores nothing, sends nothing, and code of the page does not hear of it', async () => {
    const survey = {
      steps: [
        { title: 'How was it?', preset: 'survey_nps' },
        { title: 'Why?', preset: 'survey_input' },
        { title: 'Thanks', preset: 'thank_you' },
      ],
    };
    const { page } = await openTry('survey', survey);
    await until(() => harness.requests).toContain('POST /v3/observe/visits');
    await page.evaluate(() => {
      const { usher } = window as unknown as { usher: { on(name: string, run: () => void): void } };
      usher.on('tour:event', () => Object.assign(window, { heard: true }));
    });
    const before = await readRows();
    await button(page, 'Begin').click();
    await dialog(page, 'How was it?').getByRole('radio', { name: '9' }).click();
    await says(page, 'Answers are not saved.');
    await dialog(page, 'Why?').getByRole('textbox').fill('Because');
    await dialog(page, 'Why?').getByRole('button', { name: 'Send' }).click();
    await dialog(page, 'Thanks').waitFor();
    await says(page, 'Step 3 of 3 “Thanks”');
    await says(page, 'Answers are not saved.');
    await page.keyboard.press('Escape');
    await says(page, 'The survey has ended');
    await button(page, 'End').click();
    await barOf(page).waitFor({ state: 'detached' });
    await until(() => harness.requests).toContain('POST /v3/observe/picks/end');
    expect(await readRows()).toEqual(before);
    // A visit sends everything that is pending before it.
    harness.requests.length = 0;
    await call(page, 'set', { plan: 'pro' });
    await until(() => harness.requests).toContain('POST /v3/observe/visits');
    expect(reports()).toEqual([]);
    expect(await page.evaluate(() => 'heard' in window)).toBe(false);
  });

  it('keeps the Experiences of the page away, and starts them at the end', async () => {
    await harness.createTour([{ title: 'Published' }]);
    const { page } = await begin('tour', threeSteps);
    await dialog(page, 'One').waitFor();
    await until(() => harness.requests).toContain('POST /v3/observe/visits');
    await page.evaluate(() => history.pushState({}, '', `/routed${location.search}`));
    await until(() => harness.requests.filter((path) => path.endsWith('/visits')).length).toBe(2);
    expect(await dialog(page, 'Published').count()).toBe(0);
    await page.reload();
    await dialog(page, 'One').waitFor();
    expect(await dialog(page, 'Published').count()).toBe(0);
    expect(reports()).toEqual([]);
    await button(page, 'End').click();
    await dialog(page, 'Published').waitFor();
    expect(await dialog(page, 'One').count()).toBe(0);
    await until(reports).toContain('POST /v3/observe/interactions');
  });

  it('removes everything with Escape, and does not come back on the next page', async () => {
    const { page, id } = await begin('tour', threeSteps);
    await dialog(page, 'One').waitFor();
    await page.keyboard.press('Escape');
    await says(page, 'The tour has ended');
    await says(page, 'It was closed.');
    await until(() => announcerOf(page).textContent()).toContain('The tour has ended');
    await page.keyboard.press('Escape');
    await barOf(page).waitFor({ state: 'detached' });
    expect(await page.locator('usher-layer').count()).toBe(0);
    expect(await page.evaluate(() => sessionStorage.getItem('usher:pick'))).toBe(null);
    await until(async () => (await harness.api.get(`/v3/edit/picks/${id}`)).body.pick.state).toBe('ended');
    harness.requests.length = 0;
    await page.reload({ waitUntil: 'networkidle' });
    expect(harness.requests).not.toContain('picker');
  });
});

describe('what a step waits for', () => {
  it('is its element, which is named', async () => {
    const missing = { elements: [{ selector: '#missing' }], position_type: 'snap_to_element' };
    const { page } = await begin('tour', { steps: [{ title: 'One', ...missing }] });
    await says(page, 'Element not found: #missing');
    await until(() => announcerOf(page).textContent()).toContain('Element not found: #missing');
    await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<button id="missing">Here</button>'));
    await dialog(page, 'One').waitFor();
    await says(page, 'On the screen.');
  });

  it('is an element that is hidden', async () => {
    const { page } = await begin(
      'tour',
      { steps: [{ title: 'One', ...atSave }] },
      { site: { body: body.replace('id="save"', 'id="save" hidden') } },
    );
    await says(page, 'Element is hidden: #save');
  });

  it('is its URL rule, which is named, until the route changes', async () => {
    const steps = [{ title: 'One', quantifier_urls: [{ url: '/reports' }] }];
    const { page } = await begin('tour', { steps }, { isReal: true });
    await says(page, 'Other page: it shows on /reports');
    await page.evaluate(() => history.pushState({}, '', '/reports'));
    await dialog(page, 'One').waitFor();
  });

  it('is its delay, with the seconds that are left', async () => {
    const steps = [{ title: 'One', secondary_trigger: 'time_on_page', trigger_delay: 3 }];
    const { page } = await begin('tour', { steps }, { isReal: true });
    await says(page, 'Waits for its delay: 3 more seconds.');
    await says(page, 'Waits for its delay: 1 more second.');
    await dialog(page, 'One').waitFor();
  });

  it('is a click, also for the next step', async () => {
    const more = { elements: [{ selector: '#more' }], position_type: 'snap_to_element' };
    const steps = [
      { title: 'One', ...atSave, secondary_trigger: 'click' },
      { title: 'Two', ...more, secondary_trigger: 'click' },
    ];
    const { page } = await begin('tour', { steps }, { isReal: true });
    await says(page, 'Waits for a click on #save.');
    await page.locator('#save').click();
    await dialog(page, 'One').waitFor();
    await says(page, 'On the screen. The next step: Waits for a click on #more.');
    // The box of the first step covers it.
    await page.locator('#more').press('Enter');
    await dialog(page, 'Two').waitFor();
    await says(page, 'Step 2 of 2 “Two”');
  });

  it('is skipped without the real triggers, and the choice lasts in the tab', async () => {
    const steps = [{ title: 'One', secondary_trigger: 'click', ...atSave, quantifier_urls: [{ url: '/elsewhere' }] }];
    const { page } = await begin('tour', { steps }, { isReal: true });
    await says(page, 'Other page: it shows on /elsewhere');
    await page.reload();
    await says(page, 'Other page: it shows on /elsewhere');
    expect(await button(page, 'Real triggers').getAttribute('aria-pressed')).toBe('true');
    await button(page, 'Real triggers').click();
    await dialog(page, 'One').waitFor();
    await page.reload();
    await dialog(page, 'One').waitFor();
    expect(await button(page, 'Real triggers').getAttribute('aria-pressed')).toBe('false');
    await button(page, 'Real triggers').click();
    await says(page, 'Other page: it shows on /elsewhere');
    expect(await dialog(page, 'One').count()).toBe(0);
  });

  it('is also shown after users would have skipped the step', async () => {
    const missing = { elements: [{ selector: '#missing' }], position_type: 'snap_to_element' };
    const steps = [{ title: 'One' }, { title: 'Two', ...missing }, { title: 'Three' }];
    const { page } = await begin('tour', { steps }, { site: { body, clock: true } });
    await dialog(page, 'One').getByRole('button', { name: 'Next' }).click();
    await says(page, 'Element not found: #missing');
    await page.clock.runFor(6000);
    await dialog(page, 'Three').waitFor();
    await says(page, /Step 2 was skipped, as for users\. Element not found: #missing/);
    await button(page, 'Previous').click();
    await says(page, 'Step 2 of 3 “Two”');
    await says(page, 'Element not found: #missing');
  });

  it('is the page that a step is for, if it was started elsewhere', async () => {
    const missing = { elements: [{ selector: '#missing' }], position_type: 'snap_to_element' };
    const steps = [{ title: 'One', ...missing, quantifier_urls: [{ url: '/reports' }] }];
    const { page } = await begin('tour', { steps });
    await says(page, 'It is a step for other pages: /reports');
  });
});

describe('each kind', () => {
  it('plays a survey to its end', async () => {
    const steps = [{ title: 'How?', preset: 'survey_csat' }];
    const { page } = await begin('survey', { steps });
    await dialog(page, 'How?').getByRole('radio', { name: '5' }).click();
    await says(page, 'The survey has ended');
    await says(page, 'A user would have completed it.');
    await says(page, 'Answers are not saved.');
    await button(page, 'Start again').click();
    await dialog(page, 'How?').waitFor();
  });

  it('plays a checklist, and says which tour an item would start', async () => {
    const tour = await harness.createTour([{ title: 'Linked' }], { name: 'First steps', style: 'manual' });
    const items = [{ title: 'Begin here', kind: 'tour', campaign_id: tour.id }];
    const { page } = await begin('launcher', { title: 'Help', list_type: 'checklist', items });
    await says(page, 'Trying the launcher “Saving”');
    await says(page, 'It is on the page: click it.');
    await page.getByRole('button', { name: 'Help 1' }).click();
    await page.getByRole('button', { name: 'Begin here' }).click();
    await says(page, 'Here “First steps” would start. It is not started while you try a draft.');
    expect(await dialog(page, 'Linked').count()).toBe(0);
    expect(harness.requests).not.toContain('POST /v3/observe/shows');
  });

  it('shows a launcher on the pages of its URL rule only, with the real triggers', async () => {
    const fields = { title: 'Help', items: [{ title: 'Docs', url: '/docs' }], quantifier_urls: [{ url: '/reports' }] };
    const { page } = await begin('launcher', fields, { isReal: true });
    await says(page, 'Other page: it shows on /reports');
    expect(await page.getByRole('button', { name: 'Help' }).count()).toBe(0);
    await page.evaluate(() => history.pushState({}, '', '/reports'));
    await page.getByRole('button', { name: 'Help' }).waitFor();
    await page.evaluate(() => history.pushState({}, '', '/else'));
    await page.getByRole('button', { name: 'Help' }).waitFor({ state: 'detached' });
    await button(page, 'Real triggers').click();
    await page.getByRole('button', { name: 'Help' }).waitFor();
  });

  it.each([
    ['hover', 'point at it'],
    ['click', 'click it'],
  ])('plays a tooltip that opens on %s', async (secondary_trigger, how) => {
    const elements = [{ selector: '#low' }];
    const low = `${body}<div style="height:2000px"></div><button id="low">Low</button>`;
    const steps = [{ title: 'Saves', elements, secondary_trigger, quantifier_urls: [{ url: '/elsewhere' }] }];
    const { page } = await begin('tooltip', { steps }, { site: { body: low } });
    await says(page, 'Step 1 of 1 “Saves”');
    await says(page, `At its element: ${how}.`);
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(500);
    await (secondary_trigger === 'click' ? page.locator('#low').click() : page.locator('#low').hover());
    await page.getByRole('tooltip', { name: 'Saves' }).waitFor();
    await page.locator('#low').evaluate((element) => element.remove());
    await says(page, 'Element not found: #low');
  });

  it('plays a banner', async () => {
    const steps = [{ title: 'News', elements: [{ selector: 'main' }], position_type: 'inline' }];
    const { page } = await begin('embed', { style: 'banner', steps });
    await page.getByRole('region', { name: 'News' }).waitFor();
    await says(page, 'On the screen.');
    await page.getByRole('region', { name: 'News' }).getByRole('button', { name: 'Close' }).click();
    await says(page, 'The embed has ended');
    await button(page, 'End').click();
    await barOf(page).waitFor({ state: 'detached' });
  });
});

describe('buttons of a draft', () => {
  const step = (action: object) => ({
    steps: [{ title: 'One', buttons: [{ text: 'Press', ...action }] }, { title: 'Two' }],
  });

  it('click an element, and say if it is not there', async () => {
    const onClick = body.replace('id="more"', `id="more" onclick="this.textContent='Clicked'"`);
    const fields = step({ additional_actions: ['element_click'], action_element: { selector: '#more' } });
    const { page } = await begin('tour', fields, { site: { body: onClick } });
    await dialog(page, 'One').getByRole('button', { name: 'Press' }).click();
    await page.getByRole('button', { name: 'Clicked' }).waitFor();
    await page.locator('#more').evaluate((element) => element.remove());
    await dialog(page, 'One').getByRole('button', { name: 'Press' }).click();
    await says(page, 'The element that it clicks was not found: #more');
  });

  it('change nothing about the user, and say so', async () => {
    const { page } = await begin(
      'tour',
      step({ additional_actions: ['property'], action_property: 'plan', tour_action: 'next' }),
    );
    await until(() => harness.requests).toContain('POST /v3/observe/visits');
    harness.requests.length = 0;
    await dialog(page, 'One').getByRole('button', { name: 'Press' }).click();
    await says(page, 'It would set a property of the user.');
    await dialog(page, 'Two').waitFor();
    expect(harness.requests.filter((path) => path.startsWith('POST'))).toEqual([]);
  });

  it('open a page of the same origin, where the draft goes on with the next step', async () => {
    const to = { additional_actions: ['cta_url'], action_url: '/there', tour_action: 'next' };
    const { page } = await begin('tour', step(to));
    await dialog(page, 'One').getByRole('button', { name: 'Press' }).click();
    await page.waitForURL('**/there');
    await dialog(page, 'Two').waitFor();
    await says(page, 'Step 2 of 2 “Two”');
    await dialog(page, 'Two').getByRole('button', { name: 'Done' }).click();
    await says(page, 'A user would have completed it.');
    await page.reload();
    await says(page, 'The tour has ended');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await button(page, 'Start again').click();
    await dialog(page, 'One').waitFor();
  });

  it('run code only if the account allows it', async () => {
    const code = { additional_actions: ['code'], action_script: 'document.title = "Ran"' };
    const allow = async (allow_scripts: boolean) =>
      expect((await harness.api.patch('/v3/edit/account', { allow_scripts })).status).toBe(200);
    await allow(true);
    onTestFinished(() => allow(false));
    const { page } = await openTry('tour', step({ ...code, tour_action: 'next' }));
    await allow(false);
    await button(page, 'Begin').click();
    await dialog(page, 'One').getByRole('button', { name: 'Press' }).click();
    await dialog(page, 'Two').waitFor();
    expect(await page.title()).toBe('A page');
    await allow(true);
    await button(page, 'Start again').click();
    await dialog(page, 'One').getByRole('button', { name: 'Press' }).click();
    await until(() => page.title()).toBe('Ran');
  });
});

describe('the user', () => {
  const greeting = { steps: [{ title: 'Hi {{first_name | fallback: "there"}}' }] };

  it('is the one of the page', async () => {
    await harness.api.post('/v3/observe/hooks/profiles', { uid, first_name: 'Bob' });
    const { page } = await begin('tour', greeting);
    await dialog(page, 'Hi Bob').waitFor();
    await says(page, 'As the user of this page. Nothing is counted or saved.');
  });

  it('is the one whom the administrator chose, on the next page too', async () => {
    await harness.api.post('/v3/observe/hooks/profiles', { uid: 'ann', first_name: 'Ann', last_name: 'Lee' });
    const { page } = await begin('tour', greeting, { as: 'ann' });
    await dialog(page, 'Hi Ann').waitFor();
    await says(page, 'As Ann Lee.');
    await page.reload();
    await dialog(page, 'Hi Ann').waitFor();
    await says(page, 'As Ann Lee.');
  });

  it('is unknown on a page that identifies nobody', async () => {
    const { page } = await begin('tour', greeting, { site: { body, calls: '' } });
    await dialog(page, 'Hi there').waitFor();
    await says(page, 'As an unknown user');
  });

  it('sees texts and labels in their own language, and the page gets its labels back at the end', async () => {
    const context = await harness.browser.newContext({ locale: 'de-DE', reducedMotion: 'reduce' });
    onTestFinished(() => context.close());
    const { page } = await begin('tour', { steps: [{ title: 'One' }, { title: 'Two' }] }, { context });
    await dialog(page, 'One').getByRole('button', { name: 'Weiter' }).click();
    await dialog(page, 'Two').getByRole('button', { name: 'Zurück' }).waitFor();
  });
});

describe('when it cannot go on', () => {
  it('says that the Experience was deleted', async () => {
    const { page, experience } = await begin('tour', threeSteps);
    await dialog(page, 'One').waitFor();
    const { status } = await harness.api.send('DELETE', `/v3/edit/tours/${experience.id}`);
    expect(status).toBeLessThan(300);
    await button(page, 'Start again').click();
    await says(page, 'The Experience of this pick was deleted: go back to Usher and choose another one');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await button(page, 'Close').click();
    await barOf(page).waitFor({ state: 'detached' });
  });

  it('says that the time is over, and starts the Experiences of the page', async () => {
    await harness.createTour([{ title: 'Published' }]);
    const { page } = await begin('tour', threeSteps);
    await dialog(page, 'One').waitFor();
    harness.clockOffsetMs = 61 * 60_000;
    await button(page, 'Start again').click();
    await says(page, 'This pick has expired: go back to Usher and start again there');
    expect(await page.evaluate(() => sessionStorage.getItem('usher:pick'))).toBe(null);
    await dialog(page, 'Published').waitFor();
  });

  it('goes on when the server responds again', async () => {
    const { page } = await begin('tour', threeSteps);
    await dialog(page, 'One').waitFor();
    harness.isUp = false;
    await button(page, 'Start again').click();
    await says(page, 'Usher cannot be reached');
    await until(() => announcerOf(page).textContent()).toContain('The Usher server does not respond.');
    harness.isUp = true;
    await button(page, 'Try again').click();
    await dialog(page, 'One').waitFor();
  });

  it('says that the draft has no steps', async () => {
    const { page } = await begin('tour', { steps: [] });
    await says(page, 'This draft has no steps yet');
    await says(page, 'Add a step in Usher, then start again.');
  });

  it('starts with the first step if the step of the pick was deleted', async () => {
    const { page, experience } = await openTry('tour', threeSteps, { step: 1 });
    const path = `/v3/edit/tours/${experience.id}/steps/${experience.steps[1]?.id}`;
    expect((await harness.api.send('DELETE', path)).status).toBeLessThan(300);
    await button(page, 'Begin').click();
    await dialog(page, 'One').waitFor();
    await says(page, 'The step was deleted meanwhile, so it starts with the first one.');
  });

  it('says that the domain was turned off', async () => {
    const { page } = await begin('tour', threeSteps);
    await dialog(page, 'One').waitFor();
    harness.fakeResponse = (path) =>
      path.endsWith('/content') ? { status: 403, body: '{"messages":["This host is off"]}' } : undefined;
    await button(page, 'Start again').click();
    await says(page, 'This host is off');
  });
});

describe('the bar', () => {
  it('works under a strict policy with Trusted Types, without a message in the console', async () => {
    const policy = `default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; connect-src ${harness.proxyUrl}; require-trusted-types-for 'script'; trusted-types usher`;
    const messages: string[] = [];
    const context = await harness.browser.newContext({ reducedMotion: 'reduce' });
    onTestFinished(() => context.close());
    context.on('console', (message) => messages.push(message.text()));
    const site = { body, nonce: 'abc', headers: { 'Content-Security-Policy': policy } };
    const { page } = await begin('survey', { steps: [{ title: 'How?', preset: 'survey_nps' }] }, { site, context });
    await dialog(page, 'How?').getByRole('radio', { name: '9' }).click();
    await says(page, 'The survey has ended');
    await button(page, 'End').click();
    await barOf(page).waitFor({ state: 'detached' });
    expect(messages.filter((text) => !text.includes('favicon'))).toEqual([]);
  });

  it('is reached with Tab from a step with a backdrop, and gives the focus back', async () => {
    const steps = [
      { title: 'One', backdrop: true },
      { title: 'Two', backdrop: true },
    ];
    const { page } = await openTry('tour', { steps });
    const focused = () => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.textContent);
    await page.keyboard.press('Enter');
    await dialog(page, 'One').waitFor();
    const seen: (string | null | undefined)[] = [];
    for (let at = 0; at < 12 && seen.at(-1) !== 'Next step'; at++) {
      await page.keyboard.press('Tab');
      seen.push(await focused());
    }
    expect(seen.at(-1)).toBe('Next step');
    await page.keyboard.press('Enter');
    await dialog(page, 'Two').waitFor();
    await page.keyboard.press('Escape');
    await says(page, 'The tour has ended');
    await until(focused).toBe('Start again');
    await page.keyboard.press('Escape');
    await barOf(page).waitFor({ state: 'detached' });
  });

  it('does not replace the buttons while it counts seconds', async () => {
    const steps = [{ title: 'One', secondary_trigger: 'time_on_page', trigger_delay: 3 }];
    const { page } = await begin('tour', { steps }, { isReal: true });
    await says(page, '3 more seconds');
    await button(page, 'Start again').evaluate((element) => Object.assign(element, { isSame: true }));
    await says(page, '2 more seconds');
    expect(await button(page, 'Start again').evaluate((element) => 'isSame' in element)).toBe(true);
  });

  it.each(['light', 'dark'] as const)('has no violation that axe finds, %s', async (colorScheme) => {
    const context = await harness.browser.newContext({ colorScheme, reducedMotion: 'reduce' });
    onTestFinished(() => context.close());
    const { page } = await openTry('tour', threeSteps, { context });
    expect(await violations(page)).toEqual([]);
    await button(page, 'Begin').click();
    await dialog(page, 'One').waitFor();
    await says(page, 'On the screen.');
    expect(await violations(page)).toEqual([]);
  });

  it('fits a window of 320 pixels', async () => {
    const context = await harness.browser.newContext({
      viewport: { width: 320, height: 568 },
      reducedMotion: 'reduce',
    });
    onTestFinished(() => context.close());
    const { page } = await begin('tour', threeSteps, { context });
    await says(page, 'On the screen.');
    const { x = 0, width = 0, height = 0 } = (await barOf(page).boundingBox()) ?? {};
    expect([x >= 0, x + width <= 320, height <= 284]).toEqual([true, true, true]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });
});
