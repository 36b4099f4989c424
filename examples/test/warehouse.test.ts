import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../server/src/cli/cli.ts';
import { exportTables, testUsers } from '../../server/src/exports/export-tables.ts';
import { type Api, startApi } from '../../server/test/api.ts';
import { newUid, openDomain, visit } from '../../server/test/visiting.ts';
import { openWarehouse, type Warehouse } from '../../server/test/warehouse.ts';

/* What a warehouse makes of exported files, and of the queries of docs/export.md. DuckDB has 70 MB, so it is not in `npm ci`. */

const tools = fileURLToPath(new URL('../warehouse/', import.meta.url));
const guide = readFileSync(new URL('../../docs/export.md', import.meta.url), 'utf8');
const HOUR = 60 * 60_000;
let api: Api;
let warehouse: Warehouse;
let query: (sql: string) => Promise<Record<string, unknown>[]>;

/** What is used of the package, which has its types only after it is installed. */
interface DuckDb {
  DuckDBInstance: { create(): Promise<{ connect(): Promise<Connection>; closeSync(): void }> };
}
interface Connection {
  runAndReadAll(sql: string): Promise<{ getRowObjectsJson(): Record<string, unknown>[] }>;
  closeSync(): void;
}

beforeAll(async () => {
  // There is no lock file: it would have to list the packages of all platforms. The version is exact.
  const options = ['--no-package-lock', '--no-save', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  await promisify(execFile)('npm', ['install', ...options], { cwd: tools });
});

beforeEach(async () => {
  // Responses are exported when they have been quiet for two hours.
  api = await startApi({ now: () => Date.now() - 3 * HOUR });
  warehouse = openWarehouse();
  const { DuckDBInstance }: DuckDb = createRequire(tools)('@duckdb/node-api');
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  onTestFinished(() => {
    connection.closeSync();
    instance.closeSync();
  });
  // Queries name files of the folder.
  query = async (sql) => {
    const reader = await connection.runAndReadAll(sql.replaceAll(/'(usher-[^']*)'/g, `'${warehouse.folder}/$1'`));
    return reader.getRowObjectsJson();
  };
});

async function exportNow(format: string): Promise<void> {
  let errors = '';
  const printError = (text: string) => {
    errors += text;
  };
  const env = { ...api.database.env, USHER_EXPORT_TO: warehouse.folder, USHER_EXPORT_FORMAT: format };
  const untilStopped = () => new Promise<never>(() => {});
  const code = await runCommand(['export', '--json'], env, { print: () => {}, printError, untilStopped });
  expect([code, errors]).toEqual([0, '']);
}

async function send(uid: string, name: string): Promise<string> {
  expect((await api.post('/v3/observe/hooks/events', { uid, name, amount: 5 })).status).toBe(200);
  return (await api.get('/v3/analyze/profile', { query: `uid=${uid}` })).body.profile.id;
}

/** A user answers 9. Returns the step. */
async function answerNps(): Promise<string> {
  await openDomain(api);
  const steps = [{ title: 'How likely?', preset: 'survey_nps' }];
  const { survey } = (await api.post('/v3/edit/surveys', { name: 'NPS', steps, published_at: '$now' })).body;
  const visit_token = (await visit(api, { uid: newUid() })).body.visit.token;
  const report = (params: object) =>
    api.post('/v3/observe/interactions', { visit_token, experience_id: survey.id, ...params }, { as: null });
  await report({ state: 'started' });
  expect((await report({ step_id: survey.steps[0].id, response: { value: '9' } })).status).toBe(200);
  return survey.steps[0].id;
}

it('has the columns of docs/export.md, with these types', async () => {
  await exportNow('parquet');
  const types = {
    text: 'VARCHAR',
    json: 'JSON',
    integer: 'BIGINT',
    number: 'DOUBLE',
    timestamp: 'TIMESTAMP',
    date: 'DATE',
  };
  for (const { name, columns } of [...exportTables, testUsers])
    expect(await query(`select column_name, column_type from (describe from 'usher-${name}-*.parquet')`), name).toEqual(
      columns.map((column) => ({ column_name: column.name, column_type: types[column.type] })),
    );
});

it('runs the queries of docs/export.md', async () => {
  const [test] = [await send('one', 'Paid'), await send('two', 'Paid'), await send('three', 'Paid')];
  await api.patch(`/v3/edit/profiles/${test}`, { test: true });
  const step = await answerNps();
  const forgotten = await send('four', 'Opened');
  await exportNow('parquet');
  await api.send('DELETE', `/v3/edit/profiles/${forgotten}/forget`);
  await exportNow('parquet');
  const found: Record<string, unknown>[][] = [];
  for (const [, sql = ''] of guide.matchAll(/```sql\n([\s\S]*?)```/g)) found.push(await query(sql));
  expect(found).toHaveLength(7);
  const [, byDay, , nps, , answers] = found;
  expect(byDay).toContainEqual(expect.objectContaining({ name: 'paid', events: '2', people: '2' }));
  expect(nps).toEqual([expect.objectContaining({ answers: '1', nps: 100 })]);
  expect(answers).toEqual([expect.objectContaining({ step, value: '9' })]);
  expect(await query('from forgotten_profiles')).toEqual([{ profile_id: forgotten }]);
});

it('reads CSV files, with nothing for null and quotes for an empty text', async () => {
  await send('one', 'Paid "twice", or\nmore');
  await answerNps();
  await exportNow('csv');
  const read = (table: string) =>
    query(`from read_csv('usher-${table}-*.csv', header = true, all_varchar = true, allow_quoted_nulls = false)`);
  expect(await read('events')).toEqual(await warehouse.rows('events', 'csv'));
  expect(await read('responses')).toEqual([expect.objectContaining({ score: '9', finished_at: null })]);
  expect(await read('activities')).toContainEqual(expect.objectContaining({ what: 'started', part_id: '' }));
});
