import { sql } from 'kysely';
import { checkMissingOnSqlite, lookUpOnSqlite, upsertOnSqlite } from '../bulk-rows.ts';
import { sqliteId } from '../id-sql.ts';
import { sqliteJson } from '../json.ts';
import type { SqlDialect } from '../sql-dialect.ts';

/** SQLite has one writer at a time, so a transaction never meets rows that another one has locked. */
export const sqliteDialect: SqlDialect = {
  engine: 'sqlite',
  json: sqliteJson,
  id: sqliteId,
  lockRows: (query) => query,
  lockRowsSkipLocked: (query) => query,
  keepRows: (query) => query,
  isLocked: () => false,
  lookUp: lookUpOnSqlite,
  checkMissing: checkMissingOnSqlite,
  upsert: upsertOnSqlite,
  listedKeys: (types, json) => {
    const values = types.map((_, at) => sql`json_extract(value, ${`$[${at}]`})`);
    return sql`select ${sql.join(values)} from json_each(${json})`;
  },
  rowsPerWrite: 200,
};
