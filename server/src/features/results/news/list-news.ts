import {
  dayOf,
  type ExperienceKind,
  findNews,
  type Millis,
  type News,
  type NewsComparison,
  type NewsEntry,
  newsRanges,
  newsSince,
  startOfDay,
  toDate,
  toTimestamp,
  valuesOf,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { isLive } from '../../../published/is-live.ts';
import { type ExperienceRow, experiencesOf } from '../../experiences/queries.ts';
import { DEMO_NAME } from '../../install/sample-data/show-sample-data.ts';
import { loadTimeZone } from '../counts/time-zone.ts';
import { listFailingSteps } from '../failing-steps/list-failing-steps.ts';
import { findMoments, type Moment, type Moments } from './find-moments.ts';
import { findNewResponses } from './find-new-responses.ts';
import { loadHomeVisits } from './leave-home-now.ts';
import { type Compared, loadComparisons } from './load-comparisons.ts';
import { countShownSince } from './load-periods.ts';

const MAX_NEWS = 5;
/** Only the Experiences with the most people. Each adds to the number of comparisons, and so to what a difference needs to be news. */
const MAX_EXPERIENCES = 200;

/** Lists what changed since a time: failing steps, numbers, what went live, and Responses. It only reads counts, so it uses `heavyDb`. */
export async function listNews(caller: Context, { since: requested }: { since?: Millis }): Promise<News> {
  const since = newsSince(await loadHomeVisits(caller), caller.now(), requested);
  const ctx = { ...caller, db: caller.heavyDb };
  const timeZone = await loadTimeZone(ctx);
  const rows = await listLiveExperiences(ctx);
  const days = { since: dayOf(since, timeZone), today: dayOf(ctx.now(), timeZone), timeZone };
  const moments = await findMoments(
    ctx,
    rows.map(({ id }) => id),
    since,
  );
  const lists = [
    await findFailing(ctx, since, days),
    await findChanges(ctx, rows, moments, days),
    await findWentLive(ctx, rows, moments, days),
    await findResponses(ctx, rows, since, days),
  ];
  return { since: toTimestamp(since), news: lists.flat().slice(0, MAX_NEWS) };
}

function listLiveExperiences(ctx: Context): Promise<ExperienceRow[]> {
  const seen = ctx.db
    .selectFrom('experience_counts')
    .select('experience_id')
    .where('account_id', '=', ctx.account.id)
    .orderBy(({ ref }) => ref('started_count'), 'desc')
    .orderBy('displayed_count', 'desc')
    .orderBy('experience_id', 'desc')
    .limit(MAX_EXPERIENCES);
  const newest = ctx.db
    .selectFrom('experiences')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where((eb) => isLive(eb, ctx.now()))
    .orderBy('published_at', 'desc')
    .limit(MAX_NEWS);
  return experiencesOf(ctx)
    .where((eb) => isLive(eb, ctx.now()))
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('id', 'in', selectFrom(seen.as('seen')).select('experience_id')),
        eb('id', 'in', selectFrom(newest.as('newest')).select('newest.id')),
      ]),
    )
    .orderBy('id')
    .execute();
}

interface Days {
  since: number;
  today: number;
  timeZone: string;
}

const nothing = {
  ...{ measure: null, before: null, after: null, moment: null, since: null },
  ...{ count: null, comments_count: null, step: null },
} as const;

const targetOf = ({ id, kind, draft }: { id: string; kind: ExperienceKind; draft: { name: string } }) => ({
  type: kind,
  id,
  name: draft.name,
});

async function findFailing(ctx: Context, since: Millis, days: Days): Promise<NewsEntry[]> {
  const entries = new Map<string, NewsEntry>();
  for (const { kind, draft, step } of await listFailingSteps(ctx)) {
    if (Date.parse(step.since) <= since || entries.has(step.experience_id)) continue;
    const index = draft.steps.findIndex(({ id }) => id === step.step_id);
    entries.set(step.experience_id, {
      ...nothing,
      type: 'step_failing',
      target: targetOf({ id: step.experience_id, kind, draft }),
      from: toDate(dayOf(Date.parse(step.since), days.timeZone)),
      until: toDate(days.today),
      since: step.since,
      count: step.users_count,
      step: { id: step.step_id, index: index < 0 ? null : index },
    });
  }
  return [...entries.values()];
}

async function findChanges(
  ctx: Context,
  rows: readonly ExperienceRow[],
  moments: Moments,
  days: Days,
): Promise<NewsEntry[]> {
  const compared = rows.map((row): Compared => {
    const moment = findComparedMoment(moments.get(row.id)?.list ?? [], days);
    const firstLive = moments.get(row.id)?.firstLive;
    return {
      row,
      moment,
      firstDay: firstLive === undefined ? 0 : dayOf(firstLive, days.timeZone),
      ranges: newsRanges({
        ...days,
        ...(moment && { moment: dayOf(moment.at, days.timeZone) }),
      }),
    };
  });
  const byId = new Map(compared.map((one) => [one.row.id, one]));
  return findNews(await loadComparisons(ctx, compared, days)).flatMap((comparison) => {
    const found = byId.get(comparison.id);
    return found ? [presentChange(comparison, found)] : [];
  });
}

/** The last one with a day after it. */
function findComparedMoment(moments: readonly Moment[], { today, timeZone }: Days): Moment | undefined {
  return moments.findLast(({ at }) => dayOf(at, timeZone) < today);
}

function presentChange(comparison: NewsComparison, { row, moment, ranges }: Compared): NewsEntry {
  const [before, after] = valuesOf(comparison).map((value) =>
    comparison.measure === 'nps'
      ? Math.round(value * 100)
      : comparison.measure === 'people'
        ? Math.round(value)
        : value,
  ) as [number, number];
  const { people } = ranges;
  const [periodBefore, periodAfter] =
    comparison.measure === 'people' && people
      ? [
          { first: people.past.at(comparison.past.length - 1)?.first ?? 0, last: people.past[0]?.last ?? 0 },
          people.after,
        ]
      : [ranges.before, ranges.after];
  const countOf = (sample: { people: number } | number) => (typeof sample === 'number' ? sample : sample.people);
  const dates = ({ first, last }: { first: number; last: number }) => ({ from: toDate(first), until: toDate(last) });
  return {
    ...nothing,
    type: 'changed',
    target: targetOf(row),
    ...dates(periodAfter),
    measure: comparison.measure,
    before: {
      ...dates(periodBefore),
      value: before,
      people: comparison.measure === 'people' ? before : comparison.before.people,
    },
    after: { ...dates(periodAfter), value: after, people: countOf(comparison.after) },
    moment: moment ? { what: moment.what, at: toTimestamp(moment.at), change_id: moment.change_id } : null,
  };
}

/** The Experiences that users began to see since then, the ones with the most people first. The demo comes with the server, so it is no news. */
async function findWentLive(
  ctx: Context,
  rows: readonly ExperienceRow[],
  moments: Moments,
  days: Days,
): Promise<NewsEntry[]> {
  const began = rows.flatMap((row) => {
    const since = moments.get(row.id)?.liveSince;
    if (since === undefined || since < startOfDay(days.since, days.timeZone)) return [];
    if (row.draft.name.startsWith(DEMO_NAME)) return [];
    return [{ row, since, day: dayOf(since, days.timeZone) }];
  });
  const newest = began.sort((one, other) => other.since - one.since).slice(0, MAX_NEWS);
  const entries = await Promise.all(
    newest.map(async ({ row, since, day }): Promise<NewsEntry & { count: number }> => {
      const count = await countShownSince(ctx, row.id, day);
      return {
        ...nothing,
        type: 'went_live',
        target: targetOf(row),
        ...{ from: toDate(day), until: toDate(days.today) },
        moment: { what: 'published', at: toTimestamp(since), change_id: null },
        count,
      };
    }),
  );
  return entries.sort((one, other) => other.count - one.count);
}

async function findResponses(
  ctx: Context,
  rows: readonly ExperienceRow[],
  since: Millis,
  days: Days,
): Promise<NewsEntry[]> {
  const found = await findNewResponses(ctx, rows, since);
  return found.map(({ row, count, comments }) => ({
    ...nothing,
    type: 'responses',
    target: targetOf(row),
    ...{ from: toDate(days.since), until: toDate(days.today) },
    count,
    comments_count: comments,
  }));
}
