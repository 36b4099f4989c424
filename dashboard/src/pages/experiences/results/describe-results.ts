import { askOf, isWrittenAnswer } from '@usher/domain';
import { isTask, kinds } from '@usher/domain/kinds';
import type { ResponseOf } from '../../../api/api.ts';
import type { ShownExperience } from '../../../editor/document.ts';
import { readableText } from '../../../editor/readable-text.ts';
import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import type { SeriesLook } from '../../../ui/chart/series.tsx';

export type Stats = ResponseOf<'GET /v3/analyze/{kind}/{id}/stats'>['stats'];
export type Measure = keyof Stats['totals'];

const texts = text.results;

/** Each measure has the same color in all charts. */
export const looks: Readonly<Record<Measure, SeriesLook>> = {
  displayed: 5,
  started: 1,
  completed: 2,
  exited: 3,
  snoozed: 4,
  goal: 5,
};

/** The share of those who did the first thing who also did the other one; undefined without any. */
export function rateOf(totals: Stats['totals'], measure: Measure, base: Measure): number | undefined {
  return totals[base] > 0 ? Math.min(1, totals[measure] / totals[base]) : undefined;
}

const all: readonly Measure[] = ['displayed', 'started', 'completed', 'exited', 'snoozed', 'goal'];

/** The numbers that make sense for a kind, and all others that are not 0. */
export function measuresOf({ kind, goal }: Pick<ShownExperience, 'kind' | 'goal'>, totals: Stats['totals']): Measure[] {
  const isShown = (measure: Measure) =>
    kinds[kind].measures.some((one) => one === measure) ||
    (measure === 'goal' && !!goal) ||
    (measure !== 'displayed' && totals[measure] > 0);
  return all.filter(isShown);
}

export interface FunnelRow {
  id: string;
  label: string;
  seen: number;
  /** The share of the people who saw the step that most people saw. */
  share: number | undefined;
  flow: Stats['steps'][number]['flow'];
}

/** How many people saw each step of the published version, and what they did on it. */
export function funnelOf({ steps }: Pick<ShownExperience, 'steps'>, stats: Stats): FunnelRow[] {
  const titles = new Map(steps.map(({ id, title }, at) => [id, { title, at }]));
  // The server lists the steps of the draft first. A step that was never published has no results, so it is left out.
  const counted = stats.steps
    .filter(({ id, seen }) => titles.has(id) || seen > 0)
    .toSorted((a, b) => (titles.get(a.id)?.at ?? steps.length) - (titles.get(b.id)?.at ?? steps.length));
  const most = Math.max(0, ...counted.map(({ seen }) => seen));
  return counted.map(({ id, seen, flow }) => {
    const known = titles.get(id);
    const title = known ? known.title || texts.funnel.untitled : texts.funnel.removed;
    return {
      id,
      label: known ? texts.funnel.step(formatNumber(known.at + 1), readableText(title)) : title,
      seen,
      share: most > 0 ? seen / most : undefined,
      flow,
    };
  });
}

export interface ClickRow {
  id: string;
  label: string;
  clicked: number;
  share: number | undefined;
}

/** How many people clicked each button of a step, or each item of a launcher. */
export function clicksOf({ steps, items = [] }: Pick<ShownExperience, 'steps' | 'items'>, stats: Stats): ClickRow[] {
  const words = texts.clicks;
  const names = new Map<string, string>();
  for (const [at, { buttons }] of steps.entries())
    for (const { id, text } of buttons)
      names.set(id, words.button(readableText(text) || words.untitled, formatNumber(at + 1)));
  for (const { id, title, kind } of items)
    names.set(id, readableText(title) || (kind === 'divider' ? words.divider : words.untitled));
  const dividers = new Set(items.filter(({ kind }) => kind === 'divider').map(({ id }) => id));
  return stats.steps.flatMap(({ seen, buttons }) =>
    buttons
      .filter(({ id, clicked }) => !dividers.has(id) && (names.has(id) || clicked > 0))
      .map(({ id, clicked }) => ({
        id,
        label: names.get(id) ?? words.removed,
        clicked,
        share: seen > 0 ? Math.min(1, clicked / seen) : undefined,
      })),
  );
}

/** How many people completed each item of a checklist that can be completed. */
export function completionsOf(
  { items = [], list_type }: Pick<ShownExperience, 'items' | 'list_type'>,
  stats: Stats,
): ClickRow[] {
  if (list_type !== 'checklist') return [];
  const counts = new Map(stats.steps.flatMap(({ buttons }) => buttons.map(({ id, completed = 0 }) => [id, completed])));
  const seen = stats.steps[0]?.seen ?? 0;
  return items.filter(isTask).map(({ id, title }) => {
    const clicked = counts.get(id) ?? 0;
    const share = seen > 0 ? Math.min(1, clicked / seen) : undefined;
    return { id, label: readableText(title) || texts.clicks.untitled, clicked, share };
  });
}

export interface Question {
  id: string;
  label: string;
  preset: string | null;
  /** Each answer with the number of people who gave it. */
  answers: { id: string; label: string; count: number }[];
  /** How many people wrote something. */
  written: number;
}

/** A question with options that have IDs. Options that are not there any more have the text that they had. */
function toQuestion(
  { id, title, question }: ShownExperience['steps'][number],
  at: number,
  counted: NonNullable<Stats['questions']>[number] | undefined,
): Question {
  const words = texts.answers;
  const kind = question?.kind ?? 'text';
  return {
    id,
    label: words.question(formatNumber(at + 1), readableText(title) || words.untitled),
    preset: isWrittenAnswer({ kind }) || kind === 'date' ? 'survey_input' : null,
    answers: (counted?.options ?? []).map((option) => {
      const label = labelOfAnswer(kind, option.text);
      return { id: option.id, label: option.is_removed ? words.removedOption(label) : label, count: option.count };
    }),
    written: counted?.written ?? 0,
  };
}

/** How an answer is written for people. */
export function labelOfAnswer(kind: string, value: string): string {
  const words = texts.answers;
  if (kind === 'consent') return value === 'true' ? words.agreed : words.notAgreed;
  const isNumber = (kind === 'scale' || kind === 'stars') && /^\d+$/.test(value);
  return isNumber ? formatNumber(Number(value)) : readableText(value);
}

const scales: Record<string, [low: number, high: number]> = {
  survey_nps: [0, 10],
  survey_csat: [1, 5],
  survey_ces: [1, 7],
};

/** The questions of a survey with all answers, also answers that nobody gave. */
export function questionsOf({ steps }: Pick<ShownExperience, 'steps'>, stats: Stats): Question[] {
  const words = texts.answers;
  const asked = steps.filter((step) => askOf(step) !== undefined);
  const questions = asked.map((step, at): Question => {
    const counted = step.preset === null ? stats.questions?.find(({ step_id }) => step_id === step.id) : undefined;
    if (step.preset === null) return toQuestion(step, at, counted);
    const own = stats.answers.filter(({ step_id }) => step_id === step.id);
    const count = (matches: (answer: Stats['answers'][number]) => boolean) =>
      own.filter(matches).reduce((sum, answer) => sum + answer.count, 0);
    const [low, high] = scales[step.preset ?? ''] ?? [];
    const isScale = low !== undefined && high !== undefined;
    const offered = isScale
      ? Array.from({ length: high - low + 1 }, (_, index) => String(low + index))
      : step.preset === 'survey_dropdown'
        ? step.dropdown_items
        : [];
    const answers = offered.map((value) => ({
      id: `value ${value}`,
      label: isScale ? formatNumber(Number(value)) : readableText(value),
      count: count((one) => one.button_id === null && one.value === value),
    }));
    const others = count((one) => one.value !== null && one.button_id === null && !offered.includes(one.value));
    if (others > 0) answers.push({ id: 'other', label: readableText(step.other_text) || words.other, count: others });
    for (const { id, text } of step.buttons)
      answers.push({
        id,
        label: readableText(text) || texts.clicks.untitled,
        count: count(({ button_id }) => button_id === id),
      });
    const known = new Set(step.buttons.map(({ id }) => id));
    const gone = count(({ button_id }) => button_id !== null && !known.has(button_id));
    if (gone > 0) answers.push({ id: 'gone', label: words.removedAnswer, count: gone });
    return {
      id: step.id,
      label: words.question(formatNumber(at + 1), readableText(step.title) || words.untitled),
      preset: step.preset,
      // The buttons of a text question submit the text, so they are not answers.
      answers: step.preset === 'survey_input' ? [] : answers,
      written: count(({ button_id, value }) => button_id === null && value === null) + others,
    };
  });
  const current = new Set(asked.map(({ id }) => id));
  const removed = stats.answers.filter(({ step_id }) => step_id === null || !current.has(step_id));
  if (removed.length === 0) return questions;
  const answers = removed.map(({ step_id, button_id, value, count }, at) => ({
    id: `${at} ${step_id} ${button_id}`,
    label: value ?? words.removedAnswer,
    count,
  }));
  return [...questions, { id: 'removed', label: words.removed, preset: null, answers, written: 0 }];
}
