import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import type { StorageStatus } from '../storage.ts';

export async function readPostgresStatus(db: Kysely<Schema>): Promise<StorageStatus> {
  // The limit that is reached first: of the server, of the role or of the database. Roles see the kind of only their own backends, but
  // the user of all: background processes have none.
  const { rows } = await sql<{ version: string; bytes: string; open: string; max: string }>`
    with backend as (select usename, datname from pg_stat_activity where usesysid is not null),
    connection_limit as (
      select count(*) as open, current_setting('max_connections')::integer as max from backend
      union all
      select (select count(*) from backend where usename = rolname), rolconnlimit
      from pg_roles where rolname = current_user and rolconnlimit > 0 and not rolsuper
      union all
      select (select count(*) from backend b where b.datname = d.datname), datconnlimit
      from pg_database d where datname = current_database() and datconnlimit > 0
    )
    select current_setting('server_version') as version, pg_database_size(current_database()) as bytes, open, max
    from connection_limit order by open::float / max desc limit 1`.execute(db);
  const { version = '', bytes = 0, open = 0, max = 0 } = rows[0] ?? {};
  return {
    engine: 'postgres',
    version,
    bytes: Number(bytes),
    freeDiskBytes: null,
    connections: { open: Number(open), max: Number(max) },
  };
}
