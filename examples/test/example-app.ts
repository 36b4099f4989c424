import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import type { Api } from '../../server/test/api.ts';

const run = promisify(execFile);
const folderOf = (name: string) => fileURLToPath(new URL(`../${name}/`, import.meta.url));

function settingsFor({ url, account }: Api): NodeJS.ProcessEnv {
  const { NODE_ENV, VITEST, ...env } = process.env;
  return { ...env, VITE_USHER_URL: url, VITE_USHER_TOKEN: account.account_token };
}

/** Installs and builds an example, for the server of the test. */
export async function buildExample(name: string, api: Api): Promise<void> {
  const options = { cwd: folderOf(name), env: settingsFor(api) };
  await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], options);
  await run('npm', ['run', 'build'], options);
}

/** Runs `npm run dev` or `npm run preview` of an example on a free port. */
export async function serveExample(name: string, script: 'dev' | 'preview', api: Api) {
  const npm = spawn('npm', ['run', script, '--', '--port', '0'], {
    ...{ cwd: folderOf(name), env: settingsFor(api) },
    // npm and Vite are a process group of their own, so that both can be stopped.
    ...{ detached: true, stdio: ['ignore', 'pipe', 'inherit'] as const },
  });
  const url = await printedAddress(npm);
  const stop = async () => {
    const closed = once(npm, 'close');
    npm.stdout.resume();
    process.kill(-(npm.pid as number), 'SIGTERM');
    await closed;
  };
  return { url, stop };
}

async function printedAddress({ stdout }: ChildProcess): Promise<string> {
  if (stdout)
    for await (const line of createInterface(stdout)) {
      const address = /Local:\s+(http:\S+?)\/$/.exec(stripVTControlCharacters(line).trim())?.[1];
      if (address) return address;
    }
  throw new Error('The example ended without being ready');
}
