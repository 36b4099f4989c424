import type { Secret } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { conflict, notFound } from '../../../errors.ts';
import { recordAudits } from '../audit/record-audit.ts';
import { isWorking, presentSecrets, revokeSecrets, type SecretRow, secretsOf } from './queries.ts';

/**
 * Revokes a secret of the account, with all of its descendants and its open invitations: the secrets that it has created,
 * the secrets that these have created, and so on. After the commit, every request with one of them is rejected. Children
 * that are kept get the parent of the revoked secret. Descendants that have expired stay as they are, because everything
 * that they have created has expired too.
 */
export async function deleteSecret(
  ctx: Context,
  id: string,
  keepChildren: boolean,
): Promise<{ secret: Secret; children: Secret[] }> {
  return ctx.transaction(async (ctx) => {
    await ctx.clock();
    const needed = secretsOf(ctx).where((eb) => eb.or([eb('id', '=', id), isWorking(ctx, eb)]));
    const all = await ctx.dialect.lockRows(needed.orderBy('id')).execute();
    const row = all.find((secret) => secret.id === id);
    if (!row) throw notFound('secret');
    const below = listDescendants(all, id);
    // A thief must not be able to keep the children of a stolen secret.
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
    const revoked = [row, ...children];
    await revokeSecrets(ctx, revoked);
    const entries = revoked.map(({ name, scope, ...secret }) => ({
      action: 'secret.delete' as const,
      target: { type: 'secret', id: secret.id },
      details: { name, scope, ...(secret.id !== id && { revoked_with: id }) },
    }));
    await recordAudits(ctx, entries);
    const [secret, ...others] = await presentSecrets(ctx, revoked);
    return { secret: secret as Secret, children: others };
  });
}

/**
 * The secrets that a secret has created, the secrets that these have created, and so on. A thief can make a chain of
 * any length.
 */
function listDescendants(all: readonly SecretRow[], id: string): SecretRow[] {
  const byParent = new Map<string | null, SecretRow[]>();
  for (const secret of all) {
    const siblings = byParent.get(secret.parent_id) ?? [];
    siblings.push(secret);
    byParent.set(secret.parent_id, siblings);
  }
  const found = [...(byParent.get(id) ?? [])];
  // This loop also visits the secrets that it adds.
  for (const secret of found) for (const child of byParent.get(secret.id) ?? []) found.push(child);
  return found;
}
