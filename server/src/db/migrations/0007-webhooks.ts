import type { ColumnTypes } from './migration.ts';

/** Whom the account tells of what its users do, what is to be told, and what became of it. */
export function webhooks({ id, time, json }: ColumnTypes): string[] {
  return [
    `create table webhooks (
      account_id ${id} not null,
      id ${id} not null,
      updated_at ${time} not null,
      kind text not null,
      uid ${id} not null,
      name text not null,
      topics ${json} not null,
      experience_ids ${json} not null,
      secret_version integer not null,
      secret_rotated_at ${time},
      enabled boolean not null,
      failing_since ${time},
      last_item_at ${time},
      last_item_state text,
      last_item_error text,
      primary key (account_id, id)
    )`,
    'create unique index webhooks_by_uid on webhooks (account_id, uid)',
    `create table outbox (
      account_id ${id} not null,
      webhook_id ${id} not null,
      id ${id} not null,
      profile_id ${id},
      kind text not null,
      told ${json} not null,
      repeat_key ${id},
      attempts integer not null,
      next_at ${time},
      state text not null,
      primary key (account_id, webhook_id, id)
    )`,
    'create index outbox_due on outbox (account_id, webhook_id, next_at) where next_at is not null',
    // What one report tells several webhooks stands in one place: five places made a report half as long again.
    'create index outbox_by_profile on outbox (account_id, profile_id, webhook_id, id) where profile_id is not null',
    "create index outbox_failed on outbox (account_id, webhook_id, id) where state = 'failed'",
    // What a page reports again is told once.
    'create unique index outbox_repeated on outbox (account_id, webhook_id, profile_id, repeat_key) where repeat_key is not null',
    `create table webhook_attempts (
      account_id ${id} not null,
      id ${id} not null,
      webhook_id ${id} not null,
      item_id ${id} not null,
      profile_id ${id},
      kind text not null,
      at ${time} not null,
      status integer,
      ms integer not null,
      answer text,
      error text,
      primary key (account_id, id)
    )`,
    'create index webhook_attempts_by_webhook on webhook_attempts (account_id, webhook_id, id)',
    'create index webhook_attempts_by_item on webhook_attempts (account_id, item_id, id)',
    'create index webhook_attempts_by_profile on webhook_attempts (account_id, profile_id) where profile_id is not null',
  ];
}
