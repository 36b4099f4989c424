import { firstIdAt } from '@usher/domain';
import type { AppContext } from '../../context.ts';
import { deleteBefore } from '../../db/delete-before.ts';
import type { Db } from '../../db/storage.ts';

const KEPT_MS = 30 * 24 * 60 * 60_000;

/** What was sent or given up, and what became of it, is kept for a while, so that it can be looked into. */
export async function sweepWebhooks({ storage, now, newId }: AppContext): Promise<void> {
  const [end, next] = [firstIdAt(now() - KEPT_MS), newId()];
  const most = storage.dialect.rowsPerWrite;
  for (const { id } of await storage.reader(null).selectFrom('accounts').select('id').execute()) {
    while ((await storage.write(id, (db) => deleteBefore(db, 'webhook_attempts', id, end, most))) === most);
    const known = await storage.reader(id).selectFrom('webhooks').select('id').where('account_id', '=', id).execute();
    // Told by a process that did not know yet that the last webhook was gone.
    if (known.length === 0)
      while ((await storage.write(id, (db) => deleteBefore(db, 'webhook_events', id, next, most))) === most);
    for (const webhook of await webhooksIn(storage.reader(id), id, known))
      while ((await storage.write(id, (db) => deleteItems(db, id, webhook, end, most))) === most);
  }
}

/** Those that the outbox knows, each found by the one before: also one that is deleted, and was told something since. */
async function webhooksIn(
  db: Db,
  accountId: string,
  known: readonly { id: string }[],
): Promise<{ id: string; known: boolean }[]> {
  const found: { id: string; known: boolean }[] = [];
  for (;;) {
    const next = await db
      .selectFrom('outbox')
      .select('webhook_id as id')
      .where('account_id', '=', accountId)
      .where('webhook_id', '>', found.at(-1)?.id ?? '')
      .orderBy('webhook_id')
      .limit(1)
      .executeTakeFirst();
    if (!next) return found;
    found.push({ ...next, known: known.some(({ id }) => id === next.id) });
  }
}

async function deleteItems(
  db: Db,
  accountId: string,
  webhook: { id: string; known: boolean },
  end: string,
  most: number,
): Promise<number> {
  const query = db
    .selectFrom('outbox')
    .select('id')
    .where('account_id', '=', accountId)
    .where('webhook_id', '=', webhook.id)
    .where('id', '<', end)
    .orderBy('id')
    .limit(most);
  const old = await (webhook.known ? query.where('next_at', 'is', null) : query).execute();
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
