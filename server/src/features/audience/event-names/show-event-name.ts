import type { EventName } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { presentEventName } from './present-event-name.ts';
import { getEventName } from './queries.ts';

export async function showEventName(ctx: Context, id: string): Promise<EventName> {
  return presentEventName(ctx, await getEventName(ctx, id));
}
