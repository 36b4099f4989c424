import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/*
 * node script/build.mjs     script/dist: a file a part, named by its content, and manifest.json. Fails over budget.
 */
const home = fileURLToPath(new URL('.', import.meta.url));
const out = `${home}dist/`;

/** What the page of a part may take, in bytes of brotli; see `npm run bench:script`. */
const KB = 1024;
const budgets = { loader: 0.6 * KB, core: 6 * KB, 'core + tour': 12 * KB, 'each further kind': 5 * KB, all: 20 * KB };

const kinds = readdirSync(`${home}src/kinds`)
  .map((name) => name.replace(/\.ts$/, ''))
  .filter((name) => !name.includes('.'));

/** What is wrong with a pattern is told to authors; in a page it is enough that something is. */
const withoutWords = {
  name: 'without-words',
  setup: (build) =>
    build.onLoad({ filter: /url-match\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/(['`])must (?:\\.|(?!\1).)*\1/g, "'!'"),
      loader: 'ts',
    })),
};

/** Patterns are checked when they are published, and few are regular expressions: these come with a part of their own. */
const withoutRegex = {
  name: 'without-regex',
  setup: (build) =>
    build.onLoad({ filter: /linear-regex\.ts$/ }, () => ({
      contents: "export const LONGEST_TEXT=8192;export const linearRegex=()=>({problem:''})",
    })),
};

/**
 * What several kinds have in common comes with the stage, once: a kind is a function of it. In the sources it is imported as
 * anything else.
 */
const sharedImport = /import \{([^}]*)\} from '\.\.\/page\/(box|icon|walk)\.ts';/g;
const shared = {};
for (const kind of kinds)
  for (const [, names, file] of readFileSync(`${home}src/kinds/${kind}.ts`, 'utf8').matchAll(sharedImport))
    shared[file] = new Set([...(shared[file] ?? []), ...valuesIn(names)]);

function valuesIn(names) {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));
}

const fromStage = {
  name: 'from-stage',
  setup: (build) =>
    build.onLoad({ filter: /src\/kinds\/\w+\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(
        sharedImport,
        (_, names) => `const {${valuesIn(names)}} = USHER_SHARED;`,
      ),
      loader: 'ts',
    })),
};

const stage = [
  "import './stage.ts';",
  ...Object.entries(shared).map(([file, names]) => `import {${[...names]}} from './page/${file}.ts';`),
  `usher.kind('shared', {${Object.values(shared).flatMap((names) => [...names])}});`,
].join('\n');

const parts = [
  { name: 'loader', entry: 'loader.ts' },
  { name: 'core', entry: 'core.ts' },
  { name: 'stage', code: stage },
  { name: 'extras', entry: 'extras.ts' },
  { name: 'urls', entry: 'urls.ts', plugins: [withoutWords, withoutRegex] },
  { name: 'urls_regex', entry: 'urls.ts', plugins: [withoutWords] },
  ...kinds.map((name) => ({ name, entry: `kinds/${name}.ts`, plugins: [fromStage], isKind: true })),
];

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const manifest = {};
for (const { name, entry, code, plugins = [], isKind } of parts) {
  const { outputFiles } = await build({
    ...(code
      ? { stdin: { contents: code, resolveDir: `${home}src`, loader: 'ts' } }
      : { entryPoints: [`${home}src/${entry}`] }),
    ...{
      bundle: true,
      minify: true,
      write: false,
      format: 'iife',
      target: ['es2022'],
      legalComments: 'none',
      tsconfigRaw: {},
    },
    ...{ plugins, define: { USHER_PART: JSON.stringify(name), USHER_SHARED: 'u' }, outdir: out },
  });
  const built = outputFiles[0].text.trim();
  const text = isKind ? `window.usher.kind("${name}",u=>{${built}})` : built;
  const bytes = Buffer.from(text);
  const file = `${name}-${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}.js`;
  const gzip = gzipSync(bytes, { level: 9 });
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
  for (const [ending, content] of Object.entries({ '': bytes, '.gz': gzip, '.br': brotli }))
    writeFileSync(out + file + ending, content);
  manifest[name] = {
    file,
    bytes: bytes.length,
    gzip: gzip.length,
    brotli: brotli.length,
    integrity: `sha384-${createHash('sha384').update(bytes).digest('base64')}`,
  };
}
writeFileSync(`${out}manifest.json`, `${JSON.stringify(manifest, null, 2)}\n`);
await build({ entryPoints: [`${home}src/npm.ts`], outfile: `${out}npm/index.js`, format: 'esm', target: ['es2022'] });

const total = (...names) => names.reduce((sum, name) => sum + (manifest[name]?.brotli ?? 0), 0);
const further = kinds.filter((name) => name !== 'tour');
const measured = {
  loader: total('loader'),
  core: total('core'),
  'core + tour': total('core', 'stage', 'tour'),
  'each further kind': Math.max(0, ...further.map((name) => total(name))),
  all: total('core', 'stage', 'extras', 'urls', ...kinds),
};
console.table(
  Object.fromEntries(Object.entries(manifest).map(([name, { integrity: _, file: __, ...sizes }]) => [name, sizes])),
);
console.table(
  Object.fromEntries(Object.entries(measured).map(([name, brotli]) => [name, { brotli, budget: budgets[name] }])),
);
const over = Object.keys(budgets).filter((name) => measured[name] > budgets[name]);
if (over.length > 0) {
  console.error(`Over budget: ${over.join(', ')}`);
  process.exit(1);
}
