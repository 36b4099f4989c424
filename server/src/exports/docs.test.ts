import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { exportTables, testUsers } from './export-tables.ts';

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
  expect(readFileSync(new URL('../../../docs/export.md', import.meta.url), 'utf8')).toContain(tables.join('\n\n'));
});
