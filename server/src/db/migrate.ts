import { sql } from 'kysely';
import { migrations } from './migrations/index.ts';
import type { ColumnTypes } from './migrations/migration.ts';
import type { Db } from './storage.ts';

/**
 * Applies what is missing, inside the transaction that `db` is, while the caller holds the lock that keeps other
 * nodes out. `created` is told of each new table, before anything refers to it.
 */
export async function applyMigrations(
  db: Db,
  types: ColumnTypes,
  created: (table: string) => Promise<void> = async () => {},
): Promise<void> {
  const applied = new Set((await db.selectFrom('migrations').select('name').execute()).map((row) => row.name));
  for (const [name, steps] of Object.entries(migrations)) {
    if (applied.has(name)) continue;
    for (const step of steps(types)) {
      if (typeof step !== 'string') {
        await step(db);
        continue;
      }
      await sql.raw(step).execute(db);
      const table = /^create table (\w+)/.exec(step)?.[1];
      if (table !== undefined) await created(table);
    }
    await db.insertInto('migrations').values({ name }).execute();
  }
}
