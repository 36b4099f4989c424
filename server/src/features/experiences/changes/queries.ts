import { type Change, type ModelChange, sortByFieldOrder, timeOfId, toTimestamp } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { loadUsers } from '../../team/people/load-users.ts';

export type ChangeRow = Selectable<Schema['changes']>;

export function changesOf(ctx: Context) {
  return ctx.db.selectFrom('changes').selectAll().where('account_id', '=', ctx.account.id);
}

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

/**
 * Restores the form in which a Change was recorded: of a created or deleted model, kinds other than `create` and `destroy`
 * are stored as pairs.
 */
export function toModelChange({
  kind,
  op,
  model_id,
  model_type,
  path,
  object,
}: ModelChange & { kind: string }): ModelChange {
  const change = { op, model_id, model_type, path };
  if (op === 'update' || kind === op) return { ...change, object };
  const side = op === 'create' ? 1 : 0;
  const scalars = Object.entries(object).map(([name, diff]) => [name, (diff as unknown[])[side]]);
  return { ...change, object: Object.fromEntries(scalars) };
}
