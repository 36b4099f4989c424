import { type AuditEntry, timeOfId, toTimestamp } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { loadUsers } from '../persons/load-users.ts';
import { loadTargetNames } from './target-names.ts';

export async function presentEntries(
  ctx: Context,
  rows: readonly Selectable<Schema['audit_entries']>[],
): Promise<AuditEntry[]> {
  const users = await loadUsers(
    ctx,
    rows.map(({ admin_id }) => admin_id),
  );
  const names = await loadTargetNames(ctx, rows);
  return rows.map((row) => ({
    id: row.id,
    created_at: toTimestamp(timeOfId(row.id)),
    action: row.action,
    target_type: row.target_type,
    target_id: row.target_id,
    target_name: names.get(row.target_id ?? '') ?? null,
    details: row.details,
    network: row.network,
    secret_id: row.secret_id,
    user: users.get(row.admin_id ?? '') ?? null,
  }));
}
