import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createEmptyDatabase } from '../test/engine.ts';

const command = fileURLToPath(new URL('../bin/usher.js', import.meta.url));
const waiting = { timeout: 20_000, interval: 20 };

/** Starts a server in a process of its own, in which SIGUSR2 runs this code. */
async function startServer(codeOnSignal: string) {
  const database = await createEmptyDatabase();
  const preload = `data:text/javascript,process.on('SIGUSR2',()=>{${codeOnSignal}})`;
  const child = spawn(process.execPath, ['--import', preload, command, 'serve'], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, PORT: '0', USHER_DEMO: 'false', ...database.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(async () => {
    if (child.exitCode === null) child.kill('SIGKILL');
    await database.remove();
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const url = await vi.waitFor(() => {
    const [, address] = /^Usher is ready at (\S+)$/m.exec(output) ?? [];
    if (!address) throw new Error(`The server is not ready: ${output}`);
    return address;
  }, waiting);
  return { child, url, output: () => output };
}

it('logs an unhandled rejection and keeps serving', async () => {
  const { child, url, output } = await startServer(`Promise.reject(new Error('nobody handles this'))`);
  child.kill('SIGUSR2');
  await vi.waitFor(
    () => expect(output()).toMatch(/"message":"nobody handles this".*"msg":"unhandled rejection"/),
    waiting,
  );
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
});

it('ends the process after an uncaught exception, with the error on standard error', async () => {
  const { child, output } = await startServer(`throw new Error('nobody catches this')`);
  child.kill('SIGUSR2');
  const [code] = await once(child, 'exit');
  expect(code).toBe(1);
  expect(output()).toContain('nobody catches this');
});
