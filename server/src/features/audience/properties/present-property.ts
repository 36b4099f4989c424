import { createdAtOf, type Property, type PropertyKind, toTimestamp, toTimestampOrNull } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Schema } from '../../../db/schema.ts';

export function presentProperty(row: Selectable<Schema['properties']>): Property {
  return {
    id: row.id,
    created_at: toTimestamp(createdAtOf(row)),
    updated_at: toTimestamp(row.updated_at),
    name: row.name,
    description: row.description,
    kind: row.kind as PropertyKind,
    prop: row.prop,
    integration: row.integration,
    last_seen_at: toTimestampOrNull(row.last_seen_at),
    types: row.types,
    values: row.samples.map(({ value }) => value),
    hidden: row.hidden,
  };
}
