import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { chromium } from 'playwright-core';
import { findChromium } from '../scripts/chromium.mjs';
import { startBareBrowser } from './bare-browser.mjs';
import { startUsher } from './servers.mjs';
import { createStore } from './store.mjs';

/**
 * A customer's pages with the script on them, the real server behind it, and a real browser. `/tour` has a tour, `/later` one
 * at an element that comes later, on `/` there is nothing, and `/without` does not have the script.
 * @param {import('./harness.mjs').Bench} bench
 */
export async function openBrowser(bench) {
  const usher = await startUsher(bench, await createStore(bench));
  const { account } = JSON.parse(await usher.get('/v3/edit/account'));
  const element = { position_type: 'snap_to_element', elements: [{ selector: '#late' }] };
  for (const [path, place] of /** @type {const} */ ([
    ['/tour', {}],
    ['/later', element],
  ])) {
    const step = { title: 'Hello', body: 'This is **where** you begin.', ...place };
    const steps = [{ ...step, quantifier_urls: [{ url: path, match_type: 'simple' }], buttons: [{ text: 'Next' }] }];
    await usher.post('/v3/edit/tours', { name: path, steps, published_at: '$now' }, 201);
  }
  const source = `http://127.0.0.1:${usher.port}/script/${account.token}.js`;
  const files = idleFiles();
  let seen = () => {};
  const pages = createServer(({ url = '' }, response) => {
    const file = files.get(url);
    const type = file === undefined ? 'text/html; charset=utf-8' : 'text/javascript';
    response.writeHead(200, { 'content-type': type, ...(file && { 'cache-control': 'max-age=300' }) });
    const script = { '/idle': '/script/loader', '/without': undefined };
    response.end(file ?? htmlWith(url in script ? script[/** @type {keyof typeof script} */ (url)] : source));
    if (url === '/seen') seen();
  }).listen(0, '127.0.0.1');
  await once(pages, 'listening');
  await bench.cleanup.add(() => {
    pages.closeAllConnections();
    pages.close();
  });
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
  await bench.cleanup.add(() => browser.close());
  const context = await browser.newContext();
  const { port } = /** @type {import('node:net').AddressInfo} */ (pages.address());
  const address = (/** @type {string} */ path) => `http://127.0.0.1:${port}${path}`;
  const newPage = () => context.newPage();

  /**
   * The events of a trace of the page, while this is done.
   * @param {import('playwright-core').Page} page
   * @param {() => Promise<unknown>} work
   * @returns {Promise<{ name: string, dur?: number, tdur?: number, args: { data?: { url?: string } } }[]>}
   */
  const trace = async (page, work) => {
    await browser.startTracing(page, { categories: ['devtools.timeline'] });
    await work();
    return JSON.parse((await browser.stopTracing()).toString()).traceEvents;
  };

  const bare = await startBareBrowser(bench);
  let users = 0;
  return {
    address,
    newPage,
    /**
     * How long the files take to run, from the loader to the renderer, in milliseconds of the page's thread; and how many calls of
     * their functions come later, because delayed work still counts. The same is measured for files that do nothing but load
     * each other: no script in as many files can be faster.
     * @param {{ slower: number, isFirst: boolean, idle?: boolean }} how
     */
    evaluation: async ({ idle = false, ...how }) => {
      /** @type {Promise<void>} */
      const isSeen = new Promise((resolve) => {
        seen = resolve;
      });
      const events = await bare.trace(address(idle ? '/idle' : `/tour?user=e${++users}`), how, isSeen);
      const sumOf = (/** @type {string} */ name) => {
        const ours = events.filter((event) => event.name === name && event.args.data?.url?.includes('/script/'));
        if (name === 'EvaluateScript' && ours.length !== 4)
          throw new Error(`${ours.length} files were evaluated, not 4`);
        // The time of the thread does not include the time of other processes, but it includes what the browser adds to the page.
        return ours.reduce((total, { tdur, dur = 0 }) => total + (tdur ?? dur), 0) / 1000;
      };
      return { evaluated: sumOf('EvaluateScript'), called: sumOf('FunctionCall') };
    },
    /**
     * Counts the requests, timers and calls in a page that shows nothing.
     * @param {number} seconds
     */
    idle: async (seconds) => {
      const page = await newPage();
      await page.goto(address('/?user=idle'));
      await page.evaluate(() => /** @type {any} */ (window).responded);
      // By then, the visit has been sent, and the browser has done its own work after a load.
      await page.waitForTimeout(2000);
      const events = await trace(page, () => page.waitForTimeout(seconds * 1000));
      const count = (/** @type {string[]} */ ...names) => events.filter(({ name }) => names.includes(name)).length;
      const observers = await page.evaluate(() => /** @type {any} */ (window).observers());
      await page.close();
      return {
        timers: count('TimerFire', 'FireAnimationFrame', 'FireIdleCallback'),
        observers,
        layouts: count('Layout', 'UpdateLayoutTree'),
      };
    },
  };
}

/** As many files as a page with a tour loads, and of the same size. */
function idleFiles() {
  /** @type {Record<string, { bytes: number }>} */
  const manifest = JSON.parse(readFileSync(new URL('../script/dist/manifest.json', import.meta.url), 'utf8'));
  const next = {
    loader: "load('core')",
    core: "setTimeout(()=>load('renderer').onload=()=>fetch('/seen'))",
    renderer: '',
  };
  const load =
    "const load=(n)=>{const s=document.createElement('script');s.src='/script/'+n;document.head.append(s);return s};";
  return new Map(
    Object.entries(next).map(([name, code]) => {
      const rest = 'function idle(){return Math.random()}'.repeat((manifest[name]?.bytes ?? 0) / 36);
      return [`/script/${name}`, `(()=>{${load}${code};${rest}})()`];
    }),
  );
}

/** @param {string} [source] */
function htmlWith(source) {
  return `<!doctype html><html lang="en"><head><title>A page</title><script>(${inPage})()</script>
${source ? `<script async src="${source}"></script>` : ''}</head><body><h1>A page</h1><p>With some words.</p></body></html>`;
}

/** Runs in the page, before the script is there. */
function inPage() {
  /** @type {any} */
  const page = window;
  // The first access to the document waits until the browser has set it up. A real application has done that before.
  document.head.append(document.createElement('meta'));
  let active = 0;
  for (const name of ['MutationObserver', 'IntersectionObserver', 'ResizeObserver']) {
    const Original = page[name];
    page[name] = class extends Original {
      isActive = false;
      /** @param {any[]} args */
      observe(...args) {
        if (!this.isActive) active++;
        this.isActive = true;
        super.observe(...args);
      }
      disconnect() {
        if (this.isActive) active--;
        this.isActive = false;
        super.disconnect();
      }
    };
  }
  page.observers = () => active;
  const usher = { q: /** @type {unknown[]} */ ([]) };
  for (const name of ['identify', 'on'])
    Object.assign(usher, { [name]: (/** @type {unknown[]} */ ...args) => usher.q.push([name, args]) });
  page.usher = usher;
  page.usher.identify(`user-${new URLSearchParams(location.search).get('user')}`);
  page.responded = new Promise((resolve) => page.usher.on('after:profile', resolve));

  const afterPaint = (/** @type {() => void} */ then) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = then;
      port2.postMessage(0);
    });
  let [shift, longTasks] = [0, 0];
  const add = (/** @type {PerformanceObserverEntryList} */ list) => {
    for (const entry of list.getEntries()) shift += /** @type {any} */ (entry).value;
  };
  new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    longTasks += list.getEntries().length;
  }).observe({ type: 'longtask', buffered: true });
  // The browser reports shifts and long tasks a moment later.
  const later = (/** @type {() => void} */ then) => setTimeout(then, 200);
  const seen = (/** @type {(seen: object) => void} */ resolve) => () => {
    const paintedAt = performance.now();
    const visits = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/v3/observe/visits'));
    const { responseEnd: respondedAt } = /** @type {PerformanceResourceTiming} */ (visits[0]);
    later(() => resolve({ paintedAt, respondedAt, shift, longTasks }));
  };
  page.longTasksWithout = new Promise((resolve) => {
    addEventListener('load', () => later(() => resolve(longTasks)));
  });
  page.seen = new Promise((resolve) => {
    page.usher.on('tour:event', (/** @type {any} */ { state }) => state === 'started' && afterPaint(seen(resolve)));
  });
  page.seen.then(() => fetch('/seen'));
  const isLoaded = () => performance.getEntriesByType('resource').some(({ name }) => /\/renderer-/.test(name));
  page.framesUntilPainted = async () => {
    await page.responded;
    while (!isLoaded()) await new Promise((done) => setTimeout(done, 20));
    await new Promise((done) => setTimeout(done, 300));
    const target = document.createElement('button');
    target.id = 'late';
    target.textContent = 'Here';
    document.body.append(target);
    for (let frames = 1; ; frames++) {
      await new Promise((done) => afterPaint(() => done(undefined)));
      const box = document.querySelector('usher-layer')?.shadowRoot?.querySelector('[role=dialog], .box');
      if (box?.checkVisibility()) return frames;
      if (frames > 600) throw new Error('The step was never painted');
    }
  };
}
