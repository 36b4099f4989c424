import { randomBytes } from 'node:crypto';
import type { Storage } from '../db/storage.ts';

const NAME = 'id';

/**
 * A random name of the installation, the same on all nodes of a database. `/healthz` returns it, so that a node can tell
 * whether the public URL leads to its own installation. It is no secret.
 */
export async function findInstallationId(storage: Storage): Promise<string> {
  const find = () =>
    storage.reader(null).selectFrom('installation').select('value').where('name', '=', NAME).executeTakeFirst();
  const known = await find();
  if (known) return known.value;
  const value = randomBytes(12).toString('hex');
  await storage.write(null, (db) =>
    db
      .insertInto('installation')
      .values({ name: NAME, value })
      .onConflict((other) => other.column('name').doNothing())
      .execute(),
  );
  return (await find())?.value ?? value;
}
