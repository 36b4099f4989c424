import { sql } from 'kysely';
import { checkMissingOnPostgres, lookUpOnPostgres, upsertOnPostgres } from '../bulk-rows.ts';
import { postgresJson } from '../json.ts';
import type { SqlDialect } from '../sql-dialect.ts';
import { sqlStateOf } from './sql-state.ts';

const LOCK_NOT_AVAILABLE = '55P03';

export const postgresDialect: SqlDialect = {
  engine: 'postgres',
  json: postgresJson,
  lockRows: (query) => query.forUpdate(),
  lockRowsSkipLocked: (query) => query.forUpdate().skipLocked(),
  keepRows: (query) => query.forKeyShare(),
  noWait: (query) => query.noWait(),
  // Written by hand, because Kysely would put both `nowait` at the end.
  lockJoined: (query, locked, kept) =>
    query.modifyEnd(sql`for update of ${sql.ref(locked)} nowait for key share of ${sql.ref(kept)} nowait`),
  isLocked: (error) => sqlStateOf(error) === LOCK_NOT_AVAILABLE,
  lookUp: lookUpOnPostgres,
  checkMissing: checkMissingOnPostgres,
  upsert: upsertOnPostgres,
  rowsPerWrite: 500,
};
