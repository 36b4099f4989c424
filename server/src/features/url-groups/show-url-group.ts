import type { UrlGroup } from '@usher/domain';
import type { Context } from '../../context.ts';
import { getUrlGroup, presentUrlGroup } from './queries.ts';

export async function showUrlGroup(ctx: Context, id: string): Promise<UrlGroup> {
  return presentUrlGroup(await getUrlGroup(ctx, id));
}
