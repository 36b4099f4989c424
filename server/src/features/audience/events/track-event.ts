import { type EventInput, measureRow, toEventItem } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid } from '../../../errors.ts';
import type { Sender } from '../properties/seen.ts';
import type { Admit } from './find-event-profiles.ts';

interface Options {
  /** Checks in the same transaction whether the event is accepted. */
  admit?: Admit;
  idempotency_key?: string | undefined;
  /** Called with the room that the event takes if it is stored, and was not sent before. */
  onStored?: (bytes: number) => unknown;
}

/** Stores an event together with the events of other requests. */
export async function trackEvent(
  ctx: Context,
  params: EventInput,
  sender: Sender,
  { admit, idempotency_key, onStored }: Options = {},
): Promise<{ id: string }> {
  const problems: string[] = [];
  const item = toEventItem(params, problems, ctx.now());
  if (problems.length > 0) throw invalid(...problems);
  const { id, isRepeated } = await ctx.app.eventQueue.add(ctx, { ...item, idempotency_key, admit }, sender);
  if (!isRepeated) onStored?.(measureRow('event', { indexed: [item.name, idempotency_key], plain: [item.text] }));
  return { id };
}
