import type { CreateUrlGroup, UrlGroup } from '@usher/domain';
import type { Context } from '../../context.ts';
import { presentUrlGroup } from './queries.ts';

export async function createUrlGroup(ctx: Context, given: CreateUrlGroup): Promise<UrlGroup> {
  return ctx.transaction(async (ctx) => {
    const row = await ctx.db
      .insertInto('url_groups')
      .values({
        ...(await ctx.clock()).newRow(),
        name: given.name,
        description: given.description ?? null,
        short_name: given.short_name ?? null,
        style_short_name_color: given.style_short_name_color?.toUpperCase() ?? null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return presentUrlGroup(row);
  });
}
