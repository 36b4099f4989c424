import type { Secret } from '@usher/domain';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { presentSecrets, secretsOf } from './queries.ts';

/** Revokes a secret of the account. After the commit, every request with it is rejected. */
export async function deleteSecret(ctx: Context, id: string): Promise<Secret> {
  return ctx.transaction(async (ctx) => {
    await ctx.clock();
    const row = await ctx.dialect.lockRows(secretsOf(ctx).where('id', '=', id)).executeTakeFirst();
    if (!row) throw notFound('secret');
    const now = ctx.now();
    await ctx.db.updateTable('secrets').set({ revoked_at: now, updated_at: now }).where('id', '=', id).execute();
    await recordAudit(ctx, 'secret.delete', { type: 'secret', id }, { name: row.name, scope: row.scope });
    const [secret] = await presentSecrets(ctx, [row]);
    return secret as Secret;
  });
}
