import type { EmbeddedProfile, Expand } from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { Within } from '../../../db/pagination/chunk-size.ts';
import { type ListPage, listPage, type PageParameters } from '../../../db/pagination/list-page.ts';
import { MAX_SEARCH_MS, scanPage } from '../../../db/pagination/scan-page.ts';
import { embedProfiles } from './present-profile.ts';
import { type ProfileQuery, queryProfiles } from './query-profiles.ts';

/**
 * Filters are tested on each profile, in chunks: other accounts are served in between. A page that is not full after the time
 * still has the cursor from which the next one goes on.
 */
export async function searchProfiles(
  ctx: Context,
  { expand, ...params }: ProfileQuery & PageParameters & { expand: Expand },
): Promise<{ profiles: EmbeddedProfile[]; cursor: ListPage<unknown>['cursor'] }> {
  const query = await queryProfiles(ctx, params);
  const matching = (within?: Within) => query(within).selectAll('profiles');
  const all = ctx.heavyDb.selectFrom('profiles').where('profiles.account_id', '=', ctx.account.id);
  const scan = { all, matching, idColumn: 'profiles.id', now: ctx.now };
  const isFiltered = params.segment_id !== undefined || (params.filters ?? []).length > 0;
  const { rows, cursor } = isFiltered
    ? await scanPage({ ...scan, maxMs: MAX_SEARCH_MS, signal: ctx.request?.signal }, params)
    : await listPage(matching(), params, 'profiles.id');
  return { profiles: await embedProfiles(ctx, rows, expand), cursor };
}
