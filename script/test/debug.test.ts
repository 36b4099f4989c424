import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { breakElements, call, dialog, type Harness, uid, until, useHarness } from './browser.ts';
import { afterFrames } from './frames.ts';
import { violations } from './kinds-page.ts';

const harness = useHarness();

const body = '<main><h1>Reports</h1><button id="save">Save</button><p id="gone" hidden>Hidden</p></main>';
const at = (selector: string) => ({ elements: [{ selector }], position_type: 'snap_to_element' });
const panelOf = (page: Page): Locator => page.getByRole('region', { name: 'Usher debug' });
const rowOf = (page: Page, name: string): Locator => panelOf(page).locator('.debug-entry', { hasText: name });
const button = (page: Page, name: string): Locator => panelOf(page).getByRole('button', { name });

/** Opens a page and the panel on it. */
async function openPanel(token?: string, site: Parameters<Harness['open']>[0] = { body }, options = {}): Promise<Page> {
  const page = await harness.open(site, { uid, ...options });
  await call(page, 'debug', ...(token ? [token] : []));
  await panelOf(page).waitFor();
  return page;
}

async function createToken(params: object = {}): Promise<string> {
  return (await harness.api.post('/v3/edit/debug_tokens', params)).body.debug_token.token;
}

/** Creates a tour that shows at the save button. */
const createSaveTour = (step: object = {}, fields: object = {}) =>
  harness.createTour([{ title: 'Save here', ...at('#save'), ...step }], { name: 'Saving', ...fields });

/** Waits until the panel says this about an Experience. */
const expectRow = (page: Page, name: string, ...texts: string[]) =>
  Promise.all(texts.map((text) => rowOf(page, name).getByText(text).waitFor()));

describe('the debug panel', () => {
  it('loads nothing before the page calls usher.debug', async () => {
    await createSaveTour();
    const page = await harness.open({ body }, { uid });
    await dialog(page, 'Save here').waitFor();
    expect(harness.requests).not.toContain('debug');
    await call(page, 'debug');
    await panelOf(page).waitFor();
    expect(harness.requests).toContain('debug');
    expect(harness.requests.filter((path) => path.includes('explanations'))).toEqual([]);
  });

  it('opens a second later if it could not be painted immediately', async () => {
    await createSaveTour();
    const page = await openPanel(undefined, { body, init: breakElements('dl', 1) });
    await expectRow(page, 'Save here', 'Showing');
  });

  it('says that it could not be painted, and opens with the next call', async () => {
    const page = await harness.open({ body, init: breakElements('dl', 2) }, { uid });
    const said = page.waitForEvent('console', (message) => message.text().includes('call usher.debug() again'));
    await call(page, 'debug');
    await said;
    await call(page, 'debug');
    await panelOf(page).getByText('0 showing, 0 waiting').waitFor();
    expect(await panelOf(page).count()).toBe(1);
  });

  it('opens for a call that the snippet has recorded', async () => {
    const page = await harness.open({ body, calls: `usher.debug();usher.identify("${uid}")` });
    await panelOf(page).waitFor();
  });

  it('lists an Experience that shows and outlines its element while its row has the pointer or the focus', async () => {
    await createSaveTour();
    const page = await openPanel();
    await expectRow(page, 'Save here', 'Showing', 'On the screen');
    const outline = page.locator('.debug-outline');
    expect(await outline.count()).toBe(0);
    await rowOf(page, 'Save here').hover();
    await outline.waitFor();
    const target = await page.locator('#save').boundingBox();
    expect(await outline.boundingBox()).toEqual(target);
    expect(await page.locator('#save').getAttribute('style')).toBe(null);
    await page.mouse.move(900, 5);
    await outline.waitFor({ state: 'detached' });
    await rowOf(page, 'Save here').getByRole('button', { name: 'Find element' }).focus();
    await outline.waitFor();
  });

  it('says that the element of a step is missing', async () => {
    await createSaveTour(at('#missing'));
    const page = await openPanel();
    await expectRow(page, 'Save here', 'Waiting', 'Element not found: #missing (not_found)');
    // The page adds the element, and the panel follows.
    await page.evaluate(() => {
      document.body.append(Object.assign(document.createElement('p'), { id: 'missing', textContent: 'Here' }));
    });
    await expectRow(page, 'Save here', 'Showing');
  });

  it('says that the element of a step is hidden, or that its text differs', async () => {
    await createSaveTour(at('#gone'));
    await createSaveTour({ title: 'Other text', elements: [{ selector: '#save', text: 'Send' }] }, { style: 'manual' });
    const page = await openPanel();
    await expectRow(page, 'Save here', 'Waiting', 'Element is hidden: #gone (hidden)');
    await call(page, 'show', (await lastTour()).id, { skip_triggers: false });
    await expectRow(page, 'Other text', 'Element found, but its text differs: #save › text “Send” (text_differs)');
  });

  it('says that a dialog of the page covers the element', async () => {
    await createSaveTour();
    const overlay = `<div role="dialog" aria-modal="true" aria-label="Cover" style="position:fixed;inset:0;background:#fff">Cover</div>`;
    const page = await openPanel(undefined, { body: body + overlay });
    await expectRow(page, 'Save here', 'Waiting', 'Covered by a dialog or an overlay of the page');
  });

  it('can be used while the page has a modal dialog', async () => {
    const page = await openPanel();
    await page.evaluate(() => {
      const modal = document.createElement('dialog');
      modal.textContent = 'Modal';
      document.body.append(modal);
      modal.showModal();
    });
    await button(page, 'Details').click();
    expect(await button(page, 'Details').getAttribute('aria-expanded')).toBe('false');
    await page.evaluate(() => document.querySelector('dialog')?.close());
    await button(page, 'Details').click();
    expect(await button(page, 'Details').getAttribute('aria-expanded')).toBe('true');
  });

  it('says which pages a step is for, and which trigger it waits for', async () => {
    const elsewhere = { quantifier_urls: [{ url: '/elsewhere', match_type: 'simple' }] };
    const tour = await harness.createTour([{ title: 'One' }, { title: 'Two', ...elsewhere }], { style: 'manual' });
    await createSaveTour({ secondary_trigger: 'click' });
    const page = await openPanel();
    await expectRow(page, 'Save here', 'Waiting', 'Waits for a click on #save');
    await call(page, 'show', tour.id);
    await dialog(page, 'One').getByRole('button', { name: 'Next' }).click();
    await expectRow(page, 'One', 'Waiting', 'Step 2 of 2: Other page: it shows on /elsewhere');
  });

  it.each([
    [{ secondary_trigger: 'exit_intent' }, 'Waits until the user is about to leave the page'],
    [
      { secondary_trigger: 'scroll_percent', trigger_scroll_percent: 40 },
      'Waits until the user has scrolled 40 % of the page',
    ],
  ])('says that a step with %j waits', async (trigger, note) => {
    await harness.createTour([{ title: 'Read', ...trigger }]);
    const page = await openPanel(undefined, { body: `${body}<div style="height:5000px"></div>` });
    await expectRow(page, 'Read', 'Waiting', note);
  });

  it('says that an Experience waits for another one', async () => {
    await createSaveTour();
    const other = await harness.createTour([{ title: 'Other' }], { style: 'manual' });
    await harness.createProfile(uid);
    await harness.createDelivery(uid, other.id);
    await harness.createDelivery(uid, (await createSaveTour({ title: 'Second' })).id, {
      delivery_ids_position: 'last',
    });
    const page = await openPanel();
    await expectRow(page, 'Other', 'Showing');
    await expectRow(page, 'Second', 'Waiting', 'Waits for another Experience to end: Other');
  });

  it('shows an Experience now', async () => {
    await createSaveTour(at('#missing'));
    const page = await openPanel();
    await rowOf(page, 'Save here').getByRole('button', { name: 'Show now' }).click();
    await dialog(page, 'Save here').waitFor();
    await expectRow(page, 'Save here', 'Showing');
  });

  it('shows the last requests with the errors of the server, and what keeps everything from showing', async () => {
    harness.fakeResponse = (path) =>
      path.endsWith('visits') ? { status: 403, body: '{"code":403,"messages":["This host is off"]}' } : undefined;
    const page = await openPanel();
    await panelOf(page).getByText('The last visit failed: 403 This host is off').waitFor();
    await panelOf(page).getByText('Requests').click();
    await panelOf(page)
      .getByText(/^\/v3\/observe\/visits 403, \d+ ms: This host is off$/)
      .waitFor();
  });

  it('says that the page has not identified the user', async () => {
    const page = await openPanel(undefined, { body }, { uid: undefined });
    await panelOf(page).getByText('The page has not called usher.identify() yet.').waitFor();
  });

  it('shows the user, and whether the server has verified the hash', async () => {
    const calls = `usher.identify({uid: "${uid}", plan: "pro", uid_hash: "wrong"})`;
    const page = await openPanel(undefined, { body, calls }, { uid: undefined });
    await panelOf(page).getByText('User', { exact: true }).click();
    await panelOf(page).getByText('sent, but not verified').waitFor();
    const terms = panelOf(page).locator('dd');
    expect(await terms.allTextContents()).toEqual(expect.arrayContaining([uid, 'pro']));
    expect(await panelOf(page).textContent()).not.toContain('wrong');
  });

  it('copies a report without secrets', async () => {
    await createSaveTour(at('#missing'));
    const token = await createToken();
    const context = await harness.browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await openPanel(token, { body }, { context });
    await expectRow(page, 'Saving', 'Waiting');
    await button(page, 'Copy report').click();
    const report = await page.evaluate(() => navigator.clipboard.readText());
    await context.close();
    expect(report).toMatch(
      /^Usher debug report\nExperiences\n {2}waiting: tour “Saving” [\da-f]{24}\n {4}Element not found/,
    );
    expect(report).toContain('/v3/observe/visits 200');
    expect(report).toContain(`uid: ${uid}`);
    for (const secret of [token, harness.api.account.account_token, '.proven.']) expect(report).not.toContain(secret);
  });

  it('shows the report where the page may not use the clipboard', async () => {
    const page = await openPanel(undefined, { body, headers: { 'Permissions-Policy': 'clipboard-write=()' } });
    await button(page, 'Copy report').click();
    expect(await panelOf(page).getByRole('textbox', { name: 'Report' }).inputValue()).toContain('Usher debug report');
  });

  it('reopens on the next page of the tab, with its side, until it is closed', async () => {
    const page = await openPanel();
    await button(page, 'Move to the other side').click();
    await page.reload();
    await panelOf(page).waitFor();
    expect((await panelOf(page).boundingBox())?.x).toBeGreaterThan(600);
    await button(page, 'Close').click();
    await panelOf(page).waitFor({ state: 'detached' });
    harness.requests.length = 0;
    await page.reload();
    await until(() => harness.requests).toContain('POST /v3/observe/visits');
    expect(harness.requests).not.toContain('debug');
    expect(await panelOf(page).count()).toBe(0);
  });

  it('stores nothing when the page allows no storage', async () => {
    const calls = `usher.init({storage:"none"});usher.identify("${uid}");usher.debug("a-token")`;
    const page = await harness.open({ body, calls });
    await panelOf(page).waitFor();
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
  });

  it('leaves no timers and no elements when it is closed', async () => {
    const page = await openPanel(undefined, {
      body,
      init: 'const set=setTimeout;window.pending=new Set();window.setTimeout=(run,delay,...rest)=>{const id=set(()=>{pending.delete(id);run()},delay,...rest);if(delay<5000)pending.add(id);return id};const clear=clearTimeout;window.clearTimeout=(id)=>{pending.delete(id);clear(id)}',
    });
    await button(page, 'Close').click();
    await afterFrames(page, 60);
    expect(await page.evaluate(() => (window as unknown as { pending: Set<number> }).pending.size)).toBe(0);
    expect(await page.locator('usher-layer').count()).toBe(0);
  });

  it('can be used with the keyboard alone', async () => {
    await createSaveTour({ ...at('#missing') });
    const page = await openPanel();
    await expectRow(page, 'Save here', 'Waiting');
    const name = () =>
      page.evaluate(() => {
        const active = document.activeElement?.shadowRoot?.activeElement;
        return active?.ariaLabel ?? active?.textContent;
      });
    expect(await name()).toBe('Usher debug');
    const names: unknown[] = [];
    for (let turn = 0; turn < 9; turn++) {
      await page.keyboard.press('Tab');
      names.push(await name());
    }
    expect(names).toEqual([
      ...['Copy report', 'Move to the other side', 'Details', 'Close (Escape)', 'Details'],
      ...['Show now: Save here', 'Requests', 'User', 'Page and script'],
    ]);
    await page.keyboard.press('Enter');
    await panelOf(page).getByText('Account token').waitFor();
    await page.keyboard.press('Escape');
    await panelOf(page).waitFor({ state: 'detached' });
  });

  it('keeps the focus in a field of the page', async () => {
    const page = await harness.open({ body: '<input aria-label="Name">' }, { uid });
    await page.getByLabel('Name').focus();
    await call(page, 'debug');
    await panelOf(page).waitFor();
    await page.keyboard.type('Ann');
    expect(await page.getByLabel('Name').inputValue()).toBe('Ann');
  });

  it.each(['light', 'dark'] as const)('has no violation that axe finds, %s', async (colorScheme) => {
    const token = await createToken();
    await createSaveTour(at('#missing'));
    const context = await harness.browser.newContext({ colorScheme, reducedMotion: 'reduce' });
    const page = await openPanel(token, { body }, { context });
    await expectRow(page, 'Saving', 'Waiting');
    for (const name of ['Requests', 'User', 'Page and script'])
      await panelOf(page).locator('summary', { hasText: name }).click();
    expect(await violations(page)).toEqual([]);
    await context.close();
  });

  it('works under a strict policy with Trusted Types', async () => {
    await createSaveTour();
    const policy = `default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; connect-src ${harness.proxyUrl}; require-trusted-types-for 'script'; trusted-types usher`;
    const site = { body, nonce: 'abc', headers: { 'Content-Security-Policy': policy } };
    const page = await harness.open(site, { uid });
    const reports: string[] = [];
    page.on('console', (message) => reports.push(message.text()));
    await call(page, 'debug', await createToken());
    await expectRow(page, 'Saving', 'Showing');
    await rowOf(page, 'Saving').hover();
    await page.locator('.debug-outline').waitFor();
    expect((await panelOf(page).boundingBox())?.width).toBe(360);
    expect(reports).toEqual([]);
  });

  it('hides its keys and clicks from the page', async () => {
    const init = `window.seen=[];for (const type of ['keydown','click','pointerdown']) document.addEventListener(type,()=>seen.push(type))`;
    const page = await openPanel(undefined, { body, init });
    await button(page, 'Details').click();
    await page.keyboard.press('Escape');
    await panelOf(page).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([]);
  });

  it('fits a window of 320 pixels', async () => {
    const context = await harness.browser.newContext({ viewport: { width: 320, height: 568 } });
    const page = await openPanel(undefined, { body }, { context });
    const { x = 0, width = 0, height = 0 } = (await panelOf(page).boundingBox()) ?? {};
    expect([x >= 0, x + width <= 320, height <= 341]).toEqual([true, true, true]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await context.close();
  });
});

describe('the debug panel with a token', () => {
  it('says why Experiences do not show that were not sent to this user', async () => {
    const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'trial' }];
    const { segment } = (await harness.api.post('/v3/edit/segments', { name: 'Trial users', items })).body;
    const quantifier_urls = [{ url: '/elsewhere', match_type: 'simple' }];
    await createSaveTour({}, { name: 'Trial tour', segment_ids: [segment.id] });
    await createSaveTour({ quantifier_urls }, { name: 'Elsewhere' });
    await harness.createTour([{ title: 'Later' }], { name: 'Tomorrow', published_at: '+1d' });
    await harness.createTour([{ title: 'Draft' }], { name: 'Unfinished', published_at: null });
    const page = await openPanel();
    await panelOf(page).getByText('The server sent nothing for this user on this page.').waitFor();
    expect(await panelOf(page).locator('.debug-entry').count()).toBe(0);
    await call(page, 'debug', await createToken());
    await expectRow(page, 'Trial tour', 'Does not show', 'The user is not in the Segment “Trial users”');
    await expectRow(page, 'Elsewhere', 'This page is none of those on which it begins');
    await expectRow(page, 'Tomorrow', 'It is not live: it was not published, or its time has not come or is over');
    expect(await rowOf(page, 'Unfinished').count()).toBe(0);
  });

  it('says that the user has seen it, and that a limit is reached', async () => {
    await createSaveTour({}, { position: 1 });
    await createSaveTour({ title: 'Next one' }, { name: 'Next one', position: 2 });
    const group = { name: 'One a day', max_count: 1, period_hours: 24 };
    const { limit_group } = (await harness.api.post('/v3/edit/limit_groups', group)).body;
    const page = await openPanel(await createToken());
    await expectRow(page, 'Saving', 'Showing');
    await dialog(page, 'Save here').getByRole('button', { name: 'Close' }).click();
    await expectRow(page, 'Saving', 'Does not show', 'Shown already: exited on');
    await expectRow(page, 'Next one', 'Does not show', 'The limit “One a day” is reached');
    await harness.api.send('DELETE', `/v3/edit/limit_groups/${limit_group.id}`);
  });

  it('says that an Experience was archived since the last visit', async () => {
    const { id } = await createSaveTour();
    const page = await openPanel(await createToken());
    await expectRow(page, 'Saving', 'Showing');
    await harness.api.patch(`/v3/edit/tours/${id}`, { archived_at: '$now' });
    await dialog(page, 'Save here').getByRole('button', { name: 'Close' }).click();
    await expectRow(page, 'Save here', 'Does not show', 'Archived or deleted since the last visit');
    await panelOf(page).getByText('Drafts and archived Experiences are not listed.').waitFor();
    await harness.api.patch(`/v3/edit/tours/${id}`, { archived_at: null });
  });

  it('keeps the token for the next page of the tab', async () => {
    await createSaveTour({ quantifier_urls: [{ url: '/elsewhere', match_type: 'simple' }] });
    const page = await openPanel(await createToken());
    await expectRow(page, 'Saving', 'This page is none of those on which it begins');
    await page.reload();
    await expectRow(page, 'Saving', 'This page is none of those on which it begins');
  });

  it('says that a token is wrong or has expired, and still shows the rest', async () => {
    await createSaveTour();
    const page = await openPanel('wrong');
    await panelOf(page)
      .getByText('The debug token does not help: This `debug_token` is not valid for this account')
      .waitFor();
    await expectRow(page, 'Save here', 'Showing');
    const token = await createToken({ ttl: 1 });
    harness.clockOffsetMs = 2000;
    await call(page, 'debug', token);
    await panelOf(page).getByText('The debug token does not help: This `debug_token` has expired').waitFor();
  });
});

async function lastTour(): Promise<{ id: string }> {
  return (await harness.api.get('/v3/edit/tours')).body.tours[0];
}
