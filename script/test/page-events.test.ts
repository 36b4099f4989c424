import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { uid, until, useHarness } from './browser.ts';
import { afterFrames } from './frames.ts';

/* Events that pages count without code: clicks on elements, and pages that people open. */

const harness = useHarness();

let made = 0;
async function publish(definition: object): Promise<string> {
  const name = `event_${made++}_${Date.now()}`;
  const params = { name, definition, published_at: '$now' };
  const { status, body } = await harness.api.post('/v3/edit/event_names', params);
  expect([status, body.messages]).toEqual([201, undefined]);
  const { id, uid } = body.event_name;
  onTestFinished(async () => void (await harness.api.patch(`/v3/edit/event_names/${id}`, { published_at: null })));
  return uid;
}

const tracked = (name: string) =>
  harness.received.filter(({ path, body }) => path === '/v3/observe/events' && body.name === name);
const count = (name: string, expected: number) => until(() => tracked(name).length).toBe(expected);
/** Waits until the module of these events has run. */
const ready = async (page: Page) => {
  const isLoaded = () => performance.getEntriesByType('resource').some(({ name }) => name.includes('page_events'));
  await page.waitForFunction(isLoaded);
  await afterFrames(page, 3);
};
/** Changes the address as applications do. */
const go = (page: Page, path: string) =>
  page.evaluate((path) => history.pushState({}, '', path + location.search), path);
const open = async (body: string, path = '/') => {
  const page = await harness.open({ body }, { path, uid });
  await ready(page);
  return page;
};

describe('a click', () => {
  it('counts on the element and inside it, each time', async () => {
    const name = await publish({ kind: 'click', elements: [{ selector: '#buy' }] });
    const page = await open('<button id=buy><b>Buy</b></button><button id=other>Other</button>');
    await page.click('#buy b');
    await page.click('#other');
    await page.click('#buy');
    await count(name, 2);
  });

  it('counts for an element that the page paints again, and that it removes on the click', async () => {
    const name = await publish({ kind: 'click', elements: [{ selector: '.buy', text: 'Buy now' }] });
    const page = await open('<div id=root></div>');
    const paint = () =>
      page.evaluate(() => {
        const root = document.querySelector('#root') as HTMLElement;
        root.innerHTML = '<button class=buy>Buy now</button><button class=buy>Buy later</button>';
        for (const button of root.querySelectorAll('button'))
          button.onclick = (event) => {
            event.stopImmediatePropagation();
            root.innerHTML = '';
          };
      });
    for (const text of ['Buy now', 'Buy later', 'Buy now']) {
      await paint();
      await page.click(`text=${text}`);
    }
    await count(name, 2);
  });

  it('counts in open shadow roots, and for a text alone', async () => {
    const inShadow = await publish({
      kind: 'click',
      elements: [{ selector: 'x-shop', shadow_selector: 'x-cart >>> .buy' }],
    });
    const byText = await publish({ kind: 'click', elements: [{ text: 'Pay  it' }] });
    const page = await open('<x-shop></x-shop><main><p>More<span>Pay it <i>!</i></span></p><p id=no>Else</p></main>');
    await page.evaluate(() => {
      const outer = (document.querySelector('x-shop') as Element).attachShadow({ mode: 'open' });
      outer.innerHTML = '<x-cart></x-cart>';
      (outer.querySelector('x-cart') as Element).attachShadow({ mode: 'open' }).innerHTML =
        '<button class=buy>Buy</button>';
    });
    await page.click('.buy');
    await page.click('i');
    await page.click('#no');
    await count(inShadow, 1);
    await count(byText, 1);
  });

  it('uses the first way that finds an element', async () => {
    const name = await publish({ kind: 'click', elements: [{ selector: '#new' }, { selector: 'button' }] });
    const page = await open('<button id=new>New</button><button id=old>Old</button>');
    await page.click('#old');
    await page.click('#new');
    await count(name, 1);
    await page.evaluate(() => document.querySelector('#new')?.remove());
    await page.click('#old');
    await count(name, 2);
  });

  it('counts once for a label and its field, and not when code clicks', async () => {
    const name = await publish({ kind: 'click', elements: [{ selector: '#choice' }] });
    const page = await open('<div id=choice><label>Yes <input type=checkbox></label></div>');
    await page.evaluate(() => document.querySelector('input')?.click());
    await page.click('label', { position: { x: 2, y: 2 } });
    await page.focus('input');
    await page.keyboard.press('Space');
    await count(name, 2);
  });

  it('reaches listeners of the page, and counts when the click leaves the page', async () => {
    const name = await publish({ kind: 'click', elements: [{ selector: '#go' }] });
    const page = await open('<a id=go href="/next">Go</a>');
    await page.evaluate(() => {
      (window as unknown as { usher: { on(name: string, run: (data: unknown) => void): void } }).usher.on(
        'usher:event',
        (data) => sessionStorage.setItem('heard', JSON.stringify(data)),
      );
    });
    await page.click('#go');
    await page.waitForURL('**/next');
    await count(name, 1);
    expect(await page.evaluate(() => sessionStorage.getItem('heard'))).toContain(name);
  });

  it('follows the pages of an application', async () => {
    const name = await publish({
      kind: 'click',
      elements: [{ selector: '#buy' }],
      quantifier_urls: [{ url: '/shop/*' }],
    });
    const page = await harness.open({ body: '<button id=buy>Buy</button>' }, { uid });
    await page.click('#buy');
    await go(page, '/shop/1');
    await ready(page);
    await page.click('#buy');
    await go(page, '/other');
    await page.click('#buy');
    await count(name, 1);
  });
});

describe('a page', () => {
  it('counts once for each view', async () => {
    const name = await publish({ kind: 'page', quantifier_urls: [{ url: '/shop/*' }] });
    const page = await open('<p>Shop</p>', '/shop/1');
    await count(name, 1);
    await page.evaluate(() => {
      location.hash = '#reviews';
      (window as unknown as { usher: { set(properties: object): void } }).usher.set({ seen: true });
    });
    await until(() => harness.received.filter(({ path }) => path === '/v3/observe/visits').length).toBeGreaterThan(1);
    await go(page, '/shop/2');
    await count(name, 2);
    await go(page, '/else');
    await page.waitForTimeout(300);
    await go(page, '/shop/2');
    await count(name, 3);
    await page.reload();
    await count(name, 4);
  });
});

it('loads nothing on a page without such events', async () => {
  await publish({ kind: 'page', quantifier_urls: [{ url: '/only-there' }] });
  await harness.createReadyLauncher();
  await harness.openReady({ body: '<p>Home</p>' }, { uid });
  expect(harness.requests.filter((request) => request.includes('page_events'))).toEqual([]);
});
