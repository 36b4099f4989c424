import {
  type ItemState,
  MAX_WEBHOOKS,
  type Millis,
  parseExperienceIds,
  problemOfTarget,
  type ShownWebhook,
  timeOfId,
  toTimestamp,
  toTimestampOrNull,
  type WebhookItem,
  type WebhookWithSecret,
  webhookExperienceKinds,
} from '@usher/domain';
import { type Selectable, sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Schema } from '../db/schema.ts';
import { conflict, forbidden, invalid, notFound } from '../errors.ts';
import { checkExperienceIds } from '../features/experiences/ids/check-experience-ids.ts';
import { secretOf } from './secret.ts';

export type WebhookRow = Selectable<Schema['webhooks']>;
export type ItemRow = Selectable<Schema['outbox']>;
type ListedItem = Pick<ItemRow, 'id' | 'kind' | 'profile_id' | 'state' | 'attempts' | 'next_at'>;

/** The `next_at` of an item that waits for an earlier one, which is later than any time. It is set when the earlier one is finished. */
export const BLOCKED: Millis = 8_640_000_000_000_000;

export function presentWebhook(row: WebhookRow): ShownWebhook {
  return {
    id: row.id,
    created_at: toTimestamp(timeOfId(row.id)),
    updated_at: toTimestamp(row.updated_at),
    kind: row.kind,
    uid: row.uid,
    name: row.name,
    topics: row.topics,
    experience_ids: row.experience_ids,
    enabled: row.enabled,
    secret_rotated_at: toTimestampOrNull(row.secret_rotated_at),
    failing_since: toTimestampOrNull(row.failing_since),
    last_item_at: toTimestampOrNull(row.last_item_at),
    last_item_state: row.last_item_state,
    last_item_error: row.last_item_error,
  };
}

/** Only for the response to the request that made the secret: it is shown once. */
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

/** Rejects an address that requests must not be sent to. */
export function checkAddress(ctx: Context, url: string): void {
  const { allowNetworks, denyNetworks } = ctx.app.webhooks;
  const problem = problemOfTarget(url, allowNetworks, { denied: denyNetworks, ownUrl: ctx.app.publicUrl });
  if (problem !== undefined) throw invalid(`\`url\` ${problem}`);
}

/** Rejects one webhook too many, and an address that is already used. Transactions that write webhooks run one after the other. */
export async function checkOtherWebhooks(ctx: Context, uid: string, ownId?: string): Promise<void> {
  const others = (await webhooksOf(ctx).execute()).filter(({ id }) => id !== ownId);
  if (others.some((other) => other.uid === uid)) throw conflict('There is a webhook with this `url` already');
  if (ownId === undefined && others.length >= MAX_WEBHOOKS)
    throw conflict(`There are ${MAX_WEBHOOKS} webhooks already: delete one of them first`);
}

/** Reads the IDs in `experience_ids` or `experience_id`. Returns undefined if both are missing. */
export function readExperienceIds(params: Parameters<typeof parseExperienceIds>[0]): string[] | undefined {
  const ids = parseExperienceIds(params);
  if (ids && 'problem' in ids) throw invalid(ids.problem);
  return ids;
}

/** Rejects Experiences that have no webhook events. */
export function checkWebhookExperiences(
  ctx: Context,
  ids: readonly string[],
  known: readonly string[] = [],
): Promise<void> {
  return checkExperienceIds(ctx, ids, { kinds: webhookExperienceKinds, known });
}

/** Rejects requests to a disabled webhook: nothing would be sent before somebody enables it. */
export function checkEnabled({ enabled }: WebhookRow): void {
  if (!enabled) throw conflict('This webhook is disabled: set `enabled` to true first');
}
