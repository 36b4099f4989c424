import { timeOfId, toTimestamp, type WebhookAttempt } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../context.ts';
import { type ListPage, listPage, type PageParameters } from '../../db/pagination/list-page.ts';
import type { Schema } from '../../db/schema.ts';
import { getItem, getWebhook } from '../queries.ts';

export async function listAttempts(
  ctx: Context,
  { id, item_id, ...page }: PageParameters & { id: string; item_id?: string },
): Promise<{ attempts: WebhookAttempt[]; cursor: ListPage<unknown>['cursor'] }> {
  await getWebhook(ctx, id);
  let query = attemptsOf(ctx, id);
  if (item_id !== undefined) {
    await getItem(ctx, id, item_id);
    query = query.where('item_id', '=', item_id);
  }
  const { rows, cursor } = await listPage(query, page);
  return { attempts: rows.map(presentAttempt), cursor };
}

export function attemptsOf(ctx: Context, webhookId: string) {
  return ctx.db
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('webhook_id', '=', webhookId);
}

export function presentAttempt(row: Selectable<Schema['webhook_attempts']>): WebhookAttempt {
  return {
    id: row.id,
    created_at: toTimestamp(timeOfId(row.id)),
    item_id: row.item_id,
    kind: row.kind,
    profile_id: row.profile_id,
    at: toTimestamp(row.at),
    status: row.status,
    duration_ms: row.ms,
    answer: row.answer,
    error: row.error,
  };
}
