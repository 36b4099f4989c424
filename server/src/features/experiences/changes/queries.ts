import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';

export type ChangeRow = Selectable<Schema['changes']>;

export function changesOf(ctx: Context) {
  return ctx.db.selectFrom('changes').selectAll().where('account_id', '=', ctx.account.id);
}
