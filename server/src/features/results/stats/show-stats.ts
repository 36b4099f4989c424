import {
  askOf,
  type Counts,
  computeNps,
  countedActivities,
  countOptions,
  type ExperienceKind,
  isId,
  type Millis,
  readChoices,
  recordOf,
  type Stats,
  toDate,
} from '@usher/domain';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { mayReadPeople } from '../../../http/check-caller.ts';
import { getExperience } from '../../experiences/queries.ts';
import { shownDay } from '../counts/time-zone.ts';
import type { CountTable } from '../counts/use-counts.ts';
import { answersIn, type LocalDayRange, readDayRange } from './answers-in.ts';
import { type CountedStep, listCountedSteps } from './list-counted-steps.ts';

/** Reads only counts, which are kept when users do something. Many days of many answers can take long, so it uses `heavyDb`. */
export async function showStats(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  params: { from?: Millis; until?: Millis },
): Promise<Stats> {
  const row = await getExperience(ctx, kind, id);
  const range = await readDayRange(ctx, params);
  const steps = await listCountedSteps(ctx, row);
  const totals = await countTotals(ctx, id, range);
  const counted = await countAnswers(ctx, id, range);
  const answers = sortAnswers(steps, mayReadPeople(ctx.actor) ? counted : withoutWritten(steps, counted));
  const count = (what: string, part = '') => totals.get(`${what} ${part}`) ?? 0;
  return {
    from: toDate(range.first),
    until: toDate(range.last),
    totals: toCounts((what) => count(what)),
    days: await countByDay(ctx, id, range),
    steps: steps.map((step) => ({
      id: step.id,
      seen: step.id === id ? count('displayed') : count('step', step.id),
      buttons: step.buttons.map((part) => ({
        id: part.id,
        clicked: count('button', part.id),
        ...(step.id === id && { completed: count('item', part.id) }),
      })),
    })),
    answers,
    nps: await countNps(ctx, id, range, steps),
    questions: await countQuestions(ctx, id, range, steps, answers),
  };
}

function toCounts(count: (what: string) => number): Counts {
  return recordOf(countedActivities, count);
}

function countsIn<Table extends CountTable>(ctx: Context, table: Table, id: string, range: LocalDayRange) {
  // The type of one table stands for all: each has these columns.
  const rows = ctx.heavyDb
    .selectFrom(table as 'activity_counts')
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', id)
    .where('day', '>=', range.first)
    .where('day', '<=', range.lastOfRows);
  return rows as unknown as SelectQueryBuilder<Schema, Table, object>;
}

/** A user counts at the first of their days in the range, so once. */
async function countTotals(ctx: Context, id: string, range: LocalDayRange): Promise<Map<string, number>> {
  const rows = await countsIn(ctx, 'activity_counts', id, range)
    .select(({ fn }) => ['what', 'part_id', fn.sum<number>('count').as('users')])
    .where('previous_day', '<', range.first)
    .groupBy(['what', 'part_id'])
    .execute();
  return new Map(rows.map(({ what, part_id, users }) => [`${what} ${part_id}`, Number(users)]));
}

async function countByDay(ctx: Context, id: string, range: LocalDayRange): Promise<Stats['days']> {
  const rows = await countsIn(ctx, 'activity_counts', id, range)
    .select(({ fn }) => [shownDay(range.last).as('shown'), 'what', fn.sum<number>('count').as('users')])
    .where('part_id', '=', '')
    .where('previous_day', '<', shownDay(range.last))
    .groupBy(['shown', 'what'])
    .execute();
  const counts = new Map(rows.map(({ shown, what, users }) => [`${shown} ${what}`, Number(users)]));
  return Array.from({ length: range.last - range.first + 1 }, (_, at) => {
    const day = range.first + at;
    return { day: toDate(day), ...toCounts((what) => counts.get(`${day} ${what}`) ?? 0) };
  });
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

/** Only the last answer of each user to each question counts. */
async function countNps(
  ctx: Context,
  id: string,
  range: LocalDayRange,
  steps: readonly CountedStep[],
): Promise<Stats['nps']> {
  const questions = steps.filter(({ preset }) => preset === 'survey_nps').map((step) => step.id);
  if (questions.length === 0) return null;
  const rows = await countsIn(ctx, 'score_counts', id, range)
    .select(({ fn }) => ['value', fn.sum<number>('count').as('count')])
    .where('step_id', 'in', questions)
    .where('next_day', '>', range.lastOfRows)
    .groupBy('value')
    .execute();
  return computeNps(rows.map(({ value, count }) => ({ value, count: Number(count) })));
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
