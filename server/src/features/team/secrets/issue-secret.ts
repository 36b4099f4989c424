import { type CreateSecret, MAX_SECRETS, readNetwork } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { conflict, invalid } from '../../../errors.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { limitChild } from './limit-child.ts';
import { countWorking, findRole, lockCaller } from './queries.ts';
import { hashSecret, newSecret } from './secret.ts';

/**
 * Creates a secret for an administrator of the account. It is returned here and never again. If another secret creates
 * it, that secret is its parent.
 */
export async function issueSecret(
  ctx: Context,
  { name, scope, people = false, expires_at = null, networks = null }: CreateSecret,
  adminId = ctx.actor.id,
): Promise<{ id: string; secret: string }> {
  if (expires_at !== null && expires_at <= ctx.now()) throw invalid('`expires_at` must be in the future');
  const wrong = networks?.find((network) => !readNetwork(network));
  if (wrong !== undefined)
    throw invalid(`\`networks\` must be addresses and networks such as \`192.0.2.0/24\`, and \`${wrong}\` is neither`);
  const secret = newSecret();
  const id = ctx.newId();
  await ctx.transaction(async (ctx) => {
    await ctx.clock();
    const parent = await lockCaller(ctx);
    if ((await findRole(ctx, adminId)) === undefined)
      throw conflict('This administrator was removed from the account a moment ago');
    if ((await countWorking(ctx)) >= MAX_SECRETS)
      throw conflict(`The account has ${MAX_SECRETS} secrets already: revoke secrets that nothing uses`);
    const wanted = { scope, people, expires_at, networks };
    const limits = parent ? limitChild(wanted, parent) : wanted;
    await ctx.db
      .insertInto('secrets')
      .values({
        id,
        account_id: ctx.account.id,
        admin_id: adminId,
        name,
        hash: hashSecret(secret),
        updated_at: ctx.now(),
        ...limits,
        networks: limits.networks && JSON.stringify(limits.networks),
        parent_id: parent?.id ?? null,
      })
      .execute();
    await recordAudit(ctx, 'secret.create', { type: 'secret', id }, { name, scope, people, user_id: adminId });
  });
  return { id, secret };
}
