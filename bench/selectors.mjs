import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { findChromium } from '../scripts/chromium.mjs';
import { changeApp, firstDeploy } from './selectors/change-app.mjs';
import { createApp, listItems } from './selectors/create-app.mjs';
import { createRandom } from './selectors/random.mjs';
import { renderApp } from './selectors/render-app.mjs';
import { styles } from './selectors/styles.mjs';

/*
 * npm run bench:selectors                          which elements are still found after a deploy
 * npm run bench:selectors -- --seed 7              on other pages, with other changes
 * npm run bench:selectors -- --script ../old/script   also with the generator of another checkout
 * npm run bench:selectors -- --list wrong          lists the targets with this outcome, with their descriptions
 */

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    pages: { type: 'string', default: '66' },
    script: { type: 'string', multiple: true, default: [] },
    list: { type: 'string' },
  },
});

const here = fileURLToPath(new URL('.', import.meta.url));
const versions = [resolve(here, '../script'), ...options.script.map((path) => resolve(path))];
const MAX_TARGETS_PER_PAGE = 24;

const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
try {
  const page = await browser.newPage();
  await page.setContent(
    '<!doctype html><html lang="en"><title>A page</title><style>*{min-height:4px}</style><body></body></html>',
  );
  await page.addScriptTag({ content: await bundle() });
  const names = /** @type {string[]} */ (await page.evaluate('contest.generators.map(({ name }) => name)'));
  const rows = [];
  for (let index = 0; index < Number(options.pages); index++) {
    const { before, after, targets, style, changes } = createCase(index);
    const outcomes = await page.evaluate(`contest.run(${JSON.stringify([before, after, targets]).slice(1, -1)})`);
    for (const [at, results] of outcomes.entries()) rows.push({ style, changes, target: targets[at], results });
  }
  report(names, rows);
} finally {
  await browser.close();
}

/** One page before and after a deploy. @param {number} index */
function createCase(index) {
  const random = createRandom(`${options.seed} page ${index}`);
  const [style = '', written] = Object.entries(styles)[index % Object.keys(styles).length] ?? [];
  if (!written) throw new Error('There are no styles');
  const app = createApp(random);
  const changed = changeApp(app, createRandom(`${options.seed} deploy ${index}`));
  const targets = random.shuffle(listItems(app).filter(({ isTarget }) => isTarget)).slice(0, MAX_TARGETS_PER_PAGE);
  return {
    ...{ style, changes: changed.changes, targets: targets.map(({ key }) => key) },
    before: renderApp(app, written, firstDeploy, random),
    after: renderApp(changed.app, written, changed.deploy, random),
  };
}

/** The generators of each version and the references, as one script for the page. */
async function bundle() {
  const imports = versions.map(
    (
      path,
      index,
    ) => `import { suggest as suggest${index} } from ${JSON.stringify(`${path}/src/picker/selectors/suggest.ts`)};
import { find as find${index} } from ${JSON.stringify(`${path}/src/page/find.ts`)};`,
  );
  const list = versions.map((path, index) => {
    const name = index === 0 ? 'usher' : basename(resolve(path, '..'));
    return `...generatorsOf({ name: ${JSON.stringify(name)}, suggest: suggest${index}, find: find${index} })`;
  });
  const contents = `${imports.join('\n')}
import { generatorsOf, references, runContest } from ${JSON.stringify(`${here}selectors/in-page.mjs`)};
export const generators = [...references, ${list.join(', ')}];
export const run = (...args) => runContest(generators, ...args);`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: here, loader: 'js' },
    ...{ bundle: true, write: false, format: 'iife', globalName: 'contest', tsconfigRaw: {} },
  });
  return outputFiles[0]?.text ?? '';
}

/**
 * @param {string[]} names
 * @param {{ style: string, changes: string[], target: string | undefined, results: any[] }[]} rows
 */
function report(names, rows) {
  const pages = Number(options.pages);
  const gone = rows.filter(({ results }) => results[0].isGone).length;
  console.log(
    `${pages} pages, ${rows.length} targets, ${gone} of them gone after the deploy (right: nothing is found)`,
  );
  const count = (/** @type {typeof rows} */ some, /** @type {number} */ at) => {
    const share = (/** @type {string} */ outcome) => {
      const number = some.filter(({ results }) => results[at].outcome === outcome).length;
      return `${number} (${((100 * number) / Math.max(1, some.length)).toFixed(1)} %)`;
    };
    return { right: share('right'), missing: share('missing'), wrong: share('wrong') };
  };
  console.table(Object.fromEntries(names.map((name, at) => [name, count(rows, at)])));
  const shown = names.findIndex((name) => name.endsWith('without positional'));
  const group = (
    /** @type {string} */ title,
    /** @type {string[]} */ groups,
    /** @type {(row: typeof rows[number], name: string) => boolean} */ isIn,
  ) => {
    console.log(`${names[shown]}, by ${title}:`);
    console.table(
      Object.fromEntries(
        groups.map((name) => [
          name,
          count(
            rows.filter((row) => isIn(row, name)),
            shown,
          ),
        ]),
      ),
    );
  };
  group('style', Object.keys(styles), ({ style }, name) => style === name);
  group('change', [...new Set(rows.flatMap(({ changes }) => changes))].sort(), ({ changes }, name) =>
    changes.includes(name),
  );
  if (!options.list) return;
  for (const { style, target, changes, results } of rows)
    if (results[shown].outcome === options.list)
      console.log(
        `${style} ${target} [${changes}] ${results[shown].isGone ? 'gone ' : ''}${JSON.stringify(results[shown].descriptions)}`,
      );
}
