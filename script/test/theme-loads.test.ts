import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { uid, useHarness } from './browser.ts';

const harness = useHarness();

const body = '<main style="height:500px"><h1 id="head">Reports</h1><button id="save">Save</button></main>';
/** Records how far the page moves, and the background of the box in each frame. */
const record = `window.shift=0;window.seen=[];
try{new PerformanceObserver(l=>{for(const e of l.getEntries())window.shift+=e.value}).observe({type:'layout-shift',buffered:true})}catch{}
(function look(){for(const layer of document.querySelectorAll('usher-layer')){const box=layer.shadowRoot?.querySelector('.box');
if(box)window.seen.push(getComputedStyle(box).backgroundColor)}requestAnimationFrame(look)})()`;
interface Recorded {
  shift: number;
  seen: string[];
}
const read = (page: Page) =>
  page.evaluate(() => {
    const { shift, seen } = window as unknown as Recorded;
    return { shift: shift.toFixed(3), colors: [...new Set(seen)], frames: seen.length };
  });
const createTheme = async (params: object): Promise<string> => {
  const { body } = await harness.api.post('/v3/edit/themes', { name: 'Brand', ...params });
  expect(body.messages).toBeUndefined();
  return body.theme.id;
};

describe('a page with a theme', () => {
  it('shows it from the first frame on, and does not move', async () => {
    const look = { style_color_background: 'ffeedd', style_font_size: '18', style_radius: '0' };
    await createTheme({ ...look, default: true, published_at: '$now' });
    await harness.create('tour', { steps: [{ title: 'Hello', body: 'How do you do?' }] });
    const page = await harness.open({ body, init: record }, { uid });
    await page.locator('.box').waitFor();
    await expect.poll(async () => (await read(page)).frames).toBeGreaterThan(10);
    const { shift, colors } = await read(page);
    expect(colors).toEqual(['rgb(255, 238, 221)']);
    // Only Chromium measures layout shifts.
    if (inject('browser') !== 'firefox') expect(shift).toBe('0.000');
  });

  it('plays the draft of a theme that an administrator tries', async () => {
    await createTheme({ default: true, published_at: '$now', style_color_background: 'ffeedd' });
    const theme_id = await createTheme({ name: 'Draft', style_color_background: 'ddffee' });
    const { id } = await harness.create('tour', { steps: [{ title: 'Hello' }], published_at: null });
    const href = `${harness.pagesUrl}/`;
    const { body: made } = await harness.api.post('/v3/edit/picks', {
      ...{ purpose: 'try', experience_id: id, theme_id, href },
    });
    const page = await harness.open({ body }, { uid, hash: new URL(made.pick.address).hash });
    await page.getByRole('region', { name: 'Usher picker' }).getByRole('button', { name: 'Begin' }).click();
    const box = page.locator('.box').filter({ hasText: 'Hello' });
    await box.waitFor();
    expect(await box.evaluate((one) => getComputedStyle(one).backgroundColor)).toBe('rgb(221, 255, 238)');
  });
});
