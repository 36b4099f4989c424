import type { BrowserContext, Page } from 'playwright-core';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { call, dialog, uid, until, useHarness } from './browser.ts';

/* Pages that learn of events of the backend, in a real browser with the real server. */

const harness = useHarness();
let context: BrowserContext;
beforeEach(async () => {
  await harness.createReadyLauncher();
  context = await harness.browser.newContext({ reducedMotion: 'reduce' });
  onTestFinished(() => context.close());
});

const byEvent = { title: 'Hello', step_trigger: 'event', trigger_event: { name: 'Invite sent' } };
/** The browser under test shows all tabs, so the page says whether it is hidden. */
const init = "Object.defineProperty(document,'hidden',{get:()=>!!window.isHidden})";
const open = (site: object = {}) => harness.openReady({ init, ...site }, { uid, context });
const hide = (page: Page, isHidden: boolean) =>
  page.evaluate((isHidden) => {
    Object.assign(window, { isHidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
const count = (part: string) => harness.requests.filter((request) => request.includes(part)).length;
const streams = () => count('/stream');
const visits = () => count('/visits');
const opened = () => harness.api.app.pageStreams.readMetrics()[0];
const isOpen = (number: number) => until(() => JSON.stringify(opened())).toMatch(new RegExp(`\\b${number}\\b`));
const send = () => harness.api.post('/v3/observe/hooks/events', { uid, name: 'Invite sent' });

describe('a page', () => {
  it('starts an Experience on an event of the backend, without a page load', async () => {
    await harness.createTour([byEvent]);
    const page = await open();
    await until(streams).toBe(1);
    await send();
    await dialog(page).waitFor();
  });

  it('loads and opens nothing when nothing waits for an event', async () => {
    const page = await open();
    await page.waitForTimeout(500);
    expect([streams(), harness.requests.filter((name) => name === 'stream')]).toEqual([0, []]);
  });

  it('has a checklist item ticked off by an event of the backend', async () => {
    const completed_when = [{ kind: 'event', op: 'ex', value: 'Invite sent' }];
    const items = [{ title: 'Invite', url: '/invite', completed_when }];
    await harness.create('launcher', { title: 'First steps', list_type: 'checklist', items });
    const page = await open();
    await page.getByRole('button', { name: 'First steps' }).click();
    await until(() => count('/interactions')).toBeGreaterThan(0);
    await until(streams).toBe(1);
    await send();
    await until(() => page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('1');
  });

  it('closes the stream when the user signs out, and when nothing waits any more', async () => {
    const tour = await harness.createTour([byEvent]);
    const page = await open();
    await isOpen(1);
    await call(page, 'clear');
    await isOpen(0);
    await call(page, 'identify', uid);
    await isOpen(1);
    await harness.api.patch(`/v3/edit/tours/${tour.id}`, { published_at: null });
    await call(page, 'set', { plan: 'pro' });
    await isOpen(0);
  });

  it('asks now and then while the server refuses the stream, and opens it when it does not', async () => {
    await harness.createTour([byEvent]);
    let isRefused = true;
    harness.fakeResponse = (path) =>
      isRefused && path.includes('/stream') ? { status: 429, body: '{"code":429,"messages":["Many"]}' } : undefined;
    const page = await open({ clock: true });
    await until(streams).toBe(1);
    const before = visits();
    await page.clock.runFor(25_000);
    expect(visits()).toBe(before);
    for (let step = 0; step < 8 && visits() === before; step++) await page.clock.runFor(5000);
    await until(visits).toBeGreaterThan(before);
    isRefused = false;
    await until(async () => {
      await page.clock.runFor(10_000);
      return streams();
    }).toBeGreaterThan(2);
    await isOpen(1);
  });

  it('asks no more after the user was forgotten', async () => {
    await harness.createTour([byEvent]);
    const page = await open();
    await isOpen(1);
    const query = new URLSearchParams({ uid }).toString();
    const { profile } = (await harness.api.get('/v3/analyze/profile', { query })).body;
    expect((await harness.api.send('DELETE', `/v3/edit/profiles/${profile.id}/forget`)).status).toBe(200);
    await isOpen(0);
    const before = visits();
    await page.waitForTimeout(3000);
    expect([visits(), (await harness.api.get('/v3/analyze/profile', { query })).status]).toEqual([before, 404]);
  });
});

describe('two tabs of a browser', () => {
  it('share one stream, and the other one takes it over', async () => {
    await harness.createTour([byEvent]);
    const first = await open();
    await until(streams).toBe(1);
    const second = await open();
    await second.waitForTimeout(1000);
    expect(streams()).toBe(1);
    await first.close();
    await until(streams).toBe(2);
    await send();
    await dialog(second).waitFor();
  });

  it('show it in the visible one; a hidden tab has no stream, and sees what has come when it is back', async () => {
    await harness.createTour([byEvent]);
    const page = await open();
    await isOpen(1);
    await hide(page, true);
    await isOpen(0);
    await send();
    await page.waitForTimeout(1500);
    expect(await dialog(page).count()).toBe(0);
    await hide(page, false);
    await dialog(page).waitFor();
  });
});
