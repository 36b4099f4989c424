import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/* Helpers for tests of the packages that are published. */

export const checkout = resolve(import.meta.dirname, '../..');
export const packageNames = ['usher-server', 'usher-browser', 'usher-client', 'usher-playwright'];
export const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));

export const tarball = (folder: string, name: string) => join(folder, `${name}-${version}.tgz`);

/** Builds the packages of a checkout, and writes their tarballs into the folder. */
export function pack(from: string, folder: string): void {
  // The tools that build read NODE_ENV, which the test runner sets.
  const { NODE_ENV: _mode, ...env } = process.env;
  execFileSync(process.execPath, [join(from, 'scripts/packages.mjs'), folder], { stdio: 'pipe', env });
}

/** Installs packages into an empty folder, as people do it. */
export function installPackages(folder: string, tarballs: string[], env: NodeJS.ProcessEnv = process.env): void {
  writeFileSync(join(folder, 'package.json'), '{}');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', ...tarballs], { cwd: folder, stdio: 'pipe', env });
}
