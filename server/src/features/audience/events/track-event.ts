import { type EventItem, measureRow } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { ApiError, invalid } from '../../../errors.ts';
import type { Admit } from './find-event-profiles.ts';
import { type EventSender, type NewEvent, type StoredEvent, storeEvents } from './store-events.ts';

interface Options {
  /** Checks in the same transaction whether the event is accepted. */
  admit?: Admit;
  /** Called with the room that the event takes if it is stored, and was not sent before. */
  onStored?: (bytes: number) => unknown;
}

/**
 * Stores an event together with the events of other requests or, inside a transaction, in that.
 * @param toItem reads the event, and lists what is wrong with it
 */
export async function trackEvent(
  ctx: Context,
  toItem: (problems: string[]) => EventItem,
  sender: EventSender,
  { admit, onStored }: Options = {},
): Promise<Pick<StoredEvent, 'id' | 'starts'>> {
  const problems: string[] = [];
  const item = toItem(problems);
  if (problems.length > 0) throw invalid(...problems);
  const event = { ...item, admit };
  const { id, isRepeated, starts } = ctx.isInTransaction
    ? await storeAlone(ctx, event, sender)
    : await ctx.app.eventQueue.add(ctx, event, sender);
  if (!isRepeated) onStored?.(measureRow('event', { indexed: [item.name, item.idempotency_key], plain: [item.text] }));
  return { id, starts };
}

async function storeAlone(ctx: Context, event: NewEvent, sender: EventSender): Promise<StoredEvent> {
  const [outcome] = await storeEvents(ctx, [event], sender);
  if (outcome instanceof ApiError) throw outcome;
  return outcome as StoredEvent;
}
