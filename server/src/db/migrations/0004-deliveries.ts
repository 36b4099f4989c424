/** Removed Deliveries stay for their keys and are listed nowhere: however many they are, no page has to skip them. */
export function deliveries(): string[] {
  return [
    'alter table accounts add column delivery_ids_limit integer not null default 3',
    'drop index deliveries_by_profile',
    'drop index deliveries_by_model',
    'create index deliveries_by_profile on deliveries (account_id, profile_id, id) where removed_at is null',
    'create index deliveries_by_model on deliveries (account_id, model_id, id) where removed_at is null',
    'create index deliveries_by_id on deliveries (account_id, id) where removed_at is null',
  ];
}
