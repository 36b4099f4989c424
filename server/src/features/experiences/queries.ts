import { type ExperienceKind, joinNames } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../context.ts';
import type { Schema } from '../../db/schema.ts';
import { notFound } from '../../errors.ts';

export type ExperienceRow = Selectable<Schema['experiences']>;

export function experiencesOf(ctx: Context) {
  return ctx.db.selectFrom('experiences').selectAll().where('account_id', '=', ctx.account.id);
}

export async function getExperience(ctx: Context, kind: ExperienceKind, id: string): Promise<ExperienceRow> {
  const row = await experiencesOf(ctx).where('id', '=', id).where('kind', '=', kind).executeTakeFirst();
  if (!row) throw notFound(kind);
  return row;
}

/** Finds an Experience of any kind. */
export async function getAnyExperience(ctx: Context, id: string): Promise<ExperienceRow> {
  const row = await experiencesOf(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('Experience');
  return row;
}

/** Rejects an ID that belongs to no Experience, or to none of these kinds. */
export async function checkExperience(ctx: Context, id: string, ...kinds: ExperienceKind[]): Promise<void> {
  const query = ctx.db.selectFrom('experiences').select('kind').where('account_id', '=', ctx.account.id);
  const row = await query.where('id', '=', id).executeTakeFirst();
  if (!row || (kinds.length > 0 && !kinds.includes(row.kind))) throw notFound(joinNames(kinds, 'or') || 'Experience');
}

export async function lockExperience(ctx: Context, kind: ExperienceKind, id: string): Promise<ExperienceRow> {
  const row = await ctx.dialect
    .lockRows(experiencesOf(ctx).where('id', '=', id).where('kind', '=', kind))
    .executeTakeFirst();
  if (!row) throw notFound(kind);
  return row;
}
