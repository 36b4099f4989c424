import type { ColumnTypes } from './migration.ts';

/**
 * What is told stands in one row, whoever asks for it: a row for each of five webhooks made a report half as long again.
 * What waits in the outbox stays there.
 */
export function tidings({ id, time, json }: ColumnTypes): string[] {
  return [
    `create table tidings (
      account_id ${id} not null,
      id ${id} not null,
      profile_id ${id} not null,
      kind text not null,
      told ${json} not null,
      repeat_key ${id},
      webhook_ids ${id} not null,
      at ${time} not null,
      primary key (account_id, id)
    )`,
    'create index tidings_by_profile on tidings (account_id, profile_id)',
    // What a page reports again is told once.
    'create unique index tidings_repeated on tidings (account_id, profile_id, repeat_key, webhook_ids) where repeat_key is not null',
  ];
}
