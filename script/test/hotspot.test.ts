import { expect, it } from 'vitest';
import { dialog, uid, until, useHarness } from './browser.ts';

/* A tour that begins as a hotspot, and reminders, with the real server. */

const harness = useHarness();
const body = '<p>A page</p><button id="new">New</button>';
const hotspot = {
  title: 'New things',
  hotspot: true,
  elements: [{ selector: '#new' }],
  position_type: 'snap_to_element',
};

it('shows beside another tour, takes its place on a click, and is not shown again after it was closed', async () => {
  const [first, other] = [await harness.createTour([hotspot]), await harness.createTour([{ title: 'Hello' }])];
  const page = await harness.open({ body }, { uid });
  const dot = page.getByRole('button', { name: 'New things' });
  await dot.waitFor();
  await dialog(page, 'Hello').waitFor();
  expect(await harness.interactions(first.id)).toEqual([]);
  await dot.click();
  await dialog(page, 'New things').waitFor();
  await until(() => dialog(page, 'Hello').count()).toBe(0);
  await page.keyboard.press('Escape');
  await until(async () => (await harness.interactions(first.id)).map(({ state }) => state)).toEqual(['exited']);
  await harness.api.patch(`/v3/edit/tours/${other.id}`, { published_at: null });
  await harness.createReadyLauncher();
  const next = await harness.openReady({ body }, { uid });
  expect(await next.locator('.hotspot').count()).toBe(0);
});

it('shows the step without the hotspot when code of the page asks for it', async () => {
  const { id } = await harness.createTour([hotspot], { style: 'manual' });
  const page = await harness.open({ body, calls: `usher.identify("${uid}");usher.show("${id}")` });
  await dialog(page, 'New things').waitFor();
  expect(await page.locator('.hotspot').count()).toBe(0);
});

it('continues with the step on the next page once it was opened', async () => {
  const { id } = await harness.createTour([hotspot]);
  const page = await harness.open({ body }, { uid });
  await page.getByRole('button', { name: 'New things' }).click();
  await dialog(page, 'New things').waitFor();
  // Until the server knows that it was opened, the next page would begin with the hotspot again.
  await until(async () => (await harness.interactions(id)).map(({ state }) => state)).toEqual(['started']);
  await page.reload();
  await dialog(page, 'New things').waitFor();
  expect(await page.locator('.hotspot').count()).toBe(0);
});

it('comes back on any device at the time that the user chose', async () => {
  const { id } = await harness.createTour([{ title: 'Hello', snooze_choices: ['1h', '1d'] }]);
  await harness.createReadyLauncher();
  const page = await harness.open({ body }, { uid });
  await page.getByRole('button', { name: 'Remind me later' }).click();
  await page.getByRole('menuitem', { name: 'tomorrow' }).click();
  await until(async () => (await harness.interactions(id)).map(({ defer_count }) => defer_count)).toEqual([1]);
  const count = async () => dialog(await harness.openReady({ body }, { uid })).count();
  harness.clockOffsetMs = 23 * 3_600_000;
  expect(await count()).toBe(0);
  harness.clockOffsetMs = 25 * 3_600_000;
  await dialog(await harness.open({ body }, { uid })).waitFor();
});

it('is not paid for by plain tours', async () => {
  await harness.createTour([{ ...hotspot, title: 'Hello', body: 'Some **words**.', hotspot: false, placement: 'top' }]);
  await dialog(await harness.open({ body }, { uid })).waitFor();
  expect(harness.requests).not.toContain('tour_extras');
});
