import type { ShownWebhook, UpdateWebhook } from '@usher/domain';
import type { Context } from '../../context.ts';
import { bumpPublishedVersion } from '../../published/bump-published-version.ts';
import {
  checkAddress,
  checkExperiences,
  checkOthers,
  getWebhook,
  presentWebhook,
  readExperiences,
  updateRow,
} from '../queries.ts';

export async function updateWebhook(
  ctx: Context,
  id: string,
  { url, topics, experience_ids, experience_id, ...params }: UpdateWebhook,
): Promise<ShownWebhook> {
  if (url !== undefined) checkAddress(ctx, url);
  const named = readExperiences({ experience_ids, experience_id });
  const row = await ctx.transaction(async (ctx) => {
    const before = await getWebhook(ctx, id, true);
    const after = {
      ...before,
      ...params,
      ...(url !== undefined && { uid: url }),
      ...(topics && { topics: [...new Set(topics)] }),
      ...(named && { experience_ids: named }),
      ...(params.enabled && !before.enabled && anew),
    };
    await checkExperiences(ctx, after.experience_ids, before.experience_ids);
    if (JSON.stringify(after) === JSON.stringify(before)) return before;
    await bumpPublishedVersion(ctx);
    if (after.uid !== before.uid) await checkOthers(ctx, after.uid, id);
    const { uid, name, enabled, failing_since, last_item_state, last_item_error } = after;
    return updateRow(ctx, id)
      .set({
        updated_at: ctx.now(),
        uid,
        name,
        topics: JSON.stringify(after.topics),
        experience_ids: JSON.stringify(after.experience_ids),
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

/** One that begins again has not failed yet. */
const anew = { failing_since: null, last_item_state: null, last_item_error: null };
