import {
  compareTimelinePlaces,
  encodeTimelinePlace,
  listTimelineKinds,
  type TimelineEntry,
  type TimelineInput,
  type TimelinePlace,
} from '@usher/domain';
import type { Static } from 'typebox';
import type { Context } from '../../../context.ts';
import { type ListPage, MAX_PAGE_SIZE } from '../../../db/pagination/list-page.ts';
import { getProfile } from '../../audience/profiles/queries.ts';
import { listProfileMoments, type Moment } from './moments.ts';
import { presentMoments } from './present-moments.ts';
import { findDeliveries, findEvents, findInteractions, findResponses } from './queries.ts';

const newest: TimelinePlace = { at: Number.MAX_SAFE_INTEGER, kind: null, id: '' };

/**
 * Lists what a user did and saw, newest first. From each table, no more rows are read than the page can have, so that every
 * page costs the same. Only Interactions are all read, because each has several times.
 */
export async function listTimeline(
  ctx: Context,
  profileId: string,
  { kinds: filters, limit: requested, before = newest }: Static<typeof TimelineInput>,
): Promise<{ entries: TimelineEntry[]; cursor: ListPage<unknown>['cursor'] }> {
  const profile = await getProfile(ctx, { id: profileId });
  const limit = Math.min(requested, MAX_PAGE_SIZE);
  const kinds = listTimelineKinds(filters);
  const find = { profileId, before, limit: limit + 1, kinds };
  const found = await Promise.all([
    findEvents(ctx, find),
    findResponses(ctx, find),
    findInteractions(ctx, find),
    findDeliveries(ctx, find),
  ]);
  const moments: Moment[] = [...listProfileMoments(profile), ...found.flat()]
    .filter((moment) => kinds.has(moment.kind) && compareTimelinePlaces(before, moment) < 0)
    .sort(compareTimelinePlaces);
  const page = moments.slice(0, limit);
  const last = moments.length > limit ? page.at(-1) : undefined;
  return {
    entries: await presentMoments(ctx, page),
    cursor: { limit, before: last ? encodeTimelinePlace(last) : null },
  };
}
