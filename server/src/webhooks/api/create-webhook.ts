import type { CreateWebhook, WebhookWithSecret } from '@usher/domain';
import type { Context } from '../../context.ts';
import { bumpPublishedVersion } from '../../published/bump-published-version.ts';
import { checkAddress, checkExperiences, checkOthers, presentSecret, readExperiences } from '../queries.ts';

export async function createWebhook(
  ctx: Context,
  { kind, url: uid, name, topics, ...params }: CreateWebhook,
): Promise<WebhookWithSecret> {
  checkAddress(ctx, uid);
  const named = readExperiences(params) ?? [];
  const row = await ctx.transaction(async (ctx) => {
    // First of all: whoever makes another one waits here, and then finds this one.
    await bumpPublishedVersion(ctx);
    await checkOthers(ctx, uid);
    await checkExperiences(ctx, named);
    return ctx.db
      .insertInto('webhooks')
      .values({
        ...(await ctx.clock()).newRow(),
        kind,
        uid,
        name: name ?? new URL(uid).host,
        topics: JSON.stringify([...new Set(topics)]),
        experience_ids: JSON.stringify(named),
        secret_version: 1,
        enabled: true,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  return presentSecret(ctx, row);
}
