import { spawnSync } from 'node:child_process';
import { chromium } from 'playwright-core';
import { findBrowserFile, starts } from '../server/src/cli/check/browser-files.js';

/**
 * Returns the path of Chromium or Chrome for the browser tests. Returns undefined if there is none.
 * @param {NodeJS.ProcessEnv} [env]
 */
export function findChromium(env = process.env) {
  return findBrowserFile(env, chromium.executablePath());
}

/** Returns the path of a browser. Installs it if needed, or throws an error with the command that does. */
export function ensureChromium() {
  const file = findChromium() ?? installChromium();
  if (!starts(file)) throw new Error(`CHROMIUM_PATH is not a browser that starts: ${file}`);
  return file;
}

function installChromium() {
  const mayInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
  if (mayInstall) {
    console.log('Chromium is not installed here: installing it with apt-get');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const aptGet = (...args) => spawnSync('apt-get', args, { stdio: 'inherit', env }).status === 0;
    aptGet('update', '-qq');
    // Older systems have only the second.
    ['chromium-headless-shell', 'chromium'].some((name) => aptGet('install', '-y', '-qq', name));
  }
  const file = findChromium();
  if (file) return file;
  throw new Error(
    'Chromium or Chrome is needed and not installed. Run `npx playwright-core install --with-deps chromium`, set CHROMIUM_PATH to one that you have, or leave out the browser tests: npm test -- --no-browser',
  );
}
