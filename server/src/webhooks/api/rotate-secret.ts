import type { WebhookWithSecret } from '@usher/domain';
import type { Context } from '../../context.ts';
import { recordAudit } from '../../features/team/audit/record-audit.ts';
import { presentWithSecret } from '../present-webhook.ts';
import { getWebhook, updateWebhookRow } from '../queries.ts';

/** Makes a new secret. The previous one signs too for a while, so that the receiver has time to change. */
export async function rotateSecret(ctx: Context, id: string): Promise<WebhookWithSecret> {
  const row = await ctx.transaction(async (ctx) => {
    const { secret_version } = await getWebhook(ctx, id, true);
    const now = ctx.now();
    await recordAudit(ctx, 'webhook.rotate', { type: 'webhook', id });
    return updateWebhookRow(ctx, id)
      .set({ updated_at: now, secret_version: secret_version + 1, secret_rotated_at: now })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  return presentWithSecret(ctx, row);
}
