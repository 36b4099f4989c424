import { timingSafeEqual } from 'node:crypto';
import { isRecent, toTimestamp } from '@usher/domain';
import type { InferResult } from 'kysely';
import type { AppContext, Authenticate, Caller } from '../../../context.ts';
import { forbidden } from '../../../errors.ts';
import { PerTickDedup } from '../../../http/per-tick-dedup.ts';
import { hashSecret } from '../secrets/secret.ts';

const RECORD_USE_EVERY_MS = 60_000;

export function createAuthenticate(app: AppContext, perTickDedup = new PerTickDedup()): Authenticate {
  const db = app.storage.reader(null);
  // Every request runs this query, so it is compiled once.
  const byHash = db
    .selectFrom('secrets')
    .innerJoin('admins', 'admins.id', 'secrets.admin_id')
    .select([
      'secrets.id',
      'secrets.account_id',
      'secrets.hash',
      'secrets.last_used_at',
      'secrets.scope',
      'secrets.people',
      'secrets.expires_at',
      'secrets.networks',
      'admins.id as admin_id',
      'admins.role',
    ])
    .where('secrets.revoked_at', 'is', null)
    .where('admins.removed_at', 'is', null)
    .where('secrets.hash', '=', 'the hash')
    .compile();
  type SecretRow = InferResult<typeof byHash>[number];
  const recordUse = createRecordUse(app);

  const find = async (secret: string): Promise<Caller> => {
    const hash = hashSecret(secret);
    const [row] = await app.storage.runSql<SecretRow>(db, byHash.sql, [hash], true);
    if (!row || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(hash))) {
      throw forbidden('This account secret is not valid: check it, or make a new one with `npx usher token create`');
    }
    if (row.expires_at !== null && row.expires_at <= app.now())
      throw forbidden(`This account secret has expired at ${toTimestamp(row.expires_at)}: make a new one`);
    recordUse(row);
    const { id, account_id, admin_id, role, scope, people, networks } = row;
    return { account: { id: account_id }, actor: { id: admin_id, role, secret: { id, scope, people, networks } } };
  };

  return async (secret) => {
    if (typeof secret !== 'string' || secret === '') {
      throw forbidden(
        'Give the account secret: in the header `X-Account-Secret`, or as the parameter `account_secret`',
      );
    }
    return perTickDedup.once(secret, () => find(secret));
  };
}

/** The request does not wait for this write. If a write is lost, `last_used_at` is a minute too old. */
function createRecordUse(app: AppContext): (secret: { id: string; last_used_at: number | null }) => void {
  const writing = new Set<string>();
  return ({ id, last_used_at }) => {
    const now = app.now();
    if (writing.has(id) || isRecent(last_used_at ?? 0, now, RECORD_USE_EVERY_MS)) return;
    writing.add(id);
    app.storage
      .write(null, (db) => db.updateTable('secrets').set({ last_used_at: now }).where('id', '=', id).execute())
      .catch(() => {})
      .finally(() => writing.delete(id));
  };
}
