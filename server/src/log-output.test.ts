import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { LogOutput } from './log-output.ts';

function open(path: string): number {
  const descriptor = openSync(path, 'w');
  onTestFinished(() => closeSync(descriptor));
  return descriptor;
}

function logFile() {
  const folder = mkdtempSync(join(tmpdir(), 'usher-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'log');
  return { descriptor: open(path), read: () => readFileSync(path, 'utf8') };
}

it('writes every line once and in its order, also those that wait at the end', async () => {
  const { descriptor, read } = logFile();
  const output = new LogOutput(descriptor);
  const lines = Array.from({ length: 1000 }, (_, n) => `line ${n} ä\n`);
  for (const line of lines.slice(0, 900)) output.write(line);
  await vi.waitFor(() => expect(read()).toBe(lines.slice(0, 900).join('')));
  for (const line of lines.slice(900)) output.write(line);
  // The first of these is being written.
  await vi.waitFor(() => {
    output.flushSync();
    expect(read()).toHaveLength(lines.join('').length);
  });
});

it.runIf(process.platform === 'linux')('neither fails nor waits when the disk of the log is full', async () => {
  const output = new LogOutput(open('/dev/full'));
  const listener = vi.fn();
  process.on('uncaughtException', listener);
  onTestFinished(() => void process.off('uncaughtException', listener));
  output.write('one\n');
  await new Promise((resolve) => setImmediate(resolve));
  output.write('another\n');
  output.flushSync();
  expect(listener).not.toHaveBeenCalled();
});
