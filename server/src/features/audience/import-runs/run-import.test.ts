import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { anonymous, createContext } from '../../../create-context.ts';
import { importsOf } from '../import-files/import-rows.ts';
import { claimImport, MAX_TRIES, type Pace, runImport } from './run-import.ts';

let api: Api;
let now = Date.now();
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
});
afterAll(() => api.stop());

const ROWS = 200;
const LEASE_MS = 31_000;
const [first, second, third] = ['1', '2', '3'].map((digit) => digit.repeat(24)) as [string, string, string];

/** Creates an import that starts much later, so that only the test runs it. */
const schedule = (uid: (at: number) => string) => scheduleRows(Array.from({ length: ROWS }, (_, at) => `${uid(at)},`));

async function scheduleRows(rows: readonly string[], params: Record<string, string> = {}): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([`id,email\n${rows.join('\n')}\n`]), 'people.csv');
  const columns = [
    { name: 'id', prop: 'uid' },
    { name: 'email', prop: 'email' },
  ];
  const properties = JSON.stringify(columns);
  const query = new URLSearchParams({ name: 'A', kind: 'update_csv', import_at: '+30d', properties, ...params });
  const { status, body } = await api.send('POST', '/v3/edit/imports', { query: String(query), body: form });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.import.id;
}

const contextOf = () => createContext(api.app, { account: { id: api.account.account_id }, actor: anonymous });
const claim = (id: string, by: string) => claimImport(contextOf(), id, by);
const run = (id: string, by: string, pace: Partial<Pace> = {}) =>
  runImport({
    app: api.app,
    accountId: api.account.account_id,
    id,
    claim: by,
    pace: { isBusy: () => true, yieldToRequests: async () => {}, isStopped: () => false, isOwnThread: true, ...pace },
  });
const statsOf = async (id: string) => (await api.get(`/v3/edit/imports/${id}`)).body.import.stats;

/** Stops a run after so many chunks. */
function stopAfter(chunks: number): Pick<Pace, 'yieldToRequests' | 'isStopped'> {
  let done = 0;
  return {
    yieldToRequests: async () => {
      done += 1;
    },
    isStopped: () => done >= chunks,
  };
}

it('goes on where another worker was stopped, or has lost it, and stores each row once', async () => {
  const id = await schedule((at) => `once${at}`);
  expect(await claim(id, first)).toBeDefined();
  await run(id, first, stopAfter(2));
  const { last_row } = await statsOf(id);
  expect(last_row).toBeGreaterThan(0);
  expect(last_row).toBeLessThan(ROWS);

  expect(await claim(id, second)).toBeDefined();
  let taken = false;
  // Another worker takes the import over while this one pauses, as after the pause of a whole machine.
  const takeOver = async () => {
    if (taken) return;
    taken = true;
    now += LEASE_MS;
    expect(await claim(id, third)).toBeDefined();
    await run(id, third, stopAfter(1));
    now += LEASE_MS;
    expect(await claim(id, third)).toBeDefined();
  };
  await run(id, second, { yieldToRequests: takeOver });
  expect((await statsOf(id)).last_row).toBeLessThan(ROWS);
  await run(id, third);
  expect(await statsOf(id)).toMatchObject({
    last_import_state: 'completed',
    last_row: ROWS,
    created_count: ROWS,
    updated_count: 0,
  });
});

it('counts a record once in a dry run, as the import does, also after it was stopped', async () => {
  const people = Array.from({ length: ROWS }, (_, at) => `dry${at}`);
  const rows = [
    ...people.map((uid) => `${uid},${uid}@acme.test`),
    ...people.map((uid) => `,${uid.toUpperCase()}@acme.test`),
    ...people.map((uid) => `${uid},`),
    ',unknown@acme.test',
  ];
  const countsOf = async (id: string) => {
    const stats = await statsOf(id);
    expect(stats).toMatchObject({ last_import_state: 'completed', last_row: rows.length });
    const { created_count, updated_count, deleted_count, ignored_count, failed_count } = stats;
    return { created_count, updated_count, deleted_count, ignored_count, failed_count };
  };
  /** Stops it once, and then runs it to its end. */
  const runInTwo = async (params: Record<string, string>) => {
    const id = await scheduleRows(rows, params);
    for (const [by, pace] of [
      [first, stopAfter(3)],
      [second, {}],
    ] as const) {
      now += LEASE_MS;
      expect(await claim(id, by)).toBeDefined();
      await run(id, by, pace);
    }
    return countsOf(id);
  };
  const none = { created_count: 0, updated_count: 0, deleted_count: 0, ignored_count: 0, failed_count: 0 };
  const stored = { ...none, created_count: ROWS, updated_count: 2 * ROWS, failed_count: 1 };
  expect(await runInTwo({ dry_run: 'true' })).toEqual(stored);
  expect(await runInTwo({ dry_run: 'true', on_model_missing: 'ignore' })).toEqual({
    ...none,
    ignored_count: rows.length,
  });
  expect(await runInTwo({})).toEqual(stored);
  const deleted = { ...none, deleted_count: ROWS, ignored_count: 2 * ROWS + 1 };
  expect(await runInTwo({ kind: 'delete_csv', dry_run: 'true' })).toEqual(deleted);
  expect(await runInTwo({ kind: 'delete_csv' })).toEqual(deleted);
});

it('is tried again after a failure of the server, and stops after many', async () => {
  const id = await schedule((at) => `tried${at}`);
  // It fails before its first chunk: a chunk that is stored begins the counting again.
  const isBusy = () => {
    throw new Error('The disk is gone');
  };
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    now += LEASE_MS;
    expect(await claim(id, first)).toBeDefined();
    await expect(run(id, first, { isBusy })).rejects.toThrow('The disk is gone');
    const state = tries < MAX_TRIES ? 'retrying' : 'error';
    expect(await statsOf(id)).toMatchObject({ last_import_state: state, last_row: 0 });
  }
  expect(await claim(id, first)).toBeUndefined();
  const [row] = await importsOf(contextOf()).where('id', '=', id).execute();
  expect(row).toMatchObject({ tries: MAX_TRIES, claim: null });
  const { body } = await api.patch(`/v3/edit/imports/${id}`, { import_at: '+30d' });
  expect(body.import.stats).toMatchObject({ last_import_state: null, last_import_error: null });
  expect(await claim(id, second)).toBeDefined();
  await run(id, second);
  expect((await statsOf(id)).created_count).toBe(ROWS);
});
