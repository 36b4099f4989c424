import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { proposeTheme } from '../../domain/src/themes/page-look.ts';
import type { PageLooks } from '../../domain/src/themes/page-look-schema.ts';
import { type Site, uid, until, useHarness } from './browser.ts';
import { colorOf, deltaE, paintedRadiusOf, radiusOf } from './compare-looks.ts';
import { violations } from './kinds-page.ts';

const harness = useHarness();

/* Pages in the manner of four styling systems. Each has a button, a heading, a card and a link, and a style for the pointer. */

const content = `<main><h1 id="heading">Reports</h1><section class="card" id="card"><h2>Sales</h2>
<p id="text">This is the text of a card, which is longer than its heading. <a href="/more" id="link">More about it</a></p>
<input value="Secret Ann"></section><button type="button" id="button" class="button"><span>Export now</span></button></main>`;

/** Utility classes: colors in oklch, borders that are shadows, layers of shadows, and a transition below the pointer. */
const utility: Site = {
  head: `<style>body{margin:0;padding:24px;font:16px/24px ui-sans-serif,system-ui,sans-serif;color:oklch(0.21 0.034 264.665);background:oklch(0.985 0.002 247.839)}
main{padding-top:260px}.card{width:420px;padding:24px;border-radius:12px;background:#fff;box-shadow:inset 0 0 #0000,0 0 0 1px color-mix(in oklab,oklch(0.21 0.034 264.665) 12%,transparent),0 4px 6px -1px rgb(0 0 0/.1)}
.card p{font-size:14px}.button{margin-top:20px;padding:8px 14px;border:0;border-radius:8px;font:600 14px/20px Inter,"Inter var",sans-serif;background:oklch(0.546 0.245 262.881);color:oklch(1 0 0);transition:background .3s}
.button:hover{background:oklch(0.3 0.2 30)}a{color:oklch(0.488 0.243 264.376)}h1{font-size:30px;font-weight:700;line-height:36px}</style>`,
  body: content,
};
/** Material: a pill with a translucent layer above its color, and texts with an alpha. */
const material: Site = {
  head: `<style>body{margin:0;padding:24px;font:400 16px/1.5 Roboto,Arial,sans-serif;background:#fef7ff;color:rgba(29,27,32,.87)}
main{padding-top:260px}.card{width:420px;padding:16px;border-radius:12px;background:color-mix(in srgb,#6750a4 5%,#fef7ff);box-shadow:0 1px 2px rgba(0,0,0,.3),0 1px 3px 1px rgba(0,0,0,.15)}
.button{margin-top:20px;height:40px;padding:0 24px;border:0;border-radius:9999px;font:500 14px/20px Roboto,Arial;background:color-mix(in srgb,#6750a4 94%,black);color:#fff}
.button:hover{background:#000}a{color:#6750a4}h1{font-weight:400;font-size:28px;line-height:36px}</style>`,
  body: content,
};
/** Variables and borders: a translucent card above a colored area that is not around it. */
const variables: Site = {
  head: `<style>:root{--primary:hsl(152 69% 26%);--radius:.375rem}body{margin:0;font:400 1rem/1.5 "Segoe UI",Arial,sans-serif;color:#212529;background:#fff}
.area{position:absolute;inset:0 0 auto;height:900px;background:#dee2e6;z-index:-1}main{padding:280px 24px 0}.card{width:420px;padding:16px;border:1px solid rgba(0,0,0,.175);border-radius:var(--radius);background:rgba(255,255,255,.6)}
.button{margin-top:20px;padding:6px 12px;border:2px solid hsl(152 69% 20%);border-radius:var(--radius);font:400 1rem/1.5 "Segoe UI",Arial;background:rgb(from var(--primary) r g b / .9);color:#fff}
.button:hover{background:#fff}a{color:#0a58ca}h1{font-weight:500;font-size:2.5rem;line-height:1.2}</style>`,
  body: `<div class="area"></div>${content}`,
};
/** A strict policy: only styles with a nonce, and a dark mode that a class switches on. */
const strict = (): Site => ({
  head: `<style nonce="abc">body{margin:0;padding:24px;font:15px/1.6 Georgia,serif;background:lab(97 0 0);color:#222}
main{padding-top:260px}.card{width:420px;padding:16px;border-radius:0;background:#fff;border:3px solid #222}
.button{margin-top:20px;padding:10px 18px;border:0;border-radius:3px;font:700 15px/1.2 Georgia,serif;background:color(display-p3 .75 .1 .15);color:#fff}
.button:hover{background:#00f}a{color:#8b0000}h1{font-size:22px}
.dark body{background:#101216;color:#e8e8e8}.dark .card{background:#1b1e24;border-color:#3a3f4a}.dark .button{background:#ff9d9d;color:#1a0000}.dark a{color:#ffb3b3}</style>`,
  body: content,
  nonce: 'abc',
  headers: {
    'Content-Security-Policy': `default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; style-src 'nonce-abc'; connect-src ${harness.proxyUrl}; require-trusted-types-for 'script'; trusted-types usher`,
  },
});

const barOf = (page: Page): Locator => page.getByRole('region', { name: 'Usher picker' });
const button = (page: Page, name: string | RegExp): Locator => barOf(page).getByRole('button', { name, exact: true });
const titleOf = (page: Page): Locator => barOf(page).getByRole('heading');

interface Taking {
  page: Page;
  themeId: string;
  looks(): Promise<PageLooks | null>;
}

/** Opens a page for a theme, and starts. */
async function startTaking(site: Site): Promise<Taking> {
  const themeId = (await harness.api.post('/v3/edit/themes', { name: 'Brand' })).body.theme.id;
  const params = { purpose: 'theme', theme_id: themeId, href: `${harness.pagesUrl}/` };
  const { pick } = (await harness.api.post('/v3/edit/picks', params)).body;
  const page = await harness.open(site, { hash: new URL(pick.address).hash });
  await button(page, 'Start').click();
  return { page, themeId, looks: async () => (await harness.api.get(`/v3/edit/picks/${pick.id}`)).body.pick.looks };
}

const wishes = [
  ['button', '#button'],
  ['heading', '#heading'],
  ['card', '#card'],
  ['link', '#link'],
] as const;

/** Clicks where an element is, as a user does. The pointer stays there. */
async function clickOn(page: Page, selector: string): Promise<void> {
  const { x, y, width, height } = (await page.locator(selector).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(x + width / 2 - 1, y + Math.min(height / 2, 12));
  await page.mouse.click(x + width / 2, y + Math.min(height / 2, 12));
}

async function takeAll(page: Page): Promise<void> {
  for (const [name, selector] of wishes) {
    await titleOf(page)
      .getByText(new RegExp(`^Point at a.* ${name}|^Point at a ${name}`))
      .waitFor();
    await clickOn(page, selector);
  }
  await titleOf(page)
    .getByText(/^Taken/)
    .waitFor();
}

/** Publishes a theme with these fields, and opens the page with a tour for a user. */
async function openTour(site: Site, themeId: string, looks: PageLooks): Promise<Page> {
  const fields = { ...proposeTheme(looks), default: true, published_at: '$now' };
  const { status, body } = await harness.api.patch(`/v3/edit/themes/${themeId}`, fields);
  expect([status, body.messages]).toEqual([200, undefined]);
  await harness.createTour([{ title: 'Hello', text: 'Text', buttons: [{ text: 'Next', tour_action: 'next' }] }]);
  const page = await harness.open(site, { uid });
  await page.locator('.box').waitFor();
  return page;
}

describe('a theme that is taken from a page', () => {
  it.each([
    ['utility classes', () => utility],
    ['Material', () => material],
    ['variables and borders', () => variables],
    ['a strict policy', strict],
  ])('paints a button like the one of a page with %s', async (_, createSite) => {
    const site = createSite();
    const { page, themeId, looks } = await startTaking(site);
    await takeAll(page);
    const taken = (await looks()) as PageLooks;
    expect(Object.keys(taken.light ?? {}).sort()).toEqual(['button', 'card', 'heading', 'link']);
    await page.close();
    const shown = await openTour(site, themeId, taken);
    await shown.mouse.move(0, 0);
    const [own, painted] = [shown.locator('#button'), shown.locator('.act.first')];
    expect(deltaE(await colorOf(shown, own), await colorOf(shown, painted))).toBeLessThanOrEqual(3);
    expect(Math.abs((await paintedRadiusOf(own)) - (await radiusOf(painted)))).toBeLessThanOrEqual(1);
    const fontOf = (locator: Locator) => locator.evaluate((element) => getComputedStyle(element).fontFamily);
    expect(await fontOf(painted)).toBe(await fontOf(own));
    const cardColors = [await colorOf(shown, shown.locator('#card')), await colorOf(shown, shown.locator('.box'))];
    expect(deltaE(cardColors[0] ?? [], cardColors[1] ?? [])).toBeLessThanOrEqual(3);
  });

  it('reads borders, shadows, sizes and the text of a card, and what is really behind', async () => {
    const { page, looks } = await startTaking(utility);
    await takeAll(page);
    const { light } = (await looks()) as PageLooks;
    expect(light?.card).toMatchObject({ font_size: 14, radius: 12, border_width: 1, shadow: 10, background: 'ffffff' });
    expect(light?.heading).toMatchObject({ font_size: 30, font_weight: 700, line_height: 1.2 });
    expect(light?.button).toMatchObject({ font: 'Inter, "Inter var", sans-serif', border_width: 0, color: 'ffffff' });
    const second = await startTaking(variables);
    await takeAll(second.page);
    // 60 % white over #dee2e6.
    expect((await second.looks())?.light?.card).toMatchObject({ background: 'f2f3f5', border_width: 1 });
    expect((await second.looks())?.light?.button).toMatchObject({ border_width: 2 });
  });

  it('takes the colors of the dark mode with a second look at the same elements', async () => {
    const { page, looks } = await startTaking(strict());
    await takeAll(page);
    await button(page, 'Look again in dark mode').click();
    await barOf(page).getByText('The page does not look dark yet').waitFor();
    await page.evaluate(() => document.documentElement.classList.add('dark'));
    await button(page, 'Look again in dark mode').click();
    await titleOf(page).getByText('Taken, in light and dark').waitFor();
    const fields = proposeTheme((await looks()) as PageLooks);
    expect(fields).toMatchObject({
      ...{ style_color_background: 'ffffff', style_dark_color_background: '1b1e24' },
      ...{ style_dark_color_button_highlight: 'ff9d9d', style_dark_color_button_text: '1a0000' },
      ...{ style_dark_color_border: '3a3f4a', style_radius: '0', style_border_width: '3' },
    });
  });

  it('works with the keyboard, skips what the page does not have, and sends no text of the page', async () => {
    const { page, looks } = await startTaking(utility);
    await titleOf(page)
      .getByText(/button/)
      .waitFor();
    // The chooser has the focus: Arrow down goes into the page.
    await page.locator('[role=application]').focus();
    await page.keyboard.press('ArrowDown');
    await until(() => barOf(page).locator('.pick-chosen').textContent()).not.toBe('Nothing yet');
    await page.keyboard.press('Enter');
    await titleOf(page)
      .getByText(/heading/)
      .waitFor();
    for (const name of ['heading', 'card', 'link']) {
      await titleOf(page).getByText(new RegExp(name)).waitFor();
      await button(page, 'Skip').focus();
      await page.keyboard.press('Enter');
    }
    await titleOf(page)
      .getByText(/^Taken/)
      .waitFor();
    expect(Object.keys((await looks())?.light ?? {})).toEqual(['button']);
    const sent = JSON.stringify(harness.received.filter(({ path }) => path.endsWith('/looks')));
    expect(sent).not.toMatch(/Sales|Secret|Export/);
    expect((await violations(page)).filter((found) => found.includes('pick'))).toEqual([]);
  });

  it('shows what was taken beside the page, and takes it again', async () => {
    const { page, looks } = await startTaking(variables);
    await titleOf(page)
      .getByText(/button/)
      .waitFor();
    await clickOn(page, '#link');
    const row = barOf(page).getByRole('listitem').filter({ hasText: 'Button' });
    await row.getByText(/#\w{6}/).waitFor();
    const before = await row.textContent();
    await row.getByRole('button', { name: 'Take again: Button' }).click();
    await titleOf(page)
      .getByText(/button/)
      .waitFor();
    await clickOn(page, '#button');
    await titleOf(page)
      .getByText(/heading/)
      .waitFor();
    await until(() => row.textContent()).not.toBe(before);
    for (let at = 0; at < 3; at++) await button(page, 'Skip').click();
    await titleOf(page)
      .getByText(/^Taken/)
      .waitFor();
    expect((await looks())?.light?.button).toMatchObject({ color: 'ffffff', radius: 6 });
  });

  it('continues on the next page of the tab', async () => {
    const { page } = await startTaking(utility);
    await titleOf(page)
      .getByText(/button/)
      .waitFor();
    await clickOn(page, '#button');
    await titleOf(page)
      .getByText(/heading/)
      .waitFor();
    await page.reload();
    await titleOf(page)
      .getByText(/heading/)
      .waitFor();
    expect(await barOf(page).getByRole('listitem').filter({ hasText: 'Button' }).textContent()).toContain('Inter');
  });
});
