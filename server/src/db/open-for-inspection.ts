import type { Millis } from '@usher/domain';
import type { Log } from '../log/log.ts';
import { type DatabaseFindings, inspectDatabase } from './inspect-database.ts';
import { CitusWorkers } from './postgres/citus-workers.ts';
import { connect } from './postgres/connect.ts';
import { forLongWork } from './postgres/patience.ts';
import { readPostgresStatus } from './postgres/postgres-status.ts';
import { findReplicaProblem } from './postgres/replica.ts';
import { openConnection, SqliteConnection } from './sqlite/sqlite-connection.ts';
import { readSqliteDisk } from './sqlite/sqlite-disk.ts';
import { kyselyOn } from './sqlite/sqlite-kysely.ts';
import { readSqliteStatus } from './sqlite/sqlite-status.ts';
import type { DiskFigures, StorageStatus } from './storage.ts';

/** A database that is only looked at: it is not created, not migrated, and nothing is written to it. */
export interface Inspection {
  status(): Promise<StorageStatus>;
  inspect(now: Millis): Promise<DatabaseFindings>;
  readDisk(): Promise<DiskFigures | null>;
  /** Names the parts of the database that are unavailable while others can be used. */
  listUnavailable(): Promise<string[]>;
  close(): Promise<void>;
}

export function openForInspection(address: { sqliteFile: string } | { databaseUrl: string }, log: Log): Inspection {
  return 'databaseUrl' in address ? inspectPostgres(address.databaseUrl, log) : inspectSqlite(address.sqliteFile);
}

/** Says why the replica cannot be used, if it does not get what the database has written now. */
export async function inspectReplica(
  { databaseUrl, databaseReplicaUrl }: { databaseUrl: string; databaseReplicaUrl: string },
  log: Log,
): Promise<{ problem: string | undefined }> {
  const options = { maxConnections: 1, patience: forLongWork, log };
  const [primary, standby] = [connect(databaseUrl, options), connect(databaseReplicaUrl, options)];
  try {
    return { problem: await findReplicaProblem(primary.db, standby.db) };
  } finally {
    await Promise.all([primary.close(), standby.close()]);
  }
}

function inspectSqlite(file: string): Inspection {
  const connection = new SqliteConnection(openConnection(file, 'pragma query_only = on'));
  return {
    status: () => readSqliteStatus(file, connection),
    inspect: (now) => inspectDatabase(kyselyOn(connection), 'sqlite', { now, thorough: true }),
    readDisk: () => readSqliteDisk(file, connection),
    listUnavailable: async () => [],
    close: async () => connection.close(),
  };
}

function inspectPostgres(url: string, log: Log): Inspection {
  const { db, close } = connect(url, { maxConnections: 2, patience: forLongWork, log });
  // A setting of the connection would stay with it when a pooler gives it to a server.
  const reading = () => db.transaction().setAccessMode('read only');
  return {
    status: () => reading().execute(readPostgresStatus),
    inspect: (now) => reading().execute((tx) => inspectDatabase(tx, 'postgres', { now, thorough: true })),
    readDisk: async () => null,
    listUnavailable: () => new CitusWorkers(db, () => {}).listUnavailable(),
    close,
  };
}
