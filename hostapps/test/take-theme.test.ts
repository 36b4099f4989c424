import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proposeTheme } from '../../domain/src/themes/page-look.ts';
import type { PageLooks } from '../../domain/src/themes/page-look-schema.ts';
import { colorOf, deltaE, paintedRadiusOf, radiusOf } from '../../script/test/compare-looks.ts';
import { launchTestBrowser } from '../../scripts/test-browser.ts';
import { apps, type HostApp } from './apps.ts';
import { api, box, createPage, createUser, openApp } from './host.ts';
import { barOf, button, clickOn } from './pick-page.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchTestBrowser();
});
afterAll(() => browser.close());

const parts = ['button', 'heading', 'card', 'link'] as const;
/** Selectors of what a theme is taken from. What an application does not have is skipped. */
type Parts = Partial<Record<(typeof parts)[number], string>> & { button: string };

const cases: (Parts & { app: string })[] = [
  { app: 'Node-RED', button: '#red-ui-header-button-deploy' },
  {
    ...{ app: 'Verdaccio', button: '[data-testid="header--button-login"]', heading: '[data-testid="package-title"]' },
  },
  { app: 'Swagger UI', button: '.btn.authorize', heading: '.info .title', card: '.opblock', link: '.info a' },
  { app: 'Material UI', button: 'main button', heading: 'h1' },
];

interface Pick {
  id: string;
  address: string;
  looks: PageLooks | null;
}

/** Points at each part in the application. Returns what was taken. */
async function takeLooks(app: HostApp, themeId: string, selectors: Parts): Promise<PageLooks> {
  const params = { purpose: 'theme', theme_id: themeId, href: app.url };
  const { pick } = await api<{ pick: Pick }>('POST', '/v3/edit/picks', params);
  const page = await createPage(browser, app, { uid: pick.id }, { reducedMotion: 'reduce' });
  await page.addInitScript(() => Object.assign(window, { seen: [] }));
  await page.goto(pick.address);
  await app.ready(page);
  await button(page, 'Start').click();
  const titleOf = (text: RegExp) => barOf(page).getByRole('heading').getByText(text).waitFor();
  for (const part of parts) {
    await titleOf(new RegExp(`^Point at .*${part}`));
    const selector = selectors[part];
    await (selector ? clickOn(page, page.locator(selector).first()) : button(page, 'Skip').click());
  }
  await titleOf(/^Taken/);
  const { looks } = (await api<{ pick: Pick }>('GET', `/v3/edit/picks/${pick.id}`)).pick;
  await page.context().close();
  return looks ?? {};
}

/** Shows a tour with the theme in the application. */
async function openTour(app: HostApp, themeId: string): Promise<Page> {
  const user = await createUser();
  const buttons = [{ text: 'Next', tour_action: 'next' }];
  await user.create('tour', { theme_id: themeId, steps: [{ title: 'Hello', text: 'Text', buttons }] });
  const page = await openApp(browser, app, user, { reducedMotion: 'reduce' });
  await box(page, 'Hello').waitFor();
  await page.mouse.move(0, 0);
  return page;
}

describe('a theme that is taken from an application', () => {
  it.each(cases)('paints a button like the one of $app', async ({ app: name, ...selectors }) => {
    const app = apps.find((one) => one.name === name) as HostApp;
    const { theme } = await api<{ theme: { id: string } }>('POST', '/v3/edit/themes', { name });
    const looks = await takeLooks(app, theme.id, selectors);
    expect(Object.keys(looks.light ?? {}).sort()).toEqual(Object.keys(selectors).sort());
    // An application may have a button that is hard to read. An imported theme may, too.
    const fields = { ...proposeTheme(looks), published_at: '$now' };
    await api('POST', `/v3/edit/themes/${theme.id}/import`, fields);
    const page = await openTour(app, theme.id);
    const [own, painted] = [page.locator(selectors.button).first(), page.locator('usher-layer .act.first')];
    expect(deltaE(await colorOf(page, own), await colorOf(page, painted))).toBeLessThanOrEqual(3);
    expect(Math.abs((await paintedRadiusOf(own)) - (await radiusOf(painted)))).toBeLessThanOrEqual(1);
  });
});
