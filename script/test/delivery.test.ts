import type { Page, Response } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { call, dialog, type Site, uid, until, useHarness } from './browser.ts';

const harness = useHarness();
beforeEach(async () => {
  await harness.createProfile(uid);
  await harness.createReadyLauncher();
});

const open = (site: Site = {}, options: object = {}) => harness.openReady(site, { uid, ...options });
const done = (page: Page) => page.getByRole('button', { name: 'Done' }).click();
const manual = { style: 'manual' };
const onClick = { secondary_trigger: 'click', elements: [{ selector: '#b' }] };
const button = '<button id=b>B</button>';

/** How often two tabs race for a Delivery. */
const ROUNDS = process.env.USHER_TEST_MODE === 'all' ? 20 : 5;

describe('a Delivery', () => {
  it('is claimed, then shown, before everything that starts automatically', async () => {
    await harness.createTour([{ title: 'Automatic' }]);
    const tour = await harness.createTour([{ title: 'Hello', ...onClick }], manual);
    const id = await harness.createDelivery(uid, tour.id);
    const page = await harness.open({}, { uid });
    await dialog(page).waitFor();
    expect(await harness.triggeredAt(id)).not.toBeNull();
    expect(await dialog(page, 'Automatic').count()).toBe(0);
    await done(page);
    await until(() => harness.interactions(tour.id)).toMatchObject([{ state: 'completed' }]);
    await page.reload();
    await dialog(page, 'Automatic').waitFor();
  });

  it('waits for the triggers of its first step unless it skips them', async () => {
    const tour = await harness.createTour([{ title: 'Hello', ...onClick }], manual);
    const id = await harness.createDelivery(uid, tour.id, { skip_triggers: false });
    const page = await open({ body: button });
    expect(await harness.triggeredAt(id)).toBeNull();
    await page.click('#b');
    await dialog(page).waitFor();
    expect(await harness.triggeredAt(id)).not.toBeNull();
  });

  it('is not shown if its claim is rejected, and the next Experience shows', async () => {
    const tour = await harness.createTour([{ title: 'Hello', ...onClick }], manual);
    const other = await harness.createTour([{ title: 'Other' }], manual);
    const id = await harness.createDelivery(uid, tour.id, { skip_triggers: false });
    const page = await open({ body: button });
    await harness.api.send('DELETE', `/v3/edit/deliveries/${id}`);
    const responded = page.waitForResponse(/interactions$/);
    await page.click('#b');
    await responded;
    await call(page, 'show', other.id);
    await dialog(page, 'Other').waitFor();
    expect(await dialog(page).count()).toBe(0);
  });

  it('shows at its time while the page is open', async () => {
    const tour = await harness.createTour([{ title: 'Hello' }], manual);
    const hour = 3_600_000;
    const from = new Date(Date.now() + hour).toISOString();
    const id = await harness.createDelivery(uid, tour.id, { from });
    const page = await open({ clock: true });
    expect(await dialog(page).count()).toBe(0);
    harness.clockOffsetMs = hour + 10_000;
    await page.clock.fastForward(hour + 10_000);
    await dialog(page).waitFor();
    expect(await harness.triggeredAt(id)).not.toBeNull();
  });

  it('shows after a tour that is visible', async () => {
    const [one, two] = [
      await harness.createTour([{ title: 'One' }], manual),
      await harness.createTour([{ title: 'Two' }], manual),
    ];
    for (const { id } of [one, two]) await harness.createDelivery(uid, id, { delivery_ids_position: 'last' });
    const page = await open();
    await dialog(page, 'One').waitFor();
    expect(await dialog(page, 'Two').count()).toBe(0);
    await done(page);
    await dialog(page, 'Two').waitFor();
  });

  it('fills in its options as text, never as elements', async () => {
    const body = 'From **{{delivery "manager.name"}}**, [see]({{delivery "link"}})';
    const tour = await harness.createTour([{ title: 'Hello', body }], manual);
    const options = { manager: { name: '<img src=x onerror=alert(1)>' }, link: 'javascript:alert(1)' };
    await harness.createDelivery(uid, tour.id, { options });
    const page = await open();
    await dialog(page).waitFor();
    expect(await dialog(page).locator('strong').textContent()).toBe('<img src=x onerror=alert(1)>');
    expect(await dialog(page).locator('img, a').count()).toBe(0);
  });

  it('is shown in only one of two tabs that claim it at the same time', async () => {
    const tour = await harness.createTour([{ title: 'Hello' }], manual);
    const context = await harness.browser.newContext({ reducedMotion: 'reduce' });
    const pages = [await open({}, { context }), await open({}, { context })];
    for (let round = 1; round <= ROUNDS; round++) {
      const id = await harness.createDelivery(uid, tour.id);
      // Both tabs know the Delivery before one of them claims it, and both claim it before one gets a response.
      const [visits, claims] = [together(2), together(2)];
      harness.beforeRequest = (path, body) =>
        path.endsWith('/visits') ? visits() : body.includes(id) ? claims() : undefined;
      const isClaim = (response: Response) => !!response.request().postData()?.includes(id);
      const responses = pages.map((page) => page.waitForResponse(isClaim));
      for (const page of pages) await call(page, 'set', { round });
      const bodies = await Promise.all(responses.map(async (response) => (await response).json()));
      harness.beforeRequest = undefined;
      const triggered = bodies.map(({ items }) => items.at(-1).delivery.triggered);
      expect(triggered.sort()).toEqual([false, true]);
      await until(async () => (await Promise.all(pages.map((page) => dialog(page).count()))).sort()).toEqual([0, 1]);
      for (const page of pages)
        await page.evaluate(() => {
          const buttons = document.querySelector('usher-layer')?.shadowRoot?.querySelectorAll('button') ?? [];
          [...buttons].find((one) => one.textContent === 'Done')?.click();
        });
    }
    await context.close();
  });
});

/** Makes callers wait until a number of them have arrived. Later callers do not wait. */
function together(count: number): () => Promise<void> {
  let left = count;
  let go = () => {};
  const all = new Promise<void>((done) => {
    go = done;
  });
  return () => {
    left -= 1;
    if (left <= 0) go();
    return all;
  };
}
