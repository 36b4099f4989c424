// Usage: node scripts/licenses.mjs
//
// Prints the license of every package that is part of what is published, or installed with it, and its text. Fails if a license is
// not permissive.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const permissive =
  'MIT, MIT-0, ISC, BSD-2-Clause, BSD-3-Clause, 0BSD, Apache-2.0, BlueOak-1.0.0, CC0-1.0, Python-2.0, PSF-2.0, Unlicense';
/** These build Usher and are no part of it. */
const buildTools = ['esbuild', 'terser', 'vite', '@vitejs/plugin-react', '@tailwindcss/vite'];
const workspaces = ['domain', 'server', 'script', 'dashboard'];

/** @param {string} root */
export function listLicenses(root) {
  const texts = listPackages(root).map(({ name, version, folder, license }) => {
    if (!isPermissive(license))
      throw new Error(`${name} ${version} has the license ${license}, which is not permissive`);
    const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)([.-]|$)/i.test(entry));
    const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `License: ${license}`;
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  const intro = 'The packages that are part of Usher, or installed with it, with their licenses.';
  return `${intro}\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/**
 * What the lock file says that the packages need, and what these need. Packages for one platform have the license of their parent.
 * @param {string} root
 */
export function listPackages(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const found = new Set();
  /** The folder that Node would find, from the one of the package that needs it upwards. */
  const locate = (from, name) => {
    for (
      let folder = from;
      ;
      folder = folder.includes('/node_modules/') ? folder.replace(/\/node_modules\/(?!.*\/node_modules\/).*/, '') : ''
    ) {
      const path = `${folder ? `${folder}/` : ''}node_modules/${name}`;
      if (packages[path]) return packages[path].link ? packages[path].resolved : path;
      if (folder === '') return undefined;
    }
  };
  const visit = (path) => {
    for (const name of Object.keys(packages[path].dependencies ?? {})) {
      const needed = buildTools.includes(name) ? undefined : locate(path, name);
      if (!needed || found.has(needed)) continue;
      found.add(needed);
      visit(needed);
    }
  };
  for (const workspace of workspaces) visit(workspace);
  return [...found]
    .filter((path) => path.includes('node_modules/'))
    .map((path) => ({
      name: path.replace(/.*node_modules\//, ''),
      version: packages[path].version,
      folder: join(root, path),
    }))
    .map((entry) => ({ ...entry, license: readLicense(entry.folder) }))
    .sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
}

/** @param {string} folder */
function readLicense(folder) {
  const { license, licenses } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return String(license?.type ?? license ?? licenses?.[0]?.type ?? 'none');
}

/** @param {string} expression such as "(MIT OR GPL-2.0)" */
function isPermissive(expression) {
  const words = expression.replace(/[()]/g, '').split(/\s+OR\s+/);
  return words.some((part) => part.split(/\s+AND\s+/).every((license) => permissive.split(', ').includes(license)));
}

if (process.argv[1] === import.meta.filename) console.log(listLicenses(resolve(import.meta.dirname, '..')));
