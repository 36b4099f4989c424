import {
  createdAtOf,
  type ShownWebhook,
  timeOfId,
  toTimestamp,
  toTimestampOrNull,
  type WebhookItem,
  type WebhookWithSecret,
} from '@usher/domain';
import type { Context } from '../context.ts';
import { forbidden } from '../errors.ts';
import { BLOCKED, type ListedItem, type WebhookRow } from './queries.ts';
import { secretOf } from './secret.ts';

export function presentWebhook(row: WebhookRow): ShownWebhook {
  return {
    id: row.id,
    created_at: toTimestamp(createdAtOf(row)),
    updated_at: toTimestamp(row.updated_at),
    kind: row.kind,
    uid: row.uid,
    name: row.name,
    topics: row.topics,
    experience_ids: row.experience_ids,
    id_header: row.id_header,
    signature_header: row.signature_header,
    enabled: row.enabled,
    secret_rotated_at: toTimestampOrNull(row.secret_rotated_at),
    failing_since: toTimestampOrNull(row.failing_since),
    last_item_at: toTimestampOrNull(row.last_item_at),
    last_item_state: row.last_item_state,
    last_item_error: row.last_item_error,
  };
}

/** Only the response to the request that made the secret uses this, because a secret is shown once. */
export async function presentWithSecret(ctx: Context, row: WebhookRow): Promise<WebhookWithSecret> {
  const account = await ctx.app.publishedCache.account(ctx.account.id);
  if (!account) throw forbidden('This account is gone');
  return { ...presentWebhook(row), secret: secretOf(account.visitKey, row) };
}

export function presentItem(row: ListedItem): WebhookItem {
  return {
    id: row.id,
    created_at: toTimestamp(timeOfId(row.id)),
    kind: row.kind,
    profile_id: row.profile_id,
    state: row.state,
    attempts_count: row.attempts,
    next_attempt_at: toTimestampOrNull(row.next_at === BLOCKED ? null : row.next_at),
  };
}
