import type { ItemState, Millis } from '@usher/domain';
import { type Selectable, sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Schema } from '../db/schema.ts';
import { notFound } from '../errors.ts';

export type WebhookRow = Selectable<Schema['webhooks']>;
export type ItemRow = Selectable<Schema['outbox']>;
export type ListedItem = Pick<ItemRow, 'id' | 'kind' | 'profile_id' | 'state' | 'attempts' | 'next_at'>;

/** The `next_at` of an item that waits for an earlier one, which is later than any time. It is set when the earlier one is finished. */
export const BLOCKED: Millis = 8_640_000_000_000_000;

export function webhooksOf(ctx: Context) {
  return ctx.db.selectFrom('webhooks').selectAll().where('account_id', '=', ctx.account.id);
}

export async function getWebhook(ctx: Context, id: string, lock = false): Promise<WebhookRow> {
  const query = webhooksOf(ctx).where('id', '=', id);
  const row = await (lock ? ctx.dialect.lockRows(query) : query).executeTakeFirst();
  if (!row) throw notFound('webhook');
  return row;
}

export async function getItem(ctx: Context, webhookId: string, id: string): Promise<ListedItem> {
  const row = await itemsOf(ctx, webhookId).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('item');
  return row;
}

/** Selects the items of the outbox, and the events that have not been fanned out yet. */
export function itemsOf(ctx: Context, webhookId: string) {
  const items = ctx.db
    .selectFrom('outbox')
    .select(['id', 'kind', 'profile_id', 'state', 'attempts', 'next_at'])
    .where('account_id', '=', ctx.account.id)
    .where('webhook_id', '=', webhookId);
  // SQLite merges the two by ID only if their types are the same.
  const events = ctx.db
    .selectFrom('webhook_events')
    .select(['id', 'kind', 'profile_id'])
    .select(sql<ItemState>`cast('pending' as text)`.as('state'))
    .select(sql<number>`cast(0 as integer)`.as('attempts'))
    .select('at as next_at')
    .where('account_id', '=', ctx.account.id)
    .where('webhook_ids', 'like', `%${webhookId}%`);
  return ctx.db.selectFrom(items.unionAll(events).as('items')).selectAll();
}

export function updateWebhookRow(ctx: Context, id: string) {
  return ctx.db.updateTable('webhooks').where('account_id', '=', ctx.account.id).where('id', '=', id);
}
