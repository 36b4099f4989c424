import type { WebhookWithSecret } from '@usher/domain';
import type { Context } from '../../context.ts';
import { getWebhook, presentSecret, updateRow } from '../queries.ts';

/** Makes a new secret. The one before signs too for a while, so that a receiver can take over the new one. */
export async function rotateSecret(ctx: Context, id: string): Promise<WebhookWithSecret> {
  const row = await ctx.transaction(async (ctx) => {
    const { secret_version } = await getWebhook(ctx, id, true);
    const now = ctx.now();
    return updateRow(ctx, id)
      .set({ updated_at: now, secret_version: secret_version + 1, secret_rotated_at: now })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  return presentSecret(ctx, row);
}
