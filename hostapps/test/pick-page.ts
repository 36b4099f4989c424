import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Locator, Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import type { HostApp } from './apps.ts';
import { api, createPage, createUser } from './host.ts';

interface PageElement {
  selector?: string;
  text?: string;
  shadow_selector?: string;
}
export interface HostPick {
  id: string;
  address: string;
  state: string;
  result: { elements: PageElement[]; candidates: { kind: string }[] } | null;
}
/** What `recordEvents` and the bundle of the finder leave in a page. */
interface Recorded {
  seen: string[];
  addresses: string[];
  finder: {
    find(wanted: PageElement[]): { element?: Element };
    findAll(wanted: PageElement): { elements: Element[] };
    isVisible(element: Element): boolean;
  };
}

export const barOf = (page: Page): Locator => page.getByRole('region', { name: 'Usher picker' });
export const button = (page: Page, name: string): Locator => barOf(page).getByRole('button', { name });

export async function readPick({ id }: HostPick): Promise<HostPick> {
  return (await api<{ pick: HostPick }>('GET', `/v3/edit/picks/${id}`)).pick;
}

export async function createPick(href: string): Promise<HostPick> {
  const user = await createUser();
  const { id, steps } = await user.create('tour', { style: 'manual', steps: [{ title: 'First' }] });
  const params = { purpose: 'pick', experience_id: id, step_id: steps[0]?.id, href };
  return (await api<{ pick: HostPick }>('POST', '/v3/edit/picks', params)).pick;
}

/** What the script finds elements with. */
const finder = build({
  ...{ bundle: true, write: false, format: 'iife', globalName: 'finder' },
  entryPoints: [fileURLToPath(new URL('../../script/src/page/find.ts', import.meta.url))],
}).then(({ outputFiles }) => `${outputFiles[0]?.text};window.finder=finder`);

/** Runs in each page and frame before all other code. It records the events that the application receives, and the addresses. */
function recordEvents(): void {
  const seen: string[] = [];
  const addresses: string[] = [];
  Object.assign(window, { seen, addresses });
  const types =
    'pointerdown,pointerup,pointermove,pointerover,mousedown,mouseup,mousemove,mouseover,mouseenter,click,dblclick,contextmenu,touchstart,touchend,dragstart,focusin,focusout';
  for (const type of types.split(',')) document.addEventListener(type, () => seen.push(type), true);
  for (const type of ['hashchange', 'popstate', 'DOMContentLoaded'])
    addEventListener(type, () => addresses.push(location.href), true);
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    console.error(`The policy has blocked ${blockedURI}: ${violatedDirective}`),
  );
}

type PickedApp = Pick<HostApp, 'url' | 'ready' | 'ownErrors'>;

/** Opens an application as the dashboard does, with a key in its address, and begins to pick. */
export async function startPicking(browser: Browser, app: PickedApp): Promise<{ page: Page; pick: HostPick }> {
  const pick = await createPick(app.url);
  const page = await createPage(browser, app, { uid: pick.id }, { reducedMotion: 'reduce' });
  await page.addInitScript(recordEvents);
  await page.addInitScript(await finder);
  await page.goto(pick.address);
  await app.ready(page);
  await button(page, 'Start picking').click();
  await barOf(page).getByText('Point at the element').waitFor();
  return { page, pick };
}

/** Uses the page itself while Alt is held, or until the button of the bar is pressed again. */
export async function letUse(page: Page, byButton: boolean | undefined, use: () => Promise<unknown>): Promise<void> {
  const toggle = () => button(page, 'Use the page').click();
  await (byButton ? toggle() : page.keyboard.down('Alt'));
  await use();
  await (byButton ? toggle() : page.keyboard.up('Alt'));
}

/** Points at an element and clicks where it is, as a user does. Returns the events that the application and its frames have seen. */
export async function clickOn(page: Page, target: Locator): Promise<string[]> {
  await target.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await Promise.all(page.frames().map((frame) => frame.evaluate(() => (window as never as Recorded).seen.splice(0))));
  for (const by of [6, 3, 0]) await page.mouse.move(x + width / 2 - by, y + height / 2);
  await page.mouse.down();
  await page.mouse.up();
  const frames = page.frames();
  const seen = await Promise.all(frames.map((frame) => frame.evaluate(() => (window as never as Recorded).seen)));
  // When the pick has ended, frames are no longer covered, and the browser tells them and the page where the pointer is.
  return seen.flat().filter((type) => frames.length === 1 || !/over$|enter$/.test(type));
}

export const readAddresses = (page: Page) => page.evaluate(() => (window as never as Recorded).addresses);

/** Checks that every candidate finds this element and no other. */
export async function expectToFind(target: Locator, elements: PageElement[]): Promise<void> {
  expect(elements.length).toBeGreaterThan(0);
  const found = await target.evaluate((target, elements) => {
    const { find, findAll, isVisible } = (window.top as never as Recorded).finder;
    const count = (wanted: PageElement) => findAll(wanted).elements.filter(isVisible);
    return {
      isFound: find(elements).element === target,
      others: elements.filter((wanted) => count(wanted).some((element) => element !== target)),
      missing: elements.filter((wanted) => !count(wanted).includes(target)),
    };
  }, elements);
  expect(found).toEqual({ isFound: true, others: [], missing: [] });
}

/** Reloads the page as a user without a pick. Returns the requests for picks. */
export async function reloadWithoutPick(page: Page): Promise<string[]> {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const visit = page.waitForResponse(/\/visits$/);
  await page.reload();
  await visit;
  await page.waitForLoadState('networkidle');
  return requests.filter((address) => address.startsWith(inject('usher').url) && /pick/.test(address));
}
