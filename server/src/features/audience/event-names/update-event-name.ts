import type { EventName, UpdateProperty } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { updateName } from '../properties/update-name.ts';
import { presentEventName } from './present-event-name.ts';

export async function updateEventName(ctx: Context, id: string, params: UpdateProperty): Promise<EventName> {
  return presentEventName(ctx, await updateName(ctx, { kinds: ['event_name'], what: 'Event Name' }, id, params));
}
