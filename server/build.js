import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const server = dirname(fileURLToPath(import.meta.url));
const root = dirname(server);
const stampFile = join(server, 'dist', 'stamp');

/** Bundles the server when a source has changed since the last time. */
export async function buildIfNeeded() {
  const stamp = stampOfSources();
  if (readIfThere(stampFile) === stamp) return;
  const { build } = await import('esbuild');
  mkdirSync(dirname(stampFile), { recursive: true });
  // One file loads in a fraction of the time that hundreds of small ones take. What has native parts, or looks for
  // its own files, stays outside.
  const { outputFiles } = await build({
    write: false,
    // A thread starts from a file of its own.
    entryPoints: {
      main: join(server, 'src', 'main.ts'),
      'sqlite-worker': join(server, 'src', 'db', 'sqlite-worker.js'),
      'parse-worker': join(server, 'src', 'features', 'translations', 'parse-worker.js'),
    },
    outdir: join(server, 'dist'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    external: ['libsql', 'pg', 'fastify', 'pino', '@fastify/busboy'],
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

/** Every source with its size and time, and the lock file for what they import. */
function stampOfSources() {
  const files = [join(root, 'package-lock.json'), join(server, 'package.json'), join(server, 'build.js')];
  for (const folder of [join(server, 'src'), join(root, 'domain', 'src')]) {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      if (/\.[jt]s$/.test(name)) files.push(join(folder, name));
  }
  return files.map((file) => `${file} ${describe(file)}`).join('\n');
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
