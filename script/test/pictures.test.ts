import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gallery } from './kinds-gallery.ts';
import { openPage, showAlone } from './kinds-page.ts';
import { closeContexts, sharedBrowser } from './shared-browser.ts';

/*
 * Compares how each kind looks with pictures/*.png, which are a quarter as wide and high as the window. After a change that is meant
 * to change them, write them again with `USHER_UPDATE_PICTURES=1 npx vitest run --project browser script/test/pictures.test.ts`.
 *
 * Machines draw letters differently. So the font has letters of the same width everywhere, and the test compares the mean color of
 * cells of 8 by 8 pixels, with some tolerance. A box that is 8 pixels off, or has another color, is far beyond the tolerance.
 */
const width = 800;
const height = 600;
const folder = new URL('pictures/', import.meta.url);
const isUpdate = process.env.USHER_UPDATE_PICTURES === '1';

/** The tolerance of one color channel, of 255. */
const TOLERANCE = 40;
/** The number of cells that may differ, of 7,500. */
const MAX_CHANGED_CELLS = 8;

const font = '"DejaVu Sans Mono",Menlo,"Liberation Mono","Courier New",monospace';
const css = `:root{--usher-font:${font}}body{font-family:${font};background:#97a3b6}
  @media(prefers-color-scheme:dark){body{background:#4d586b}}`;

/** These Experiences look like others of the gallery, so they have no picture. */
const alike = new Set([
  'a question of three',
  'a question of four',
  'a follow-up',
  'a long modal',
  'an empty launcher',
]);
const names = Object.keys(gallery).filter((name) => !alike.has(name));

let page: Page;
/** The page that decodes and encodes pictures. */
let desk: Page;
beforeAll(async () => {
  page = await openPage({ css }, { viewport: { width, height } });
  desk = await (await sharedBrowser()).newPage();
  await mkdir(folder, { recursive: true });
});
afterAll(closeContexts);

describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
  beforeAll(() => page.emulateMedia({ colorScheme }));

  it.each(names)('%s looks like its picture', async (name) => {
    await showAlone(page, name);
    const shot = await page.screenshot({ animations: 'disabled', scale: 'css' });
    const file = new URL(`${name.replace(/^an? /, '').replaceAll(' ', '-').toLowerCase()}-${colorScheme}.png`, folder);
    const before = isUpdate || !existsSync(file) ? '' : await readFile(file, 'base64');
    const { png, changed } = await desk.evaluate(compare, {
      ...{ before, now: shot.toString('base64'), tolerance: TOLERANCE },
      quarter: { resizeWidth: width / 4, resizeHeight: height / 4 },
    });
    if (isUpdate) return writeFile(file, Buffer.from(png, 'base64'));
    expect(before).not.toBe('');
    expect(changed.length > MAX_CHANGED_CELLS ? changed : []).toEqual([]);
  });
});

interface Comparison {
  before: string;
  now: string;
  tolerance: number;
  /** The size of the stored picture. */
  quarter: { resizeWidth: number; resizeHeight: number };
}

/** Runs in the page: scales the picture to a quarter, and finds where it differs from the stored one. */
async function compare({ before, now, tolerance, quarter }: Comparison) {
  const paper = (across: number, down: number) => {
    const canvas = new OffscreenCanvas(across, down);
    return {
      canvas,
      context: canvas.getContext('2d', { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D,
    };
  };
  const read = async (png: string, size: ImageBitmapOptions = {}) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob(), size);
    const { context } = paper(image.width, image.height);
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  /** The mean colors of the cells of a picture. */
  const shrink = ({ data, width, height }: ImageData, by: number) => {
    const small = new ImageData(width / by, height / by);
    const sums = new Float64Array(small.data.length);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const cell = (Math.floor(y / by) * small.width + Math.floor(x / by)) * 4;
        for (let part = 0; part < 4; part++)
          sums[cell + part] = (sums[cell + part] ?? 0) + (data[(y * width + x) * 4 + part] ?? 0);
      }
    small.data.set(sums.map((sum) => Math.round(sum / by ** 2)));
    return small;
  };
  // The browser scales pictures with optimized code, which is faster than a loop in this page.
  const small = await read(now, { ...quarter, resizeQuality: 'medium' });
  const { canvas, context } = paper(small.width, small.height);
  context.putImageData(small, 0, 0);
  const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
  const png = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  const changed: string[] = [];
  if (before !== '') {
    const [was, is] = [shrink(await read(before), 2), shrink(small, 2)];
    for (let cell = 0; cell < is.data.length; cell += 4) {
      const [old, present] = [was, is].map(({ data }) => [...data.slice(cell, cell + 3)]) as [number[], number[]];
      if (old.some((value, part) => Math.abs(value - (present[part] ?? 0)) > tolerance)) {
        const [x, y] = [(cell / 4) % is.width, Math.floor(cell / 4 / is.width)];
        changed.push(`${x * 8},${y * 8}: ${old} is ${present}`);
      }
    }
  }
  return { png, changed };
}
