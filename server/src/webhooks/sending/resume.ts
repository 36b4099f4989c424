import { firstIdAt, type Millis } from '@usher/domain';
import type { AppContext } from '../../context.ts';
import { BLOCKED } from '../queries.ts';
import { unpauseSending } from './paused.ts';

/**
 * Turns sending on. With `skipsUntil`, items from before that time are given up: the original has sent them. Returns the
 * number of these.
 */
export async function resumeSending(
  { storage, now }: AppContext,
  { skipsUntil }: { skipsUntil?: Millis | undefined } = {},
): Promise<number> {
  const accounts = await storage.reader(null).selectFrom('accounts').select('id').execute();
  let skipped = 0;
  if (skipsUntil !== undefined) for (const { id } of accounts) skipped += await skipItems(id, skipsUntil);
  await storage.write(null, unpauseSending);
  return skipped;

  function skipItems(accountId: string, until: Millis): Promise<number> {
    const end = firstIdAt(until + 1);
    return storage.write(accountId, async (db) => {
      const events = await db
        .deleteFrom('webhook_events')
        .where('account_id', '=', accountId)
        .where('id', '<', end)
        .executeTakeFirst();
      const items = await db
        .updateTable('outbox')
        .set({ state: 'failed', next_at: null })
        .where('account_id', '=', accountId)
        .where('next_at', 'is not', null)
        .where('id', '<', end)
        .executeTakeFirst();
      // Nothing blocks the remaining items any more. An item that still has to wait is blocked again when it is due.
      await db
        .updateTable('outbox')
        .set({ next_at: now() })
        .where('account_id', '=', accountId)
        .where('next_at', '=', BLOCKED)
        .execute();
      return Number(events.numDeletedRows) + Number(items.numUpdatedRows);
    });
  }
}
