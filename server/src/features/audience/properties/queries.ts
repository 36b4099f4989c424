import {
  type Property,
  type PropertyKind,
  propertyKinds,
  timeOfId,
  toTimestamp,
  toTimestampOrNull,
} from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';

/** Leaves out the names of events, which are in the same table. */
export function propertiesOf(ctx: Context) {
  return ctx.db
    .selectFrom('properties')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('kind', 'in', propertyKinds);
}

export function presentProperty(row: Selectable<Schema['properties']>): Property {
  return {
    id: row.id,
    created_at: toTimestamp(timeOfId(row.id)),
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
