import { askOf, computeNps, type Scores, type Stats, toDate } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { LocalDayRange } from './answers-in.ts';
import { columnOf, countsIn, DAYS_OF_WEEK, listColumns } from './count-activities.ts';
import type { CountedStep } from './list-counted-steps.ts';

const kinds: Readonly<Record<string, Scores['kind']>> = { survey_nps: 'nps', survey_csat: 'csat', survey_ces: 'ces' };

export function scoreKindOf({ preset }: Pick<CountedStep, 'preset'>): Scores['kind'] | undefined {
  return kinds[preset ?? ''];
}

/** Counts the answers to questions with a score: of each user, the last one in the range, and the last one in each week. */
export async function countScores(
  ctx: Context,
  id: string,
  range: LocalDayRange,
  steps: readonly CountedStep[],
): Promise<Scores[]> {
  const asked = steps.flatMap((step) => {
    const kind = scoreKindOf(step);
    const ask = askOf({ ...step, preset: step.preset });
    return kind && ask ? [{ id: step.id, kind, values: valuesFrom(ask.min ?? 0, ask.max ?? 0) }] : [];
  });
  if (asked.length === 0) return [];
  const week = columnOf(range, DAYS_OF_WEEK);
  // The last week ends with the range, and others 7 days after they begin. Only the first one can be shorter.
  const columns = listColumns(range, DAYS_OF_WEEK);
  const second = columns[1] ?? range.lastOfRows + 1;
  const isLast = sql`next_day > ${sql.lit(range.lastOfRows)}`;
  const isLastOfWeek = sql`next_day > case
    when ${week} = ${sql.lit(columns.at(-1))} then ${sql.lit(range.lastOfRows)}
    when ${week} = ${sql.lit(range.first)} then ${sql.lit(second - 1)}
    else ${week} + ${sql.lit(DAYS_OF_WEEK - 1)} end`;
  const rows = await countsIn(ctx, 'score_counts', id, range)
    .select([
      'step_id',
      'value',
      sql<number>`${week}`.as('column'),
      sql<number>`sum(case when ${isLast} then count else 0 end)`.as('users'),
      sql<number>`sum(case when ${isLastOfWeek} then count else 0 end)`.as('week_users'),
    ])
    .where(
      'step_id',
      'in',
      asked.map(({ id }) => id),
    )
    .groupBy(['step_id', 'value', 'column'])
    .execute();
  return asked.map(({ id, kind, values }) => {
    const own = rows.filter(({ step_id }) => step_id === id);
    const count = (value: number, of: 'users' | 'week_users', column?: number) =>
      own
        .filter((row) => row.value === String(value) && (column === undefined || Number(row.column) === column))
        .reduce((sum, row) => sum + Number(row[of]), 0);
    return {
      step_id: id,
      kind,
      values: values.map((value) => ({ value, count: count(value, 'users') })),
      weeks: columns.map((column) => ({
        day: toDate(column),
        values: values.map((value) => ({ value, count: count(value, 'week_users', column) })),
      })),
    };
  });
}

function valuesFrom(min: number, max: number): number[] {
  return Array.from({ length: max - min + 1 }, (_, at) => min + at);
}

/** The NPS of all questions that ask for it. */
export function npsOf(scores: readonly Scores[]): Stats['nps'] {
  const values = scores.filter(({ kind }) => kind === 'nps').flatMap(({ values }) => values);
  return computeNps(values.map(({ value, count }) => ({ value: String(value), count })));
}
