import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { notFound } from '../../../errors.ts';

export type EventNameRow = Selectable<Schema['properties']>;

export function eventNamesOf(ctx: Context) {
  return ctx.db
    .selectFrom('properties')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('kind', '=', 'event_name');
}

/** What was seen of the name so far is stored first. */
export async function getEventName(ctx: Context, id: string): Promise<EventNameRow> {
  await ctx.app.propertyRegistry.flush(ctx.account.id);
  const row = await eventNamesOf(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('Event Name');
  return row;
}
