import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { scopeCss } from '../../domain/src/themes/theme-css.ts';
import { type ThemeField, type ThemeStyles, themeColors, themeFields } from '../../domain/src/themes/theme-fields.ts';
import { createThemeSheet } from '../../domain/src/themes/theme-style.ts';
import { gallery } from './kinds-gallery.ts';
import { load, openPage, showAlone, violations } from './kinds-page.ts';
import { closeContexts } from './shared-browser.ts';
import { exampleOf } from './theme-example.ts';

let page: Page;
beforeAll(async () => {
  page = await openPage();
});
afterAll(closeContexts);

const useTheme = (styles: ThemeStyles, css: string | null = null) =>
  page.evaluate(
    (theme) => {
      window.kinds.config.themes = { default: theme };
    },
    createThemeSheet(styles, css),
  );

/** How the elements look that are painted, as one text. */
const readStyles = () =>
  page.evaluate(() => {
    const names = [
      'color',
      'background-color',
      'border',
      'font',
      'outline',
      'box-shadow',
      'padding',
      'width',
      'border-radius',
      'display',
      'animation-name',
    ];
    return [...document.querySelectorAll('usher-layer')]
      .flatMap(({ shadowRoot }) => [...(shadowRoot?.querySelectorAll('*') ?? [])])
      .map((one) => {
        const style = getComputedStyle(one);
        return names.map((name) => style.getPropertyValue(name)).join();
      })
      .join('\n');
  });

/** Runs in the page: the number of pixels of a picture that are dark, or that are unlike its first one. */
async function countInk({ png, isUnlikeFirst = false }: { png: string; isUnlikeFirst?: boolean }): Promise<number> {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const context = new OffscreenCanvas(image.width, image.height).getContext('2d') as OffscreenCanvasRenderingContext2D;
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  const [first = 0] = data;
  const isInk = (red = 0) => (isUnlikeFirst ? Math.abs(red - first) > 60 : red < 170);
  let ink = 0;
  for (let at = 0; at < data.length; at += 4) if (isInk(data[at])) ink++;
  return ink;
}

describe('a theme', () => {
  it('changes what it sets, with each of its fields, and nothing without a value', async () => {
    const elsewhere = /^style_dark_|_(timer|hover|motion)$/;
    const unseen = new Set(Object.keys(themeFields).filter((name) => !elsewhere.test(name)));
    for (const look of Object.keys(gallery)) {
      if (unseen.size === 0) break;
      await load(page);
      await useTheme({});
      // The second time, the focus is where it will be with a theme, too.
      await showAlone(page, look);
      await showAlone(page, look);
      const plain = await readStyles();
      for (const name of [...unseen]) {
        await useTheme({ [name]: exampleOf(name, themeFields[name] as ThemeField) });
        await showAlone(page, look);
        if ((await readStyles()) !== plain) unseen.delete(name);
      }
    }
    expect([...unseen]).toEqual([]);
  }, 120_000);

  it('has colors for buttons below the pointer', async () => {
    await load(page);
    await useTheme({ style_color_button_hover: '123456', style_color_secondary_button_hover: '654321' });
    for (const [look, selector, expected] of [
      ['a modal', '.act.first', 'rgb(18, 52, 86)'],
      ['a question of two', '.answers > .act', 'rgb(101, 67, 33)'],
    ] as const) {
      await showAlone(page, look);
      await page.locator(selector).first().hover();
      expect(
        await page
          .locator(selector)
          .first()
          .evaluate((one) => getComputedStyle(one).backgroundColor),
      ).toBe(expected);
    }
  });

  it.each([
    ['slide', 'in', '6px'],
    ['fade', 'in', '0px'],
    ['none', 'none', '6px'],
  ])('moves as %s', async (style_motion, animation, rise) => {
    const moving = await openPage({}, { reducedMotion: 'no-preference' });
    await moving.evaluate(
      (theme) => {
        window.kinds.config.themes = { default: theme };
      },
      createThemeSheet({ style_motion }, null),
    );
    await showAlone(moving, 'a step at an element');
    const read = (box: Element) => [
      getComputedStyle(box).animationName,
      getComputedStyle(box).getPropertyValue('--rise'),
    ];
    expect(await moving.locator('.box').evaluate(read)).toEqual([animation, rise]);
    await moving.close();
  });

  it('has the dark colors on a dark page', async () => {
    const styles = Object.fromEntries(
      Object.keys(themeColors).flatMap((name) => [
        [`style_color_${name}`, '112233'],
        [`style_dark_color_${name}`, '445566'],
      ]),
    );
    for (const [css = '', expected] of [
      ['', 'rgb(17, 34, 51)'],
      ['html{background:#000}body{background:#000!important}', 'rgb(68, 85, 102)'],
    ]) {
      await load(page, { css });
      await useTheme(styles);
      await showAlone(page, 'a modal');
      const color = await page.locator('.box').evaluate((box) => getComputedStyle(box).backgroundColor);
      expect(color).toBe(expected);
    }
  });

  it.each(Object.keys(gallery))('keeps %s accessible with other colors and sizes', async (look) => {
    await load(page);
    await useTheme({
      ...{ style_color_background: '102a43', style_color_text: 'f0f4f8', style_color_title: 'ffffff' },
      ...{ style_color_button_highlight: 'f7c948', style_color_button_text: '102a43', style_color_link: 'f7c948' },
      ...{ style_dark_color_background: '102a43', style_color_checkmark: '7bc47f', style_color_icon: '102a43' },
      ...{
        style_font_size: '17',
        style_radius: '0',
        style_spacing: '32',
        style_progress: 'text',
        style_shadow: 'large',
      },
    });
    await showAlone(page, look);
    expect(await violations(page)).toEqual([]);
  });

  it.each([
    '*{display:none;opacity:0;visibility:hidden}',
    'button{display:none;width:0;height:0;overflow:hidden;color:#fff;filter:opacity(0)}',
    '& > *{transform:translate(-9999px);clip-path:inset(50%);max-width:0;margin:-500px}',
    'svg{display:none;stroke:none;width:0}',
    '.main{margin:-200px;padding:400px;transform:scale(3);background:#fff;will-change:transform}',
    '.main,.foot,h2,p{display:none;mask:linear-gradient(#0000,#0000)}',
    '*{stroke-opacity:0}',
    'path{d:none}',
    '*{stroke-dasharray:0 99}',
    'button{overflow:hidden}button:before{content:"";display:block;height:99px}',
    'button:hover:after{content:"";display:block;padding:99px;background:#fff}',
    'button svg,button *,& > button{content:"";cursor:none;font-size:0;background:#fff}',
    '&{text-shadow:0 0 99px #fff}& *{stroke:#fff;fill:#fff;stroke-width:0;mix-blend-mode:screen}',
  ])('cannot take the button to close away by %s', async (css) => {
    expect(scopeCss(css, 't')).toHaveProperty('css');
    const inkWith = async (css: string | null) => {
      await load(page);
      await useTheme({}, css);
      await showAlone(page, 'a modal');
      const shot = await page.locator('.box > .x').screenshot({ scale: 'css' });
      return page.evaluate(countInk, { png: shot.toString('base64') });
    };
    const plain = await inkWith(null);
    expect(plain).toBeGreaterThan(20);
    const ink = await inkWith(css);
    expect([ink > 0.8 * plain, ink < 1.2 * plain, ink]).toEqual([true, true, ink]);
    await page.evaluate(() => window.kinds.calls.splice(0));
    const close = page.locator('.box > .x');
    const { x, y, width, height } = (await close.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    expect([width, height]).toEqual([44, 44]);
    await page.mouse.click(x + width / 2, y + height / 2);
    expect(await page.evaluate(() => window.kinds.calls.splice(0))).toMatchObject([{ state: 'exited' }]);
  });

  it.each(['&{border-radius:50%}', '&{border-radius:9e9px;font:99999px/99 x}'])(
    'cannot cut the button to close off in a low window by %s',
    async (css) => {
      expect(scopeCss(css, 't')).toHaveProperty('css');
      await page.setViewportSize({ width: 480, height: 380 });
      onTestFinished(() => page.setViewportSize({ width: 1280, height: 800 }));
      await load(page);
      await useTheme({}, css);
      await showAlone(page, 'a modal');
      const shot = await page.locator('.box > .x').screenshot({ scale: 'css' });
      expect(await page.evaluate(countInk, { png: shot.toString('base64') })).toBeGreaterThan(20);
      // No corner of the icon is behind the round corner of the box.
      const isHit = await page.locator('.box > .x svg').evaluate((icon) => {
        const { left, top, right, bottom } = icon.getBoundingClientRect();
        const root = icon.getRootNode() as ShadowRoot;
        return [left + 2, right - 2].flatMap((x) =>
          [top + 2, bottom - 2].map((y) => root.elementFromPoint(x, y)?.closest('.x') != null),
        );
      });
      expect(isHit).toEqual([true, true, true, true]);
    },
  );

  it.each(['light', 'dark'] as const)('shows the button to close on a box of its color, %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    onTestFinished(() => page.emulateMedia({ colorScheme: null }));
    const show = async (css: string | null) => {
      await load(page);
      await useTheme({}, css);
      await showAlone(page, 'a modal');
    };
    await show(null);
    const color = await page.locator('.box > .x').evaluate((button) => getComputedStyle(button).color);
    await show(`&{background:${color}}`);
    const shot = await page.locator('.box > .x').screenshot({ scale: 'css' });
    const png = shot.toString('base64');
    expect(await page.evaluate(countInk, { png, isUnlikeFirst: true })).toBeGreaterThan(20);
  });

  it.each(['a tooltip', 'a modal'])('gives %s the size of the theme', async (look) => {
    await load(page);
    await useTheme({ style_font_size: '19' });
    await showAlone(page, look);
    expect(await page.locator('.box').evaluate((box) => getComputedStyle(box).fontSize)).toBe('19px');
  });

  it('takes the font of the page, unless the page has none', async () => {
    const font = () => page.locator('.box').evaluate((box) => getComputedStyle(box).fontFamily);
    await load(page, { css: 'body{font-family:"Orbit Sans",monospace!important}' });
    await showAlone(page, 'a modal');
    expect(await font()).toBe('"Orbit Sans", monospace');
    await load(page, { css: 'body{font-family:initial!important}' });
    await showAlone(page, 'a modal');
    expect(await font()).toBe('system-ui, sans-serif');
  });
});
