import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createEmptyDatabase } from './engine.ts';
import { startServer } from './run-process.ts';

const SECRET = 'apply-secret-0123456789abcdef';
const FILES = 200;

it('an apply is stored as a whole or not at all when the server is killed', async () => {
  const database = await createEmptyDatabase();
  onTestFinished(() => database.remove());
  const env = { ...database.env, USHER_BOOTSTRAP_SECRET: SECRET };
  const headers = { 'X-Account-Secret': SECRET };
  const outcomes = new Set<string>();
  let applied = 0;
  for (let round = 0; round < 6; round++) {
    const server = await startServer(env);
    const show = async () => {
      const { files } = (await (await fetch(`${server.url}/v3/edit/files`, { headers })).json()) as {
        files: { name: string }[];
      };
      return files;
    };
    // The last apply that got an answer is there, or the one after it, and nothing in between.
    const names = new Set((await show()).map(({ name }) => name));
    expect(names.size).toBeLessThanOrEqual(1);
    if (applied > 0) expect([...names][0]).toMatch(new RegExp(`^Round (${applied}|${round})$`));
    const records = Array.from({ length: FILES }, (_, at) => ({
      file: `tours/tour-${at}`,
      content: { name: `Round ${round + 1}`, steps: [{ key: 'a', title: 'Hello' }] },
    }));
    const form = new FormData();
    form.append('file', new Blob([JSON.stringify({ records })]), 'records.json');
    const answer = fetch(`${server.url}/v3/edit/apply`, { method: 'POST', headers, body: form }).then(
      ({ ok }) => ok,
      () => false,
    );
    // The last round is not killed, so that the test knows that it applies anything.
    if (round < 5) await Promise.race([answer, pause(40 + 150 * round)]);
    else await answer;
    server.child.kill('SIGKILL');
    await server.ended;
    const isAnswered = await answer;
    if (isAnswered) applied = round + 1;
    outcomes.add(String(isAnswered));
  }
  expect(outcomes).toEqual(new Set(['true', 'false']));
}, 120_000);
