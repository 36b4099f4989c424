import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { runCommand } from '../src/cli/cli.ts';
import { type Running, serve } from '../src/serve.ts';
import { readSettings } from '../src/settings/settings.ts';
import { createTestDatabase } from './engine.ts';

export const SECRET = 'the-secret-of-these-tests';
const TOKEN = 'the-token-of-these-tests';
export const untilItHappens = { timeout: 20_000, interval: 5 };
export type Env = NodeJS.ProcessEnv & { USHER_DATA: string };

export async function start(env: Env): Promise<Running> {
  const own = { PORT: '0', USHER_LOG_LEVEL: 'silent', USHER_DEMO: 'false', USHER_WEBHOOK_ALLOW_NETWORKS: '127.0.0.1' };
  const first = { USHER_BOOTSTRAP_SECRET: SECRET, USHER_BOOTSTRAP_TOKEN: TOKEN };
  const running = await serve(readSettings({ ...own, ...first, ...env }), () => {});
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= running.stop();
    return stopping;
  };
  onTestFinished(stop);
  return { ...running, stop };
}

export async function send({ address }: Running, method: string, path: string, content?: object) {
  const response = await fetch(address + path, {
    method,
    headers: { 'x-account-secret': SECRET, 'content-type': 'application/json' },
    ...(content && { body: JSON.stringify(content) }),
  });
  return { status: response.status, text: await response.text() };
}

export async function callServer(running: Running, method: string, path: string, content?: object) {
  const { status, text } = await send(running, method, path, content);
  expect([status < 300, text]).toEqual([true, text]);
  return JSON.parse(text);
}

/** Runs a command in this process. */
export async function usher(env: Env, ...argv: string[]) {
  const output = { out: '', err: '' };
  const code = await runCommand(
    argv,
    { PATH: process.env.PATH, ...env },
    {
      print: (text) => {
        output.out += text;
      },
      printError: (text) => {
        output.err += text;
      },
      untilStopped: async () => {},
    },
  );
  return { code, ...output };
}

export async function run(env: Env, ...argv: string[]): Promise<string> {
  const { code, out, err } = await usher(env, ...argv);
  expect([code, err]).toEqual([0, '']);
  return out;
}

export async function createDatabase(): Promise<Env> {
  const database = await createTestDatabase();
  onTestFinished(() => database.remove());
  return database.env;
}

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'usher-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Another machine, to which the operator has brought the master key. */
export function anotherMachine(env: Env): Env {
  const folder = newFolder();
  copyFileSync(join(env.USHER_DATA, 'master.key'), join(folder, 'master.key'));
  return { USHER_DATA: folder, USHER_PUBLIC_URL: 'http://other.example.com' };
}
