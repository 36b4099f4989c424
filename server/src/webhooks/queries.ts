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
import { ApiError, conflict, forbidden, invalid, notFound } from '../errors.ts';
import { secretOf } from './secret.ts';

export type WebhookRow = Selectable<Schema['webhooks']>;
export type ItemRow = Selectable<Schema['outbox']>;
type ListedItem = Pick<ItemRow, 'id' | 'kind' | 'profile_id' | 'state' | 'attempts' | 'next_at'>;

/** When an item is sent that waits for another: later than any time. It is given one when that other is over. */
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

/** To whoever has made the secret: it is shown this once. */
export async function presentSecret(ctx: Context, row: WebhookRow): Promise<WebhookWithSecret> {
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

/** Those of the outbox, and those that are still to be spread. */
export function itemsOf(ctx: Context, webhookId: string) {
  const spread = ctx.db
    .selectFrom('outbox')
    .select(['id', 'kind', 'profile_id', 'state', 'attempts', 'next_at'])
    .where('account_id', '=', ctx.account.id)
    .where('webhook_id', '=', webhookId);
  // SQLite merges the two by their IDs only where their types are the same.
  const payload = ctx.db
    .selectFrom('webhook_events')
    .select(['id', 'kind', 'profile_id'])
    .select(sql<ItemState>`cast('pending' as text)`.as('state'))
    .select(sql<number>`cast(0 as integer)`.as('attempts'))
    .select('at as next_at')
    .where('account_id', '=', ctx.account.id)
    .where('webhook_ids', 'like', `%${webhookId}%`);
  return ctx.db.selectFrom(spread.unionAll(payload).as('items')).selectAll();
}

export function updateRow(ctx: Context, id: string) {
  return ctx.db.updateTable('webhooks').where('account_id', '=', ctx.account.id).where('id', '=', id);
}

/** Refuses an address that nothing is sent to. */
export function checkAddress(ctx: Context, url: string): void {
  const { allowNetworks, denyNetworks } = ctx.app.webhooks;
  const problem = problemOfTarget(url, allowNetworks, { denied: denyNetworks, ownUrl: ctx.app.publicUrl });
  if (problem !== undefined) throw invalid(`\`url\` ${problem}`);
}

/** Refuses one too many, and an address twice. Those that write webhooks at the same time wait for each other. */
export async function checkOthers(ctx: Context, uid: string, ownId?: string): Promise<void> {
  const others = (await webhooksOf(ctx).execute()).filter(({ id }) => id !== ownId);
  if (others.some((other) => other.uid === uid)) throw conflict('There is a webhook with this `url` already');
  if (ownId === undefined && others.length >= MAX_WEBHOOKS)
    throw conflict(`There are ${MAX_WEBHOOKS} webhooks already: delete one of them first`);
}

/** The IDs in `experience_ids` or `experience_id`; undefined where neither is given. */
export function readExperiences(params: Parameters<typeof parseExperienceIds>[0]): string[] | undefined {
  const named = parseExperienceIds(params);
  if (named && 'problem' in named) throw invalid(named.problem);
  return named;
}

/** Refuses what webhooks are told nothing of. */
export async function checkExperiences(
  ctx: Context,
  params: readonly string[],
  known: readonly string[] = [],
): Promise<void> {
  const ids = params.filter((id) => !known.includes(id));
  if (ids.length === 0) return;
  const rows = await ctx.db
    .selectFrom('experiences')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', ids)
    .where('kind', 'in', webhookExperienceKinds)
    .execute();
  const found = new Set([...known, ...rows.map(({ id }) => id)]);
  const problems = params.flatMap((id, at) =>
    found.has(id) ? [] : [`\`experience_ids[${at}]\` is the ID of no tour, survey or embed in this account`],
  );
  if (problems.length > 0) throw new ApiError(404, problems);
}

/** Refuses what would be sent only after somebody has enabled it. */
export function checkEnabled({ enabled }: WebhookRow): void {
  if (!enabled) throw conflict('This webhook is disabled: set `enabled` to true first');
}
