import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const migrationsFile = 'server/src/db/migrations/index.ts';
const workspaces = ['domain', 'server', 'script', 'dashboard', 'bench', 'reliability'];

/**
 * Writes an earlier version of this repository into a folder, with the installed packages of this one.
 * @param {import('../../bench/harness.mjs').Bench} bench
 * @param {string | undefined} from a commit; without it, the one before the last change of the schema
 * @returns {Promise<{ folder: string, commit: string, has: (text: string, file: string) => boolean } | undefined>} undefined where there is no history, as in an archive
 */
export async function writeEarlierVersion(bench, from) {
  const changed = git('log', '-1', '--format=%H', '--', migrationsFile);
  const commit = changed && git('rev-parse', '--verify', '--quiet', `${from ?? `${changed}^`}^{commit}`);
  if (!commit) return undefined;
  const folder = mkdtempSync(join(bench.folder, 'earlier-'));
  const archive = spawnSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 });
  const unpacked = spawnSync('tar', ['-x', '-C', folder], { input: archive.stdout });
  if (archive.status !== 0 || unpacked.status !== 0) throw new Error(`${commit} could not be unpacked`);
  linkPackages(folder);
  await skipDashboard(folder);
  const has = (/** @type {string} */ text, /** @type {string} */ file) =>
    git('show', `${commit}:${file}`)?.includes(text) ?? false;
  return { folder, commit: commit.slice(0, 10), has };
}

/** @param {...string} args */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : undefined;
}

/** @param {string} folder */
function linkPackages(folder) {
  const packages = join(folder, 'node_modules');
  mkdirSync(join(packages, '@usher'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@usher') symlinkSync(join(root, 'node_modules', name), join(packages, name));
  for (const name of workspaces) {
    symlinkSync(join(folder, name), join(packages, '@usher', name));
    const own = join(root, name, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(folder, name, 'node_modules'));
  }
}

/**
 * Copies the dashboard of this version. Otherwise the first start would build one, which takes half a minute and is not needed here.
 * @param {string} folder
 */
async function skipDashboard(folder) {
  const [from, to] = [root, folder].map((one) => join(one, 'dashboard', 'dist', 'app'));
  cpSync(String(from), String(to), { recursive: true });
  const { dashboardStamp } = await import(join(folder, 'server', 'build.js'));
  writeFileSync(join(String(to), 'stamp'), dashboardStamp());
}
