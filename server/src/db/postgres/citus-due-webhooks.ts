import { type DueWebhooks, dueOfAllSql } from '../due-webhooks.ts';
import type { CitusWorkers } from './citus-workers.ts';
import { isPostgresUnavailable } from './sql-state.ts';

const tables = ['webhooks', 'outbox', 'webhook_events'];

/** On Citus. One statement over all shards fails if one worker is unavailable. The webhooks of the other workers are found then too. */
export function tolerateLostWorkers(all: DueWebhooks, workers: CitusWorkers): DueWebhooks {
  const orOfOthers = async <T>(read: () => Promise<T>, readOthers: () => Promise<T>): Promise<T> => {
    // All rows are read together again as soon as every worker has responded.
    if (workers.areSomeUnavailable) return readOthers();
    try {
      return await read();
    } catch (error) {
      if (!isPostgresUnavailable(error) || !(await workers.exist())) throw error;
      return readOthers();
    }
  };
  return {
    list: async (now, accountId) => {
      if (accountId !== null || !(await workers.exist())) return all.list(now, accountId);
      // One statement for each worker: a statement over all accounts would be one for each shard, every other second.
      return workers.readAvailable(tables, dueIn(now));
    },
    count: (now) =>
      orOfOthers(
        () => all.count(now),
        async () => addUp(await workers.readAvailable<Count>(tables, countIn(now))),
      ),
    countDisabled: () =>
      orOfOthers(
        () => all.countDisabled(),
        async () => {
          const counts = await workers.readAvailable<{ count: number }>(['webhooks'], disabledIn);
          return counts.reduce((sum, { count }) => sum + count, 0);
        },
      ),
  };
}

type Count = Awaited<ReturnType<DueWebhooks['count']>>;

function addUp(counts: readonly Count[]): Count {
  const oldest = counts.flatMap((count) => count.oldest ?? []);
  return {
    due: counts.reduce((sum, { due }) => sum + due, 0),
    waiting: counts.reduce((sum, { waiting }) => sum + waiting, 0),
    oldest: oldest.length > 0 ? Math.min(...oldest) : null,
  };
}

const dueIn = (now: number) =>
  dueOfAllSql('postgres', String(Number(now)), { webhooks: '%1$s', outbox: '%2$s', events: '%3$s' });

const countIn = (now: number) => `select count(case when at <= ${Number(now)} then 1 end) as due,
    count(case when at > ${Number(now)} then 1 end) as waiting, min(case when at <= ${Number(now)} then at end) as oldest
  from (
    select o.next_at as at from %1$s w join %2$s o on o.account_id = w.account_id and o.webhook_id = w.id
    where w.enabled and o.next_at is not null
    union all
    select t.at from %1$s w join %3$s t on t.account_id = w.account_id and t.webhook_ids like '%%' || w.id || '%%'
    where w.enabled) as items`;

const disabledIn = `select count(*) as count from %1$s w where not w.enabled and w.last_item_state = 'disabled'`;
