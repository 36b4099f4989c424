import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const macApplications = ['Chromium', 'Google Chrome'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);

/**
 * The Chromium or Chrome that the tests drive: CHROMIUM_PATH, else that of the system, else the one that
 * `playwright-core install` has fetched. Undefined: there is none.
 * @param {NodeJS.ProcessEnv} [env]
 */
export function findChromium(env = process.env) {
  if (env.CHROMIUM_PATH) return env.CHROMIUM_PATH;
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const inPath = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...inPath, ...macApplications, chromium.executablePath()].find((file) => existsSync(file) && starts(file));
}

/** Installs it if need be; else an error with the one command that gets it. */
export function ensureChromium() {
  const file = findChromium() ?? installChromium();
  if (!starts(file)) throw new Error(`CHROMIUM_PATH names no browser that starts: ${file}`);
  return file;
}

function installChromium() {
  const mayInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
  if (mayInstall) {
    console.log('Chromium is not installed here: installing it with apt-get');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env });
    spawnSync('apt-get', ['install', '-y', '-qq', 'chromium'], { stdio: 'inherit', env });
  }
  const file = findChromium();
  if (file) return file;
  throw new Error(
    'Chromium or Chrome is needed and not installed. Run `npx playwright-core install --with-deps chromium`, set CHROMIUM_PATH to one that you have, or leave out what is tested in a browser: npm test -- --no-browser',
  );
}

/**
 * Some systems have a file of this name that only says how to get the browser.
 * @param {string} file
 */
function starts(file) {
  return spawnSync(file, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0;
}
