import type { Log } from '../log.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';
import type { Storage, StorageAddress } from './storage.ts';

export function openStorage(address: StorageAddress | { sqliteFile: string }, log: Log): Storage {
  if ('databaseUrl' in address) return openPostgres(address.databaseUrl, log);
  return openSqlite(address.sqliteFile, 'writerPriority' in address ? address.writerPriority : undefined);
}
