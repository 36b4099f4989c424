import { findLiveSince, firstIdAt, listPublishingMarks, type Millis, type NewsEntry, timeOfId } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { loadPublishingChanges } from '../../experiences/load-publishing-changes.ts';
import { groupBy } from './group-by.ts';

export interface Moment {
  what: NonNullable<NewsEntry['moment']>['what'];
  at: Millis;
  change_id: string | null;
}

interface ExperienceMoments {
  /** What administrators did since the time, oldest first. */
  list: Moment[];
  /** When it was first published, and since when users have seen it without a pause. */
  firstLive: Millis | undefined;
  liveSince: Millis | undefined;
}
export type Moments = ReadonlyMap<string, ExperienceMoments>;

/** Finds when Experiences were published or paused, and when their Segments and Environments changed, from their Changes. */
export async function findMoments(ctx: Context, ids: readonly string[], since: Millis): Promise<Moments> {
  const [publishing, related] = await Promise.all([loadPublishingChanges(ctx, ids), loadRelatedMoments(ctx, since)]);
  const byId = groupBy(publishing, ({ experience_id }) => experience_id);
  return new Map(
    ids.map((id) => {
      const changes = byId.get(id) ?? [];
      const marks = listPublishingMarks(changes, ctx.now());
      const all = [...marks, ...(related.get(id) ?? [])].filter(({ at }) => at > since);
      return [
        id,
        {
          list: all.sort((one, other) => one.at - other.at),
          firstLive: marks.find(({ what }) => what === 'published')?.at,
          liveSince: findLiveSince(changes) ?? undefined,
        },
      ];
    }),
  );
}

/** An account has few Changes of Segments and Environments, but each is written once for each Experience. */
const MAX_RELATED = 5000;

async function loadRelatedMoments(ctx: Context, since: Millis): Promise<Map<string, Moment[]>> {
  const rows = await ctx.db
    .selectFrom('changes')
    .select(['id', 'experience_id', 'path'])
    .where('account_id', '=', ctx.account.id)
    .where('kind', '=', 'related')
    .where('id', '>=', firstIdAt(since))
    .orderBy('id', 'desc')
    .limit(MAX_RELATED)
    .execute();
  const moments = new Map<string, Moment[]>();
  for (const { id, experience_id, path } of rows) {
    const what = path.startsWith('segments.') ? 'segment' : path.startsWith('url_groups.') ? 'environment' : undefined;
    if (what)
      moments.set(experience_id, [...(moments.get(experience_id) ?? []), { what, at: timeOfId(id), change_id: id }]);
  }
  return moments;
}
