import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Role } from '@usher/domain';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { launchTestBrowser } from '../../scripts/test-browser.ts';
import { type Api, startApi } from '../../server/test/api.ts';
import { addSignedIn, type TestAdmin } from '../../server/test/sign-in.ts';
import { keepPages } from './kept-pages.ts';

/**
 * Pictures for people to look at are taken if `USHER_TEST_PICTURES` is 1. They are not committed, since they differ
 * between machines.
 */
const isTakingPictures = process.env.USHER_TEST_PICTURES === '1';
const pictures = fileURLToPath(new URL('../dist/pictures/', import.meta.url));
/** The build for tests, which has the page of all parts. */
export const builtDashboard = fileURLToPath(new URL('../dist/test/', import.meta.url));
/** The code of axe, to be evaluated in a frame. */
export const builtAxe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface OpenOptions {
  /** The role of the person who has signed in; null for nobody. */
  as?: Role | null;
  /** An administrator who was added before. */
  admin?: TestAdmin;
  width?: number;
  height?: number;
  isDark?: boolean;
  timeZone?: string;
  /**
   * Whether the browser saves data. Then it loads no pages in advance, which saves time: most tests use one page only.
   */
  savesData?: boolean;
  /**
   * Whether no other test gets the page, because the test changes something that cannot be restored: the clock, or
   * functions of the window.
   */
  isNew?: boolean;
}

export interface Dashboard {
  api: Api;
  browser: Browser;
  /** Opens a page of the dashboard. The test fails if the page logs or throws an error. */
  open(path: string, options?: OpenOptions): Promise<Page>;
  stop(): Promise<void>;
}

let shared: Promise<Dashboard> | undefined;

/**
 * The real server with the built dashboard, and a real browser. All files of one worker share them, and each file gets
 * accounts of its own. A browser that has loaded the dashboard before loads it in half the time.
 */
export async function startDashboard(): Promise<Dashboard> {
  // Vitest ends a worker with this signal. When the process exits, Playwright closes the browser.
  if (!shared) process.once('SIGTERM', () => process.exit());
  const isFirst = !shared;
  shared ??= startOwnDashboard().then((dashboard) => {
    process.once('exit', () => dashboard.api.database.remove());
    return { ...dashboard, stop: async () => {} };
  });
  const dashboard = await shared;
  if (!isFirst) await dashboard.api.replaceAccounts();
  return dashboard;
}

/** A dashboard for a file with settings of its own, or for one that changes what all accounts of a server share. */
export async function startOwnDashboard(env: NodeJS.ProcessEnv = {}): Promise<Dashboard> {
  const api = await startApi({ inTest: false, env: { PORT: '0', ...env }, dashboard: builtDashboard });
  const browser = await launchTestBrowser();
  const takePage = keepPages(browser, api.url);
  const open: Dashboard['open'] = async (path, { as = 'owner', admin, isNew = false, ...look } = {}) => {
    const { width = 1440, height = 900, isDark = false, timeZone = 'UTC', savesData = true } = look;
    const person = admin ?? (as && (await addSignedIn(api, as)));
    const page = await takePage({ timeZone, savesData, isNew });
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' });
    if (person) await addCookie(page.context(), api, person);
    failOnErrors(page);
    await page.goto(api.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  };
  const stop = async () => {
    await browser.close();
    await api.stop();
  };
  return { api, browser, open, stop };
}

function addCookie(context: BrowserContext, api: Api, { browser }: TestAdmin): Promise<void> {
  return context.addCookies([{ name: 'usher_session', value: browser.cookie ?? '', url: api.url, httpOnly: true }]);
}

/** Makes a test fail if its page logs errors, which include what the security policy has blocked. */
function failOnErrors(page: Page): void {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(`${error}`));
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    // The browser logs every response with an error status. The tests themselves check which of these are right.
    if (!message.text().startsWith('Failed to load resource')) errors.push(message.text());
  });
  onTestFinished(() => expect(errors).toEqual([]));
}

/**
 * The name of an entry in a menu is its label. Its description and its keys describe it, as ARIA recommends, but axe
 * expects them in the name.
 */
const rules = { 'label-content-name-mismatch': { enabled: false } };
const contrast = 'color-contrast';

/** Dark differs from light by its colors, and a phone from a desktop by everything else. */
async function rulesFor(page: Page): Promise<object> {
  if (await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)) return { runOnly: [contrast] };
  const isPhone = (page.viewportSize()?.width ?? 0) < 640;
  return { rules: { ...rules, ...(isPhone && { [contrast]: { enabled: false } }) } };
}

/** Returns the problems that axe finds in the page as it is now, or in a part of it. */
export async function accessibilityProblems(page: Page, selector?: string): Promise<string[]> {
  await settle(page);
  // The security policy of the page does not apply to code that the debugger evaluates.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(builtAxe);
  // For seconds after a screen reader has read it, an announcement names an element that may be gone.
  const target = JSON.stringify({ include: selector ?? 'html', exclude: '[data-live-announcer]' });
  // axe cannot reach the document of a preview, which has an origin of its own. Selectors take a third of the time of
  // axe, and the tests do not read them.
  const scope = { resultTypes: ['violations'], iframes: false, selectors: false };
  const options = JSON.stringify({ ...scope, ...(await rulesFor(page)) });
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${target}, ${options})`);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
}

/** Waits until fonts and transitions are done. */
async function settle(page: Page): Promise<void> {
  // A full browser paints nothing behind another tab.
  await page.bringToFront();
  // Unlike `evaluate`, this fails when it has waited too long.
  await page.waitForFunction(async () => {
    await document.fonts.ready;
    await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return true;
  });
}

export async function takePicture(page: Page, name: string, fullPage = false): Promise<void> {
  if (!isTakingPictures) return;
  await page.waitForLoadState('networkidle');
  await settle(page);
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: `${pictures}${name}.png`, fullPage });
}

/** Returns the element that has the focus, as `role name`. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return 'nothing';
    const named = document.getElementById(element.getAttribute('aria-labelledby') ?? '');
    const label = element.getAttribute('aria-label') ?? (element as HTMLInputElement).labels?.[0]?.textContent;
    return `${element.getAttribute('role') ?? element.tagName.toLowerCase()} ${label ?? (element.role === 'textbox' ? named?.textContent : null) ?? element.textContent ?? ''}`.trim();
  });
}
