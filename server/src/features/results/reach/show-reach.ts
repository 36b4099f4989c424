import {
  ALL_EXPERIENCES,
  experienceKinds,
  type GetReach,
  type ReachCounts,
  type ReachResults,
  reachScopeOf,
  startOfDay,
} from '@usher/domain';
import type { Static } from 'typebox';
import type { Context } from '../../../context.ts';
import { experiencesUsing } from '../../experiences/experiences-using.ts';
import { experiencesOf } from '../../experiences/queries.ts';
import { getTag } from '../../experiences/tag-records/queries.ts';
import { getUrlGroup } from '../../install/url-groups/queries.ts';
import { type LocalDayRange, rangeBefore, readDayRange } from '../stats/answers-in.ts';
import { DAYS_OF_WEEK } from '../stats/count-activities.ts';
import { countEach, countPeriod } from './count-reach.ts';

const MAX_LISTED = 50;

/** Counts the people whom Experiences reached. It reads only counts, so it takes as long for many people as for few. */
export async function showReach(
  ctx: Context,
  { by = 'day', kind, url_group_id: urlGroupId, tag_id, ...days }: Static<typeof GetReach>,
): Promise<ReachResults> {
  if (urlGroupId !== undefined) await getUrlGroup(ctx, urlGroupId);
  if (tag_id !== undefined) await getTag(ctx, tag_id);
  const range = await readDayRange(ctx, days);
  const columnDays = by === 'week' ? DAYS_OF_WEEK : 1;
  const shown = await findShown(ctx, range, kind, tag_id);
  const scope = kind ? reachScopeOf(kind) : ALL_EXPERIENCES;
  const ids = tag_id === undefined ? [scope] : [...shown.keys()];
  const kindIds = kind === undefined && tag_id === undefined ? experienceKinds.map(reachScopeOf) : [];
  // Counts by version have fewer rows, because they have no language and no device, and no Environment either.
  const table = urlGroupId === undefined ? 'version_counts' : 'activity_counts';
  const [period, before, ofKinds, ofExperiences] = await Promise.all([
    countPeriod(ctx, { ids, urlGroupId }, range, columnDays),
    countPeriod(ctx, { ids, urlGroupId }, rangeBefore(range), columnDays),
    countEach(ctx, { ids: kindIds, urlGroupId }, range, 'activity_counts'),
    countEach(ctx, { ids: [...shown.keys()], urlGroupId }, range, table),
  ]);
  const listed = [...ofExperiences]
    .flatMap(([id, totals]) => {
      const experience = shown.get(id);
      return experience ? [{ ...experience, totals }] : [];
    })
    .sort((one, other) => compare(one.totals, other.totals) || (one.id < other.id ? 1 : -1));
  return {
    ...period,
    before,
    is_distinct: tag_id === undefined,
    kinds: experienceKinds.flatMap((kind) => {
      const totals = ofKinds.get(reachScopeOf(kind));
      return totals ? [{ kind, totals }] : [];
    }),
    experiences: listed.slice(0, MAX_LISTED),
    experiences_count: listed.length,
  };
}

function compare(one: ReachCounts, other: ReachCounts): number {
  return other.shown - one.shown || other.completed - one.completed;
}

/** The Experiences that people used after the range or its period before began, by their ID. */
async function findShown(
  ctx: Context,
  range: LocalDayRange,
  kind: Static<typeof GetReach>['kind'],
  tagId: string | undefined,
): Promise<Map<string, Pick<ReachResults['experiences'][number], 'id' | 'kind' | 'name'>>> {
  const since = startOfDay(tagId === undefined ? range.first : rangeBefore(range).first, range.timeZone);
  let query = tagId === undefined ? experiencesOf(ctx) : experiencesUsing(ctx, tagId);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  const rows = await query
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('experience_counts')
        .select('experience_id')
        .where('account_id', '=', ctx.account.id)
        .where((eb) =>
          eb.or([
            // The last time is not known any more, because its user is gone.
            eb('stale', '>', 0),
            eb('last_displayed_at', '>=', since),
            eb('last_started_at', '>=', since),
            eb('last_completed_at', '>=', since),
          ]),
        ),
    )
    .execute();
  return new Map(rows.map(({ id, kind, draft }) => [id, { id, kind, name: draft.name }]));
}
