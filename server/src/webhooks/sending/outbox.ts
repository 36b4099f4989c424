import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../db/schema.ts';

/** What is read of all accounts at once, so that nobody has to walk through them every other second. */
export interface Outbox {
  /** The enabled webhooks for which something is due, or may be: of one account, or with null of all. */
  due(now: number, accountId: string | null): Promise<{ account_id: string; id: string }[]>;
  /** How much is due and how much waits, and since when the oldest is due. */
  measure(now: number): Promise<{ due: number; waiting: number; oldest: number | null }>;
}

/** On connections without the guard of the account, which goes no further than this file. */
export function outboxOn(db: Kysely<Schema>, heavyDb: Kysely<Schema>): Outbox {
  return {
    due: async (now, accountId) => {
      const whose = accountId === null ? sql`` : sql`w.account_id = ${accountId} and`;
      const { rows } = await sql<{ account_id: string; id: string }>`
        select w.account_id, w.id from webhooks w
        where ${whose} w.enabled and exists (
          select 1 from outbox o where o.account_id = w.account_id and o.webhook_id = w.id and o.next_at <= ${now})
        union
        select w.account_id, w.id from webhooks w
        where ${whose} w.enabled and exists (select 1 from webhook_events t where t.account_id = w.account_id)`.execute(
        db,
      );
      return rows;
    },
    measure: async (now) => {
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
  };
}
