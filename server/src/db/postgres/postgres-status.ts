import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import type { StorageStatus } from '../storage.ts';

export async function readPostgresStatus(db: Kysely<Schema>): Promise<StorageStatus> {
  const { rows } = await sql<{ version: string; bytes: string; open: string; max: string }>`
    select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
      (select count(*) from pg_stat_activity where backend_type = 'client backend') as open,
      current_setting('max_connections') as max`.execute(db);
  const { version = '', bytes = 0, open = 0, max = 0 } = rows[0] ?? {};
  return {
    engine: 'postgres',
    version,
    bytes: Number(bytes),
    freeDiskBytes: null,
    connections: { open: Number(open), max: Number(max) },
  };
}
