import type { ColumnTypes } from './migration.ts';

/**
 * What a page sends again is one event. The index by profile becomes the one of the keys, as a second one would be written to
 * for each event; those without a key all differ.
 */
export function eventKeys({ id }: ColumnTypes): string[] {
  return [
    `alter table events add column idempotency_key ${id}`,
    'drop index events_by_profile',
    'create unique index events_by_profile on events (account_id, profile_id, idempotency_key)',
  ];
}
