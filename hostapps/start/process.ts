import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A program that runs, and what it has printed so far. */
export interface Running {
  output: string;
  stop(): Promise<void>;
}

const START_MS = 60_000;

/** Starts a Node program and waits until it prints what says that it is ready. */
export async function startProcess(args: string[], isReady: RegExp, env: NodeJS.ProcessEnv = {}): Promise<Running> {
  const child = spawn(process.execPath, args, {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const running = { output: '', stop: () => stopProcess(child) };
  await new Promise<void>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${args[0]} ${why}:\n${running.output}`));
    const timer = setTimeout(fail, START_MS, 'did not start');
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        running.output += text;
        if (!isReady.test(running.output)) return;
        clearTimeout(timer);
        resolve();
      });
    child.on('exit', () => fail('has ended'));
  });
  return running;
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const hasEnded = once(child, 'exit');
  child.kill('SIGKILL');
  await hasEnded;
}

/** Returns a folder for the files of an application, and the function that deletes it. */
export function createFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'usher-hosts-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Returns a port that is free, for applications that cannot choose one. */
export async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}
