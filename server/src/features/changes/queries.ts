import { type Change, type ExperienceKind, modelTypeOf, sortByFieldOrder, timeOfId, toTimestamp } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../context.ts';
import type { Schema } from '../../db/schema.ts';
import { notFound } from '../../errors.ts';
import { type ExperienceRow, experiencesOf } from '../experiences/queries.ts';

export type ChangeRow = Selectable<Schema['changes']>;

export function changesOf(ctx: Context) {
  return ctx.db.selectFrom('changes').selectAll().where('account_id', '=', ctx.account.id);
}

/** What a history is of: the Experience, or when it is gone the Change that tells of its end. */
export async function findHistory(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
): Promise<{ row: ExperienceRow } | { end: ChangeRow }> {
  const row = await experiencesOf(ctx).where('id', '=', id).executeTakeFirst();
  if (row?.kind === kind) return { row };
  if (row) throw notFound(kind);
  const end = await changesOf(ctx)
    .where('experience_id', '=', id)
    .where('model_id', '=', id)
    .where('op', '=', 'destroy')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (end?.model_type !== modelTypeOf(kind)) throw notFound(kind);
  return { end };
}

export async function presentChanges(ctx: Context, rows: readonly ChangeRow[]): Promise<Change[]> {
  const admins = await adminsOf(
    ctx,
    rows.map(({ admin_id }) => admin_id),
  );
  return rows.map((row) => {
    const made = toTimestamp(timeOfId(row.id));
    return {
      id: row.id,
      created_at: made,
      updated_at: made,
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

async function adminsOf(ctx: Context, ids: readonly string[]): Promise<Map<string, Change['user']>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('admins')
    .select(['id', 'name', 'email'])
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map(({ id, name, email }) => [id, { id, name, email }]));
}
