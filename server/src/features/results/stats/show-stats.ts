import {
  askOf,
  countOptions,
  dayOf,
  type ExperienceKind,
  isId,
  kinds,
  listPublishingMarks,
  type Millis,
  readChoices,
  type Stats,
  toDate,
  toTimestamp,
} from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { mayReadPeople } from '../../../http/check-caller.ts';
import { loadPublishingChanges } from '../../experiences/load-publishing-changes.ts';
import { getExperience } from '../../experiences/queries.ts';
import { answersIn, type LocalDayRange, rangeBefore, readDayRange } from './answers-in.ts';
import { type ColumnDays, countActivities, countsIn, DAYS_OF_WEEK, toCounts } from './count-activities.ts';
import { countFlow } from './count-flow.ts';
import { countScores, npsOf } from './count-scores.ts';
import { type CountedStep, listCountedSteps } from './list-counted-steps.ts';

/** Reads only counts, which are kept when users do something. Many days of many answers can take long, so it uses `heavyDb`. */
export async function showStats(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  { by = 'day', ...params }: { from?: Millis; until?: Millis; by?: 'day' | 'week' },
): Promise<Stats> {
  const row = await getExperience(ctx, kind, id);
  const range = await readDayRange(ctx, params);
  const columnDays = by === 'week' ? DAYS_OF_WEEK : 1;
  const [steps, counted, before, flow, marks, given] = await Promise.all([
    listCountedSteps(ctx, row),
    countPeriod(ctx, id, range, columnDays),
    countPeriod(ctx, id, rangeBefore(range), columnDays),
    countFlow(ctx, id, range),
    listMarks(ctx, id, range),
    countAnswers(ctx, id, range),
  ]);
  const answers = sortAnswers(steps, mayReadPeople(ctx.actor) ? given : withoutWritten(steps, given));
  const scores = await countScores(ctx, id, range, steps);
  const count = (what: string, part: string) => counted.users.get(`${what} ${part}`) ?? 0;
  return {
    ...counted.period,
    before: before.period,
    marks,
    flow_from: kinds[kind].parts === 'steps' ? flow.from : null,
    steps: steps.map((step) => ({
      id: step.id,
      seen: step.id === id ? count('displayed', '') : count('step', step.id),
      flow: step.id === id ? null : (flow.of?.(step.id) ?? null),
      buttons: step.buttons.map((part) => ({
        id: part.id,
        clicked: count('button', part.id),
        ...(step.id === id && { completed: count('item', part.id) }),
      })),
    })),
    answers,
    nps: npsOf(scores),
    scores,
    questions: await countQuestions(ctx, id, range, steps, answers),
  };
}

async function countPeriod(ctx: Context, id: string, range: LocalDayRange, columnDays: ColumnDays) {
  const { totals, days } = await countActivities(ctx, id, range, columnDays);
  const period = {
    from: toDate(range.first),
    until: toDate(range.last),
    totals: toCounts((what) => totals.get(`${what} `) ?? 0),
    days,
  };
  return { users: totals, period };
}

async function listMarks(ctx: Context, id: string, { first, last, timeZone }: LocalDayRange): Promise<Stats['marks']> {
  const marks = listPublishingMarks(await loadPublishingChanges(ctx, [id]), ctx.now());
  return marks
    .map(({ what, at, change_id }) => ({ what, day: dayOf(at, timeZone), at: toTimestamp(at), change_id }))
    .filter(({ day }) => day >= first && day <= last)
    .map((mark) => ({ ...mark, day: toDate(mark.day) }));
}

/** The items of a list can be renamed many times, so the number of different answers needs a limit. */
const MAX_ANSWERS = 1000;

async function countAnswers(ctx: Context, id: string, range: LocalDayRange): Promise<Stats['answers']> {
  const rows = await countsIn(ctx, 'answer_counts', id, range)
    .select(({ fn }) => ['step_id', 'button_id', 'value', fn.sum<number>('count').as('count')])
    .where('previous_day', '<', range.first)
    .groupBy(['step_id', 'button_id', 'value'])
    .orderBy('count', 'desc')
    .limit(MAX_ANSWERS)
    .execute();
  return rows.map(({ step_id, button_id, value, count }) => ({
    step_id: step_id || null,
    button_id: button_id || null,
    value: value || null,
    count: Number(count),
  }));
}

/** What users wrote instead of an item of a list may say anything about them, so it has no `value` for who may not read that. */
function withoutWritten(steps: readonly CountedStep[], answers: Stats['answers']): Stats['answers'] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const written = new Map<string | null, Stats['answers'][number]>();
  const others = answers.filter((answer) => {
    const { step_id, value, count } = answer;
    const step = byId.get(step_id ?? '');
    const ask = step && askOf(step);
    const isOffered = ask?.source === 'items' ? step?.dropdown_items?.includes(value ?? '') : ask !== undefined;
    if (value === null || isOffered) return true;
    const known = written.get(step_id);
    written.set(step_id, { ...answer, value: null, count: count + (known?.count ?? 0) });
    return false;
  });
  return [...others, ...written.values()];
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

/** Each option has its current text. Texts of options that are not there any more are found in the last answer with them. */
async function countQuestions(
  ctx: Context,
  id: string,
  range: LocalDayRange,
  steps: readonly CountedStep[],
  answers: Stats['answers'],
): Promise<Stats['questions']> {
  const questions: Stats['questions'] = [];
  for (const step of steps) {
    const counted = countOptions(step, answers);
    if (!counted) continue;
    const removed = counted.options.filter(({ is_removed }) => is_removed).map((option) => option.id);
    const texts = await findOlderTexts(ctx, id, range, step.id, removed.slice(0, MAX_OLDER_TEXTS));
    questions.push(texts.size === 0 ? counted : (countOptions(step, answers, texts) ?? counted));
  }
  return questions;
}

/** Each is a search through the newest answers. */
const MAX_OLDER_TEXTS = 20;

async function findOlderTexts(
  ctx: Context,
  id: string,
  range: LocalDayRange,
  stepId: string,
  optionIds: readonly string[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const optionId of optionIds) {
    const answers = answersIn(ctx, id, range)
      .select(['button_text', 'choices'])
      .where('step_id', '=', stepId)
      .orderBy('response_id', 'desc')
      .limit(1);
    const last = await (isId(optionId)
      ? answers.where('button_id', '=', optionId)
      : answers.where(ctx.dialect.json.contains(sql.ref('choices'), `"id":${JSON.stringify(optionId)}`))
    ).executeTakeFirst();
    const text = readChoices(last?.choices)?.find((choice) => choice.id === optionId)?.text ?? last?.button_text;
    if (text) texts.set(optionId, text);
  }
  return texts;
}
