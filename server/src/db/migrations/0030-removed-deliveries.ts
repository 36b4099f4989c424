/** The Deliveries of an Experience that the server removed. The other index has only those that were not removed. */
export function removedDeliveries(): string[] {
  return ['create index deliveries_removed on deliveries (account_id, model_id, id) where removed_reason is not null'];
}
