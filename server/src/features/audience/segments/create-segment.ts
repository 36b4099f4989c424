import { type CreateSegment, type Segment, withItemIds } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { lockSegments } from '../filters/segments.ts';
import { checkForeign, checkItems } from './check-items.ts';
import { presentSegment } from './present-segment.ts';

export async function createSegment(ctx: Context, { name, items, items_op }: CreateSegment): Promise<Segment> {
  return ctx.transaction(async (ctx) => {
    checkForeign(items, []);
    checkItems(items, await lockSegments(ctx));
    const stored = withItemIds(items, [], ctx.newId);
    const row = await ctx.db
      .insertInto('segments')
      .values({ ...(await ctx.clock()).newRow(), name, items: JSON.stringify(stored), items_op })
      .returningAll()
      .executeTakeFirstOrThrow();
    return presentSegment(row);
  });
}
