import { sql } from 'kysely';
import { postgresMillisOfId } from '../id-sql.ts';
import { applyMigrations } from '../migrate.ts';
import type { ColumnTypes } from '../migrations/migration.ts';
import type { Db } from '../schema.ts';
import { distribute, hasCitus, prepareCitus } from './citus-tables.ts';
import { sqlStateOf } from './sql-state.ts';
import { MAX_TRIES, runTransaction } from './transaction.ts';

const columnTypes: ColumnTypes = {
  id: 'text collate "C"',
  time: 'bigint',
  bytes: 'bytea',
  json: 'jsonb',
  indexJson: (table, column) => [`create index ${table}_by_${column} on ${table} using gin (${column} jsonb_path_ops)`],
  millisOfId: postgresMillisOfId,
  onSqlite: () => [],
  onPostgres: (...all) => all,
};
/** The table was created by another node at the same moment, or its type or index was. */
const createdByOther = new Set(['23505', '42P07', '42710', 'XX000']);

/** Nodes that start together wait for the lock of one row, so each migration runs once. */
export async function migratePostgres(db: Db): Promise<void> {
  await createMigrationsTable(db);
  await runTransaction(db, async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx);
    await sql`select 1 from migrations where name = '' for update`.execute(tx);
    const citus = await hasCitus(tx);
    if (citus) await prepareCitus(tx);
    await applyMigrations(tx, columnTypes, {
      created: async (table) => {
        if (citus) await distribute(tx, table);
      },
    });
  });
}

/** `if not exists` is not safe when two nodes create the table at the same moment. The node that fails tries again. */
async function createMigrationsTable(db: Db): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await sql`create table if not exists migrations (name text primary key)`.execute(db);
      await sql`insert into migrations (name) values ('') on conflict do nothing`.execute(db);
      return;
    } catch (error) {
      if (attempt === MAX_TRIES || !createdByOther.has(sqlStateOf(error))) throw error;
    }
  }
}

export async function dumpPostgresSchema(db: Db): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    with lines as (
      select c.relname as place, 1 as part, a.attnum::text as spot,
        format('  %s %s%s%s', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
          case when co.collname <> 'default' then format(' collate %I', co.collname) else '' end,
          case when a.attnotnull then ' not null' else '' end) as line
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_collation co on co.oid = a.attcollation
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      union all
      select c.relname, 2, conname, format('  constraint %s %s', conname, pg_get_constraintdef(k.oid))
      from pg_constraint k
      join pg_class c on c.oid = k.conrelid -- pg_class, because Citus hides its shards there
      where connamespace = current_schema()::regnamespace and contype <> 'n'
      union all
      select c.relname, 3, n.relname, format('  %s', regexp_replace(pg_get_indexdef(i.indexrelid), ' ON \\S+\\.', ' ON '))
      from pg_index i
      join pg_class c on c.oid = i.indrelid -- not the view pg_indexes, in which Citus shows its shards
      join pg_class n on n.oid = i.indexrelid
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      union all
      select relname, 0, '', format('table %s', relname)
      from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
    )
    select line from lines order by place collate "C", part, lpad(spot, 4), spot collate "C"`.execute(db);
  return `${rows
    .map((row) => row.line)
    .join('\n')
    .replaceAll('\ntable ', '\n\ntable ')}\n`;
}
