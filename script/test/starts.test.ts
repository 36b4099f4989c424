import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { call, dialog, uid, until, useHarness } from './browser.ts';

const harness = useHarness();
beforeEach(async () => {
  await harness.createReadyLauncher();
});

const open = (options: object = {}) => harness.openReady({}, { uid, ...options });
const track = (page: Page, name: string, properties: object = {}) => call(page, 'track', name, properties);
const byEvent = (fields: object = {}) => ({
  step_trigger: 'event',
  trigger_event: { name: 'Invite sent', ...fields },
});
const done = (page: Page) => page.getByRole('button', { name: 'Done' }).click();
const visits = () => harness.requests.filter((path) => path.endsWith('/visits')).length;

describe('an Experience that starts on an event', () => {
  it('starts when the page tracks the event, without a page load, and sends nothing more for others', async () => {
    const tour = await harness.createTour([{ title: 'Hello', ...byEvent() }]);
    const page = await open();
    const before = visits();
    await track(page, 'Other');
    await until(() => harness.requests.filter((path) => path.endsWith('/events')).length).toBe(1);
    await page.waitForTimeout(500);
    expect(visits()).toBe(before);
    await track(page, 'inviteSent');
    await dialog(page).waitFor();
    await done(page);
    await until(() => harness.interactions(tour.id)).toMatchObject([{ state: 'completed', group_kind: 'campaign' }]);
    await track(page, 'Invite sent');
    await page.waitForTimeout(1000);
    expect(await dialog(page).count()).toBe(0);
  });

  it('starts on the next page after an event of the backend, and only if its properties match', async () => {
    const filters = [{ prop: 'role', op: 'eq', value: 'admin' }];
    await harness.createTour([{ title: 'Hello', ...byEvent({ filters }) }]);
    const page = await open();
    const send = (role: string) => harness.api.post('/v3/observe/hooks/events', { uid, name: 'Invite sent', role });
    await send('viewer');
    await page.reload();
    await page.getByRole('button', { name: 'Ready' }).waitFor();
    expect(await dialog(page).count()).toBe(0);
    await send('admin');
    await page.reload();
    await dialog(page).waitFor();
  });

  it('starts after its delay, while the page is open', async () => {
    await harness.createTour([{ title: 'Hello', ...byEvent({ delay_seconds: 2 }) }]);
    const page = await open();
    await track(page, 'Invite sent');
    await page.waitForTimeout(1000);
    expect(await dialog(page).count()).toBe(0);
    await dialog(page).waitFor();
  });

  it('starts when the response to its claim is lost, after another attempt', async () => {
    const tour = await harness.createTour([{ title: 'Hello', ...byEvent() }]);
    const page = await open();
    let lost = 0;
    harness.dropsResponse = (path) => path.endsWith('/interactions') && lost++ === 0;
    await track(page, 'Invite sent');
    await dialog(page).waitFor();
    expect(lost).toBeGreaterThan(1);
    const { stats } = (await harness.api.get(`/v3/edit/tours/${tour.id}`)).body.tour;
    expect(stats.started_count).toBe(1);
  });

  it('starts again for an event that a page has tracked during the showing only if it reaches the server later', async () => {
    const tour = await harness.createTour([{ title: 'Hello', ...byEvent() }], { repeat_days: 0 });
    // The full browser does not paint a page behind another one.
    const newContext = async () => {
      const context = await harness.browser.newContext({ reducedMotion: 'reduce' });
      onTestFinished(() => context.close());
      return { context };
    };
    const [shows, other] = [await open(await newContext()), await open(await newContext())];
    const state = async () => (await harness.interactions(tour.id))[0]?.state;
    const showAndTrack = async (waitForEvent: () => Promise<unknown>) => {
      harness.clockOffsetMs += 11_000;
      await track(shows, 'Invite sent');
      await dialog(shows).waitFor();
      await until(state).toBe('started');
      await Promise.all([waitForEvent(), track(other, 'Invite sent')]);
    };
    const finish = async () => {
      // One user starts a tour every ten seconds at most.
      harness.clockOffsetMs += 11_000;
      await done(shows);
      await until(state).toBe('completed');
    };

    await showAndTrack(() => other.waitForResponse(/events$/));
    await finish();
    await other.reload();
    await other.getByRole('button', { name: 'Ready' }).waitFor();
    await other.waitForTimeout(1000);
    expect([await dialog(other).count(), await state()]).toEqual([0, 'completed']);

    let arrive = () => {};
    const isOnItsWay = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    harness.beforeRequest = (path, body) =>
      path.endsWith('/events') && body.includes(other.url()) ? isOnItsWay : undefined;
    await showAndTrack(() => other.waitForRequest(/events$/));
    await finish();
    expect(await dialog(other).count()).toBe(0);
    arrive();
    await dialog(other).waitFor();
    await until(state).toBe('started');
    expect(await dialog(shows).count()).toBe(0);
  });
});

describe('an item of a checklist that waits for an event', () => {
  it('is ticked off when the page tracks the event, without a page load', async () => {
    const completed_when = [{ kind: 'event', op: 'ex', value: 'Invite sent' }];
    await harness.create('launcher', {
      ...{ title: 'First steps', list_type: 'checklist' },
      items: [{ title: 'Invite', url: '/invite', completed_when }],
    });
    const page = await open();
    await page.getByRole('button', { name: 'First steps' }).click();
    const bar = page.getByRole('progressbar');
    await until(() => bar.getAttribute('aria-valuenow')).toBe('0');
    await until(() => harness.requests.filter((path) => path.endsWith('/interactions')).length).toBeGreaterThan(0);
    await track(page, 'Invite sent');
    await until(() => bar.getAttribute('aria-valuenow')).toBe('1');
  });

  it('is celebrated when the page sends another visit before the response has come', async () => {
    const completed_when = [{ kind: 'event', op: 'ex', value: 'Invite sent' }];
    await harness.create('launcher', {
      ...{ title: 'First steps', list_type: 'checklist', celebration: true },
      items: [{ title: 'Invite', url: '/invite', completed_when }],
    });
    const page = await open();
    await page.getByRole('button', { name: 'First steps' }).waitFor();
    await page.route('**/v3/observe/visits', async (route) => {
      const response = await route.fetch();
      if ((await response.text()).includes('"celebrate":true')) {
        await page.evaluate(() => history.pushState(null, '', '/other'));
        await page.waitForTimeout(200);
      }
      await route.fulfill({ response });
    });
    await track(page, 'Invite sent');
    await page.getByText('First steps: Completed').waitFor({ state: 'attached' });
  });
});

describe('a later step that waits for an event', () => {
  it('comes when the event is tracked, also when the user has gone back to the step before', async () => {
    await harness.createTour([{ title: 'Hello' }, { title: 'Sent', ...byEvent() }, { title: 'End' }]);
    const page = await open();
    await dialog(page).waitFor();
    // A step without buttons goes on when the event comes.
    expect(await page.getByRole('button', { name: 'Next' }).count()).toBe(0);
    await track(page, 'Invite sent');
    await dialog(page, 'Sent').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await dialog(page, 'End').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await dialog(page, 'Sent').waitFor();
  });

  it('waits for the event on the next page too', async () => {
    await harness.createTour([
      { title: 'Hello', buttons: [{ text: 'Go on' }] },
      { title: 'Sent', ...byEvent() },
    ]);
    const page = await open();
    await page.getByRole('button', { name: 'Go on' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'Ready' }).waitFor();
    await page.waitForTimeout(500);
    expect(await dialog(page, 'Sent').count()).toBe(0);
    await track(page, 'Invite sent');
    await dialog(page, 'Sent').waitFor();
  });
});
