import type { EventName } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { type ListPage, listPage, type PageParameters } from '../../../db/pagination/list-page.ts';
import { presentEventName } from './present-event-name.ts';
import { eventNamesOf } from './queries.ts';

export async function listEventNames(
  ctx: Context,
  { hidden, kind, ...page }: PageParameters & { hidden: boolean; kind?: EventName['kind'] },
): Promise<{ event_names: EventName[]; cursor: ListPage<unknown>['cursor'] }> {
  await ctx.app.propertyRegistry.flush(ctx.account.id);
  const { rows, cursor } = await listPage(ofKind(eventNamesOf(ctx).where('hidden', '=', hidden), kind), page);
  return { event_names: rows.map((row) => presentEventName(ctx, row)), cursor };
}

function ofKind(names: ReturnType<typeof eventNamesOf>, kind: EventName['kind'] | undefined) {
  if (kind === undefined) return names;
  return names.where('definition', kind === 'custom' ? 'is not' : 'is', null);
}
