import { createHash, randomBytes } from 'node:crypto';
import { chromium } from 'playwright-core';
import { findChromium } from '../scripts/chromium.mjs';
import { drive } from './load.mjs';
import { requestText, startUsher } from './servers.mjs';
import { createStore } from './store.mjs';

/** @typedef {import('playwright-core').Page} Page */

/**
 * A server with this many tours, one of ten of them live, and the session of its owner.
 * @param {import('./harness.mjs').Bench} bench
 * @param {number} tours
 */
export async function startWithTours(bench, tours) {
  const store = await createStore(bench);
  const before = await startUsher(bench, store);
  const request = (/** @type {number} */ n) =>
    requestText('POST', '/v3/edit/tours', {
      name: `Tour ${n}`,
      steps: stepsOf(3),
      ...(n % 10 === 0 && { published_at: '$now' }),
    });
  await drive({ port: before.port, request, status: 201, seconds: 300, count: tours });
  bench.note(`${tours} tours created`);
  await before.stop();
  const token = await storeSession(store);
  const usher = await startUsher(bench, store);
  return { ...usher, url: `http://127.0.0.1:${usher.port}`, token };
}

/**
 * Signs the owner in, directly in the database: a sign-in takes long on purpose.
 * @param {import('./store.mjs').Store} store on which no Usher runs
 */
async function storeSession(store) {
  const token = randomBytes(32).toString('base64url');
  const hash = createHash('sha256').update(token).digest('hex');
  // An ID begins with the second it was created in, and old sessions have ended.
  const id = Math.floor(Date.now() / 1000).toString(16) + randomBytes(8).toString('hex');
  const connection = await store.connect();
  await connection.run(
    `insert into sessions (id, hash, person_id, account_id, last_used_at, confirmed_at, user_agent, network)
     select '${id}', '${hash}', person_id, account_id, ${Date.now()}, ${Date.now()}, 'bench', '127.0.0.1'
     from admins`,
  );
  await connection.close();
  return token;
}

/** @param {number} count */
export function stepsOf(count) {
  return Array.from({ length: count }, (_, n) => ({
    title: `Step ${n + 1} of the tour`,
    body: `Here you find **what you need** for step ${n + 1}, {{first_name | fallback: "friend"}}.`,
    buttons: [
      { text: 'Back', tour_action: 'previous' },
      { text: 'Next', tour_action: 'next' },
    ],
  }));
}

/**
 * A browser in which the owner of the server has signed in.
 * @param {import('./harness.mjs').Bench} bench
 * @param {{ url: string, token: string }[]} servers
 */
export async function openDashboard(bench, ...servers) {
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
  await bench.cleanup.add(() => browser.close());
  const open = async (/** @type {string} */ address) => {
    const server = servers.find(({ url }) => address.startsWith(url));
    // Cookies do not know ports: each server needs a context of its own.
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
    if (server)
      await context.addCookies([{ name: 'usher_session', value: server.token, url: server.url, httpOnly: true }]);
    await context.addInitScript(inPage);
    const page = await context.newPage();
    await page.goto(address);
    if (server) await page.getByRole('heading', { level: 1 }).waitFor();
    // The code of the other pages is loaded while nothing else happens.
    await page.waitForLoadState('networkidle');
    return page;
  };
  return { open };
}

/**
 * Milliseconds from an event to the frame that shows its effect.
 * @param {Page} page
 * @param {string} event such as `pointerup`
 * @param {string} selector of what has to be visible then
 * @param {string} text that it contains
 * @param {() => Promise<unknown>} act causes the event
 * @returns {Promise<number>}
 */
export async function paintAfter(page, event, selector, text, act) {
  await page.evaluate(([...args]) => /** @type {any} */ (window).startWatching(...args), [event, selector, text]);
  await act();
  return page.evaluate(() => /** @type {any} */ (window).watched);
}

/** Runs in each page. */
function inPage() {
  /** @type {any} */
  const page = window;
  const nextFrame = () => new Promise((done) => requestAnimationFrame(done));
  // A message is handled after the frame was painted.
  const nextPaint = async () => {
    await nextFrame();
    await new Promise((done) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = done;
      port2.postMessage(0);
    });
  };
  /** @type {(event: string, selector: string, text: string) => void} */
  page.startWatching = (event, selector, text) => {
    const isShown = () =>
      [...document.querySelectorAll(selector)].some(
        (one) => /** @type {any} */ (one.value ?? one.textContent).includes(text) && one.checkVisibility(),
      );
    page.watched = new Promise((resolve, reject) => {
      const onEvent = async (/** @type {Event} */ { timeStamp }) => {
        while (!isShown()) {
          if (performance.now() - timeStamp > 20_000) return;
          await nextFrame();
        }
        await nextPaint();
        resolve(performance.now() - timeStamp);
      };
      addEventListener(event, onEvent, { capture: true, once: true });
      setTimeout(() => reject(new Error(`No ${event} was followed by "${text}" in ${selector}`)), 20_000);
    });
    // The caller awaits the promise later.
    page.watched.catch(() => {});
  };
}
