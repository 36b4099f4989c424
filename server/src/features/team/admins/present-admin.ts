import { type Admin, timeOfId, toTimestamp, toTimestampOrNull } from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { AdminRow } from './queries.ts';

export function presentAdmin(ctx: Context, row: AdminRow): Admin {
  return {
    id: row.id,
    created_at: toTimestamp(timeOfId(row.id)),
    updated_at: toTimestamp(row.updated_at),
    name: row.name,
    email: row.email,
    role: row.role,
    last_used_at: toTimestampOrNull(row.last_used_at === null ? null : Number(row.last_used_at)),
    current: row.id === ctx.actor.id,
  };
}
