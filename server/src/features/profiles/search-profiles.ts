import type { EmbeddedProfile, Expand } from '@usher/domain';
import type { Context } from '../../context.ts';
import { type ListPage, listPage, type PageParameters } from '../../db/pagination/list-page.ts';
import { embedProfiles } from './queries.ts';
import { type ProfileQuery, queryProfiles } from './query-profiles.ts';

export async function searchProfiles(
  ctx: Context,
  { expand, ...params }: ProfileQuery & PageParameters & { expand: Expand },
): Promise<{ profiles: EmbeddedProfile[]; cursor: ListPage<unknown>['cursor'] }> {
  const query = await queryProfiles(ctx, params);
  const { rows, cursor } = await listPage(query.selectAll('profiles'), params, 'profiles.id');
  return { profiles: await embedProfiles(ctx, rows, expand), cursor };
}
