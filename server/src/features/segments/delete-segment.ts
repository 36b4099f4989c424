import type { Segment } from '@usher/domain';
import type { Context } from '../../context.ts';
import { conflict, notFound } from '../../errors.ts';
import { lockSegments, presentSegment, usersOf } from './queries.ts';

export async function deleteSegment(ctx: Context, id: string): Promise<Segment> {
  return ctx.transaction(async (ctx) => {
    const segments = await lockSegments(ctx);
    const segment = segments.find((one) => one.id === id);
    if (!segment) throw notFound('Segment');
    const users = usersOf(id, segments);
    if (users.length > 0) {
      const names = users.map(({ name }) => `"${name}"`).join(', ');
      throw conflict(`This Segment is used by the Segments ${names}: take it out of them first`);
    }
    await ctx.db.deleteFrom('segments').where('account_id', '=', ctx.account.id).where('id', '=', id).execute();
    return presentSegment(segment);
  });
}
