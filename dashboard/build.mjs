import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { dashboardStamp } from '../server/build.js';
import { firstLoads } from './first-load.mjs';

/*
 * Usage: node dashboard/build.mjs [--test]
 *
 * Builds the dashboard into dashboard/dist/app, every file also as .br and .gz. It prints what a first visit loads, warns if that
 * is larger than its budget, and fails if it is much larger. With --test it builds into dashboard/dist/test, with the page /app/_ui.
 */

/** Kilobytes of brotli that a first visit may load as JavaScript, on its slowest route. */
const FIRST_LOAD_BUDGET = 200;
/** Pages that paint what users see while it is edited. */
const EDITOR_BUDGET = 300;
const editors = ['themes/theme-page', 'experiences/content/content-tab'];
/** Kilobytes of brotli that the text editor may add to its tab. */
const TEXT_EDITOR_BUDGET = 80;
/** The build only warns until a page is larger than this many budgets. */
const TOLERANCE = 1.1;

const root = fileURLToPath(new URL('.', import.meta.url));
const isTest = process.argv.includes('--test');
const out = join(root, 'dist', isTest ? 'test' : 'app');
/** Two builds at the same time do not disturb each other. */
const next = `${out}.${process.pid}`;

const stamp = dashboardStamp();
// Otherwise a server that is started with another value would build a version of React for its developers.
process.env.NODE_ENV = 'production';
process.chdir(root);
mkdirSync(join(root, 'dist'), { recursive: true });
await build({
  configFile: join(root, 'vite.config.mjs'),
  mode: isTest ? 'test' : 'production',
  logLevel: 'warn',
  build: { outDir: next },
});
const sizes = compressFiles();
writeFileSync(join(next, 'stamp'), stamp);
rmSync(out, { recursive: true, force: true });
renameSync(next, out);
if (!isTest) checkBudget();

/** Writes each file also as .br and .gz, and returns the sizes of the brotli files. */
function compressFiles() {
  const sizes = new Map();
  const assets = join(next, 'assets');
  for (const name of readdirSync(assets)) {
    const content = readFileSync(join(assets, name));
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: isTest ? 9 : 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    };
    const brotli = brotliCompressSync(content, { params });
    writeFileSync(join(assets, `${name}.br`), brotli);
    writeFileSync(join(assets, `${name}.gz`), gzipSync(content, { level: 9 }));
    sizes.set(`assets/${name}`, brotli.length);
  }
  return sizes;
}

function checkBudget() {
  const { pages, shared, textEditor } = firstLoads(out);
  const styles = [...sizes].filter(([file]) => file.endsWith('.css')).reduce((sum, [, size]) => sum + size, 0);
  console.log('First load of each page, kilobytes of brotli JavaScript:');
  for (const { page, kilobytes } of pages) console.log(`  ${kilobytes.toFixed(1).padStart(6)}  ${page}`);
  console.log(`  ${shared.toFixed(1).padStart(6)}  what all pages share`);
  console.log(`  ${(styles / 1024).toFixed(1).padStart(6)}  styles`);
  console.log(`  ${textEditor.toFixed(1).padStart(6)}  the text editor, with the tab that shows it`);
  if (textEditor > TEXT_EDITOR_BUDGET) {
    console.error(`The text editor has more than ${TEXT_EDITOR_BUDGET} KB.`);
    process.exitCode = 1;
  }
  const budgetOf = (/** @type {string} */ page) => (editors.includes(page) ? EDITOR_BUDGET : FIRST_LOAD_BUDGET);
  // The other tabs of an Experience are listed, but have no budget.
  const large = pages.filter(
    ({ page, kilobytes }) => (page.endsWith('-page') || editors.includes(page)) && kilobytes > budgetOf(page),
  );
  if (large.length === 0) return;
  console.error(
    `More than ${FIRST_LOAD_BUDGET} KB, or ${EDITOR_BUDGET} for an editor: ${large.map(({ page }) => page).join(', ')}`,
  );
  if (large.some(({ page, kilobytes }) => kilobytes > budgetOf(page) * TOLERANCE)) process.exitCode = 1;
}
