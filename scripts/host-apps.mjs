import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../hostapps/', import.meta.url));

/** Installs the applications in which the browser script is tested, unless they are installed as the lock file says. */
export function installHostApps() {
  const timeOf = (/** @type {string} */ file) => (existsSync(folder + file) ? statSync(folder + file).mtimeMs : 0);
  // npm writes this file at the end of each installation.
  if (timeOf('node_modules/.package-lock.json') >= timeOf('package-lock.json')) return;
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', ['ci', ...options], { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Error('The applications of hostapps/ could not be installed');
}
