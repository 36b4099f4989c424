import { type Role, type Secret, timeOfId, toTimestamp, toTimestampOrNull, type User } from '@usher/domain';
import type { ExpressionBuilder, Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { forbidden } from '../../../errors.ts';
import { writeInChunks } from '../../experiences/changes/record-changes.ts';
import { loadUsers } from '../persons/load-users.ts';

export type SecretRow = Omit<Selectable<Schema['secrets']>, 'hash'>;

/**
 * The secrets of the account that are not revoked. Expired secrets are among them, so that administrators see why these
 * fail.
 */
export function secretsOf(ctx: Context) {
  return ctx.db
    .selectFrom('secrets')
    .select(['id', 'account_id', 'admin_id', 'name', 'scope', 'people', 'expires_at', 'networks', 'last_used_at'])
    .select(['revoked_at', 'updated_at', 'parent_id'])
    .where('account_id', '=', ctx.account.id)
    .where('revoked_at', 'is', null);
}

/** The condition for secrets that have not expired. */
export function isWorking({ now }: Pick<Context, 'now'>, eb: ExpressionBuilder<Schema, 'secrets'>) {
  return eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now())]);
}

/** How many secrets of the account are neither revoked nor expired. */
export async function countWorking(ctx: Context): Promise<number> {
  const { count } = await ctx.db
    .selectFrom('secrets')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', ctx.account.id)
    .where('revoked_at', 'is', null)
    .where((eb) => isWorking(ctx, eb))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Inside a transaction: revokes secrets, and withdraws the invitations that they have created. */
export async function revokeSecrets(ctx: Context, secrets: readonly SecretRow[]): Promise<void> {
  const now = ctx.now();
  await writeInChunks(secrets, async (chunk) => {
    const ids = chunk.map(({ id }) => id);
    await ctx.db
      .updateTable('secrets')
      .set({ revoked_at: now, updated_at: now })
      .where('account_id', '=', ctx.account.id)
      .where('id', 'in', ids)
      .execute();
    await ctx.db
      .updateTable('links')
      .set({ used_at: now })
      .where('account_id', '=', ctx.account.id)
      .where('secret_id', 'in', ids)
      .where('used_at', 'is', null)
      .execute();
  });
}

/**
 * Inside a transaction that has the clock, which is also needed to remove an administrator or to change a role: rejects
 * the request if its administrator was removed or got another role since it was authenticated. Returns the secret of
 * the request, if it came with one. The secret cannot be revoked until the commit, so nothing that it creates outlives
 * it.
 */
export async function lockCaller(ctx: Context): Promise<SecretRow | undefined> {
  const { id, role, secret } = ctx.actor;
  // The command line acts for no administrator.
  if (id !== '' && (await findRole(ctx, id)) !== role)
    throw forbidden('You were removed from this account, or got another role, a moment ago');
  if (!secret) return undefined;
  const row = await ctx.dialect.lockRows(secretsOf(ctx).where('id', '=', secret.id)).executeTakeFirst();
  if (!row) throw forbidden('This account secret was revoked a moment ago');
  return row;
}

/** The role of an administrator; undefined if they were removed. */
export async function findRole({ db, account }: Context, adminId: string): Promise<Role | undefined> {
  const admins = db.selectFrom('admins').select('role').where('account_id', '=', account.id).where('id', '=', adminId);
  return (await admins.where('removed_at', 'is', null).executeTakeFirst())?.role;
}

/**
 * Like `lockCaller`, but also rejects a limited secret: it must not create a person's access, which would outlast its
 * limits.
 */
export async function lockUnlimitedSecret(ctx: Context): Promise<SecretRow | undefined> {
  const row = await lockCaller(ctx);
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
    people: row.people,
    expires_at: toTimestampOrNull(row.expires_at),
    networks: row.networks,
    last_used_at: toTimestampOrNull(row.last_used_at),
    parent_id: row.parent_id,
    user: users.get(row.admin_id) ?? { id: row.admin_id, name: '', email: '' },
  };
}
