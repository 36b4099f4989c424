import { createdAtOf, type Delivery, toTimestamp, toTimestampOrNull } from '@usher/domain';
import type { DeliveryRow } from './queries.ts';

export function presentDelivery(row: DeliveryRow): Delivery {
  const created = createdAtOf(row);
  const created_at = toTimestamp(created);
  return {
    id: row.id,
    created_at,
    updated_at: row.updated_at === created ? created_at : toTimestamp(row.updated_at),
    model_id: row.model_id,
    model_kind: row.model_kind,
    profile_id: row.profile_id,
    idempotency_key: row.idempotency_key,
    ...presentTerms(row),
    at: toTimestampOrNull(row.at),
    at_href: row.at_href,
    interaction_id: row.interaction_id,
    group_kind: row.group_kind,
    removed_at: toTimestampOrNull(row.removed_at),
    removed_reason: row.removed_reason,
  };
}

/** The terms on which a Delivery shows. */
export function presentTerms(row: DeliveryRow) {
  return {
    options: row.options,
    from: toTimestampOrNull(row.from_at),
    until: toTimestampOrNull(row.until_at),
    use_segmentation: row.use_segmentation,
    once: row.once,
    skip_triggers: row.skip_triggers,
    skip_url_match: row.skip_url_match,
  };
}
