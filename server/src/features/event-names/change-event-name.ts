import type { EventName, UpdateProperty } from '@usher/domain';
import type { Context } from '../../context.ts';
import { deleteName, updateName } from '../properties/change-name.ts';
import { presentEventName } from './queries.ts';

const eventNames = { kinds: ['event_name'], what: 'Event Name' } as const;

export async function updateEventName(ctx: Context, id: string, params: UpdateProperty): Promise<EventName> {
  return presentEventName(ctx, await updateName(ctx, eventNames, id, params));
}

export async function deleteEventName(ctx: Context, id: string): Promise<EventName> {
  return presentEventName(ctx, await deleteName(ctx, eventNames, id));
}
