import type { Log } from '../log/log.ts';
import { DEFAULT_CONNECTIONS, divideConnections } from './postgres/divide-connections.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import { forLongWork } from './postgres/patience.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';
import type { Storage, StorageAddress } from './storage.ts';

const patient = { main: forLongWork, long: forLongWork };

interface StorageOptions {
  /** How many connections to PostgreSQL this process may have, with all its threads. */
  connections?: number;
  /** The address of a standby of PostgreSQL, for heavy reads. */
  replicaUrl?: string | undefined;
  /** No request waits for a response: every statement may take a minute. */
  isPatient?: boolean;
}

export function openStorage(
  address: StorageAddress | { sqliteFile: string } | { databaseUrl: string },
  log: Log,
  { connections = DEFAULT_CONNECTIONS, replicaUrl, isPatient = false }: StorageOptions = {},
): Storage {
  if ('databaseUrl' in address) {
    const pools = 'pools' in address ? address.pools : divideConnections(connections);
    const starvedPools = 'starvedPools' in address ? address.starvedPools : undefined;
    return openPostgres(address.databaseUrl, log, {
      pools,
      starvedPools,
      replicaUrl,
      ...(isPatient && { patience: patient }),
    });
  }
  return openSqlite(address.sqliteFile, 'writerPriority' in address ? address : undefined);
}
