import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const server = dirname(fileURLToPath(import.meta.url));
const root = dirname(server);
const stampFile = join(server, 'dist', 'stamp');
const script = join(root, 'script');
const dashboard = join(root, 'dashboard');

/** Builds what has changed since the last time. */
export async function buildIfNeeded() {
  if (!existsSync(stampFile)) console.error('Building Usher. This takes a minute, and only the first time …');
  await buildScriptIfNeeded();
  await buildDashboardIfNeeded();
  await buildServerIfNeeded();
}

/** The browser script. */
export async function buildScriptIfNeeded() {
  const dist = join(script, 'dist');
  const stamp = stampOf(
    [join(script, 'src'), join(root, 'domain', 'src')],
    [join(script, 'build.mjs'), join(script, 'css-plugin.mjs')],
  );
  const isBuilt = () => readIfThere(join(dist, 'stamp')) === stamp;
  if (isBuilt()) return;
  await alone(join(script, '.building'), () => {
    if (isBuilt()) return;
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(script, 'build.mjs')], { encoding: 'utf8' });
    // 2: the script is larger than its budget. The files exist and can be served, and who starts Usher cannot change it.
    if (status !== 0 && status !== 2) console.error(`${stdout}${stderr}`);
    if (!existsSync(join(dist, 'manifest.json'))) throw new Error('The browser script could not be built');
    replaceFile(join(dist, 'stamp'), stamp);
  });
}

/**
 * The dashboard, or the one with the page that shows all parts of its design system.
 * @param {'app' | 'test'} kind
 */
export async function buildDashboardIfNeeded(kind = 'app') {
  const dist = join(dashboard, 'dist', kind);
  const stamp = dashboardStamp();
  const isBuilt = () => readIfThere(join(dist, 'stamp')) === stamp;
  if (isBuilt()) return;
  await alone(join(dashboard, `.building-${kind}`), () => {
    if (isBuilt()) return;
    const options = kind === 'test' ? ['--test'] : [];
    const build = spawnSync(process.execPath, [join(dashboard, 'build.mjs'), ...options], { encoding: 'utf8' });
    // The build also fails if a page loads more than its budget. The files exist then and can be served.
    if (build.status !== 0) console.error(`${build.stdout}${build.stderr}`);
    if (!isBuilt()) throw new Error('The dashboard could not be built');
  });
}

/** Changes with every file that the dashboard is built from. A copy of the folder has the same one. */
export function dashboardStamp() {
  const configs = ['build.mjs', 'vite.config.mjs', 'english-only.mjs', 'index.html', 'package.json'];
  const examples = ['react/src', 'vue/src', 'sign-users'].map((name) => join(root, 'examples', name));
  return hashOf(
    [join(dashboard, 'src'), join(root, 'domain', 'src'), join(script, 'src'), ...examples],
    [join(root, 'package-lock.json'), ...configs.map((name) => join(dashboard, name))],
  );
}

const MAX_BUILD_MS = 60_000;

/**
 * Of processes that start together, one builds and the others wait. One that was killed meanwhile is not waited for.
 * @param {string} folder
 * @param {() => void} work
 */
async function alone(folder, work) {
  for (;;) {
    try {
      mkdirSync(folder);
      break;
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
      if (Date.now() - (timeOf(folder) ?? Date.now()) > MAX_BUILD_MS) break;
      await pause(50);
    }
  }
  try {
    work();
  } finally {
    // Another process that did not wait any longer may have removed it.
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bundles the server into one file. */
async function buildServerIfNeeded() {
  const sources = [
    join(server, 'src'),
    join(root, 'domain', 'src'),
    join(script, 'src', 'engine'),
    join(script, 'src', 'check'),
  ];
  const stamp = stampOf(sources, [join(server, 'package.json'), join(server, 'build.js')]);
  if (readIfThere(stampFile) === stamp) return;
  const { build } = await import('esbuild');
  mkdirSync(dirname(stampFile), { recursive: true });
  // One file loads in a fraction of the time that hundreds of small ones take. What has native parts, or looks for
  // its own files, stays outside.
  const { outputFiles } = await build({
    write: false,
    // Threads start from files of their own.
    entryPoints: {
      main: join(server, 'src', 'main.ts'),
      'batch-worker': join(server, 'src', 'batch-worker.ts'),
      'snapshot-worker': join(server, 'src', 'db', 'sqlite', 'snapshot-worker.js'),
      'heavy-reader-worker': join(server, 'src', 'db', 'sqlite', 'heavy-reader-worker.js'),
      'parse-worker': join(server, 'src', 'features', 'translations', 'parse-worker.js'),
    },
    outdir: join(server, 'dist'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    // The package for Node is CommonJS that requires parts of Node, which a bundle of modules cannot.
    alias: { yaml: join(root, 'node_modules', 'yaml', 'browser', 'index.js') },
    // Only `usher check` needs the last one, and only if it is installed.
    external: ['libsql', 'pg', 'fastify', 'pino', '@fastify/busboy', '@modelcontextprotocol/server', 'playwright-core'],
  });
  for (const { path, contents } of outputFiles) replaceFile(path, contents);
  replaceFile(stampFile, stamp);
}

/**
 * Whole at every moment, as another process may be starting from it.
 * @param {string} file
 * @param {string | Uint8Array} content
 */
function replaceFile(file, content) {
  const next = `${file}.${process.pid}`;
  writeFileSync(next, content);
  renameSync(next, file);
}

/**
 * Every source with its size and time, and the lock file for what they import.
 * @param {string[]} folders
 * @param {string[]} others
 */
function stampOf(folders, others) {
  const files = [join(root, 'package-lock.json'), ...others];
  for (const folder of folders) {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      if (/\.([jt]s|css)$/.test(name)) files.push(join(folder, name));
  }
  return files.map((file) => `${file} ${describe(file)}`).join('\n');
}

/**
 * A hash of the content of all files.
 * @param {string[]} folders
 * @param {string[]} others
 */
function hashOf(folders, others) {
  const files = [...others];
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile() && !/\.test\.ts$/.test(entry.name)) files.push(join(entry.parentPath, entry.name));
  }
  const hash = createHash('sha256');
  for (const file of files.sort())
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
}

/** @param {string} file */
function describe(file) {
  const { size, mtimeMs } = statSync(file);
  return `${size} ${mtimeMs}`;
}

/** @param {string} file */
function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** @param {string} file */
function timeOf(file) {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return undefined;
  }
}
