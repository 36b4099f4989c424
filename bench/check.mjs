import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { findChromium } from '../scripts/chromium.mjs';
import { changes, chooseRelease, renderChanged } from './check/break-app.mjs';
import { firstDeploy } from './selectors/change-app.mjs';
import { createApp, listItems } from './selectors/create-app.mjs';
import { createRandom } from './selectors/random.mjs';
import { renderApp } from './selectors/render-app.mjs';
import { styles } from './selectors/styles.mjs';

/*
 * npm run bench:check                     what `usher check` says about front ends that have changed
 * npm run bench:check -- --seed 7         on other pages
 * npm run bench:check -- --list missed    lists the breaks that it does not report, or with `wrong` the wrong proposals
 */

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    pages: { type: 'string', default: '44' },
    list: { type: 'string' },
  },
});

const MIN_CAUGHT = 95;
const TARGETS_PER_PAGE = 5;
const RELEASES = 2;
const here = fileURLToPath(new URL('.', import.meta.url));

const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
try {
  const page = await browser.newPage();
  await page.setContent(
    '<!doctype html><html lang="en"><title>A page</title><style>*{min-height:4px}</style><body></body></html>',
  );
  await page.addScriptTag({ content: await bundle() });
  const call = (/** @type {string} */ name, /** @type {unknown[]} */ ...args) =>
    page.evaluate(`run.${name}(${JSON.stringify(args).slice(1, -1)})`);
  const rows = [];
  for (let index = 0; index < Number(options.pages); index++) rows.push(...(await runPage(index, call)));
  report(rows);
} finally {
  await browser.close();
}

/** Every change to some elements of one page. @param {number} index @param {(name: string, ...args: unknown[]) => Promise<any>} call */
async function runPage(index, call) {
  const pageSeed = `${options.seed} checked page ${index}`;
  const random = createRandom(pageSeed);
  const all = Object.values(styles);
  const style = /** @type {typeof all[number]} */ (all[index % all.length]);
  const app = createApp(random);
  const keys = random
    .shuffle(listItems(app).filter(({ isTarget }) => isTarget))
    .slice(0, TARGETS_PER_PAGE)
    .map(({ key }) => key);
  // Attributes depend on the seed and the key only.
  const descriptions = await call('pick', renderApp(app, style, firstDeploy, createRandom(pageSeed)), keys);
  const rows = [];
  for (const [at, key] of keys.entries()) {
    const single = Object.keys(changes).map((name) => ({ title: name, names: [name] }));
    const releases = Array.from({ length: RELEASES }, () => ({ title: 'release', names: chooseRelease(random) }));
    for (const { title, names } of [...single, ...releases]) {
      const changing = createRandom(`${pageSeed} ${key} ${names}`);
      const { root, isBreak } = renderChanged(app, key, style, names, changing, createRandom(pageSeed));
      const result = await call('check', root, key, descriptions[at]);
      // A search that finds another element, or none, is a break too.
      rows.push({ title, names, key, ...result, isBroken: isBreak || result.outcome !== 'right' });
    }
  }
  return rows;
}

async function bundle() {
  const contents = `import { checkElement } from '../script/src/check/check-element.ts';
import { find } from '../script/src/page/find.ts';
import { isDurable, suggest, toDescription } from '../script/src/picker/selectors/suggest.ts';
import { createRun } from './check/in-page.mjs';
export const { pick, check } = createRun({ checkElement, find, suggest, isDurable, toDescription });`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: here, loader: 'js' },
    ...{ bundle: true, write: false, format: 'iife', globalName: 'run', tsconfigRaw: {} },
  });
  return outputFiles[0]?.text ?? '';
}

/** @param {any[]} rows */
function report(rows) {
  const broken = rows.filter(({ isBroken }) => isBroken);
  const missed = broken.filter(({ state }) => state === 'found');
  const intact = rows.filter(({ isBroken }) => !isBroken);
  const proposed = rows.filter(({ proposal }) => proposal);
  const wrong = proposed.filter(({ proposal }) => proposal === 'wrong');
  const count = (/** @type {any[]} */ some) => ({
    cases: some.length,
    broken: some.filter(({ isBroken }) => isBroken).length,
    missed: some.filter(({ isBroken, state }) => isBroken && state === 'found').length,
    ...Object.fromEntries(
      ['found', 'by_place', 'fallback', 'several', 'covered', 'missing'].map((name) => [
        name,
        some.filter(({ state }) => state === name).length,
      ]),
    ),
    proposed: some.filter(({ proposal }) => proposal).length,
    wrong: some.filter(({ proposal }) => proposal === 'wrong').length,
  });
  const titles = [...new Set(rows.map(({ title }) => title))];
  console.table(Object.fromEntries(titles.map((name) => [name, count(rows.filter(({ title }) => title === name))])));
  const share = (100 * (broken.length - missed.length)) / Math.max(1, broken.length);
  const quiet = intact.filter(({ state }) => state === 'found').length;
  console.log(
    `${rows.length} changes to ${options.pages} pages: ${broken.length - missed.length} of ${broken.length} breaks reported (${share.toFixed(1)} %, at least ${MIN_CAUGHT} %)`,
  );
  const byPlace = broken.filter(({ state }) => state === 'by_place').length;
  console.log(
    `${byPlace} of these are only reported as found by their place, as they are without a break; of the others, ${broken.length - missed.length - byPlace} of ${broken.length - byPlace} are reported`,
  );
  console.log(`${proposed.length} proposals, ${wrong.length} of them of another element (none may be)`);
  console.log(`${quiet} of ${intact.length} elements that are still found as picked are reported as found`);
  const listed = { missed, wrong }[options.list ?? ''] ?? [];
  for (const { names, key, state, outcome, details } of listed)
    console.log(`${names} ${key}: ${state}, ${outcome} ${JSON.stringify(details)}`);
  if (share < MIN_CAUGHT || wrong.length > 0) process.exitCode = 1;
}
