import { timingSafeEqual } from 'node:crypto';
import type { Actor, World } from '../../context.ts';
import { forbidden } from '../../errors.ts';
import { hashSecret } from './secret.ts';

const USE_IS_NOTED_EVERY_MS = 60_000;

export interface Caller {
  account: { id: string };
  actor: Actor;
}

/** Finds whose secret this is. Missing, wrong and revoked ones get the same answer. */
export async function authenticate(world: World, secret: unknown): Promise<Caller> {
  if (typeof secret !== 'string' || secret === '') {
    throw forbidden('Give the account secret: in the header `X-Account-Secret`, or as the parameter `account_secret`');
  }
  const hash = hashSecret(secret);
  const row = await world.storage
    .reader(null)
    .selectFrom('secrets')
    .innerJoin('admins', 'admins.id', 'secrets.admin_id')
    .select([
      'secrets.id',
      'secrets.account_id',
      'secrets.hash',
      'secrets.last_used_at',
      'admins.id as admin_id',
      'admins.name',
      'admins.email',
      'admins.role',
    ])
    .where('secrets.hash', '=', hash)
    .where('secrets.revoked_at', 'is', null)
    .executeTakeFirst();
  if (!row || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(hash))) {
    throw forbidden('This account secret is not valid: check it, or make a new one with `npx usher token create`');
  }
  const now = world.now();
  if (row.last_used_at === null || row.last_used_at < now - USE_IS_NOTED_EVERY_MS) noteUse(world, row.id, now);
  return {
    account: { id: row.account_id },
    actor: { id: row.admin_id, name: row.name, email: row.email, role: row.role },
  };
}

/** Not waited for: the request does not depend on it, and a lost note only makes the time a minute older. */
function noteUse(world: World, secretId: string, now: number): void {
  world.storage
    .write(null, (db) => db.updateTable('secrets').set({ last_used_at: now }).where('id', '=', secretId).execute())
    .catch(() => {});
}
