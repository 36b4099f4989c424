import { TICKS_PER_MS } from '@usher/domain';
import type { ColumnTypes } from './migration.ts';

/** All that have lists. */
const listed = [
  ...['url_groups', 'urls', 'properties', 'companies', 'profiles', 'interactions', 'responses', 'deliveries'],
  ...['segments', 'experiences', 'versions', 'languages', 'tags', 'changes', 'limit_groups'],
  ...['webhooks', 'tidings', 'outbox', 'webhook_attempts'],
];
const updated = ['interactions', 'responses'];

/** Records get their place in lists from the clock of their account, which starts after all that are there. */
export function clocks({ id, time, millisOfId }: ColumnTypes): string[] {
  const lasts = [
    ...listed.map((table) => `select account_id, ${millisOfId('max(id)')} as at from ${table} group by account_id`),
    ...updated.map((table) => `select account_id, max(updated_at) as at from ${table} group by account_id`),
  ];
  return [
    `create table account_clocks (
      account_id ${id} not null primary key,
      tick ${time} not null
    )`,
    `insert into account_clocks (account_id, tick)
      select account_id, (max(at) + 1) * ${TICKS_PER_MS} from (${lasts.join(' union all ')}) as lasts group by account_id`,
    ...updated.flatMap((table) => [
      `alter table ${table} add column updated_tick ${time} not null default 0`,
      `update ${table} set updated_tick = updated_at * ${TICKS_PER_MS}`,
      `drop index ${table}_by_update`,
      `create index ${table}_by_update on ${table} (account_id, experience_id, updated_tick, id)`,
    ]),
  ];
}
