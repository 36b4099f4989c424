import { sqliteMillisOfId } from '../id-sql.ts';
import { migrations } from '../migrations/index.ts';
import type { ColumnTypes } from '../migrations/migration.ts';
import { tables } from '../schema.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

export const sqliteColumnTypes: ColumnTypes = {
  id: 'text',
  time: 'integer',
  bytes: 'blob',
  json: 'jsontext',
  indexJson: () => [],
  millisOfId: sqliteMillisOfId,
  onSqlite: (...all) => all,
  onPostgres: () => [],
};

const LARGE_ACCOUNT_ROWS = 1_000_000;

/**
 * Writes statistics for the query planner. Without them SQLite assumes ten rows for an account, and reads all rows of a
 * large account instead of looking up a hundred by their keys. The statistics say that accounts are large, and how few rows
 * are left with each further column of an index.
 */
export function writeTableStatistics(connection: SqliteConnection): void {
  connection.exec('analyze migrations; delete from sqlite_stat1');
  for (const { tbl, idx, stat } of listStatistics(connection))
    connection.query('insert into sqlite_stat1 (tbl, idx, stat) values (?, ?, ?)', [tbl, idx, stat]);
}

/**
 * Whether a database has all migrations and their statistics. Commands do not write then: after each write of another
 * process, the server would go through the whole file (written-pages.ts).
 */
export function isUpToDate(connection: SqliteConnection, applied: readonly string[]): boolean {
  if (applied.join() !== Object.keys(migrations).sort().join()) return false;
  if (connection.query("select name from sqlite_schema where name = 'sqlite_stat1'", []).length === 0) return false;
  const stored = connection.query<Statistics>('select tbl, idx, stat from sqlite_stat1', []);
  const toText = (all: Statistics[]) => all.map(({ tbl, idx, stat }) => `${tbl} ${idx} ${stat}`).sort();
  return toText(stored).join() === toText(listStatistics(connection)).join();
}

interface Statistics {
  tbl: string;
  idx: string;
  stat: string;
}

function listStatistics(connection: SqliteConnection): Statistics[] {
  return Object.entries(tables).flatMap(([tbl, kind]) => {
    if (kind !== 'tenant') return [];
    const indices = connection.query<{ name: string; unique: number }>(
      'select name, "unique" from pragma_index_list(?)',
      [tbl],
    );
    return indices.map(({ name, unique }) => {
      const columns = connection.query('select name from pragma_index_info(?)', [name]);
      const rowsLeft = columns.slice(1).map((_, at) => (unique === 1 && at === columns.length - 2 ? 1 : 20));
      return { tbl, idx: name, stat: [LARGE_ACCOUNT_ROWS, LARGE_ACCOUNT_ROWS, ...rowsLeft].join(' ') };
    });
  });
}

export function dumpSqliteSchema(connection: SqliteConnection): string {
  const rows = connection.query<{ sql: string }>(
    "select sql from sqlite_schema where sql is not null and name not like 'sqlite_%' order by name",
    [],
  );
  return rows.map(({ sql }) => `${sql.replace(/\n {6}/g, '\n  ').replace(/\n {4}/g, '\n')};\n`).join('\n');
}
