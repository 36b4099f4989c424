// Builds the package: one module a file, with types, and prints the size of what a bundler takes.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';

const folder = import.meta.dirname;
const dist = join(folder, 'dist');
rmSync(dist, { recursive: true, force: true });
const { status } = spawnSync('npx', ['tsc', '-p', join(folder, 'tsconfig.build.json')], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

const { outputFiles } = await build({
  entryPoints: [join(dist, 'index.js')],
  bundle: true,
  minify: true,
  format: 'esm',
  write: false,
});
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;
const bundle = outputFiles[0].contents;
const files = readdirSync(dist).map((name) => readFileSync(join(dist, name)).length);
console.log(
  `usher-client: ${kilobytes(bundle.length)} minified, ${kilobytes(brotliCompressSync(bundle).length)} brotli; ` +
    `${kilobytes(files.reduce((sum, one) => sum + one, 0))} with its types`,
);
