import { firstIdAt } from '@usher/domain';
import type { AppContext } from '../../context.ts';
import { deleteBefore } from '../../db/delete-before.ts';
import { forEachAccount } from '../../db/for-each-account.ts';
import type { Db } from '../../db/storage.ts';

const KEEP_MS = 30 * 24 * 60 * 60_000;

/** Items that were sent or given up, and all attempts, are kept for 30 days, so that failures can be investigated. */
export async function sweepWebhooks({ storage, now, newId }: AppContext): Promise<void> {
  const [end, next] = [firstIdAt(now() - KEEP_MS), newId()];
  const limit = storage.dialect.rowsPerWrite;
  await forEachAccount(storage, async (id) => {
    while ((await storage.write(id, (db) => deleteBefore(db, 'webhook_attempts', id, end, limit))) === limit);
    const existing = await storage
      .reader(id)
      .selectFrom('webhooks')
      .select('id')
      .where('account_id', '=', id)
      .execute();
    // Another process may have recorded events before it knew that the last webhook was deleted.
    if (existing.length === 0)
      while ((await storage.write(id, (db) => deleteBefore(db, 'webhook_events', id, next, limit))) === limit);
    for (const webhook of await listWebhooksInOutbox(storage.reader(id), id, existing))
      while ((await storage.write(id, (db) => deleteItems(db, id, webhook, end, limit))) === limit);
  });
}

/** Includes deleted webhooks, which may have got items since. The index finds each ID from the one before. */
async function listWebhooksInOutbox(
  db: Db,
  accountId: string,
  existing: readonly { id: string }[],
): Promise<{ id: string; exists: boolean }[]> {
  const webhooks: { id: string; exists: boolean }[] = [];
  for (;;) {
    const next = await db
      .selectFrom('outbox')
      .select('webhook_id as id')
      .where('account_id', '=', accountId)
      .where('webhook_id', '>', webhooks.at(-1)?.id ?? '')
      .orderBy('webhook_id')
      .limit(1)
      .executeTakeFirst();
    if (!next) return webhooks;
    webhooks.push({ ...next, exists: existing.some(({ id }) => id === next.id) });
  }
}

async function deleteItems(
  db: Db,
  accountId: string,
  webhook: { id: string; exists: boolean },
  end: string,
  limit: number,
): Promise<number> {
  const query = db
    .selectFrom('outbox')
    .select('id')
    .where('account_id', '=', accountId)
    .where('webhook_id', '=', webhook.id)
    .where('id', '<', end)
    .orderBy('id')
    .limit(limit);
  const old = await (webhook.exists ? query.where('next_at', 'is', null) : query).execute();
  const ids = old.map(({ id }) => id);
  if (ids.length > 0)
    await db
      .deleteFrom('outbox')
      .where('account_id', '=', accountId)
      .where('webhook_id', '=', webhook.id)
      .where('id', 'in', ids)
      .execute();
  return ids.length;
}
