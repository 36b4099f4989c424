import { type ExperienceKind, modelTypeOf } from '@usher/domain';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { type ChangeRow, changesOf } from './changes/queries.ts';
import { type ExperienceRow, experiencesOf } from './queries.ts';

/** Finds an Experience, or the Change that deleted it: its history remains. */
export async function findHistory(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
): Promise<{ row: ExperienceRow } | { deletion: ChangeRow }> {
  const row = await experiencesOf(ctx).where('id', '=', id).executeTakeFirst();
  if (row?.kind === kind) return { row };
  if (row) throw notFound(kind);
  const deletion = await changesOf(ctx)
    .where('experience_id', '=', id)
    .where('model_id', '=', id)
    .where('op', '=', 'destroy')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (deletion?.model_type !== modelTypeOf(kind)) throw notFound(kind);
  return { deletion };
}
