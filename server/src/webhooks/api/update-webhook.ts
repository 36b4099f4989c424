import type { ShownWebhook, UpdateWebhook } from '@usher/domain';
import type { Context } from '../../context.ts';
import { recordAudit } from '../../features/team/audit/record-audit.ts';
import { checkSeen } from '../../http/check-seen.ts';
import { bumpPublishedVersion } from '../../published/bump-published-version.ts';
import {
  checkAddress,
  checkHeaders,
  checkOtherWebhooks,
  checkWebhookExperiences,
  readExperienceIds,
} from '../check-webhook.ts';
import { presentWebhook } from '../present-webhook.ts';
import { getWebhook, updateWebhookRow } from '../queries.ts';

export async function updateWebhook(
  ctx: Context,
  id: string,
  { url, topics, experience_ids, experience_id, updated_at: seen, ...params }: UpdateWebhook,
): Promise<ShownWebhook> {
  if (url !== undefined) checkAddress(ctx, url);
  const experienceIds = readExperienceIds({ experience_ids, experience_id });
  const row = await ctx.transaction(async (ctx) => {
    const before = await getWebhook(ctx, id, true);
    checkSeen(seen, before, 'webhook');
    const after = {
      ...before,
      ...params,
      ...(url !== undefined && { uid: url }),
      ...(topics && { topics: [...new Set(topics)] }),
      ...(experienceIds && { experience_ids: experienceIds }),
      ...(params.enabled && !before.enabled && notFailed),
    };
    checkHeaders(after);
    await checkWebhookExperiences(ctx, after.experience_ids, before.experience_ids);
    if (JSON.stringify(after) === JSON.stringify(before)) return before;
    await recordAudit(ctx, 'webhook.update', { type: 'webhook', id }, { host: new URL(after.uid).host });
    await bumpPublishedVersion(ctx);
    if (after.uid !== before.uid) await checkOtherWebhooks(ctx, after.uid, id);
    const { uid, name, id_header, signature_header, enabled, failing_since, last_item_state, last_item_error } = after;
    return updateWebhookRow(ctx, id)
      .set({
        updated_at: ctx.now(),
        uid,
        name,
        topics: JSON.stringify(after.topics),
        experience_ids: JSON.stringify(after.experience_ids),
        id_header,
        signature_header,
        enabled,
        failing_since,
        last_item_state,
        last_item_error,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  if (params.enabled) ctx.app.webhooks.wake(ctx.account.id);
  return presentWebhook(row);
}

/** A webhook that is enabled again has no failures yet. */
const notFailed = { failing_since: null, last_item_state: null, last_item_error: null };
