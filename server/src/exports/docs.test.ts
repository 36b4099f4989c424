import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startApi } from '../../test/api.ts';
import { root } from '../../test/run-process.ts';
import { openWarehouse } from '../../test/warehouse.ts';
import { FolderStore } from '../backup/folder-store.ts';
import { readSettings } from '../settings/settings.ts';
import { folderUse } from './export-names.ts';
import { exportTables, testUsers } from './export-tables.ts';
import { runExport } from './run-export.ts';

const file = join(root, 'docs/export.md');
const text = readFileSync(file, 'utf8');

it('docs/export.md lists every column with its type', () => {
  const tables = [...exportTables, testUsers].map(({ name, description, columns }) =>
    [
      `### ${name}\n`,
      `${description}.\n`,
      '| column | type | meaning |',
      '|---|---|---|',
      ...columns.map((column) => `| \`${column.name}\` | ${column.type} | ${column.description} |`),
    ].join('\n'),
  );
  expect(text).toContain(tables.join('\n\n'));
});

it('the queries of docs/export.md run in DuckDB', async () => {
  const api = await startApi();
  const warehouse = await openWarehouse();
  const uids = ['one', 'two', 'three'];
  for (const uid of uids) await api.post('/v3/observe/hooks/events', { uid, name: 'Paid', amount: 5 });
  const { profile } = (await api.get('/v3/analyze/profile', { query: 'uid=one' })).body;
  await api.patch(`/v3/edit/profiles/${profile.id}`, { test: true });
  const env = { ...api.database.env, USHER_EXPORT_TO: warehouse.folder };
  const settings = readSettings(env);
  await new FolderStore(warehouse.folder, folderUse).create();
  const pace = { isBusy: () => false, yieldToRequests: async () => {}, isStopped: () => false };
  await runExport(api.app, { ...settings, export: settings.export as never }, pace);
  const queries = [...text.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql]) => sql as string);
  expect(queries.length).toBeGreaterThan(4);
  const found = [];
  for (const query of queries) found.push(await warehouse.query(query));
  // The second query counts people by event and day, without the test user.
  expect(found[1]).toEqual([expect.objectContaining({ name: 'paid', events: '2', people: '2' })]);
  expect(await warehouse.query('from forgotten_profiles')).toEqual([]);
});
