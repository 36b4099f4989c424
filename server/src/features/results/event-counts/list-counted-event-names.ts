import type { CountedEventName } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { type ListPage, listPage, type PageParameters } from '../../../db/pagination/list-page.ts';
import { presentEventName } from '../../audience/event-names/present-event-name.ts';
import { eventNamesOf } from '../../audience/event-names/queries.ts';
import { loadTimeZone } from '../counts/time-zone.ts';
import { countEvents } from './count-events.ts';
import { countEventUses } from './find-event-uses.ts';

/** Lists Event Names with how often they were tracked, and how many use them. */
export async function listCountedEventNames(
  ctx: Context,
  { hidden, ...page }: PageParameters & { hidden: boolean },
): Promise<{ event_names: CountedEventName[]; cursor: ListPage<unknown>['cursor'] }> {
  await ctx.app.propertyRegistry.flush(ctx.account.id);
  const { rows, cursor } = await listPage(eventNamesOf(ctx).where('hidden', '=', hidden), page);
  const uids = rows.map(({ prop }) => prop);
  const counted = await countEvents(ctx, uids, { timeZone: await loadTimeZone(ctx) });
  const uses = await countEventUses(ctx, uids);
  const event_names = rows.map((row) => ({
    ...presentEventName(ctx, row),
    sources: [...(row.event_facts?.sources ?? [])],
    properties: [...(row.event_facts?.props ?? [])],
    ...counted(row.prop),
    uses: uses(row.prop),
  }));
  return { event_names, cursor };
}
