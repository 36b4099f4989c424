import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { themeStarts } from '../../domain/src/themes/theme-starts.ts';
import { createThemeSheet, type ThemeSheet } from '../../domain/src/themes/theme-style.ts';
import { compare } from './compare-pictures.ts';
import { gallery } from './kinds-gallery.ts';
import { openPage, showAlone } from './kinds-page.ts';
import { closeContexts, sharedBrowser } from './shared-browser.ts';

/*
 * Compares how each kind looks, and each theme to start from, with pictures/*.png, which are a quarter as wide and high as the
 * window. After a change that is meant to change them, write them again with
 * `USHER_UPDATE_PICTURES=1 npx vitest run --project browser script/test/pictures.test.ts`.
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

const useTheme = (theme?: ThemeSheet) =>
  page.evaluate((theme) => {
    window.kinds.config.themes = theme && { default: theme };
  }, theme);

describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
  beforeAll(() => page.emulateMedia({ colorScheme }));

  const checkPicture = async (name: string) => {
    const shot = await page.screenshot({ animations: 'disabled', scale: 'css' });
    const file = new URL(`${name}-${colorScheme}.png`, folder);
    const before = isUpdate || !existsSync(file) ? '' : await readFile(file, 'base64');
    const { png, changed } = await desk.evaluate(compare, {
      ...{ before, now: shot.toString('base64'), tolerance: TOLERANCE },
      quarter: { resizeWidth: width / 4, resizeHeight: height / 4 },
    });
    if (isUpdate) return writeFile(file, Buffer.from(png, 'base64'));
    expect(before).not.toBe('');
    expect(changed.length > MAX_CHANGED_CELLS ? changed : []).toEqual([]);
  };

  it.each(names)('%s looks like its picture', async (name) => {
    await useTheme();
    await showAlone(page, name);
    await checkPicture(name.replace(/^an? /, '').replaceAll(' ', '-').toLowerCase());
  });

  it.each(themeStarts)('the theme $name looks like its picture', async ({ id, styles }) => {
    await useTheme(createThemeSheet(styles, null));
    await showAlone(page, 'a modal');
    await checkPicture(`theme-${id.replaceAll('_', '-')}`);
  });
});
