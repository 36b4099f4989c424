import { fileURLToPath } from 'node:url';
import { firstLoads } from '../../dashboard/first-load.mjs';
import { openDashboard, paintAfter, startWithTours, stepsOf } from '../dashboard-browser.mjs';
import { drive } from '../load.mjs';
import { median, percentile } from '../numbers.mjs';
import { requestText } from '../servers.mjs';

/**
 * @typedef {import('../harness.mjs').Bench} Bench
 * @typedef {import('../harness.mjs').Result} Result
 * @typedef {import('playwright-core').Page} Page
 */

const builtDashboard = fileURLToPath(new URL('../../dashboard/dist/app/', import.meta.url));
const FIRST_LOAD_KB = 200;
const ROUTE_MS = 100;
const MANY_STEPS = 100;

/** @returns {Promise<Result[]>} */
export async function dashboardSize() {
  const { pages, shared } = firstLoads(builtDashboard);
  const target = { most: FIRST_LOAD_KB };
  return [
    ...pages.map(({ page, kilobytes }) => ({ part: page, value: kilobytes, unit: 'KB brotli', target })),
    { part: 'shared', value: shared, unit: 'KB brotli' },
  ];
}

/**
 * The time from a click to the frame that shows the next page, and how many times as long it takes as a change of one heading.
 * @param {Bench} bench
 */
export async function dashboardRoutes(bench) {
  const usher = await startWithTours(bench, 20);
  const { open } = await openDashboard(bench, usher);
  const page = await open(`${usher.url}/app`);
  const plain = await openPlainPage(open);
  const link = (/** @type {string} */ end) => page.locator(`nav a[href$="${end}"]`).first();
  const routes = [
    { name: 'list', from: link('/app/experiences'), selector: 'h1', text: 'Experiences' },
    {
      name: 'editor',
      from: page
        .getByRole('row')
        .getByText(/^Tour \d+$/)
        .first(),
      selector: 'h1',
      text: 'Tour',
    },
    { name: 'targeting', from: link('/targeting'), selector: 'h2', text: 'Environments' },
    { name: 'results', from: link('/results'), selector: 'main', text: 'No results yet' },
    { name: 'home', from: link('/app'), selector: 'h1', text: 'Home' },
    // The same pages until what takes longest is there: the rows of the list, and the fields of the editor.
    { name: 'list rows', from: link('/app/experiences'), selector: '[role=row]', text: 'Tour' },
    {
      name: 'editor fields',
      from: page
        .getByRole('row')
        .getByText(/^Tour \d+$/)
        .first(),
      selector: 'h2',
      text: 'Step 1',
    },
    { name: 'home again', from: link('/app'), selector: 'h1', text: 'Home' },
  ];
  /** @type {Map<string, { times: number[], ratios: number[] }>} */
  const measured = new Map(routes.map(({ name }) => [name, { times: [], ratios: [] }]));
  const rounds = bench.quick ? 2 : 11;
  for (let round = 0; round <= rounds; round++) {
    for (const { name, from, selector, text } of routes) {
      // People point at what they click, at least for a moment: that loads the next page in advance.
      await from.hover();
      await page.waitForTimeout(500);
      const time = await paintAfter(page, 'pointerup', selector, text, () => from.click());
      const reference = await paintAfter(plain, 'pointerup', 'h1', `Page ${round}`, () => plain.click('button'));
      await plain.evaluate(
        (next) => /** @type {any} */ (window).prepare(next),
        `Page ${round + (name === 'home again' ? 1 : 0)}`,
      );
      // The first round does not count, because it loads and compiles the code that the other rounds use.
      if (round > 0) {
        measured.get(name)?.times.push(time);
        measured.get(name)?.ratios.push(time / reference);
      }
    }
    bench.note(`round ${round} of ${rounds}`);
  }
  return [...measured].flatMap(([part, { times, ratios }]) => [
    { part, value: median(ratios), unit: 'ratio' },
    // What takes longest has no target of its own: the page shows and reacts before it.
    { part: `${part}.time`, value: median(times), unit: 'ms', ...(!/ /.test(part) && { target: { most: ROUTE_MS } }) },
  ]);
}

/**
 * A page with a button that replaces its heading, and a field: nothing can be faster.
 * @param {(address: string) => Promise<Page>} open
 */
async function openPlainPage(open) {
  const page = await open('about:blank');
  await page.setContent('<h1>A page</h1><button>Next</button><textarea></textarea>');
  await page.evaluate(() => {
    const heading = /** @type {HTMLElement} */ (document.querySelector('h1'));
    let next = 'Page 0';
    Object.assign(window, {
      prepare: (/** @type {string} */ text) => {
        heading.textContent = '';
        next = text;
      },
    });
    document.querySelector('button')?.addEventListener('click', () => {
      heading.textContent = next;
    });
  });
  return page;
}

/**
 * The time from a key to the frame that shows its letter, in tours of 3 and of many steps, against a bare `<textarea>`.
 * @param {Bench} bench
 */
export async function dashboardTyping(bench) {
  const usher = await startWithTours(bench, 1);
  const { open } = await openDashboard(bench, usher);
  const plain = await openPlainPage(open);
  const keys = bench.quick ? 5 : 60;
  /** @type {Result[]} */
  const results = [];
  for (const count of [3, MANY_STEPS]) {
    const created = await usher.post('/v3/edit/tours', { name: `With ${count} steps`, steps: stepsOf(count) }, 201);
    const page = await open(`${usher.url}/app/experiences/${JSON.parse(created).tour.id}`);
    const settings = page.getByRole('region', { name: 'Settings' });
    for (const label of ['Title', 'Text']) {
      const field = settings.getByLabel(label, { exact: true }).first();
      const [times, bare] = await typeBoth(page, field, plain, keys);
      const part = `${label.toLowerCase()}.${count} steps`;
      results.push(
        { part, value: median(times) / median(bare), unit: 'ratio' },
        { part: `${part}.p95`, value: percentile(times, 0.95), unit: 'ms' },
      );
      bench.note(`${label} with ${count} steps: ${median(times).toFixed(1)} against ${median(bare).toFixed(1)} ms`);
    }
    await page.context().close();
  }
  return results;
}

/**
 * Types the same letters into both fields, in turns.
 * @param {Page} page
 * @param {import('playwright-core').Locator} field
 * @param {Page} plain
 * @param {number} keys
 */
async function typeBoth(page, field, plain, keys) {
  const bareField = plain.locator('textarea');
  await field.fill('');
  await bareField.fill('');
  await field.evaluate((element) => element.setAttribute('data-measured', ''));
  /** @type {[number[], number[]]} */
  const [times, bare] = [[], []];
  for (let n = 1; n <= keys; n++) {
    const letter = 'abcde fgh '[n % 10] ?? 'a';
    const expected = (await textOf(field)) + letter;
    times.push(await paintAfter(page, 'keydown', '[data-measured]', expected, () => field.press(letter)));
    bare.push(await paintAfter(plain, 'keydown', 'textarea', '', () => bareField.press(letter)));
  }
  await field.evaluate((element) => element.removeAttribute('data-measured'));
  return [times, bare];
}

/**
 * The text of an input, or of the editor of formatted text.
 * @param {import('playwright-core').Locator} field
 */
function textOf(field) {
  return field.evaluate((element) => ('value' in element ? String(element.value) : (element.textContent ?? '')));
}

/**
 * How many times as long a list of 10,000 tours takes as one of 100: the response of the server, and the frame that shows the rows.
 * @param {Bench} bench
 */
export async function dashboardList(bench) {
  const [few, many] = bench.quick ? [10, 200] : [100, 10_000];
  const servers = [await startWithTours(bench, few), await startWithTours(bench, many)];
  return [...(await measureResponses(bench, servers)), ...(await measureRows(bench, servers))];
}

/**
 * @param {Bench} bench
 * @param {{ port: number }[]} servers
 */
async function measureResponses(bench, servers) {
  const queries = {
    'first page': 'order=position',
    'by name': 'order=name',
    live: 'order=position&state=live',
    search: 'order=position&search=Tour%209',
  };
  /** @type {Result[]} */
  const results = [];
  for (const [part, query] of Object.entries(queries)) {
    const path = `/v3/edit/experiences?fields=list&trend=true&limit=50&archived=false&${query}`;
    const times = [];
    for (const { port } of servers) {
      const load = { port, status: 200, connections: 1, seconds: 60, request: () => requestText('GET', path) };
      await drive({ ...load, count: 3 });
      times.push((await drive({ ...load, count: bench.quick ? 5 : 50 })).p50);
    }
    const [few = 0, many = 0] = times;
    results.push(
      { part: `${part}.response`, value: many / few, unit: 'ratio' },
      { part: `${part}.response.time`, value: many, unit: 'ms' },
    );
  }
  return results;
}

/**
 * @param {Bench} bench
 * @param {{ url: string, token: string }[]} servers
 */
async function measureRows(bench, servers) {
  const { open } = await openDashboard(bench, ...servers);
  const pages = await Promise.all(servers.map(({ url }) => open(`${url}/app`)));
  /** @type {Record<string, number[][]>} */
  const times = { rows: [[], []], search: [[], []] };
  const rounds = bench.quick ? 1 : 7;
  for (let round = 0; round < rounds; round++)
    for (const [at, page] of pages.entries()) {
      const row = '[role=row]';
      times.rows?.[at]?.push(
        await paintAfter(page, 'pointerup', row, 'Tour', () =>
          page.locator('nav a[href="/app/experiences"]').first().click(),
        ),
      );
      const search = page.getByRole('searchbox');
      times.search?.[at]?.push(
        await paintAfter(page, 'input', 'main', 'Nothing found', () => search.fill('No tour has this name')),
      );
      await search.fill('');
      await page.getByRole('row').nth(5).waitFor();
      await page.locator('nav a[href="/app"]').first().click();
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    }
  return Object.entries(times).flatMap(([part, [few = [], many = []]]) => [
    { part: `${part}.painted`, value: median(many) / median(few), unit: 'ratio' },
    { part: `${part}.painted.time`, value: median(many), unit: 'ms' },
  ]);
}
