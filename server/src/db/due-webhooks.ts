import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** Queries over the webhooks of all accounts, so that no one has to query each account every other second. */
export interface DueWebhooks {
  /** Lists the enabled webhooks that have, or may have, something to send now: of one account, or with null of all. */
  list(now: number, accountId: string | null): Promise<{ account_id: string; id: string }[]>;
  /** Counts the items that are due and the items that wait. `oldest` is the time since when the oldest item is due. */
  count(now: number): Promise<{ due: number; waiting: number; oldest: number | null }>;
  /** Counts the webhooks that were disabled because all requests to them failed. */
  countDisabled(): Promise<number>;
}

/** These connections have no account guard. Only the queries below may use them. */
export function createDueWebhooks(db: Kysely<Schema>, heavyDb: Kysely<Schema>): DueWebhooks {
  return {
    list: async (now, accountId) => {
      const ofAccount = accountId === null ? sql`` : sql`w.account_id = ${accountId} and`;
      const { rows } = await sql<{ account_id: string; id: string }>`
        select w.account_id, w.id from webhooks w
        where ${ofAccount} w.enabled and exists (
          select 1 from outbox o where o.account_id = w.account_id and o.webhook_id = w.id and o.next_at <= ${now})
        union
        select w.account_id, w.id from webhooks w
        where ${ofAccount} w.enabled and exists (
          select 1 from webhook_events t where t.account_id = w.account_id)`.execute(db);
      return rows;
    },
    count: async (now) => {
      const { rows } = await sql<{ due: number; waiting: number; oldest: number | null }>`
        select count(case when at <= ${now} then 1 end) as due, count(case when at > ${now} then 1 end) as waiting,
          min(case when at <= ${now} then at end) as oldest
        from (
          select o.account_id, o.next_at as at from webhooks w join outbox o on o.account_id = w.account_id and o.webhook_id = w.id
          where w.enabled and o.next_at is not null
          union all
          select t.account_id, t.at from webhooks w join webhook_events t
            on t.account_id = w.account_id and t.webhook_ids like '%' || w.id || '%'
          where w.enabled) as items`.execute(heavyDb);
      return rows[0] ?? { due: 0, waiting: 0, oldest: null };
    },
    countDisabled: async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from webhooks where not enabled and last_item_state = 'disabled'`.execute(heavyDb);
      return Number(rows[0]?.count ?? 0);
    },
  };
}
