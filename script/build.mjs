import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { minify } from 'terser';

/*
 * node script/build.mjs     script/dist: a file a part, named by its content, and manifest.json. Fails over budget.
 */
const home = fileURLToPath(new URL('.', import.meta.url));
const out = `${home}dist/`;
mkdirSync(out, { recursive: true });

/** What the page of a part may take, in bytes of brotli; see `npm run bench:script`. */
const KB = 1024;
const budgets = { loader: 0.6 * KB, core: 6 * KB, 'core + tour': 13 * KB, 'each further kind': 5 * KB, all: 22 * KB };

const kinds = readdirSync(`${home}src/kinds`)
  .map((name) => name.replace(/\.ts$/, ''))
  .filter((name) => !name.includes('.'));
/** It is so small that a file of its own would take longer to ask for than to load: in the file of the stage. */
const withStage = 'tour';

/*
 * Names that parts call each other's things by, the most frequent first: each becomes a short one, the same in all parts.
 * None of them may be a name of the wire, of the public API or of the browser. It saves 380 bytes of 20,900.
 */
const internal =
  'make write words report root end go scheme startAt hashParams params authority hasHost press stop foot banner painted waitFor began enter group skipUrls isHere isSeen ask again changed walkThrough draw toFunction settle say tail anchor code event delay skip admitted ownButtons rowOf wayOut openBox stopAll footOf nameOf middle opener noElement idle lost miss missed found paint leave isEntered look over watch never arrow reveal isUsed follow escape place waitForElement run address addressIn load config answered answers skipTriggers take failed drain isEmpty icon tick'.split(
    ' ',
  );
/** What is said of the wire and of the public API in the types: up to where the rest begins. */
const wire = [
  ...['src/index.d.ts', 'export interface UsherEvents'],
  ...['src/kind.ts', '/** One Experience that is being shown. */'],
  ...['src/config.ts', '/** Loads a part;'],
  ...['src/engine/plan.ts', '/** One thing to start'],
];
for (let at = 0; at < wire.length; at += 2) {
  const text = readFileSync(home + wire[at], 'utf8');
  const said = text.slice(0, text.indexOf(wire[at + 1]));
  for (const [, name] of said.matchAll(/^ +'?(\w+)'?\??[:(]/gm))
    if (internal.includes(name)) throw new Error(`${name} is a name of ${wire[at]}: it must stay as it is`);
}
/** Without those that are in use: `c` and `q` of the page, `x`, `l`, `n`, `k` of visits, `t`, `x`, `y` of objects. */
const letters = [...'aeiosrudmpfghbvwjzABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const shortNames = Object.fromEntries(
  internal.map((name, at) => [name, letters[at] ?? `${letters[at - letters.length]}e`]),
);

/** The same for the custom properties of our style sheets; those that pages set begin with `--usher-`. It saves 80 bytes. */
const cssNames = 'accent bg radius fg soft line edge tint shade on good arrow done count at'.split(' ');
const cssName = new RegExp(`--(${cssNames.join('|')})\\b(?!-)`, 'g');
const shortenCss = (text) => text.replace(cssName, (_, name) => `--${letters[cssNames.indexOf(name)]}`);

/*
 * What the server needs of a rule and a page does not: patterns are checked when they are published, so here they have no
 * problems, and nobody looks for them by an anchor; of a text only options are left, and these are known. It saves 220 bytes.
 */
const ofServer = {
  'url-match.ts': [
    [/(['`])must (?:\\.|(?!\1).)*\1/g, "'!'"],
    [/ +if \(url === ''\).*\n.*LONGEST_URL\).*\n/, ''],
    [/ +const problem = problemOfParts.*\n.*\n/, ''],
    [/anchor: anchorAt\(.*\),/, 'anchor: {},'],
    [/ +anchor = anchorAt\(.*\n/, ''],
  ],
  'merge.ts': [
    [/if \(answer !== undefined\) return (.*)\n.*\n.*\n.*return \[rest\];/, 'return $1'],
    [/value === later \? tag : /, ''],
    [/ +if \(value === later\).*\n/, ''],
  ],
};
const withoutServer = {
  name: 'without-server',
  setup: (build) =>
    build.onLoad({ filter: /(url-match|merge)\.ts$/ }, ({ path }) => {
      let contents = readFileSync(path, 'utf8');
      for (const [from, to] of ofServer[path.replace(/.*\//, '')]) {
        if (contents.search(from) < 0) throw new Error(`${path} has no ${from}`);
        contents = contents.replace(from, to);
      }
      return { contents, loader: 'ts' };
    }),
};

/** Few patterns are regular expressions: these come with a part of their own. */
const withoutRegex = {
  name: 'without-regex',
  setup: (build) =>
    build.onLoad({ filter: /linear-regex\.ts$/ }, () => ({
      contents: "export const LONGEST_TEXT=2048;export const linearRegex=()=>({problem:''})",
    })),
};

/**
 * What several kinds have in common comes with the stage, once: a kind is a function of it that answers how it paints. In the
 * sources it is imported as anything else.
 */
const sharedImport = /import \{([^}]*)\} from '\.\.\/page\/(box|icon|walk)\.ts';/g;
const sourceOf = (kind) => readFileSync(`${home}src/kinds/${kind}.ts`, 'utf8');
const shared = {};
for (const kind of kinds.filter((kind) => kind !== withStage))
  for (const [, names, file] of sourceOf(kind).matchAll(sharedImport))
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
      contents: readFileSync(path, 'utf8')
        .replace(sharedImport, (_, names) => `const {${valuesIn(names)}} = USHER_SHARED;`)
        .replace(/^import \{ register \}.*/m, '')
        .replace(/^register\('\w+', (\w+)\);/m, 'USHER_PAINT = $1;'),
      loader: 'ts',
    })),
};

const stage = [
  "import './stage.ts';",
  ...Object.entries(shared).map(([file, names]) => `import {${[...names]}} from './page/${file}.ts';`),
  `window.usher.kind('shared', {${Object.values(shared).flatMap((names) => [...names])}});`,
  `import './kinds/${withStage}.ts';`,
].join('\n');

const asFactory = {
  name: 'as-factory',
  setup: (build) =>
    build.onLoad({ filter: /src\/kinds\/\w+\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/^register\(('\w+'), (\w+)\)/m, 'register($1, () => $2)'),
      loader: 'ts',
    })),
};

const parts = [
  { name: 'loader', entry: 'loader.ts' },
  { name: 'core', entry: 'core.ts' },
  { name: 'stage', code: stage, plugins: [asFactory] },
  { name: 'extras', entry: 'extras.ts', plugins: [withoutServer, withoutRegex] },
  { name: 'extras_regex', entry: 'extras.ts', plugins: [withoutServer] },
  { name: 'scripts', entry: 'code.ts' },
  ...kinds
    .filter((name) => name !== withStage)
    .map((name) => ({ name, entry: `kinds/${name}.ts`, plugins: [fromStage], isKind: true })),
];

/*
 * Chromium then compiles all functions of a file beside the page, as the file comes, rather than in the page, as each is first
 * called. It takes 0.9 ms of 2.3 from the core, and 4 of 20 from the task in which a first tour is painted. The server says it
 * of the loader.
 */
const hint = '//# allFunctionsCalledOnLoad\n';

const manifest = {};
const written = {};
for (const { name, entry, code, plugins = [], isKind } of parts) {
  const { outputFiles } = await build({
    ...(code
      ? { stdin: { contents: code, resolveDir: `${home}src`, loader: 'ts' } }
      : { entryPoints: [`${home}src/${entry}`] }),
    ...{ bundle: true, minifySyntax: true, write: false, outdir: out, target: ['es2022'], legalComments: 'none' },
    ...{ format: isKind ? 'esm' : 'iife', charset: 'utf8', tsconfigRaw: {}, plugins },
    define: { USHER_PART: JSON.stringify(name), USHER_SHARED: 'shared' },
    ...{ mangleProps: new RegExp(`^(${internal.join('|')})$`), mangleCache: { ...shortNames } },
  });
  const bundled = outputFiles[0].text;
  const text = await shorten(
    isKind
      ? `window.usher.kind("${name}",(shared)=>{${bundled.replace(/USHER_PAINT = (\w+);/, 'return $1;')}})`
      : bundled,
  );
  const bytes = Buffer.from(name === 'loader' ? text : `${hint}${text}`);
  const file = `${name}-${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}.js`;
  const gzip = gzipSync(bytes, { level: 9 });
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
  Object.assign(written, { [file]: bytes, [`${file}.gz`]: gzip, [`${file}.br`]: brotli });
  manifest[name] = {
    file,
    bytes: bytes.length,
    gzip: gzip.length,
    brotli: brotli.length,
    integrity: `sha384-${createHash('sha384').update(bytes).digest('base64')}`,
  };
}
manifest[withStage] = { ...manifest.stage, bytes: 0, gzip: 0, brotli: 0 };
// Somebody may be reading what was there: that goes last, when the manifest names what has come.
const before = readdirSync(out, { withFileTypes: true }).filter((entry) => entry.isFile());
for (const [file, content] of Object.entries(written)) writeFileSync(out + file, content);
writeFileSync(`${out}manifest.next`, `${JSON.stringify(manifest, null, 2)}\n`);
renameSync(`${out}manifest.next`, `${out}manifest.json`);
for (const { name } of before) if (!(name in written) && name !== 'manifest.json') rmSync(out + name);

await build({ entryPoints: [`${home}src/npm.ts`], outfile: `${out}npm/index.js`, format: 'esm', target: ['es2022'] });
copyFileSync(`${home}src/index.d.ts`, `${out}npm/index.d.ts`);
const { version, license } = JSON.parse(readFileSync(`${home}package.json`, 'utf8'));
const exported = { '.': { types: './index.d.ts', default: './index.js' } };
writeFileSync(
  `${out}npm/package.json`,
  `${JSON.stringify({ name: 'usher', version, license, type: 'module', exports: exported }, null, 2)}\n`,
);

/** Once more, by one who is better at it than the bundler: it saves 650 bytes of 21,800. */
async function shorten(code) {
  const { code: short } = await minify(shortenCss(code), {
    ecma: 2022,
    toplevel: true,
    // Sequences are shorter, but not once they are compressed.
    compress: { passes: 3, sequences: false, pure_getters: true, keep_fargs: false },
  });
  return short;
}

const total = (...names) => names.reduce((sum, name) => sum + manifest[name].brotli, 0);
const further = kinds.filter((name) => name !== withStage);
const measured = {
  loader: total('loader'),
  core: total('core'),
  'core + tour': total('core', 'stage', 'tour'),
  'each further kind': Math.max(0, ...further.map((name) => total(name))),
  all: total('core', 'stage', 'extras', 'scripts', ...kinds),
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
