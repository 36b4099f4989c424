import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { notFound } from '../../../errors.ts';

export type LimitGroupRow = Selectable<Schema['limit_groups']>;

export function limitGroupsOf(ctx: Context) {
  return ctx.db.selectFrom('limit_groups').selectAll().where('account_id', '=', ctx.account.id);
}

export async function getLimitGroup(ctx: Context, id: string): Promise<LimitGroupRow> {
  const row = await limitGroupsOf(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('limit group');
  return row;
}
