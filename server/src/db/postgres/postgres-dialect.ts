import { sql } from 'kysely';
import { checkMissingOnPostgres, lookUpOnPostgres, upsertOnPostgres } from '../bulk-rows.ts';
import { postgresId } from '../id-sql.ts';
import { postgresJson } from '../json.ts';
import type { SqlDialect } from '../sql-dialect.ts';
import { sqlStateOf } from './sql-state.ts';

const LOCK_NOT_AVAILABLE = '55P03';

export const postgresDialect: SqlDialect = {
  engine: 'postgres',
  json: postgresJson,
  id: postgresId,
  lockRows: (query) => query.forUpdate(),
  lockRowsSkipLocked: (query) => query.forUpdate().skipLocked(),
  keepRows: (query) => query.forKeyShare(),
  isLocked: (error) => sqlStateOf(error) === LOCK_NOT_AVAILABLE,
  lookUp: lookUpOnPostgres,
  checkMissing: checkMissingOnPostgres,
  upsert: upsertOnPostgres,
  listedKeys: (types, json) => {
    const values = types.map((type, at) => sql`(item ->> ${sql.lit(at)})::${sql.raw(type)}`);
    return sql`select ${sql.join(values)} from jsonb_array_elements(${json}::jsonb) as item`;
  },
  rowsPerWrite: 500,
};
