import {
  type Counts,
  computeNps,
  countedActivities,
  type DayRange,
  type ExperienceKind,
  type Millis,
  recordOf,
  type Stats,
  toDate,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { withoutTestUsers } from '../../audience/profiles/without-test-users.ts';
import { getExperience } from '../../experiences/queries.ts';
import { answersIn, readDayRange } from './answers-in.ts';
import { type CountedStep, listCountedSteps } from './list-counted-steps.ts';

/** Counting can take long, so it uses `heavyDb`, where no other request waits for it. */
export async function showStats(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  params: { from?: Millis; until?: Millis },
): Promise<Stats> {
  const row = await getExperience(ctx, kind, id);
  const range = readDayRange(ctx, params);
  const steps = await listCountedSteps(ctx, row);
  const totals = await countTotals(ctx, id, range);
  const count = (what: string, part = '') => totals.get(`${what} ${part}`) ?? 0;
  return {
    from: toDate(range.first),
    until: toDate(range.last),
    totals: toCounts((what) => count(what)),
    days: await countByDay(ctx, id, range),
    steps: steps.map((step) => ({
      id: step.id,
      seen: step.id === id ? count('displayed') : count('step', step.id),
      buttons: step.buttons.map(({ id }) => ({ id, clicked: count('button', id) })),
    })),
    answers: sortAnswers(steps, await countAnswers(ctx, id, range)),
    nps: await countNps(ctx, id, range, steps),
  };
}

function toCounts(count: (what: string) => number): Counts {
  return recordOf(countedActivities, count);
}

function activitiesIn(ctx: Context, id: string, { first, last }: DayRange) {
  return ctx.heavyDb
    .selectFrom('activities')
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', id)
    .where('day', '>=', first)
    .where('day', '<=', last)
    .where(withoutTestUsers(ctx.account.id));
}

async function countTotals(ctx: Context, id: string, range: DayRange): Promise<Map<string, number>> {
  const rows = await activitiesIn(ctx, id, range)
    .select(({ fn }) => ['what', 'part_id', fn.count<number>('profile_id').distinct().as('users')])
    .groupBy(['what', 'part_id'])
    .execute();
  return new Map(rows.map(({ what, part_id, users }) => [`${what} ${part_id}`, users]));
}

async function countByDay(ctx: Context, id: string, range: DayRange): Promise<Stats['days']> {
  const rows = await activitiesIn(ctx, id, range)
    .select(({ fn }) => ['day', 'what', fn.countAll<number>().as('users')])
    .where('part_id', '=', '')
    .groupBy(['day', 'what'])
    .execute();
  const counts = new Map(rows.map(({ day, what, users }) => [`${day} ${what}`, users]));
  return Array.from({ length: range.last - range.first + 1 }, (_, at) => {
    const day = range.first + at;
    return { day: toDate(day), ...toCounts((what) => counts.get(`${day} ${what}`) ?? 0) };
  });
}

/** The items of a list can be renamed many times, so the number of different answers needs a limit. */
const MAX_ANSWERS = 1000;

async function countAnswers(ctx: Context, id: string, range: DayRange): Promise<Stats['answers']> {
  const rows = await answersIn(ctx, id, range)
    .where(withoutTestUsers(ctx.account.id))
    .select(({ fn }) => ['step_id', 'button_id', 'value', fn.count<number>('profile_id').distinct().as('count')])
    .groupBy(['step_id', 'button_id', 'value'])
    .orderBy('count', 'desc')
    .limit(MAX_ANSWERS)
    .execute();
  return rows.map((row) => ({ ...row, step_id: row.step_id || null }));
}

/** Sorts by step, then by button, then by value; numbers by size. */
function sortAnswers(steps: readonly CountedStep[], answers: Stats['answers']): Stats['answers'] {
  const positions = new Map<string, number>();
  for (const [at, step] of steps.entries()) {
    positions.set(step.id, at);
    for (const [index, button] of step.buttons.entries()) positions.set(button.id, index);
  }
  const position = (id: string | null) => positions.get(id ?? '') ?? positions.size;
  const compareTexts = new Intl.Collator('en', { numeric: true }).compare;
  return answers.sort(
    (one, other) =>
      position(one.step_id) - position(other.step_id) ||
      position(one.button_id) - position(other.button_id) ||
      compareTexts(one.value ?? '', other.value ?? ''),
  );
}

/** Only the last answer of each user to each question counts. */
async function countNps(
  ctx: Context,
  id: string,
  range: DayRange,
  steps: readonly CountedStep[],
): Promise<Stats['nps']> {
  const questions = steps.filter(({ preset }) => preset === 'survey_nps').map((step) => step.id);
  if (questions.length === 0) return null;
  const numbered = answersIn(ctx, id, range)
    .where('step_id', 'in', questions)
    .where(withoutTestUsers(ctx.account.id))
    .select(({ fn }) => [
      'value',
      fn
        .agg<number>('row_number')
        .over((over) => over.partitionBy(['step_id', 'profile_id']).orderBy('response_id', 'desc'))
        .as('newest'),
    ]);
  const rows = await ctx.heavyDb
    .selectFrom(numbered.as('numbered'))
    .select(({ fn }) => ['value', fn.countAll<number>().as('count')])
    .where('newest', '=', 1)
    .groupBy('value')
    .execute();
  return computeNps(rows);
}
