import { type Change, sortByFieldOrder, timeOfId, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { loadUsers } from '../../team/persons/load-users.ts';
import type { ChangeRow } from './queries.ts';

export async function presentChanges(ctx: Context, rows: readonly ChangeRow[]): Promise<Change[]> {
  const admins = await loadUsers(
    ctx,
    rows.map(({ admin_id }) => admin_id),
  );
  return rows.map((row) => {
    const createdAt = toTimestamp(timeOfId(row.id));
    return {
      id: row.id,
      created_at: createdAt,
      updated_at: createdAt,
      experience_id: row.experience_id,
      model_id: row.model_id,
      model_type: row.model_type,
      kind: row.kind,
      path: row.path,
      object: sortByFieldOrder(row.model_type, row.object),
      options: Object.fromEntries(Object.entries(row.options).sort(([one], [other]) => (one < other ? -1 : 1))),
      user: admins.get(row.admin_id) ?? { id: row.admin_id, name: '', email: '' },
    };
  });
}
