import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { call, dialog, uid, until, useHarness } from './browser.ts';

const harness = useHarness();
beforeEach(async () => {
  await harness.createProfile(uid);
  await harness.createReadyLauncher();
});

const open = (path: string, body = '') => harness.openReady({ clock: true, body }, { uid, path });
const onHome = [{ url: '/home' }];
const atElement = { elements: [{ selector: '#here' }], position_type: 'snap_to_element' };
const element = '<button id=here>Here</button>';
const survey = { steps: [{ title: 'How is it?', preset: 'survey_nps' }] };
const tall = '<div style="height:1000px"></div>';
const addElement = (page: Page) =>
  page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), element);
const close = (page: Page, title?: string) => dialog(page, title).getByRole('button', { name: 'Close' }).click();
const isStarted = (id: string) => until(() => harness.interactions(id)).toMatchObject([{ state: 'started' }]);

/** Expects that the other Experience shows after ten seconds on the page, and not before. */
async function expectAfterTenSeconds(page: Page, title: string): Promise<void> {
  await page.clock.runFor(7000);
  expect(await dialog(page, title).count()).toBe(0);
  await runUntilShown(page, title);
}

/**
 * Lets time pass in small steps until the Experience shows. In one leap, a busy browser would reach the time limit
 * before the file has loaded.
 */
const runUntilShown = (page: Page, title: string) =>
  until(async () => {
    await page.clock.runFor(1000);
    return dialog(page, title).count();
  }).toBe(1);

/** Waits for the visit that follows something the page does. */
async function afterVisit(page: Page, work: () => Promise<unknown>): Promise<void> {
  const visited = page.waitForResponse(/visits$/);
  await work();
  await page.clock.runFor(1000);
  await visited;
}

/** Goes to the next route, where the element of the step is missing. */
async function goOnWithoutElement(page: Page): Promise<void> {
  await page.locator('#here').evaluate((one) => one.remove());
  await afterVisit(page, () => page.evaluate(() => history.pushState(null, '', `/next${location.search}`)));
  await dialog(page).waitFor({ state: 'detached' });
}

/** Reads the queue of the user for a page. */
async function queueOf(path: string) {
  const { profile } = (await harness.api.get(`/v3/analyze/profile?uid=${uid}`)).body;
  const href = `${harness.pagesUrl}${path}`;
  const { queue } = (await harness.api.post(`/v3/edit/profiles/${profile.id}/queue`, { href })).body;
  const idOf = (one: { experience: { id: string } }) => one.experience.id;
  return { next: queue.next.map(idOf), rest: queue.rest };
}

describe('a tour that the user is in the middle of', () => {
  it('keeps others back for ten seconds on a page that is not for its step, and goes on where its step is', async () => {
    const tour = await harness.createTour([{ title: 'Hello', quantifier_urls: onHome }, { title: 'Then' }], {
      style: 'manual',
    });
    const other = await harness.create('survey', survey);
    await harness.createDelivery(uid, tour.id, { skip_url_match: true });
    const first = await open('/elsewhere');
    await dialog(first).waitFor();
    await isStarted(tour.id);
    expect((await queueOf('/third')).next).toContain(other.id);
    expect((await queueOf('/third')).next).not.toContain(tour.id);
    expect((await queueOf('/home')).next).toContain(tour.id);
    await first.close();

    const page = await open('/third');
    await expectAfterTenSeconds(page, 'How is it?');
    await close(page, 'How is it?');
    await until(() => harness.interactions(other.id)).toMatchObject([{ state: 'exited' }]);
    await page.close();
    const home = await open('/home');
    await dialog(home).waitFor();
  });

  it('keeps others back for ten seconds on a page without its element, and comes after them when the element is there', async () => {
    const tour = await harness.createTour([{ title: 'Hello', ...atElement }]);
    const first = await open('/', element);
    await dialog(first).waitFor();
    await isStarted(tour.id);
    await first.close();
    const other = await harness.create('survey', survey);
    const { rest } = await queueOf('/');
    const waiting = rest.find((one: { experience: { id: string } }) => one.experience.id === other.id);
    expect(waiting.reasons.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringContaining('this one shows after 10 seconds'),
    ]);

    const page = await open('/');
    await expectAfterTenSeconds(page, 'How is it?');
    await addElement(page);
    await page.clock.runFor(1000);
    expect(await dialog(page).count()).toBe(0);
    await close(page, 'How is it?');
    await page.clock.runFor(1000);
    await dialog(page).waitFor();
  });

  it('keeps others back for ten seconds after the page has gone on to another URL', async () => {
    const tour = await harness.createTour([{ title: 'Hello', quantifier_urls: onHome }]);
    const first = await open('/home');
    await dialog(first).waitFor();
    await isStarted(tour.id);
    await first.close();
    await harness.create('survey', survey);
    const page = await open('/home');
    await dialog(page).waitFor();
    await page.evaluate(() => history.pushState(null, '', `/away${location.search}`));
    await dialog(page).waitFor({ state: 'detached' });
    await expectAfterTenSeconds(page, 'How is it?');
    await close(page, 'How is it?');
    await page.evaluate(() => history.pushState(null, '', `/home${location.search}`));
    await dialog(page).waitFor();
  });

  it('keeps others back for ten seconds again on the next route', async () => {
    const tour = await harness.createTour([{ title: 'Hello', ...atElement }]);
    const first = await open('/', element);
    await dialog(first).waitFor();
    await isStarted(tour.id);
    await first.close();
    const other = await harness.create('survey', survey);
    const page = await open('/');
    await expectAfterTenSeconds(page, 'How is it?');
    await close(page, 'How is it?');
    await until(() => harness.interactions(other.id)).toMatchObject([{ state: 'exited' }]);
    await harness.create('survey', { steps: [{ title: 'And now?', preset: 'survey_nps' }] });
    await afterVisit(page, () => page.evaluate(() => history.pushState(null, '', `/next${location.search}`)));
    await expectAfterTenSeconds(page, 'And now?');
  });

  it('keeps others back for ten seconds again after it has shown', async () => {
    const tour = await harness.createTour([{ title: 'Hello', ...atElement }]);
    const first = await open('/', element);
    await dialog(first).waitFor();
    await isStarted(tour.id);
    await first.close();
    const other = await harness.create('survey', survey);
    const page = await open('/');
    await expectAfterTenSeconds(page, 'How is it?');
    await close(page, 'How is it?');
    await until(() => harness.interactions(other.id)).toMatchObject([{ state: 'exited' }]);
    await addElement(page);
    await dialog(page).waitFor();
    await page.locator('#here').evaluate((one) => one.remove());
    await page.clock.runFor(1000);
    await dialog(page).waitFor({ state: 'detached' });
    await harness.create('survey', { steps: [{ title: 'And now?', preset: 'survey_nps' }] });
    await afterVisit(page, () => call(page, 'identify', uid, { plan: 'pro' }));
    await expectAfterTenSeconds(page, 'And now?');
  });

  it('goes on after the other one when its element is back, without a new page', async () => {
    const tour = await harness.createTour([{ title: 'Hello', ...atElement }]);
    const first = await open('/', element);
    await dialog(first).waitFor();
    await isStarted(tour.id);
    await first.close();
    await harness.create('survey', survey);
    const page = await open('/', `${tall}${element}${tall}<script>scrollTo(0,900)</script>`);
    await dialog(page).waitFor();
    await page.evaluate(() => {
      document.querySelector('#here')?.remove();
      scrollTo(0, 0);
    });
    const back = page.getByRole('button', { name: 'Back to step' });
    await page.clock.runFor(1000);
    await back.waitFor();
    await runUntilShown(page, 'How is it?');
    expect(await back.count()).toBe(0);
    await addElement(page);
    await page.clock.runFor(1000);
    expect(await dialog(page).count()).toBe(0);
    await close(page, 'How is it?');
    await dialog(page).waitFor();
  });

  it('goes on after the other one if code of the page has shown it, and interrupts nothing', async () => {
    const tour = await harness.createTour([{ title: 'Hello', ...atElement }], { style: 'manual' });
    await harness.create('survey', { steps: [{ ...survey.steps[0], quantifier_urls: [{ url: '/next' }] }] });
    const page = await open('/', element);
    await call(page, 'show', tour.id);
    await dialog(page).waitFor();
    await isStarted(tour.id);
    await goOnWithoutElement(page);
    await runUntilShown(page, 'How is it?');
    await addElement(page);
    await page.clock.runFor(1000);
    expect([await dialog(page).count(), await dialog(page, 'How is it?').count()]).toEqual([0, 1]);
    await close(page, 'How is it?');
    await dialog(page).waitFor();
  });

  it('does not show again after it has ended on another route than the one where a Delivery started it', async () => {
    const tour = await harness.createTour([{ title: 'Hello' }], { style: 'manual' });
    await harness.createDelivery(uid, tour.id);
    const page = await open('/');
    await dialog(page).waitFor();
    await isStarted(tour.id);
    await afterVisit(page, () => page.evaluate(() => history.pushState(null, '', `/next${location.search}`)));
    await page.clock.runFor(1000);
    await close(page);
    await until(() => harness.interactions(tour.id)).toMatchObject([{ state: 'exited' }]);
    await page.clock.runFor(2000);
    expect(await dialog(page).count()).toBe(0);
  });

  it('goes on once after a Delivery has started it, and not again when it has ended', async () => {
    const tour = await harness.createTour([{ title: 'Hello', ...atElement }], { style: 'manual' });
    await harness.create('survey', { steps: [{ ...survey.steps[0], quantifier_urls: [{ url: '/next' }] }] });
    await harness.createDelivery(uid, tour.id);
    const page = await open('/', element);
    await dialog(page).waitFor();
    await isStarted(tour.id);
    await goOnWithoutElement(page);
    await runUntilShown(page, 'How is it?');
    await close(page, 'How is it?');
    await addElement(page);
    await page.clock.runFor(1000);
    await dialog(page).waitFor();
    await close(page);
    await until(() => harness.interactions(tour.id)).toMatchObject([{ state: 'exited' }]);
    await page.clock.runFor(2000);
    expect(await dialog(page).count()).toBe(0);
  });

  it('keeps others back while it shows or waits for the user', async () => {
    const click = { secondary_trigger: 'click', elements: [{ selector: '#here' }] };
    const tour = await harness.createTour([{ title: 'Hello', ...click }]);
    const first = await open('/', element);
    await first.click('#here');
    await dialog(first).waitFor();
    await isStarted(tour.id);
    await first.close();
    await harness.create('survey', survey);
    const page = await open('/', element);
    await page.clock.runFor(30_000);
    expect(await dialog(page, 'How is it?').count()).toBe(0);
    await page.click('#here');
    await dialog(page).waitFor();
    await page.clock.runFor(30_000);
    expect(await dialog(page, 'How is it?').count()).toBe(0);
  });
});
