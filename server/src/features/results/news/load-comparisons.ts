import { isExclusive, type NewsComparison, type NewsRanges, type NewsSample, shareOf } from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { ExperienceRow } from '../../experiences/queries.ts';
import { END_OF_DAYS } from '../counts/time-zone.ts';
import type { LocalDayRange } from '../stats/answers-in.ts';
import { countScores, npsOf, scoreKindOf } from '../stats/count-scores.ts';
import { listCountedSteps } from '../stats/list-counted-steps.ts';
import type { Moment } from './find-moments.ts';
import { groupBy } from './group-by.ts';
import { type Counted, loadPeriods } from './load-periods.ts';

/** An Experience whose numbers are compared. */
export interface Compared {
  row: ExperienceRow;
  moment: Moment | undefined;
  /** The day on which it was first published. Weeks before it say nothing about it. */
  firstDay: number;
  ranges: NewsRanges;
}

const rates: readonly Counted[] = ['shown', 'displayed', 'started', 'completed', 'goal'];

interface Days {
  timeZone: string;
  today: number;
}

/** Loads the numbers before and after. Experiences with the same days are read with one query. */
export async function loadComparisons(
  ctx: Context,
  compared: readonly Compared[],
  days: Days,
): Promise<NewsComparison[]> {
  const found: NewsComparison[] = [];
  for (const group of groupBy(compared, ({ ranges }) => JSON.stringify(ranges)).values()) {
    const [first] = group;
    if (!first) continue;
    const { before, people } = first.ranges;
    // The last day is today, so what a time zone that was moved has put on later days counts for it.
    const after = { ...first.ranges.after, last: END_OF_DAYS };
    const ids = group.map(({ row }) => row.id);
    const count = await loadPeriods(ctx, ids, rates, [before, after]);
    const weeks = people && (await loadPeriods(ctx, ids, ['shown'], [people.after, ...people.past]));
    for (const one of group) {
      const { id } = one.row;
      found.push(...compareRates(one.row, (what, range) => count(id, what, range)));
      if (weeks && people) {
        const known = people.past.filter(({ first }) => first >= one.firstDay);
        const past = known.map((_, at) => weeks(id, 'shown', at + 1));
        found.push({ id, measure: 'people', past, after: weeks(id, 'shown', 0) });
      }
      const scores = await compareScores(ctx, one, days);
      if (scores) found.push(scores);
    }
  }
  return found;
}

function compareRates(row: ExperienceRow, count: (what: Counted, range: 0 | 1) => number): NewsComparison[] {
  const { id, kind } = row;
  const compare = (measure: 'completion' | 'start' | 'goal', of: Counted, reached: Counted): NewsComparison => {
    const [before, after] = ([0, 1] as const).map((range) => shareOf(count(of, range), count(reached, range)));
    return { id, measure, before, after } as NewsComparison;
  };
  return [
    // Launchers, tooltips and embeds have no end.
    ...(isExclusive({ kind }) ? [compare('completion', 'started', 'completed')] : []),
    ...(count('displayed', 0) + count('displayed', 1) > 0 ? [compare('start', 'shown', 'started')] : []),
    compare('goal', 'shown', 'goal'),
  ];
}

/** Compares the NPS: a promoter counts 1, a detractor -1. */
async function compareScores(
  ctx: Context,
  { row, ranges }: Compared,
  { timeZone }: Days,
): Promise<NewsComparison | undefined> {
  if (!row.draft.steps.some((step) => scoreKindOf(step) === 'nps')) return undefined;
  const steps = await listCountedSteps(ctx, row);
  const sampleIn = async (range: LocalDayRange): Promise<NewsSample> => {
    const nps = npsOf(await countScores(ctx, row.id, range, steps));
    if (!nps) return { people: 0, sum: 0, squares: 0 };
    return { people: nps.count, sum: nps.promoters - nps.detractors, squares: nps.promoters + nps.detractors };
  };
  const { before, after } = ranges;
  return {
    ...{ id: row.id, measure: 'nps' },
    before: await sampleIn({ ...before, timeZone, lastOfRows: before.last }),
    after: await sampleIn({ ...after, timeZone, lastOfRows: END_OF_DAYS }),
  };
}
