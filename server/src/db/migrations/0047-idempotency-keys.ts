import type { ColumnTypes } from './migration.ts';

/** The requests with an `Idempotency-Key`. Hashes are keyed with the secret of the request, which is stored nowhere. */
export function idempotencyKeys({ id, time }: ColumnTypes): string[] {
  return [
    `create table idempotency_keys (
      account_id ${id} not null,
      secret_id ${id} not null,
      key_hash ${id} not null,
      request_hash ${id} not null,
      at ${time} not null,
      status integer,
      record_id ${id},
      primary key (account_id, secret_id, key_hash)
    )`,
    'create index idempotency_keys_by_time on idempotency_keys (account_id, at)',
    'create index idempotency_keys_by_record on idempotency_keys (account_id, record_id)',
  ];
}
