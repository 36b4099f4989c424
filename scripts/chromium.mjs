import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

/** The first is the engine alone. Tests take a sixth less processor time with it. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const macApplications = ['Chromium', 'Google Chrome'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);

/**
 * Returns the path of Chromium or Chrome for the browser tests: CHROMIUM_PATH, the system's, or the one that
 * `playwright-core install` has downloaded. Returns undefined if there is none.
 * @param {NodeJS.ProcessEnv} [env]
 */
export function findChromium(env = process.env) {
  if (env.CHROMIUM_PATH) return env.CHROMIUM_PATH;
  const files = [...filesInPath(names, env), ...macApplications, chromium.executablePath()];
  return files.find((file) => existsSync(file) && starts(file));
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

/**
 * Returns where programs of these names could be, the best name first.
 * @param {string[]} programs
 * @param {NodeJS.ProcessEnv} env
 */
export function filesInPath(programs, env) {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return programs.flatMap((name) => folders.map((folder) => join(folder, name)));
}

/**
 * Whether the file is a browser: some systems have a file of this name that only says how to install it.
 * @param {string} file
 */
export function starts(file) {
  return spawnSync(file, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0;
}
