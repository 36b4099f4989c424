import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { installPackages, packageNames as names, pack, checkout as root, tarball, version } from './packages.ts';

const listFiles = (file: string) => execFileSync('tar', ['tzf', file], { encoding: 'utf8' }).trim().split('\n');
const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'usher-packages-'));
  folders.push(folder);
  return folder;
}

let packed: string;
beforeAll(() => {
  packed = newFolder();
  pack(root, packed);
}, 180_000);

it('gives all packages one version', () => {
  const workspaces = readdirSync(root).filter((name) => !name.startsWith('.') && name !== 'node_modules');
  const manifests = workspaces.flatMap((name) => {
    try {
      return [JSON.parse(readFileSync(join(root, name, 'package.json'), 'utf8'))];
    } catch {
      return [];
    }
  });
  const others = manifests.filter((manifest) => manifest.version !== version && manifest.version !== undefined);
  expect(others.map(({ name }) => name)).toEqual([]);
  expect(readdirSync(packed).filter((name) => name.endsWith('.tgz'))).toHaveLength(names.length);
});

it.each(names)('packs what %s needs, and nothing of the machine that built it', (name) => {
  const files = listFiles(tarball(packed, name));
  expect(files).toContain('package/package.json');
  expect(files).toContain('package/README.md');
  expect(files.filter((file) => /\.map$|\.test\.|\/stamp$|node_modules|\/data\//.test(file))).toEqual([]);
  const folder = newFolder();
  execFileSync('tar', ['xzf', tarball(packed, name), '-C', folder]);
  const texts = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(js|ts|json|md|html|txt)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  expect(texts.filter((file) => readFileSync(file, 'utf8').includes(root))).toEqual([]);
});

it('lists what a release consists of, with licenses', () => {
  const { bomFormat, components, metadata } = JSON.parse(
    readFileSync(join(packed, `usher-${version}.cdx.json`), 'utf8'),
  );
  expect({ bomFormat, name: metadata.component.name }).toEqual({ bomFormat: 'CycloneDX', name: 'usher' });
  const listed = components.map((component: { name: string }) => component.name);
  expect(listed).toEqual(expect.arrayContaining(['libsql', 'react', 'pg', 'marked']));
  const licenses = execFileSync('tar', ['xzOf', tarball(packed, 'usher-server'), 'package/THIRD-PARTY-LICENSES.txt'], {
    encoding: 'utf8',
  });
  for (const name of ['libsql', 'react', 'pg', 'marked'])
    expect(licenses).toMatch(new RegExp(`^${name} [\\d.]+ \\(`, 'm'));
});

it('gives the same bytes in another folder', { timeout: 300_000 }, () => {
  const copy = join(newFolder(), 'elsewhere');
  mkdirSync(copy);
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of files.split('\0').filter(Boolean)) cpSync(join(root, file), join(copy, file));
  cpSync(join(root, 'node_modules'), join(copy, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  const again = newFolder();
  pack(copy, again);
  const hashes = (folder: string) => names.map((name) => [name, hashOf(tarball(folder, name))]);
  expect(hashes(again)).toEqual(hashes(packed));
  const sbom = `usher-${version}.cdx.json`;
  expect(hashOf(join(again, sbom))).toBe(hashOf(join(packed, sbom)));
});

it('starts a server from an empty folder, which serves pages, documentation and the demo', {
  timeout: 300_000,
}, async () => {
  const folder = newFolder();
  const tarballs = names.map((name) => tarball(packed, name));
  installPackages(folder, tarballs);
  const { USHER_DATA: _data, DATABASE_URL: _url, ...env } = process.env;
  const server = spawn(join(folder, 'node_modules/.bin/usher-server'), { cwd: folder, env: { ...env, PORT: '0' } });
  onTestFinished(async () => {
    server.kill();
    await new Promise((ended) => (server.exitCode === null ? server.once('exit', ended) : ended(undefined)));
  });
  const output = await new Promise<string>((ready, reject) => {
    let text = '';
    server.stdout.on('data', (part) => {
      text += part;
      if (/account secret +\S+/.test(text)) ready(text);
    });
    server.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${text}`)));
  });
  const [, url = ''] = /Usher is ready at (\S+)/.exec(output) ?? [];
  const [, token] = /account token +(\S+)/.exec(output) ?? [];
  const [, secret = ''] = /account secret +(\S+)/.exec(output) ?? [];
  const paths = [
    '/healthz',
    '/readyz',
    '/docs',
    '/docs/guides/edit',
    '/docs/running',
    '/docs/reference',
    '/demo/',
    '/app',
    '/openapi.json',
  ];
  for (const path of [...paths, `/script/${token}.js`])
    expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
  const check = await fetch(url, { headers: { 'x-account-secret': secret } });
  expect(await check.json()).toMatchObject({ account: { id: expect.any(String) } });
  const { Usher } = await import(join(folder, 'node_modules/usher-client/dist/index.js'));
  const usher = new Usher({ url, secret });
  expect((await usher.request('GET /v3/edit/experiences')).experiences.length).toBeGreaterThan(3);
  // The command has a short name, too.
  const accounts = execFileSync(join(folder, 'node_modules/.bin/usher'), ['account', 'list', '--json'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  expect(JSON.parse(accounts)).toHaveLength(1);
});
