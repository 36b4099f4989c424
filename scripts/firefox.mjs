import { existsSync } from 'node:fs';
import { filesInPath, starts } from '../server/src/cli/check/browser-files.js';

const macApplication = '/Applications/Firefox.app/Contents/MacOS/firefox';

/**
 * Returns the path of Firefox for the browser tests: FIREFOX_PATH, or the system's. Returns undefined if there is none.
 * @param {NodeJS.ProcessEnv} [env]
 */
export function findFirefox(env = process.env) {
  if (env.FIREFOX_PATH) return env.FIREFOX_PATH;
  const files = [...filesInPath(['firefox-esr', 'firefox'], env), macApplication];
  return files.find((file) => existsSync(file) && starts(file));
}
