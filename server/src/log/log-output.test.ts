import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { LogOutput } from './log-output.ts';

function open(path: string): number {
  const descriptor = openSync(path, 'w');
  onTestFinished(() => closeSync(descriptor));
  return descriptor;
}

function newPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'usher-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'log');
}

function logFile() {
  const path = newPath();
  return { descriptor: open(path), read: () => readFileSync(path, 'utf8') };
}

/** A pipe whose reader has ended. */
function brokenPipe(): number {
  const path = newPath();
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = open(path);
  closeSync(reader);
  return writer;
}

it('writes every line once and in its order, also the lines that wait at the end', async () => {
  const { descriptor, read } = logFile();
  const output = new LogOutput(descriptor);
  const lines = Array.from({ length: 1000 }, (_, n) => `line ${n} ä\n`);
  for (const line of lines.slice(0, 900)) output.write(line);
  await vi.waitFor(() => expect(read()).toBe(lines.slice(0, 900).join('')));
  for (const line of lines.slice(900)) output.write(line);
  // The first of the last hundred lines is being written.
  await vi.waitFor(() => {
    output.flushSync();
    expect(read()).toHaveLength(lines.join('').length);
  });
});

it.runIf(process.platform === 'linux').each([
  ['the disk of the log is full', () => open('/dev/full')],
  ['nothing reads the log any more', brokenPipe],
])('neither fails nor waits when %s', async (_, openOutput) => {
  const output = new LogOutput(openOutput());
  output.write('one\n');
  await new Promise((resolve) => setImmediate(resolve));
  output.write('another\n');
  output.flushSync();
  output.write('one more\n');
  output.flushSync();
});
