import type { Engine } from '@usher/domain';
import { sql } from 'kysely';
import { version } from '../settings/version.ts';
import { migrations } from './migrations/index.ts';
import type { ColumnTypes } from './migrations/migration.ts';
import { renamedTables } from './migrations/renamed-tables.ts';
import { NewerSchema } from './newer-schema.ts';
import { tables } from './schema.ts';
import type { Db } from './storage.ts';

/** The entry of `installation` with the version that has changed the schema last. */
const SCHEMA_VERSION = 'schema_version';

/**
 * Applies the missing migrations inside the transaction of `db`. The caller has the lock that keeps other nodes out. With
 * `created`, a table gets its foreign keys only after `created` was called with its name.
 */
export async function applyMigrations(
  db: Db,
  types: ColumnTypes,
  { created, say = () => {} }: { created?: (table: string) => Promise<void>; say?: (text: string) => void } = {},
): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db);
  const applied = new Set((await db.selectFrom('migrations').select('name').execute()).map((row) => row.name));
  const unknown = [...applied].filter((name) => name !== '' && !Object.hasOwn(migrations, name)).sort();
  if (unknown[0] !== undefined) throw new NewerSchema(unknown[0], version, await readSchemaVersion(db));
  const missing = Object.entries(migrations).filter(([name]) => !applied.has(name));
  for (const [name, steps] of missing) {
    for (const step of steps(types)) {
      const table = typeof step === 'string' ? /^create table (\w+)/.exec(step)?.[1] : undefined;
      if (typeof step !== 'string') await step(db, say);
      else if (!created || table === undefined) await run(step);
      else {
        const { create, foreignKeys } = splitForeignKeys(step, kindOfTable(table) === 'tenant');
        await run(create);
        await created(table);
        for (const key of foreignKeys) await run(`alter table ${table} add ${key}`);
      }
    }
    await db.insertInto('migrations').values({ name }).execute();
  }
  if (missing.length > 0) await writeSchemaVersion(db);
}

/** Returns the names of the applied migrations, in their order. A database without tables has none. */
export async function listAppliedMigrations(db: Db, engine: Engine): Promise<string[]> {
  const { rows: tables } =
    engine === 'sqlite'
      ? await sql`select 1 from sqlite_schema where name = 'migrations'`.execute(db)
      : await sql`select 1 where to_regclass('migrations') is not null`.execute(db);
  if (tables.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from migrations where name <> '' order by name`.execute(db);
  return rows.map(({ name }) => name);
}

async function readSchemaVersion(db: Db): Promise<string | undefined> {
  const row = db.selectFrom('installation').select('value').where('name', '=', SCHEMA_VERSION);
  return (await row.executeTakeFirst())?.value;
}

async function writeSchemaVersion(db: Db): Promise<void> {
  await db
    .insertInto('installation')
    .values({ name: SCHEMA_VERSION, value: version })
    .onConflict((existing) => existing.column('name').doUpdateSet({ value: version }))
    .execute();
}

const currentNames: Readonly<Record<string, keyof typeof tables>> = renamedTables;

/** Accepts old names of renamed tables too. Returns undefined for tables that are not Usher's. */
export function kindOfTable(name: string): 'global' | 'tenant' | undefined {
  return tables[currentNames[name] ?? (name as keyof typeof tables)];
}

const foreignKey = /,\s*((?:constraint \w+ )?foreign key \([^)]*\) references \w+ \([^)]*\)[^,)\n]*)/g;
const reference = / references \w+ \(\w+\)/g;

/**
 * Citus cannot distribute a table that has foreign keys to a distributed table, but the keys can be added afterwards. The
 * engine gives a key the same name in both cases. Keys of single columns refer to global tables, which Citus does not
 * distribute: a tenant table gets none.
 */
export function splitForeignKeys(createTable: string, isTenant: boolean): { create: string; foreignKeys: string[] } {
  const foreignKeys = Array.from(createTable.matchAll(foreignKey), ([, key]) => key as string);
  const create = createTable.replaceAll(foreignKey, '');
  return { create: isTenant ? create.replaceAll(reference, '') : create, foreignKeys };
}
