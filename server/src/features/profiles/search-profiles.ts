import type { EmbeddedProfile, Expand } from '@usher/domain';
import type { Context } from '../../context.ts';
import { type Page, type PageParameters, readPage } from '../../db/pagination/list-page.ts';
import { embedProfiles } from './queries.ts';
import { type Asked, queryProfiles } from './query-profiles.ts';

export async function searchProfiles(
  ctx: Context,
  { expand, ...given }: Asked & PageParameters & { expand: Expand },
): Promise<{ profiles: EmbeddedProfile[]; cursor: Page<unknown>['cursor'] }> {
  const query = await queryProfiles(ctx, given);
  const { rows, cursor } = await readPage(query.selectAll('profiles'), given, 'profiles.id');
  return { profiles: await embedProfiles(ctx, rows, expand), cursor };
}
