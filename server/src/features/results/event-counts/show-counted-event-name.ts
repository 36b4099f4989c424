import { dayOf, type EventNameDetails, toDate } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { presentEventName } from '../../audience/event-names/present-event-name.ts';
import { getEventName } from '../../audience/event-names/queries.ts';
import { loadTimeZone } from '../counts/time-zone.ts';
import { countEvents } from './count-events.ts';
import { findEventUses } from './find-event-uses.ts';

/** Shows an Event Name with its counts by day, and what uses it. */
export async function showCountedEventName(
  ctx: Context,
  { id, days }: { id: string; days: number },
): Promise<EventNameDetails> {
  const row = await getEventName(ctx, id);
  const timeZone = await loadTimeZone(ctx);
  const counted = (await countEvents(ctx, [row.prop], { timeZone, days }))(row.prop);
  const first = dayOf(ctx.now(), timeZone) - days + 1;
  return {
    ...presentEventName(ctx, row),
    sources: [...(row.event_facts?.sources ?? [])],
    counts: counted.counts,
    days: counted.days.map((count, at) => ({ date: toDate(first + at), count })),
    uses: await findEventUses(ctx, row.prop),
  };
}
