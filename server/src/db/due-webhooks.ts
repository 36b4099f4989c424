import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';
import type { SqlDialect } from './sql-dialect.ts';

interface Webhook {
  account_id: string;
  id: string;
}

/** Queries over the webhooks of all accounts, so that no one has to query each account every other second. */
export interface DueWebhooks {
  /** Lists the enabled webhooks that have, or may have, something to send now: of one account, or with null of all. */
  list(now: number, accountId: string | null): Promise<Webhook[]>;
  /** Counts the items that are due and the items that wait. `oldest` is the time since when the oldest item is due. */
  count(now: number): Promise<{ due: number; waiting: number; oldest: number | null }>;
  /** Counts the webhooks that were disabled because all requests to them failed. */
  countDisabled(): Promise<number>;
}

/** These connections have no account guard. Only the queries below may use them. */
export function createDueWebhooks(
  engine: SqlDialect['engine'],
  db: Kysely<Schema>,
  heavyDb: Kysely<Schema>,
): DueWebhooks {
  return {
    list: async (now, accountId) => {
      const ofAll = CompiledQuery.raw(dueOfAllSql(engine, engine === 'postgres' ? '$1' : '?'), [now]);
      const { rows } = await (accountId === null ? db.executeQuery<Webhook>(ofAll) : dueOf(accountId, now).execute(db));
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

/** In this form, Citus sends the statement to the shard of the account. */
function dueOf(accountId: string, now: number) {
  return sql<Webhook>`
    select w.account_id, w.id from webhooks w
    where w.account_id = ${accountId} and w.enabled and exists (
      select 1 from outbox o where o.account_id = w.account_id and o.webhook_id = w.id and o.next_at <= ${now})
    union
    select w.account_id, w.id from webhooks w
    where w.account_id = ${accountId} and w.enabled and exists (
      select 1 from webhook_events t where t.account_id = w.account_id)`;
}

const allTables = { webhooks: 'webhooks', outbox: 'outbox', events: 'webhook_events' };

/**
 * Selects the due webhooks of all accounts. It jumps through the indexes from one account with items or events to the next, so the
 * time that it takes depends on their number, and not on how many webhooks and sent items there are.
 * @param now a time, or its placeholder
 * @param tables the names of the tables, or of their shards
 */
export function dueOfAllSql(engine: SqlDialect['engine'], now: string, tables = allTables): string {
  const { webhooks, outbox, events } = tables;
  const accountsIn = (table: string, condition: string) => `
    select account_id from (
      with recursive found (account_id) as (
        select (select min(n.account_id) from ${table} n where ${condition})
        union all
        select (select min(n.account_id) from ${table} n where n.account_id > found.account_id and ${condition})
        from found where found.account_id is not null)
      select account_id from found where account_id is not null) as accounts`;
  const accounts = `${accountsIn(outbox, 'n.next_at is not null')} union ${accountsIn(events, 'true')}`;
  // As an array, PostgreSQL looks up each account in the index. It would read all webhooks to join them with a few accounts.
  const isAmong = engine === 'postgres' ? `= any(array(${accounts}))` : `in (${accounts})`;
  return `
    select w.account_id, w.id from ${webhooks} w
    where w.enabled and w.account_id ${isAmong} and (
      exists (select 1 from ${outbox} o where o.account_id = w.account_id and o.webhook_id = w.id and o.next_at <= ${now})
      or exists (select 1 from ${events} t where t.account_id = w.account_id))`;
}
