import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { signatureHeaders } from '../../../server/src/webhooks/secret.ts';
import { type Api, startApi } from '../../../server/test/api.ts';
import { reject, startProxy } from '../proxy.ts';

/*
 * The built client in Node, and in every other runtime that is on the PATH. `npx` puts them there, outside of the repository:
 * npx -p deno -p bun -p workerd -- npm run test:runtimes
 */

const here = import.meta.dirname;
const isVerbose = process.env.npm_lifecycle_event === 'test:runtimes';
const run = promisify(execFile);
let api: Api;
beforeAll(async () => {
  execFileSync(process.execPath, [join(here, '../../build.mjs')], { stdio: 'pipe' });
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

/** The first request for some lists is rejected or never answered, and the response to the first new Tag is lost. */
async function startFaulty() {
  const seen = new Set<string>();
  return startProxy(api, ({ method, url = '' }, response) => {
    const name = `${method} ${url.replace(/\?.*/, '')}`;
    const isFirst = !seen.has(name);
    seen.add(name);
    if (name === 'GET /v3/edit/urls' && isFirst) return reject(response, 429, { messages: ['Too many'], wait: 1 });
    if (name === 'GET /v3/edit/themes') return reject(response, 429, { messages: ['Too many'], wait: 30 });
    if (name === 'GET /v3/edit/languages') return 'done';
    return name === 'POST /v3/edit/tags' && isFirst ? 'lose' : 'pass';
  });
}

async function describeServer(id: string) {
  const { url: faultyUrl } = await startFaulty();
  const { account_secret: secret } = api.account;
  const { uid_secret: uidSecret } = (await api.post('/v3/edit/account/uid_secret')).body;
  const body = JSON.stringify({ id: 'a'.repeat(24), kind: 'ping', data: { account: { name: 'Äcme' } } });
  const webhook = { secret: `whsec_${btoa('a secret of a webhook')}`, body };
  const headers = signatureHeaders([webhook.secret], 'a'.repeat(24), Date.now(), body);
  return { ...{ id, url: api.url, faultyUrl, secret, uidSecret }, webhook: { ...webhook, headers } };
}

/** Workers have neither files nor arguments: the modules and the values are in the configuration. */
function writeWorker(values: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'usher-worker-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const client = join(here, '../..');
  const built = readdirSync(join(client, 'dist')).filter((name) => name.endsWith('.js'));
  const modules = ['test/runtimes/smoke.js', ...built.map((name) => `dist/${name}`)].map(
    (name) => `(name = "${name}", esModule = embed ${JSON.stringify(relative(folder, join(client, name)))})`,
  );
  const file = join(folder, 'config.capnp');
  writeFileSync(
    file,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [
  (name = "smoke", worker = (
    modules = [${modules.join(', ')}],
    bindings = [(name = "SMOKE", json = ${JSON.stringify(JSON.stringify(values))})],
    compatibilityDate = "2025-01-01",
    globalOutbound = "local"
  )),
  (name = "local", network = (allow = ["local"]))
]);
`,
  );
  return file;
}

const smoke = join(here, 'smoke.js');
const runtimes: Record<string, (values: object) => [command: string, ...string[]]> = {
  node: () => [process.execPath, smoke],
  deno: () => ['deno', 'run', '--no-config', '--allow-net', '--allow-env', smoke],
  bun: () => ['bun', 'run', smoke],
  workerd: (values) => ['workerd', 'test', writeWorker(values)],
};

function isHere(command: string): boolean {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.some((folder) => {
    try {
      return readdirSync(folder).includes(command);
    } catch {
      return false;
    }
  });
}

for (const [name, commandOf] of Object.entries(runtimes)) {
  const isMissing = name !== 'node' && !isHere(name);
  if (isMissing && isVerbose) console.log(`${name} is not on the PATH: it is left out.`);
  it.skipIf(isMissing)(`runs in ${name}`, { timeout: 120_000 }, async () => {
    const values = await describeServer(name);
    const [command, ...parameters] = commandOf(values);
    const env = { ...process.env, NO_COLOR: '1', SMOKE: JSON.stringify(values) };
    const { stdout } = await run(command, parameters, { env, timeout: 100_000 });
    const lines = stdout.split('\n').filter((line) => line.startsWith('ok: '));
    if (isVerbose) console.log(`${name}:\n${lines.join('\n')}`);
    expect(lines).toHaveLength(10);
  });
}
