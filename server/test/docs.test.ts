import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startApi } from './api.ts';
import { createTestDatabase } from './engine.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const run = promisify(execFile);

/** The fenced blocks that a reader is told to run: those marked `bash`. */
function commandsIn(page: string): string[] {
  const text = readFileSync(`${root}/${page}`, 'utf8');
  return [...text.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block]) => block as string);
}

it.each(['README.md', 'docs/api.md'])('the curl commands of %s work as they stand', async (page) => {
  const { url, account } = await startApi();
  const blocks = commandsIn(page).filter((block) => block.includes('curl '));
  expect(blocks.length).toBeGreaterThan(0);
  const env = { ...process.env, USHER_URL: url, ACCOUNT_SECRET: account.account_secret };
  for (const block of blocks) {
    const { stdout } = await run('bash', ['-ec', block], { env });
    expect(stdout).toMatch(/^\{/);
    expect(stdout).not.toContain('"code"');
  }
});

it.each(['README.md', 'docs/running.md'])('the usher commands of %s work as they stand', async (page) => {
  const database = await createTestDatabase();
  const blocks = commandsIn(page).filter((block) => block.includes('npx usher '));
  expect(blocks.length).toBeGreaterThan(0);
  try {
    for (const block of blocks) {
      const { stdout } = await run('bash', ['-ec', block], { cwd: root, env: { ...process.env, ...database.env } });
      expect(stdout).toContain('account_id');
    }
  } finally {
    await database.remove();
  }
});

it('npm start builds, starts, answers, and stops on SIGTERM', async () => {
  const database = await createTestDatabase();
  const env = { ...process.env, ...database.env, PORT: '0', USHER_BOOTSTRAP_SECRET: 'a-secret-for-the-docs' };
  const npm = spawn('npm', ['start'], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const url = await addressPrintedBy(npm.stdout);
    const answer = await fetch(url, { headers: { 'X-Account-Secret': 'a-secret-for-the-docs' } });
    expect(answer.status).toBe(200);
  } finally {
    // Its output is closed when the server itself has ended, not only npm.
    const ended = once(npm, 'close');
    npm.stdout.resume();
    npm.kill('SIGTERM');
    await ended;
    await database.remove();
  }
});

async function addressPrintedBy(output: Readable): Promise<string> {
  for await (const line of createInterface(output)) {
    const address = /ready at (\S+)/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error('the server ended without being ready');
}

it('every other command of the pages for users is one that CI runs', () => {
  const pages = ['README.md', 'docs/api.md', 'docs/running.md'];
  const lines = pages.flatMap(commandsIn).flatMap((block) => block.replaceAll('\\\n', '').split('\n'));
  const others = lines.filter((line) => line !== '' && !/^(#|curl |npx usher )/.test(line));
  expect([...new Set(others)].sort()).toEqual([
    'DATABASE_URL=postgres://usher:password@localhost:5432/usher npm start',
    'npm ci && npm start',
    'npm ci && npm test',
  ]);
});
