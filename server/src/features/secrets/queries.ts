import { type Secret, timeOfId, toTimestamp, toTimestampOrNull, type User } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../context.ts';
import type { Schema } from '../../db/schema.ts';
import { forbidden } from '../../errors.ts';
import { loadUsers } from '../people/load-users.ts';

export type SecretRow = Omit<Selectable<Schema['secrets']>, 'hash'>;

/** The secrets of the account that are not revoked. Expired ones are among them, so that one sees why they fail. */
export function secretsOf(ctx: Context) {
  return ctx.db
    .selectFrom('secrets')
    .select(['id', 'account_id', 'admin_id', 'name', 'scope', 'expires_at', 'networks', 'last_used_at'])
    .select(['revoked_at', 'updated_at', 'parent_id'])
    .where('account_id', '=', ctx.account.id)
    .where('revoked_at', 'is', null);
}

/**
 * Inside a transaction that has the clock: the secret of the request, if it came with one. It cannot be revoked until the
 * commit, so nothing that it creates outlives it.
 */
export async function lockOwnSecret(ctx: Context): Promise<SecretRow | undefined> {
  const { secret } = ctx.actor;
  if (!secret) return undefined;
  const row = await ctx.dialect.lockRows(secretsOf(ctx).where('id', '=', secret.id)).executeTakeFirst();
  if (!row) throw forbidden('This account secret was revoked a moment ago');
  return row;
}

/** The same for what a person gets who stays: it would outlast the limits of the secret. */
export async function lockUnlimitedSecret(ctx: Context): Promise<SecretRow | undefined> {
  const row = await lockOwnSecret(ctx);
  if (row && (row.networks !== null || row.expires_at !== null))
    throw forbidden(
      'A secret that is limited to networks or a time cannot invite people or change roles: sign in to the dashboard, or use a secret without these limits',
    );
  return row;
}

export async function presentSecrets(ctx: Context, rows: readonly SecretRow[]): Promise<Secret[]> {
  const users = await loadUsers(
    ctx,
    rows.map(({ admin_id }) => admin_id),
  );
  return rows.map((row) => presentSecret(row, users));
}

export function presentSecret(row: SecretRow, users: ReadonlyMap<string, User>): Secret {
  return {
    id: row.id,
    created_at: toTimestamp(timeOfId(row.id)),
    updated_at: toTimestamp(row.updated_at),
    name: row.name,
    scope: row.scope,
    expires_at: toTimestampOrNull(row.expires_at),
    networks: row.networks,
    last_used_at: toTimestampOrNull(row.last_used_at),
    parent_id: row.parent_id,
    user: users.get(row.admin_id) ?? { id: row.admin_id, name: '', email: '' },
  };
}
