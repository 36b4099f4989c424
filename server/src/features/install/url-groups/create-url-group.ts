import type { CreateUrlGroup, UrlGroup } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { presentUrlGroup } from './present-url-group.ts';

export async function createUrlGroup(ctx: Context, params: CreateUrlGroup): Promise<UrlGroup> {
  return ctx.transaction(async (ctx) => {
    const row = await ctx.db
      .insertInto('url_groups')
      .values({
        ...(await ctx.clock()).newRow(),
        name: params.name,
        description: params.description ?? null,
        short_name: params.short_name ?? null,
        style_short_name_color: params.style_short_name_color?.toUpperCase() ?? null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordAudit(ctx, 'url_group.create', { type: 'url_group', id: row.id }, { name: row.name });
    return presentUrlGroup(row);
  });
}
