import { type FindWebhook, firstIdAt, type ShownWebhook } from '@usher/domain';
import type { Context } from '../../context.ts';
import { deleteBefore } from '../../db/delete-before.ts';
import { invalid, notFound } from '../../errors.ts';
import { recordAudit } from '../../features/team/audit/record-audit.ts';
import { bumpPublishedVersion } from '../../published/bump-published-version.ts';
import { presentWebhook } from '../present-webhook.ts';
import { type WebhookRow, webhooksOf } from '../queries.ts';

/** Deletes a webhook with its items and attempts. */
export async function deleteWebhook(ctx: Context, find: FindWebhook): Promise<ShownWebhook> {
  const { id } = await findWebhook(ctx, find);
  const row = await ctx.transaction(async (ctx) => {
    const deleted = await ctx.db
      .deleteFrom('webhooks')
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (!deleted) throw notFound('webhook');
    await recordAudit(ctx, 'webhook.delete', { type: 'webhook', id }, { host: new URL(deleted.uid).host });
    await bumpPublishedVersion(ctx);
    return deleted;
  });
  // Items and attempts are deleted in batches, so that other writers wait for one batch only. Nothing is sent from here on.
  for (const table of ['outbox', 'webhook_attempts'] as const) while ((await deleteBatch(ctx, table, id)) > 0);
  if ((await webhooksOf(ctx).execute()).length === 0) await deleteWebhookEvents(ctx);
  return presentWebhook(row);
}

async function findWebhook(ctx: Context, { id, url }: FindWebhook): Promise<WebhookRow> {
  if (id === undefined && url === undefined) throw invalid('Give the `id` or the `url` of the webhook');
  const rows = await webhooksOf(ctx).execute();
  const row = rows.find((row) => (id ?? row.id) === row.id && (url ?? row.uid) === row.uid);
  if (!row) throw notFound('webhook');
  return row;
}

/** Deletes the webhook events of an account without webhooks, because no sender would fan them out. */
async function deleteWebhookEvents(ctx: Context): Promise<void> {
  const { at } = await ctx.transaction((ctx) => ctx.clock());
  const end = firstIdAt(at + 1);
  const limit = ctx.dialect.rowsPerWrite;
  while ((await ctx.transaction(({ db }) => deleteBefore(db, 'webhook_events', ctx.account.id, end, limit))) === limit);
}

function deleteBatch(ctx: Context, table: 'outbox' | 'webhook_attempts', webhookId: string): Promise<number> {
  return ctx.transaction(async ({ db, account, dialect }) => {
    const rows = await db
      .selectFrom(table)
      .select('id')
      .where('account_id', '=', account.id)
      .where('webhook_id', '=', webhookId)
      .orderBy('id')
      .limit(dialect.rowsPerWrite)
      .execute();
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0)
      await db
        .deleteFrom(table)
        .where('account_id', '=', account.id)
        .where('webhook_id', '=', webhookId)
        .where('id', 'in', ids)
        .execute();
    return ids.length;
  });
}
