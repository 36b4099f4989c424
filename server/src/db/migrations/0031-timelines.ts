import type { ColumnTypes, MigrationStep } from './migration.ts';

/**
 * The events of a user in their order, so that a page of a timeline is a range of an index. The keys of pages get an index of
 * their own, which has only events with a key: what backends send still writes one index.
 */
export function timelines({ time }: ColumnTypes): MigrationStep[] {
  return [
    'create unique index events_by_key on events (account_id, profile_id, idempotency_key) where idempotency_key is not null',
    'drop index events_by_profile',
    'create index events_by_profile on events (account_id, profile_id, id)',
    `alter table interactions add column snoozed_at ${time}`,
  ];
}
