import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { notFound } from '../../../errors.ts';

export type AlertGroupRow = Selectable<Schema['alert_groups']>;

export function alertGroupsOf(ctx: Context) {
  return ctx.db.selectFrom('alert_groups').selectAll().where('account_id', '=', ctx.account.id);
}

/** The groups that watch their Experiences now. */
export function publishedAlertGroupsOf(ctx: Context) {
  return alertGroupsOf(ctx).where('published_at', '<=', ctx.now()).orderBy('id');
}

export async function getAlertGroup(ctx: Context, id: string): Promise<AlertGroupRow> {
  const row = await alertGroupsOf(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('alert group');
  return row;
}
