import type { Secret } from '@usher/domain';
import type { Context } from '../../context.ts';
import { conflict, notFound } from '../../errors.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { presentSecrets, type SecretRow, secretsOf } from './queries.ts';

/**
 * Revokes a secret of the account, with the secrets that it has created, those that they have created, and its open
 * invitations. After the commit, every request with them is rejected. Children that are kept belong to its own parent.
 */
export async function deleteSecret(
  ctx: Context,
  id: string,
  keepChildren: boolean,
): Promise<{ secret: Secret; children: Secret[] }> {
  return ctx.transaction(async (ctx) => {
    await ctx.clock();
    const all = await ctx.dialect.lockRows(secretsOf(ctx).orderBy('id')).execute();
    const row = all.find((secret) => secret.id === id);
    if (!row) throw notFound('secret');
    const below = listDescendants(all, id);
    // A thief must not save what a stolen secret has made from being revoked with it.
    if (keepChildren && [row, ...below].some((secret) => secret.id === ctx.actor.secret?.id))
      throw conflict('A secret cannot keep what it has made itself, or keep itself: revoke it with another one');
    const children = keepChildren ? [] : below;
    if (keepChildren)
      await ctx.db
        .updateTable('secrets')
        .set({ parent_id: row.parent_id })
        .where('account_id', '=', ctx.account.id)
        .where('parent_id', '=', id)
        .execute();
    for (const secret of [row, ...children]) await revoke(ctx, secret, secret === row ? {} : { revoked_with: id });
    const [secret, ...others] = await presentSecrets(ctx, [row, ...children]);
    return { secret: secret as Secret, children: others };
  });
}

async function revoke(ctx: Context, { id, name, scope }: SecretRow, details: object): Promise<void> {
  const now = ctx.now();
  await ctx.db.updateTable('secrets').set({ revoked_at: now, updated_at: now }).where('id', '=', id).execute();
  await ctx.db
    .updateTable('links')
    .set({ used_at: now })
    .where('account_id', '=', ctx.account.id)
    .where('secret_id', '=', id)
    .where('used_at', 'is', null)
    .execute();
  await recordAudit(ctx, 'secret.delete', { type: 'secret', id }, { name, scope, ...details });
}

/** The secrets that a secret has created, and those that they have created. */
function listDescendants(all: readonly SecretRow[], id: string): SecretRow[] {
  return all.filter(({ parent_id }) => parent_id === id).flatMap((child) => [child, ...listDescendants(all, child.id)]);
}
