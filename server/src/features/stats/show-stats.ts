import {
  type Counts,
  computeNps,
  countedActivities,
  type DayRange,
  type Document,
  type ExperienceKind,
  firstIdAt,
  type Millis,
  parseDayRange,
  type Stats,
  startOfDay,
  toDate,
} from '@usher/domain';
import type { Context } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { publishedVersionOf } from '../../published/publication.ts';
import { type ExperienceRow, getExperience } from '../experiences/queries.ts';

/** What is counted one by one. */
interface Step {
  id: string;
  preset: string | null;
  buttons: readonly { id: string }[];
}

/** Counts may take long: they run where they hold up nobody. */
export async function showStats(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  asked: { from?: Millis; until?: Millis },
): Promise<Stats> {
  const row = await getExperience(ctx, kind, id);
  const range = parseDayRange(asked, ctx.now());
  if ('problem' in range) throw invalid(range.problem);
  const steps = await stepsOf(ctx, row);
  const totals = await countInAll(ctx, id, range);
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
    answers: inOrder(steps, await countAnswers(ctx, id, range)),
    nps: await countNps(ctx, id, range, steps),
  };
}

/** Those of the draft, then those that only users still see. */
async function stepsOf(ctx: Context, row: ExperienceRow): Promise<Step[]> {
  const versionId = publishedVersionOf(row, ctx.now());
  const drafted = stepsIn(row.id, row.draft);
  if (versionId === null) return drafted;
  const version = await ctx.db
    .selectFrom('versions')
    .select('content')
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', versionId)
    .executeTakeFirst();
  const shown = version ? stepsIn(row.id, version.content.document) : [];
  const live = new Map(shown.map((step) => [step.id, step]));
  const both = drafted.map((step) => ({ ...step, buttons: joined(step.buttons, live.get(step.id)?.buttons ?? []) }));
  return joined(both, [...live.values()]);
}

/** A launcher is one step, with its items for buttons. */
function stepsIn(id: string, { steps, items }: Document): Step[] {
  return items ? [{ id, preset: null, buttons: items }] : steps;
}

function joined<Part extends { id: string }>(first: readonly Part[], second: readonly Part[]): Part[] {
  const known = new Set(first.map(({ id }) => id));
  return [...first, ...second.filter(({ id }) => !known.has(id))];
}

function toCounts(count: (what: string) => number): Counts {
  return Object.fromEntries(countedActivities.map((what) => [what, count(what)])) as Counts;
}

function activitiesIn(ctx: Context, id: string, { first, last }: DayRange) {
  return ctx.heavyDb
    .selectFrom('activities')
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', id)
    .where('day', '>=', first)
    .where('day', '<=', last);
}

async function countInAll(ctx: Context, id: string, range: DayRange): Promise<Map<string, number>> {
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

/** By when the first answer of each Response was given. */
function answersIn(ctx: Context, id: string, { first, last }: DayRange) {
  return ctx.heavyDb
    .selectFrom('answers')
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', id)
    .where('response_id', '>=', firstIdAt(startOfDay(first)))
    .where('response_id', '<', firstIdAt(startOfDay(last + 1)));
}

/** Items of a list can be renamed, again and again. */
const MAX_ANSWERS = 1000;

async function countAnswers(ctx: Context, id: string, range: DayRange): Promise<Stats['answers']> {
  const rows = await answersIn(ctx, id, range)
    .select(({ fn }) => ['step_id', 'button_id', 'value', fn.count<number>('profile_id').distinct().as('count')])
    .groupBy(['step_id', 'button_id', 'value'])
    .orderBy('count', 'desc')
    .limit(MAX_ANSWERS)
    .execute();
  return rows.map((row) => ({ ...row, step_id: row.step_id || null }));
}

/** As the survey asks: step by step, button by button, numbers by their size. */
function inOrder(steps: readonly Step[], answers: Stats['answers']): Stats['answers'] {
  const places = new Map<string, number>();
  for (const [at, step] of steps.entries()) {
    places.set(step.id, at);
    for (const [index, button] of step.buttons.entries()) places.set(button.id, index);
  }
  const place = (id: string | null) => places.get(id ?? '') ?? places.size;
  const compareTexts = new Intl.Collator('en', { numeric: true }).compare;
  return answers.sort(
    (one, other) =>
      place(one.step_id) - place(other.step_id) ||
      place(one.button_id) - place(other.button_id) ||
      compareTexts(one.value ?? '', other.value ?? ''),
  );
}

/** Of each user the last answer to each question counts. */
async function countNps(ctx: Context, id: string, range: DayRange, steps: readonly Step[]): Promise<Stats['nps']> {
  const questions = steps.filter(({ preset }) => preset === 'survey_nps').map((step) => step.id);
  if (questions.length === 0) return null;
  const numbered = answersIn(ctx, id, range)
    .where('step_id', 'in', questions)
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
