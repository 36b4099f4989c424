import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  DARK,
  LIGHT,
  type ThemeField,
  themeColors,
  themeFields,
  themeStyles,
} from '../../domain/src/themes/theme-fields.ts';
import { createThemeSheet } from '../../domain/src/themes/theme-style.ts';
import { compare } from './compare-pictures.ts';
import type { gallery } from './kinds-gallery.ts';
import { openPage, showAlone } from './kinds-page.ts';
import { closeContexts, sharedBrowser } from './shared-browser.ts';
import { exampleOf } from './theme-example.ts';

/*
 * Paints each kind with each field of a theme, and compares the picture with one without a theme. Both are taken in one
 * browser, so there is hardly any tolerance. The Experience stays open, and only its style sheet is replaced: painting it again
 * takes longer.
 */
const width = 800;
const height = 600;
/** The tolerance of one color channel, of 255. */
const TOLERANCE = 1;
/** Longer than a tooltip waits before it opens or closes. */
const SETTLE_MS = 300;
const css = 'body{background:#97a3b6}@media(prefers-color-scheme:dark){body{background:#4d586b!important}}';

/** What of the gallery is painted, with a short name for the table. */
const looks = {
  modal: 'a modal',
  step: 'a step at an element',
  banner: 'a banner',
  question: 'a question of two',
  scale: 'an NPS',
  list: 'a checklist',
  tooltip: 'a tooltip at an icon',
  tip: 'a tooltip',
  embed: 'an embedded banner',
  card: 'an embedded card',
} satisfies Record<string, keyof typeof gallery>;
type Look = keyof typeof looks;

const all = Object.keys(looks) as Look[];
const except = (...left: Look[]) => all.filter((look) => !left.includes(look));

/** The looks that each field changes. A color has the same ones on light and dark pages. */
const changes: Readonly<Record<string, readonly Look[]>> = {
  color_background: all,
  color_text: all,
  color_title: except('banner', 'tooltip'),
  color_link: ['modal'],
  color_border: all,
  color_button_highlight: ['modal', 'step', 'banner', 'list', 'tooltip', 'embed'],
  color_button_text: ['modal', 'step', 'banner', 'list', 'tooltip', 'embed'],
  color_button_hover: ['modal', 'step', 'banner', 'tooltip', 'embed'],
  color_button_border: ['modal', 'step', 'banner', 'tooltip', 'embed'],
  color_secondary_button_highlight: ['question'],
  color_secondary_button_text: ['question'],
  color_secondary_button_hover: ['question'],
  color_secondary_button_border: ['question'],
  color_dismiss: except('tooltip', 'tip'),
  color_shroud: ['modal', 'step'],
  color_highlight: ['step'],
  color_hotspot: ['tooltip'],
  color_icon: ['list'],
  color_icon_background: ['list'],
  color_progress: ['modal', 'step'],
  color_checkmark: ['list'],
  // Other clients show it.
  color_timer: [],
  font: all,
  font_size: all,
  font_weight: except('question'),
  line_height: all,
  title_font: except('banner', 'tooltip'),
  title_font_size: except('banner', 'tooltip'),
  title_font_weight: except('banner', 'tooltip'),
  title_line_height: except('banner', 'tooltip'),
  button_font: except('list', 'tip', 'card'),
  button_font_size: except('list', 'tip', 'card'),
  button_font_weight: except('list', 'tip', 'card'),
  button_line_height: ['modal', 'step', 'banner', 'question', 'tooltip', 'embed'],
  radius: all,
  button_radius: ['modal', 'step', 'banner', 'question', 'scale', 'tooltip', 'embed'],
  border_width: all,
  width: ['modal', 'step', 'question', 'scale'],
  spacing: ['modal', 'step', 'question', 'scale', 'list', 'card'],
  highlight_width: ['step'],
  shadow: except('embed', 'card'),
  backdrop_opacity: ['modal', 'step'],
  progress: ['modal', 'step'],
  scale: ['scale'],
  // No picture shows it: script/test/themes.test.ts tests it.
  motion: [],
};

let page: Page;
/** The page that decodes and encodes pictures. */
let desk: Page;
beforeAll(async () => {
  page = await openPage({ css }, { viewport: { width, height } });
  desk = await (await sharedBrowser()).newPage();
});
afterAll(closeContexts);

/** Runs in the page: adds an empty style sheet for the theme to each part of the Experience. */
function addSheet(): void {
  const sheet = new CSSStyleSheet();
  Object.assign(window, { themeSheet: sheet });
  for (const { shadowRoot } of document.querySelectorAll('usher-layer')) shadowRoot?.adoptedStyleSheets.push(sheet);
}

async function open(look: Look): Promise<void> {
  await page.evaluate(() => {
    window.kinds.config.themes = { default: { class: 'theme', css: '' } };
  });
  // The second time, the focus is where it stays.
  await showAlone(page, looks[look]);
  await showAlone(page, looks[look]);
  await page.evaluate(addSheet);
}

/** Paints what is open with these fields. */
async function paint(styles: Record<string, string>): Promise<string> {
  const sheet = createThemeSheet(styles, null);
  await page.evaluate(
    (text) => (window as never as { themeSheet: CSSStyleSheet }).themeSheet.replaceSync(text),
    sheet.css.replaceAll(`.${sheet.class}`, '.theme'),
  );
  return (await page.screenshot({ animations: 'disabled', scale: 'css' })).toString('base64');
}

/** Paints what is open without a theme, once it has its final place. */
async function paintPlain(): Promise<string> {
  let before = '';
  let now = await paint({});
  while (now !== before) {
    await page.waitForTimeout(SETTLE_MS);
    [before, now] = [now, await paint({})];
  }
  return now;
}

/** Returns which of these fields change the picture. */
async function listSeen(names: readonly string[]): Promise<string[]> {
  const plain = await paintPlain();
  const quarter = { resizeWidth: width / 4, resizeHeight: height / 4 };
  const { png: before } = await desk.evaluate(compare, { before: '', now: plain, tolerance: TOLERANCE, quarter });
  const seen: string[] = [];
  for (const name of names) {
    const now = await paint({ [name]: exampleOf(name, themeFields[name] as ThemeField) });
    // Most fields change nothing at all.
    if (now === plain) continue;
    const { changed } = await desk.evaluate(compare, { before, now, tolerance: TOLERANCE, quarter });
    if (changed.length > 0) seen.push(name);
  }
  return seen;
}

/** Points at a button, if there is one. */
async function hover(selector: string): Promise<boolean> {
  const button = page.locator(selector).first();
  if ((await button.count()) === 0) return false;
  await button.hover();
  return true;
}

/** The fields with a color for the pointer, and what it is above. */
const hovers = { button_hover: '.act.first', secondary_button_hover: ':is(.acts,.answers)>.act:not(.first)' };
const still = Object.keys(themeColors).filter((name) => !(name in hovers));

describe.each(all)('%s', (look) => {
  it.each([
    ['light', LIGHT],
    ['dark', DARK],
  ] as const)(
    'shows on %s pages the fields of a theme that it has',
    async (colorScheme, prefix) => {
      await page.emulateMedia({ colorScheme });
      await open(look);
      const others = colorScheme === 'light' ? Object.keys(themeStyles) : [];
      const seen = await listSeen([...still.map((name) => prefix + name), ...others.map((name) => `style_${name}`)]);
      for (const [name, selector] of Object.entries(hovers))
        if (await hover(selector)) seen.push(...(await listSeen([prefix + name])));
      const expected = Object.keys(changes).filter((name) => changes[name]?.includes(look));
      const painted = seen.map((name) => name.replace(/^style_(dark_)?/, ''));
      expect(painted.sort()).toEqual(
        expected.filter((name) => colorScheme === 'light' || name.startsWith('color_')).sort(),
      );
    },
    120_000,
  );
});
