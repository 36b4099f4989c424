// Usage: node scripts/packages.mjs [FOLDER]
//
// Builds everything and writes the packages that are published into FOLDER (default: dist/packages): usher-server, usher-browser,
// usher-client and usher-playwright, and the bill of materials. The same sources give the same bytes.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildIfNeeded } from '../server/build.js';
import { listLicenses, listPackages } from './licenses.mjs';

const root = resolve(import.meta.dirname, '..');
const readJson = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));

/** What the server reads while it runs, besides its bundle. The paths are those of the repository, because it finds them by these. */
const served = [
  'LICENSE',
  'SECURITY.md',
  // The npm package is the default source of install.sh.
  'deploy/install.sh',
  'deploy/systemd',
  'docs',
  'client/README.md',
  'examples/as-code',
  'examples/check-in-ci',
  'examples/demo',
  'script/dist',
  'dashboard/dist/app',
];
const isLeftOut = (path) => /\.(test\.ts|map)$|\/stamp$|\/script\/dist\/npm(\/|$)|\/docs\/contract(\/|$)/.test(path);

/** Packages that are not in the bundle, because they have native parts or look for their own files. */
const unbundled = ['@fastify/busboy', '@modelcontextprotocol/server', 'libsql', 'pg', 'pino'];

/** @param {string} folder */
function assembleServer(folder) {
  const { version, license, engines } = readJson('package.json');
  const { peerDependencies, peerDependenciesMeta } = readJson('server/package.json');
  const { packages } = readJson('package-lock.json');
  for (const path of served)
    cpSync(join(root, path), join(folder, path), { recursive: true, filter: (source) => !isLeftOut(source) });
  cpSync(join(root, 'scripts/packages/README.md'), join(folder, 'README.md'));
  cpSync(join(root, 'scripts/packages/usher-server.js'), join(folder, 'bin/usher-server.js'));
  for (const name of readdirSync(join(root, 'server/dist')).filter((name) => name.endsWith('.js')))
    cpSync(join(root, 'server/dist', name), join(folder, 'server/dist', name));
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), listLicenses(root));
  const manifest = {
    name: 'usher-server',
    version,
    description:
      'Self-hosted guided tours, microsurveys, launchers, tooltips and embeds for your product, with a dashboard and an API',
    keywords: ['product tour', 'onboarding', 'microsurvey', 'nps', 'checklist', 'tooltip', 'self-hosted'],
    license,
    type: 'module',
    engines,
    bin: { 'usher-server': 'bin/usher-server.js', usher: 'bin/usher-server.js' },
    // The versions that were tested.
    dependencies: Object.fromEntries(unbundled.map((name) => [name, packages[`node_modules/${name}`].version])),
    peerDependencies,
    peerDependenciesMeta,
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/**
 * What a release consists of, in the format of CycloneDX. It has no time and no random number, so that the same sources give the same bytes.
 * @param {string} file
 */
function writeBillOfMaterials(file) {
  const { version, license } = readJson('package.json');
  const describe = ({ name, version, license }) => {
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    return { type: 'library', 'bom-ref': purl, name, version, purl, licenses: [{ expression: license }] };
  };
  const component = {
    type: 'application',
    'bom-ref': `usher@${version}`,
    name: 'usher',
    version,
    licenses: [{ expression: license }],
  };
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component },
    components: listPackages(root).map(describe),
  };
  writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
}

/**
 * @param {string} folder the tarballs go there
 * @returns {Promise<Record<string, string>>} the tarball of each package
 */
export async function writePackages(folder) {
  // Bundles name their sources by the path from here.
  process.chdir(root);
  await buildIfNeeded();
  execFileSync(process.execPath, [join(root, 'client/build.mjs')], { stdio: 'ignore' });
  const assembled = join(folder, 'usher-server');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(assembled, { recursive: true });
  assembleServer(assembled);
  writeBillOfMaterials(join(folder, `usher-${readJson('package.json').version}.cdx.json`));
  const sources = [assembled, ...['script/dist/npm', 'client', 'playwright'].map((path) => join(root, path))];
  const packed = sources.map((source) => {
    const options = ['--json', '--ignore-scripts', '--pack-destination', folder];
    const [{ name, filename, size, unpackedSize, entryCount }] = Object.values(
      JSON.parse(
        execFileSync('npm', ['pack', source, ...options], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
      ),
    );
    const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
    console.log(`${name}: ${megabytes(size)}, ${megabytes(unpackedSize)} unpacked, ${entryCount} files`);
    return [name, join(folder, filename)];
  });
  return Object.fromEntries(packed);
}

if (process.argv[1] === import.meta.filename)
  await writePackages(resolve(process.argv[2] ?? join(root, 'dist/packages')));
