import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createEmptyDatabase } from './engine.ts';
import { type Server, startServer } from './run-process.ts';

const SECRET = 'imports-secret-0123456789abcdef';
/** The server is asked all the time, so it stores small chunks. */
const ROWS = 8000;
const KILLS = 2;
const path = '/v3/edit/imports';

async function send(server: Server, method: string, to: string, body?: FormData | object) {
  const isForm = body instanceof FormData;
  const response = await fetch(server.url + to, {
    method,
    headers: { 'X-Account-Secret': SECRET, ...(body && !isForm && { 'Content-Type': 'application/json' }) },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
  return response.json() as Promise<{
    import: { id: string; stats: Record<string, number | string | null> };
    count: number;
    messages?: string[];
  }>;
}

async function statsOf(server: Server, id: string) {
  return (await send(server, 'GET', `${path}/${id}`)).import.stats;
}

/** Waits until the import is at this row. */
async function untilRow(server: Server, id: string, row: number): Promise<Record<string, number | string | null>> {
  for (;;) {
    const stats = await statsOf(server, id);
    if (Number(stats.last_row) >= row || stats.last_import_state === 'completed') return stats;
    await pause(20);
  }
}

it('an import loses and repeats no row when the server is killed again and again', async () => {
  const database = await createEmptyDatabase();
  onTestFinished(() => database.remove());
  const env = { ...database.env, USHER_BOOTSTRAP_SECRET: SECRET };
  let server = await startServer(env);
  const rows = Array.from({ length: ROWS }, (_, at) => `u${at},${at}`).join('\n');
  const form = new FormData();
  form.append('name', 'Many');
  form.append('kind', 'update_csv');
  form.append(
    'properties',
    JSON.stringify([
      { name: 'id', prop: 'uid' },
      { name: 'number', prop: 'number' },
    ]),
  );
  form.append('import_at', '$now');
  form.append('file', new Blob([`id,number\n${rows}\n`]), 'many.csv');
  const created = await send(server, 'POST', path, form);
  expect(created.messages).toBeUndefined();
  const { id } = created.import;
  let reached = 0;
  for (let kill = 1; kill <= KILLS; kill++) {
    const stats = await untilRow(server, id, Math.floor((ROWS * kill) / (KILLS + 2)));
    expect(stats.last_import_state).toBe('started');
    reached = Number(stats.last_row);
    server.child.kill('SIGKILL');
    await server.ended;
    server = await startServer(env);
    expect(Number((await statsOf(server, id)).last_row)).toBeGreaterThanOrEqual(reached);
  }
  const done = await untilRow(server, id, Number.POSITIVE_INFINITY);
  expect(done).toMatchObject({ created_count: ROWS, updated_count: 0, failed_count: 0, last_row: ROWS });
  expect((await send(server, 'GET', '/v3/analyze/profiles/count')).count).toBe(ROWS);
}, 400_000);
