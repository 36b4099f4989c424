import type { CreateWebhook, WebhookWithSecret } from '@usher/domain';
import type { Context } from '../../context.ts';
import { recordAudit } from '../../features/team/audit/record-audit.ts';
import { bumpPublishedVersion } from '../../published/bump-published-version.ts';
import {
  checkAddress,
  checkHeaders,
  checkOtherWebhooks,
  checkWebhookExperiences,
  readExperienceIds,
} from '../check-webhook.ts';
import { presentWithSecret } from '../present-webhook.ts';

export async function createWebhook(
  ctx: Context,
  { kind, url: uid, name, topics, id_header, signature_header, ...params }: CreateWebhook,
): Promise<WebhookWithSecret> {
  checkAddress(ctx, uid);
  checkHeaders({ id_header, signature_header });
  const experienceIds = readExperienceIds(params) ?? [];
  const row = await ctx.transaction(async (ctx) => {
    // The account clock is taken before the published version, as everywhere: in another order two transactions could
    // deadlock. Both are taken before the check, so that a concurrent request waits here and then finds this webhook.
    const clock = await ctx.clock();
    await bumpPublishedVersion(ctx);
    await checkOtherWebhooks(ctx, uid);
    await checkWebhookExperiences(ctx, experienceIds);
    const created = await ctx.db
      .insertInto('webhooks')
      .values({
        ...clock.newRow(),
        kind,
        uid,
        name: name ?? new URL(uid).host,
        topics: JSON.stringify([...new Set(topics)]),
        experience_ids: JSON.stringify(experienceIds),
        id_header,
        signature_header,
        secret_version: 1,
        enabled: true,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordAudit(ctx, 'webhook.create', { type: 'webhook', id: created.id }, { host: new URL(uid).host });
    return created;
  });
  return presentWithSecret(ctx, row);
}
