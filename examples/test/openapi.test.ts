import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, startApi } from '../../server/test/api.ts';

/* What tools of others make of the OpenAPI documents of a running server. They have a lock file of their own. */

const run = promisify(execFile);
const tools = fileURLToPath(new URL('../openapi/', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'usher-openapi-'));
const names = ['openapi', 'openapi-dashboard'];
let api: Api;

beforeAll(async () => {
  const options = { cwd: tools };
  await run('npm', ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], options);
  api = await startApi({ inTest: false, env: { USHER_PUBLIC_URL: 'https://usher.test' } });
  for (const name of names)
    writeFileSync(join(folder, `${name}.json`), await (await fetch(`${api.url}/${name}.json`)).text());
});
afterAll(async () => {
  await api.stop();
  rmSync(folder, { recursive: true, force: true });
});

const tool = (name: string, parameters: string[]) =>
  run(join(tools, 'node_modules/.bin', name), parameters, { cwd: folder }).catch((error) => error);
const compile = (file: string) => {
  const strict = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'];
  const modules = ['--module', 'esnext', '--moduleResolution', 'bundler', '--types', ''];
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  return run(process.execPath, [tsc, ...strict, ...modules, file], { cwd: folder }).catch((error) => error);
};

it.each(names)('has no error and no warning of a strict linter in %s', async (name) => {
  const parameters = ['lint', '--config', join(tools, 'redocly.yaml'), '--format', 'json', `${name}.json`];
  const { problems } = JSON.parse((await tool('redocly', parameters)).stdout);
  expect(problems).toEqual([]);
});

it.each(names)('becomes types by openapi-typescript that compile with --strict: %s', async (name) => {
  await tool('openapi-typescript', [`${name}.json`, '-o', `${name}.types.ts`]);
  writeFileSync(
    join(folder, `${name}.use.ts`),
    `import type { operations } from './${name}.types';\nexport type Use = operations['${name === 'openapi' ? 'createTour' : 'signIn'}'];\n`,
  );
  expect((await compile(`${name}.use.ts`)).stdout).toBe('');
});

it.each(names)('becomes a client by swagger-typescript-api that compiles with --strict: %s', async (name) => {
  await tool('swagger-typescript-api', ['generate', '-p', `${name}.json`, '-o', '.', '-n', `${name}.client.ts`]);
  const call = name === 'openapi' ? "createTour({ name: 'Welcome' })" : 'signOut()';
  writeFileSync(
    join(folder, `${name}.call.ts`),
    `import { Api } from './${name}.client';\nexport const use = () => new Api().v3.${call};\n`,
  );
  expect((await compile(`${name}.call.ts`)).stdout).toBe('');
});

it('makes clients by the commands of docs/api.md, and the client of the guide creates a tour', async () => {
  const [, guide = ''] = readFileSync(join(root, 'docs/api.md'), 'utf8').split(/^## Generate a client$/m);
  const [, commands = '', code = ''] = /^```\n(.*?)^```$.*?^```ts\n(.*?)^```$/ms.exec(guide) ?? [];
  symlinkSync(join(tools, 'node_modules'), join(folder, 'node_modules'));
  const env = { ...process.env, USHER_URL: api.url, ACCOUNT_SECRET: api.account.account_secret };
  await run('bash', ['-ec', commands], { cwd: folder, env });
  writeFileSync(join(folder, 'create.mts'), `declare const process: { env: Record<string, string> };\n${code}`);
  expect((await compile('create.mts')).stdout).toBe('');
  await build({
    entryPoints: [join(folder, 'create.mts')],
    outfile: join(folder, 'create.mjs'),
    bundle: true,
    format: 'esm',
  });
  await run(process.execPath, ['create.mjs'], { cwd: folder, env });
  expect((await api.get('/v3/edit/tours')).body.tours).toMatchObject([{ name: 'Welcome' }]);
});
