import type { MoveUrl, Url } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { changeEnvironments, lockExperiences } from '../../experiences/change-environments.ts';
import { selectUrlGroup } from '../url-groups/queries.ts';
import { changeUrls, checkSeen } from './change-urls.ts';
import { presentUrl } from './present-url.ts';
import { lockUrls } from './queries.ts';

interface Moved {
  url: Url;
  /** The Experiences that changed, without the ones that showed in the new Environment already. */
  experience_ids: string[];
  removed_experience_ids: string[];
}

/**
 * Moves a Url to another Environment in one transaction. Some Experiences can follow the Url, so that its users still
 * see them, and others can be removed from the Environment that the Url leaves, which undoes an earlier move.
 */
export async function moveUrl(ctx: Context, id: string, params: MoveUrl): Promise<Moved> {
  const { url_group_id, experience_ids = [], removed_experience_ids = [], updated_at: seen } = params;
  return ctx.transaction(async (ctx) => {
    // The order of locks is that of every other write: Experiences, Environments, Urls, the clock. Otherwise storing a
    // draft would lock the Environment after the Url.
    const experiences = await lockExperiences(ctx, [...experience_ids, ...removed_experience_ids]);
    if (url_group_id !== null) {
      const group = await ctx.dialect.lockRows(selectUrlGroup(ctx, url_group_id)).executeTakeFirst();
      if (!group) throw notFound('Environment');
    }
    const before = await lockUrls(ctx, [id]);
    for (const url of before) checkSeen(url, seen);
    const leaves = before[0]?.url_group_id ?? null;
    const changed = await changeEnvironments(
      ctx,
      experiences.map((row) => ({
        row,
        add: experience_ids.includes(row.id) ? url_group_id : null,
        remove: removed_experience_ids.includes(row.id) ? leaves : null,
      })),
    );
    const [after] = await changeUrls(ctx, before, { url_group_id }, 'url.move');
    if (changed.length > 0) await bumpPublishedVersion(ctx);
    return {
      url: presentUrl(after as (typeof before)[number]),
      experience_ids: changed.filter((one) => experience_ids.includes(one)),
      removed_experience_ids: changed.filter((one) => removed_experience_ids.includes(one)),
    };
  });
}
