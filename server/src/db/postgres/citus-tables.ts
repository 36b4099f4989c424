import { type RawBuilder, sql } from 'kysely';
import { kindOfTable } from '../migrate.ts';
import type { Db } from '../schema.ts';

export async function hasCitus(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_extension where extname = 'citus'`.execute(db);
  return rows.length > 0;
}

/** Called inside the transaction of the migrations, before the first one. */
export async function prepareCitus(db: Db): Promise<void> {
  // Otherwise a statement over all shards cannot follow one that has changed the schema.
  await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(db);
  await replaceCopies(db);
}

/**
 * The rows of an account are together on one worker. Global tables are ordinary tables of the coordinator: they can be written while
 * a worker is unavailable, and every statement needs the coordinator anyway.
 */
export async function distribute(db: Db, table: string): Promise<void> {
  if (kindOfTable(table) !== 'tenant') return;
  const [first] = await listTables(db, sql`partmethod = 'h'`);
  // By default Citus puts a table together with any table that has the same kind of key, even one of another schema. It does
  // not do so for tables that are created at the same time.
  await sql`select create_distributed_table(${table}, 'account_id', colocate_with => ${first ?? 'none'})`.execute(db);
}

/** Earlier versions had a copy of some tables on every worker, so that nothing could be written to them without all workers. */
async function replaceCopies(db: Db): Promise<void> {
  const names = await copiedTables(db);
  if (names.length === 0) return;
  const { rows } = await sql<{ table: string; name: string; target: string }>`
    select t.relname as table, k.conname as name, o.relname as target
    from pg_constraint k join pg_class t on t.oid = k.conrelid join pg_class o on o.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = current_schema()::regnamespace`.execute(db);
  for (const { table, name, target } of rows)
    if (kindOfTable(table) === 'tenant' && names.includes(target))
      await sql`alter table ${sql.table(table)} drop constraint ${sql.id(name)}`.execute(db);
  // Citus converts a table together with the tables that it has foreign keys to or from.
  for (const name of names) {
    if ((await copiedTables(db)).includes(name))
      await sql`select undistribute_table(${name}, cascade_via_foreign_keys => true)`.execute(db);
    await distribute(db, name);
  }
}

function copiedTables(db: Db): Promise<string[]> {
  return listTables(db, sql`partmethod = 'n' and repmodel = 't'`);
}

/** The tables of Usher that Citus has in this way. */
async function listTables(db: Db, condition: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_dist_partition join pg_class on oid = logicalrelid
    where ${condition} and relnamespace = current_schema()::regnamespace order by relname`.execute(db);
  return rows.map(({ name }) => name).filter((name) => kindOfTable(name) !== undefined);
}
