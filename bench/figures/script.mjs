import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { openBrowser } from '../browser.mjs';
import { percentile } from '../numbers.mjs';

const manifestFile = new URL('../../script/dist/manifest.json', import.meta.url);
const KB = 1024;
const KINDS = ['tour', 'survey', 'launcher', 'tooltip', 'embed'];

/**
 * What other libraries for tours load. They are unpacked into the folder of the run and are never
 * dependencies; React, which pages may have already, is left out.
 */
const OTHERS = {
  'driver.js': "export { driver } from 'driver.js'; import 'driver.js/dist/driver.css';",
  'react-joyride': "export * from 'react-joyride';",
  'shepherd.js': "export { default } from 'shepherd.js'; import 'shepherd.js/dist/css/shepherd.css';",
  'intro.js': "export { default } from 'intro.js'; import 'intro.js/introjs.css';",
};

/**
 * Measures the bytes that browsers load.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function scriptSize(bench) {
  /** @type {Record<string, { brotli: number, gzip: number }>} */
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
  const sum = (/** @type {'brotli' | 'gzip'} */ how, /** @type {string[]} */ ...parts) =>
    parts.reduce((total, part) => total + (manifest[part]?.[how] ?? 0), 0);
  const further = KINDS.filter((kind) => kind !== 'tour');
  const all = ['core', 'renderer', 'extras', 'scripts', ...KINDS];
  const largest = further.reduce((one, other) => (sum('brotli', one) > sum('brotli', other) ? one : other));
  /** @type {import('../harness.mjs').Result[]} */
  const results = [
    ['loader', 0.6, ['loader']],
    ['core', 6, ['core']],
    ['core+tour', 15, ['core', 'renderer', 'tour']],
    [`largest further (${largest})`, 5, [largest]],
    ['all', 26, all],
  ].flatMap(([part, most, parts]) => [
    { part: `${part}.brotli`, value: sum('brotli', ...parts), unit: 'bytes', target: { most: most * KB } },
    { part: `${part}.gzip`, value: sum('gzip', ...parts), unit: 'bytes' },
  ]);
  if (bench.quick) return results;
  const ours = sum('brotli', 'loader', 'core', 'renderer', 'tour');
  for (const [name, { brotli, gzip }] of Object.entries(await sizesOfOthers(bench)))
    results.push(
      { part: `${name}.brotli`, value: brotli, unit: 'bytes' },
      { part: `${name}.gzip`, value: gzip, unit: 'bytes' },
      { part: `tour against ${name}`, value: ours / brotli, unit: 'ratio' },
    );
  return results;
}

/** @param {import('../harness.mjs').Bench} bench */
async function sizesOfOthers(bench) {
  const folder = join(bench.folder, 'others');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private": true}');
  /** @type {Record<string, { brotli: number, gzip: number }>} */
  const sizes = {};
  for (const [name, code] of Object.entries(OTHERS)) {
    try {
      execFileSync('npm', ['install', '--ignore-scripts', '--no-save', '--legacy-peer-deps', name], {
        cwd: folder,
        stdio: 'ignore',
      });
      const { outputFiles } = await build({
        stdin: { contents: code, resolveDir: folder },
        bundle: true,
        minify: true,
        write: false,
        format: 'esm',
        target: ['es2022'],
        external: ['react', 'react-dom', 'react/jsx-runtime'],
        define: { 'process.env.NODE_ENV': '"production"' },
        outdir: folder,
        logLevel: 'silent',
      });
      const contents = outputFiles.map(({ contents }) => Buffer.from(contents));
      sizes[name] = {
        brotli: contents.reduce((total, one) => total + brotli(one), 0),
        gzip: contents.reduce((total, one) => total + gzipSync(one, { level: 9 }).length, 0),
      };
    } catch (error) {
      bench.note(`${name} could not be measured: ${/** @type {Error} */ (error).message.split('\n')[0]}`);
    }
  }
  return sizes;
}

/** @param {Buffer} content */
function brotli(content) {
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }).length;
}

/**
 * Measures the effect on a page with a tour, by the browser's own trace and clock.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function scriptPage(bench) {
  const app = await openBrowser(bench);
  const rounds = bench.quick ? 3 : 40;

  const evaluations = [...(await evaluationAt(app, 4, bench.quick)), ...(await evaluationAt(app, 1, bench.quick))];
  const page = await app.newPage();
  const paints = [];
  let shift = 0;
  let longTasks = 0;
  let longTasksWithout = 0;
  for (let round = 0; round < rounds; round++) {
    await page.goto(app.address(`/tour?user=${round}`));
    const seen = await page.evaluate(() => /** @type {any} */ (window).seen);
    paints.push(seen.paintedAt - seen.respondedAt);
    shift += seen.shift;
    longTasks += seen.longTasks;
    await page.goto(app.address('/without'));
    longTasksWithout += await page.evaluate(() => /** @type {any} */ (window).longTasksWithout);
  }
  const frames = [];
  for (let round = 0; round < (bench.quick ? 3 : 20); round++) {
    await page.goto(app.address(`/later?user=${round}`));
    frames.push(await page.evaluate(() => /** @type {any} */ (window).framesUntilPainted()));
  }
  return [
    ...evaluations,
    { part: 'long tasks', value: longTasks, unit: 'tasks', target: { most: 0 } },
    { part: 'long tasks without the script', value: longTasksWithout, unit: 'tasks' },
    { part: 'layout shift', value: shift, unit: 'score', target: { most: 0 } },
    { part: 'response to paint, p95', value: percentile(paints, 0.95), unit: 'ms', target: { most: 50 } },
    { part: 'insertion to paint', value: Math.max(...frames), unit: 'frames', target: { most: 2 } },
  ];
}

/**
 * Measures the first page, with an empty cache, and later ones, for which the browser has cached the files and the compiled
 * code. Each is compared with as many files of the same size that only load each other.
 * @param {Awaited<ReturnType<typeof openBrowser>>} app
 * @param {number} slower
 * @param {boolean} quick
 */
async function evaluationAt(app, slower, quick) {
  /** @type {import('../harness.mjs').Result[]} */
  const results = [];
  for (const isFirst of [true, false]) {
    const how = { slower, isFirst };
    // The browser caches compiled code when it loads a file for the second time.
    for (let round = 0; round < 3 && !isFirst; round++)
      for (const idle of [true, false]) await app.evaluation({ slower: 1, isFirst, idle });
    /** @type {number[][]} */
    const [evaluated = [], called = [], least = []] = [[], [], []];
    for (let round = 0; round < (quick ? 2 : 9); round++) {
      const ours = await app.evaluation(how);
      evaluated.push(ours.evaluated);
      called.push(ours.called);
      least.push((await app.evaluation({ ...how, idle: true })).evaluated);
    }
    const name = `${slower > 1 ? `, ${slower} × slower` : ''}, ${isFirst ? 'first page' : 'later pages'}`;
    const target = slower > 1 ? { target: { most: 5 } } : {};
    results.push(
      { part: `evaluation${name}`, value: percentile(evaluated, 0.5), unit: 'ms', ...target },
      { part: `evaluation of idle files${name}`, value: percentile(least, 0.5), unit: 'ms' },
      { part: `calls after it${name}`, value: percentile(called, 0.5), unit: 'ms' },
    );
  }
  return results;
}

/**
 * Measures an idle page without Experiences.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function scriptIdle(bench) {
  const app = await openBrowser(bench);
  const idle = await app.idle(bench.quick ? 3 : 60);
  return Object.entries(idle).map(([part, value]) => ({ part, value, unit: part, target: { most: 0 } }));
}
