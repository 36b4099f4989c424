import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { pictureForm } from '../../server/test/picture-form.ts';
import { dialog, uid, until, useHarness } from './browser.ts';
import { realPng } from './real-png.ts';

/* Tests the pictures and videos of steps, with the real server and a real browser. */

const harness = useHarness();

async function upload(): Promise<string> {
  const { body } = await harness.api.post('/v3/edit/pictures', pictureForm(realPng(200, 100), realPng(400, 200)));
  return body.picture.path;
}

const image = (page: Page) => page.locator('.media img');
const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).boundingBox();
  if (!box) throw new Error(`${selector} has no box`);
  return box;
};

async function open(step: object, headers?: Record<string, string>): Promise<Page> {
  await harness.createTour([{ title: 'Hello', body: 'Some words.', ...step }]);
  const page = await harness.open(headers ? { headers } : {}, { uid });
  await dialog(page).waitFor();
  return page;
}

describe('a picture', () => {
  it('shows from the address of the server, with its description, size and files', async () => {
    const path = await upload();
    const page = await open({ picture: path, picture_alt: 'The login page' });
    expect(harness.requests).toContain('media');
    const picture = page.getByRole('img', { name: 'The login page' });
    await until(() => picture.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(200);
    const url = harness.proxyUrl + path;
    expect(await picture.evaluate(({ src, srcset }: HTMLImageElement) => [src, srcset])).toEqual([
      url,
      `${url.replace('@2x', '@1x')} 1x, ${url} 2x`,
    ]);
    expect(await picture.boundingBox()).toMatchObject({ width: 200, height: 100 });
  });

  it('is not paid for by pages without one', async () => {
    await open({});
    expect(harness.requests).not.toContain('media');
  });

  it.each(['above', 'left', 'right', 'full_bleed'])('moves nothing when it loads: %s', async (media_position) => {
    const path = await upload();
    await harness.createTour([
      { title: 'Hello', picture: path, picture_alt: 'Login', media_position, body: `![In the text](${path})` },
    ]);
    const context = await harness.browser.newContext({ reducedMotion: 'reduce' });
    let load = () => {};
    const mayLoad = new Promise<void>((resolve) => {
      load = resolve;
    });
    await context.route('**/media/**', async (route) => {
      await mayLoad;
      await route.continue();
    });
    const page = await harness.open({}, { uid, context });
    await dialog(page).waitFor();
    const measure = () =>
      Promise.all(['.box', '.media', '.title', '.body img', '.foot'].map((selector) => boxOf(page, selector)));
    const before = await measure();
    load();
    const isLoaded = () =>
      image(page).evaluate(({ complete, naturalWidth }: HTMLImageElement) => complete && naturalWidth > 0);
    await until(isLoaded).toBe(true);
    expect(await measure()).toEqual(before);
    await context.close();
  });

  it('has its place', async () => {
    const path = await upload();
    const places: Record<string, { media: Box; box: Box; title: Box }> = {};
    for (const media_position of ['above', 'left', 'right', 'full_bleed']) {
      await harness.reset();
      const page = await open({ picture: path, picture_alt: 'Login', media_position });
      const [media, box, title] = [await boxOf(page, '.media'), await boxOf(page, '.box'), await boxOf(page, '.title')];
      places[media_position] = { media, box, title };
    }
    const { above, left, right, full_bleed } = places;
    expect(above && above.media.y + above.media.height <= above.title.y).toBe(true);
    expect(left && left.media.x + left.media.width <= left.title.x && left.media.height > left.box.height - 4).toBe(
      true,
    );
    expect(right && right.media.x >= right.title.x + right.title.width - 1).toBe(true);
    expect(full_bleed && full_bleed.box.width - full_bleed.media.width <= 2).toBe(true);
    expect(full_bleed && full_bleed.media.y - full_bleed.box.y <= 1).toBe(true);
  });

  it('fits a phone in every place', async () => {
    const path = await upload();
    for (const media_position of ['above', 'left', 'right', 'full_bleed']) {
      await harness.reset();
      await harness.createTour([{ title: 'Hello', picture: path, picture_alt: 'Login', media_position }]);
      const context = await harness.browser.newContext({ viewport: { width: 375, height: 640 } });
      const page = await harness.open({}, { uid, context });
      await dialog(page).waitFor();
      const { x, width } = await boxOf(page, '.media');
      expect([media_position, x >= 0 && x + width <= 375 && width > 100]).toEqual([media_position, true]);
      await context.close();
    }
  });
});

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

describe('a video', () => {
  const youtube = { video_url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ', picture_alt: 'How to sign in' };

  it('is a file that plays only when the user wants it', async () => {
    const path = await upload();
    const page = await open({
      video_url: 'https://cdn.example.com/a.mp4',
      picture: path,
      picture_alt: 'How to sign in',
    });
    const video = page.locator('video');
    const found = await video.evaluate(({ src, poster, autoplay, controls, preload, ariaLabel }: HTMLVideoElement) => ({
      ...{ src, poster, autoplay, controls, preload, ariaLabel },
    }));
    expect(found).toEqual({
      ...{ src: 'https://cdn.example.com/a.mp4', poster: harness.proxyUrl + path, autoplay: false, controls: true },
      ...{ preload: 'none', ariaLabel: 'How to sign in' },
    });
  });

  it('is reached by the keyboard, and keeps its own keys', async () => {
    const video_url = 'https://cdn.example.com/a.mp4';
    await harness.createTour([{ title: 'Hello', video_url, backdrop: true }, { title: 'The end' }]);
    const page = await harness.open({}, { uid });
    await dialog(page).waitFor();
    const video = page.locator('video');
    const isFocused = () => video.evaluate((element) => element.matches(':focus'));
    for (let times = 0; times < 8 && !(await isFocused()); times++) await page.keyboard.press('Tab');
    expect(await isFocused()).toBe(true);
    await page.keyboard.press('ArrowRight');
    await expect(dialog(page).getByText('Hello').waitFor()).resolves.toBeUndefined();
  });

  it.each([
    ['plays', 'no-preference', 1],
    ['waits for another click with reduced motion', 'reduce', 0],
  ] as const)('of a service is loaded after a click, and %s', async (_, reducedMotion, autoplay) => {
    const path = await upload();
    await harness.createTour([{ title: 'Hello', ...youtube, picture: path }]);
    const context = await harness.browser.newContext({ reducedMotion });
    const requests: string[] = [];
    await context.route(/youtube/, (route) => {
      requests.push(route.request().url());
      return route.fulfill({ contentType: 'text/html', body: 'player' });
    });
    const page = await harness.open({}, { uid, context });
    await dialog(page).waitFor();
    expect([requests, await page.locator('iframe').count(), await image(page).count()]).toEqual([[], 0, 1]);
    await page.getByRole('button', { name: 'Play: How to sign in' }).click();
    await page.locator('iframe[title="How to sign in"]').waitFor();
    await until(() => requests).toEqual([
      `https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=${autoplay}&rel=0`,
    ]);
    await context.close();
  });

  it('of a service is a link where the page forbids frames', async () => {
    const page = await open(youtube, { 'Content-Security-Policy': "frame-src 'none'" });
    await page.getByRole('button', { name: 'Play: How to sign in' }).click();
    const link = page.getByRole('link', { name: 'Play: YouTube' });
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe(youtube.video_url);
    expect(await page.locator('iframe').count()).toBe(0);
  });
});
