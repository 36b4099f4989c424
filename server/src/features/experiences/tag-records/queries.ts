import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { notFound } from '../../../errors.ts';

export type TagRow = Selectable<Schema['tags']>;

export function tagsOf(ctx: Context) {
  return ctx.db.selectFrom('tags').selectAll().where('account_id', '=', ctx.account.id);
}

export async function getTag(ctx: Context, id: string): Promise<TagRow> {
  const row = await tagsOf(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('Tag');
  return row;
}
