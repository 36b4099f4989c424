import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { minify } from 'terser';
import { cssText } from './css-plugin.mjs';

/*
 * Usage: node script/build.mjs
 *
 * Builds the browser script into script/dist: one file for each module, with a hash of its content in its name, and manifest.json.
 * It also builds the npm package into script/dist/npm. It warns about modules that are larger than their budget, and fails if one is
 * far larger.
 */

const root = fileURLToPath(new URL('.', import.meta.url));
/** The kinds with a file of their own. Tours are in the file of the renderer. */
const furtherKinds = readdirSync(`${root}src/kinds`).flatMap((name) => /^(?!tour|traits)\w+(?=\.ts$)/.exec(name) ?? []);

/** The entry point of each module. */
const entryPoints = {
  loader: 'src/loader.ts',
  core: 'src/core.ts',
  renderer: 'src/renderer.ts',
  extras: 'src/extras.ts',
  extras_regex: 'src/extras-regex.ts',
  scripts: 'src/scripts.ts',
  media: 'src/media.ts',
  tour_extras: 'src/tour-extras.ts',
  page_events: 'src/page-events.ts',
  stream: 'src/stream.ts',
  anonymous: 'src/anonymous.ts',
  consent: 'src/consent.ts',
  debug: 'src/debug.ts',
  ...Object.fromEntries(furtherKinds.map((kind) => [kind, `src/kinds/${kind}.ts`])),
  questions: 'src/questions.ts',
  picker: 'src/picker.ts',
  try: 'src/try.ts',
  // These are last, because short names of properties are assigned in this order, and few pages of users load these.
  preview: 'src/preview.ts',
  survey_page: 'src/survey-page.ts',
  // Only pages with the snippet of another service load it, before the loader.
  alias: 'src/alias.ts',
};

/** The modules that a page loads, and their budget in kilobytes of brotli. `npm run bench:script` measures what they do to a page. */
const budgets = [
  { name: 'loader', modules: ['loader'], max: 0.6 },
  { name: 'core', modules: ['core'], max: 6 },
  { name: 'core + tour', modules: ['core', 'renderer'], max: 15 },
  ...furtherKinds.map((kind) => ({ name: kind, modules: [kind], max: 5 })),
  { name: 'media', modules: ['media'], max: 2 },
  // A step that waits until people are about to leave, or have scrolled, takes 0.5 of it.
  { name: 'tour extras', modules: ['tour_extras'], max: 3.25 },
  { name: 'questions', modules: ['questions'], max: 3.5 },
  { name: 'page events', modules: ['page_events'], max: 1.25 },
  { name: 'stream', modules: ['stream'], max: 1.25 },
  { name: 'anonymous', modules: ['anonymous'], max: 0.5 },
  { name: 'consent', modules: ['consent'], max: 1 },
  { name: 'debug', modules: ['debug'], max: 7 },
  { name: 'picker', modules: ['picker'], max: 17 },
  { name: 'try', modules: ['try'], max: 6 },
  // Only the dashboard loads it. It fills in merge tags with conditions, and holds the catalog of fields.
  { name: 'preview', modules: ['preview'], max: 10 },
  // Only the public page of a survey loads it, instead of the core.
  { name: 'survey page', modules: ['survey_page'], max: 3.25 },
  { name: 'alias', modules: ['alias'], max: 1.75 },
  { name: 'all', modules: ['core', 'renderer', 'extras', 'scripts', ...furtherKinds], max: 28 },
];

/** A budget may be exceeded for a while, but not by more than this factor. */
const TOLERANCE = 1.15;

/*
 * With this comment, Chromium compiles all functions of a file in the background while the file loads, instead of in the page at the
 * first call of each. It saves 0.9 of 2.3 ms for the core, and 4 of 20 ms in the task that paints the first tour. The server adds
 * it to the loader.
 */
const compileHint = '//# allFunctionsCalledOnLoad';
const hintedModules = ['core', 'renderer'];

/*
 * Names of properties with a capital letter inside, such as `skipTriggers`, are internal: what the server, the page and the storage
 * see is in lower case. Terser makes them shorter, the same in all modules, and keeps the names of the platform that it knows. These
 * it does not know; script/test/mangled-names.test.ts finds further ones. It saves 420 of 22,000 bytes.
 */
const internalName = /^[a-z]+[A-Z]/;
const platformNames = ['preventScroll', 'visibilityProperty'];
/** Names that pages call or set. */
const publicNames = ['isShowing', 'usherSettings'];
const nameCache = {};

const packageFiles = {
  'src/index.d.ts': 'index.d.ts',
  'src/kinds/names.d.ts': 'kinds/names.d.ts',
  'package-readme.md': 'README.md',
  '../LICENSE': 'LICENSE',
};

const out = `${root}dist/`;
mkdirSync(out, { recursive: true });
const manifest = {};
const files = {};
for (const [name, entryPoint] of Object.entries(entryPoints)) {
  const bytes = Buffer.from(await bundle(entryPoint, hintedModules.includes(name) ? compileHint : undefined));
  const file = `${name}-${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}.js`;
  const gzip = gzipSync(bytes, { level: 9 });
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
  Object.assign(files, { [file]: bytes, [`${file}.gz`]: gzip, [`${file}.br`]: brotli });
  const integrity = `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
  manifest[name] = { file, bytes: bytes.length, gzip: gzip.length, brotli: brotli.length, integrity };
}
// The file of the renderer also contains tours.
manifest.tour = { ...manifest.renderer, bytes: 0, gzip: 0, brotli: 0 };
files['mangled-names.json'] = JSON.stringify(Object.keys(nameCache.props.props).map((key) => key.slice(1)));
// `usher check` reads it from this folder, and no page of users loads it. Its names stay as they are.
files['check.js'] = await bundleReadable('src/check.ts');
writeFiles();
await buildPackage();
checkBudgets();

/** Bundles a module into one script. Terser makes it 3 % smaller than esbuild alone. */
async function bundle(entryPoint, preamble) {
  const readable = await bundleReadable(entryPoint);
  const { code } = await minify(readable, {
    ecma: 2022,
    // `toplevel` and `pure_getters` stay off: they leak variables into the page and move reads of `document.currentScript`.
    // Sequences make the code shorter, but not after compression.
    compress: {
      ...{ passes: 4, sequences: false, keep_fargs: false, hoist_funs: true },
      // No function of ours uses `this` or is called with `new`, unless it is written with the word `function`.
      ...{ unsafe_arrows: true, unsafe_methods: true, unsafe: true },
    },
    mangle: { properties: { regex: internalName, reserved: [...platformNames, ...publicNames], keep_quoted: true } },
    nameCache,
    format: { preamble },
  });
  return code;
}

async function bundleReadable(entryPoint) {
  const { outputFiles } = await build({
    entryPoints: [root + entryPoint],
    bundle: true,
    plugins: [cssText],
    minifySyntax: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    tsconfigRaw: {},
  });
  return outputFiles[0].text;
}

/** Writes the new files, then the manifest, and deletes the old files last, because a server may be reading them. */
function writeFiles() {
  const old = readdirSync(out, { withFileTypes: true }).filter((entry) => entry.isFile() && !(entry.name in files));
  for (const [file, content] of Object.entries(files)) writeFileSync(out + file, content);
  writeFileSync(`${out}manifest.next`, `${JSON.stringify(manifest, null, 2)}\n`);
  renameSync(`${out}manifest.next`, `${out}manifest.json`);
  for (const { name } of old) if (name !== 'manifest.json') rmSync(out + name, { force: true });
}

/** Builds the npm package: the snippet, which loads the script from the server. */
async function buildPackage() {
  await build({
    entryPoints: [`${root}src/npm.ts`],
    outfile: `${out}npm/index.js`,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    // Servers that render pages have no window.
    define: { window: 'globalThis' },
  });
  mkdirSync(`${out}npm/kinds`, { recursive: true });
  for (const [from, to] of Object.entries(packageFiles)) copyFileSync(root + from, `${out}npm/${to}`);
  const { version, license } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  const exports = { '.': { types: './index.d.ts', default: './index.js' } };
  const description =
    'Loads the browser script of a self-hosted Usher server: tours, surveys, launchers, tooltips and embeds';
  const content = { name: 'usher-browser', version, description, license, type: 'module', exports };
  writeFileSync(`${out}npm/package.json`, `${JSON.stringify(content, null, 2)}\n`);
}

function checkBudgets() {
  const sizes = Object.entries(manifest).map(([name, { bytes, gzip, brotli }]) => [name, { bytes, gzip, brotli }]);
  console.table(Object.fromEntries(sizes));
  const results = budgets.map(({ name, modules, max }) => {
    const brotli = modules.reduce((sum, module) => sum + manifest[module].brotli, 0);
    const budget = Math.floor(max * 1024);
    return [name, { brotli, budget, result: brotli > budget ? 'short' : 'ok' }];
  });
  console.table(Object.fromEntries(results));
  const exceeded = results.filter(([, { brotli, budget }]) => brotli > budget * TOLERANCE).map(([name]) => name);
  if (exceeded.length === 0) return;
  console.error(`Too far over budget: ${exceeded.join(', ')}`);
  // The exit code is not 1, because the files are complete, and `npm start` serves them without a word about sizes.
  process.exitCode = 2;
}
