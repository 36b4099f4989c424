import type { EventName } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { type ListPage, listPage, type PageParameters } from '../../../db/pagination/list-page.ts';
import { presentEventName } from './present-event-name.ts';
import { eventNamesOf } from './queries.ts';

export async function listEventNames(
  ctx: Context,
  { hidden, ...page }: PageParameters & { hidden: boolean },
): Promise<{ event_names: EventName[]; cursor: ListPage<unknown>['cursor'] }> {
  await ctx.app.propertyRegistry.flush(ctx.account.id);
  const { rows, cursor } = await listPage(eventNamesOf(ctx).where('hidden', '=', hidden), page);
  return { event_names: rows.map((row) => presentEventName(ctx, row)), cursor };
}
