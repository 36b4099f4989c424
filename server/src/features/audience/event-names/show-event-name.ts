import type { EventName } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { presentEventName } from './present-event-name.ts';
import { eventNamesOf } from './queries.ts';

export async function showEventName(ctx: Context, id: string): Promise<EventName> {
  await ctx.app.propertyRegistry.flush(ctx.account.id);
  const row = await eventNamesOf(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('Event Name');
  return presentEventName(ctx, row);
}
