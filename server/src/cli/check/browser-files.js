import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/* Where a Chromium or Chrome is on this machine. The tests and benchmarks use it too. */

/** The first is the engine alone. Tests take a sixth less processor time with it. */
export const browserNames = [
  ...['chromium-headless-shell', 'chromium', 'chromium-browser'],
  ...['google-chrome', 'google-chrome-stable'],
];
const macApplications = ['Chromium', 'Google Chrome'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);

/**
 * Returns the path of Chromium or Chrome: CHROMIUM_PATH, the system's, or the one that `playwright-core install` has downloaded.
 * Returns undefined if there is none.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} downloaded where `playwright-core install` puts it
 * @returns {string | undefined}
 */
export function findBrowserFile(env, downloaded) {
  if (env.CHROMIUM_PATH) return env.CHROMIUM_PATH;
  const files = [...filesInPath(browserNames, env), ...macApplications, downloaded];
  return files.find((file) => existsSync(file) && starts(file));
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
