import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { delimiter, dirname } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished, vi } from 'vitest';

/* The installed package, run with npx as people run it, by the Node that `USHER_TEST_NODE` names. */

const run = promisify(execFile);
const READY_MS = 30_000;

/** The program of Node that runs the package: that of the tests, if no other one is named. */
const node = process.env.USHER_TEST_NODE || process.execPath;
/** What the test runner and the scripts of npm set, and settings of Usher that somebody has set for another server. */
const isOfTests = (name: string) =>
  /^(USHER_|DATABASE_URL|ACCOUNT_|PORT$|HOST$|NODE_ENV$|INIT_CWD$|npm_(config_local_prefix|package_|lifecycle_|command))/.test(
    name,
  );

/** The environment of a person at a terminal. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !isOfTests(name));
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.endsWith('node_modules/.bin'));
  return { ...Object.fromEntries(kept), PATH: [dirname(node), ...path].join(delimiter) };
}

export function nodeVersion(): string {
  return execFileSync('node', ['--version'], { env: ownEnvironment(), encoding: 'utf8' }).trim();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}

export interface Installed {
  url: string;
  /** What the server has printed since its last start. */
  printed(): string;
  /** Starts the server, with further settings than before. */
  start(added?: NodeJS.ProcessEnv): Promise<void>;
  /** Presses Ctrl+C, and waits until the server has ended. */
  stop(): Promise<void>;
  /** Runs `npx usher` with the settings of the server, and returns what it prints. */
  usher(argv: string[], env?: NodeJS.ProcessEnv, cwd?: string): Promise<string>;
}

export async function useInstalled(folder: string): Promise<Installed> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let settings: NodeJS.ProcessEnv = {};
  let child: ChildProcess | undefined;
  let output = '';
  let isRunning = false;
  let closed: Promise<unknown> = Promise.resolve();
  const environment = () => ({ ...ownEnvironment(), PORT: String(port), ...settings });
  const stop = async () => {
    if (child?.pid && isRunning) {
      // A terminal sends it to all processes of the command.
      process.kill(-child.pid, 'SIGINT');
      await closed;
    }
  };
  onTestFinished(stop);
  return {
    url,
    printed: () => output,
    stop,
    start: async (added = {}) => {
      settings = { ...settings, ...added };
      output = '';
      child = spawn('npx', ['usher-server'], { cwd: folder, env: environment(), detached: true });
      isRunning = true;
      // The server holds the output open longer than npx.
      closed = once(child, 'close').then(() => {
        isRunning = false;
      });
      for (const stream of [child.stdout, child.stderr])
        stream?.setEncoding('utf8').on('data', (text) => {
          output += text;
        });
      await vi.waitFor(
        async () => {
          if (!isRunning) throw new Error(`The server ended: ${output}`);
          const { status } = await fetch(`${url}/readyz`);
          if (status !== 200) throw new Error(`The server is not ready: ${output}`);
        },
        { timeout: READY_MS, interval: 50 },
      );
    },
    usher: async (argv, env = {}, cwd = folder) => {
      const { stdout } = await run('npx', ['--prefix', folder, 'usher', ...argv], {
        cwd,
        env: { ...environment(), ...env },
      });
      return stdout;
    },
  };
}
