import Type, { type Static } from 'typebox';
import { ExternalId, Id, Nullable, OneOf, Text } from '../basics/schema.ts';
import type { Millis } from '../basics/time.ts';
import type { Document, ListItem, Step } from '../content/experience.ts';
import { DEFAULT_SNOOZE_HOURS, listSnoozeHours } from '../content/snooze-hours.ts';
import { askOf } from '../fields/question.ts';
import { MAX_OPTIONS } from '../fields/question-fields.ts';
import { HrefParam } from '../hosts/href.ts';
import { joinNames } from '../kinds/kinds.ts';
import { ProblemInput } from './interaction-finding.ts';
import { findQuestionProblem } from './question-answer.ts';

/** What users do with an Experience. It is counted by day. */
export const activities = ['displayed', 'started', 'completed', 'exited', 'snoozed', 'goal', 'step', 'button'] as const;
export type Activity = (typeof activities)[number];
/**
 * `shown` is stored once a day for `displayed`, `started` or both, so that their users can be counted together. `item` is stored once
 * and for good, when an item of a checklist is completed. `next` and `back` are of a step: the user went on from it, to whatever step or
 * to the end; or to an earlier step.
 */
export type StoredActivity = Activity | 'shown' | 'item' | 'next' | 'back';

const reportedStates = ['displayed', 'started', 'completed', 'exited', 'snoozed'] as const;
export type ReportedState = (typeof reportedStates)[number];

const groupKinds = ['link', 'api_js', 'launcher', 'experiment', 'campaign'] as const;
/** What started an Experience. */
export type GroupKind = (typeof groupKinds)[number];

const MAX_REPORTS = 100;
const MAX_INPUT = 10_000;
const MAX_SNOOZE_HOURS = 8760;
/** A page may stay open and send reports this long. */
const MAX_PAGE_OPEN_MS: Millis = 12 * 60 * 60_000;

const optionalId = (what: string) =>
  Type.Optional(Nullable(Type.Unsafe<string>({ ...Id, description: `the ID of ${what}` })));

const AnswerInput = Type.Object(
  {
    button_id: optionalId('a button of the step'),
    value: Type.Optional(Nullable(ExternalId('a number of a scale, an item of a list, or the ID of an answer'))),
    values: Type.Optional(
      Nullable(
        Type.Unsafe<string[]>({
          ...Type.Array(Text('the ID of an answer', 40)),
          maxItems: MAX_OPTIONS + 1,
          description: 'a list of the IDs of answers',
        }),
      ),
    ),
    input: Type.Optional(Nullable(Text('what the user wrote', MAX_INPUT))),
    index: Type.Optional(
      Nullable(
        Type.Unsafe<number>({
          type: 'integer',
          minimum: 0,
          description: 'a whole number from 0: which item of the list it is, whatever its language',
        }),
      ),
    ),
  },
  { description: 'an object with `button_id`, `value`, `values` or `input`' },
);
export type AnswerInput = Static<typeof AnswerInput>;

const reportFields = {
  state: Type.Optional(Nullable(OneOf(reportedStates))),
  step_id: optionalId('the step that was seen'),
  button_id: optionalId('the button that was clicked, or of a launcher the item'),
  delivery_id: optionalId('the Delivery that is claimed, with the state `started`'),
  by_event: Type.Unsafe<boolean>({
    type: 'boolean',
    default: false,
    description: '`true` to claim the event that starts the Experience, with the state `started`',
  }),
  href: Type.Optional(Nullable(HrefParam)),
  response: Type.Optional(Nullable(AnswerInput)),
  problem: Type.Optional(Nullable(ProblemInput)),
  group_kind: Type.Optional(Nullable(OneOf(groupKinds))),
  group_id: optionalId('the Experience that started it'),
  showing: Type.Unsafe<number>({
    type: 'integer',
    minimum: 0,
    maximum: MAX_PAGE_OPEN_MS,
    default: 0,
    description: `the milliseconds from the page load to the beginning of this showing, ${MAX_PAGE_OPEN_MS} at most`,
  }),
  elapsed: Type.Optional(
    Nullable(
      Type.Unsafe<number>({
        type: 'integer',
        minimum: 0,
        maximum: MAX_PAGE_OPEN_MS,
        description: `the milliseconds from the page load to what is reported, ${MAX_PAGE_OPEN_MS} at most`,
      }),
    ),
  ),
  snooze_hours: Type.Optional(
    Nullable(
      Type.Unsafe<number>({
        type: 'number',
        minimum: 0,
        maximum: MAX_SNOOZE_HOURS,
        description: `a number of hours, up to ${MAX_SNOOZE_HOURS}`,
      }),
    ),
  ),
};
const anExperience = { ...Id, description: 'the ID of the Experience' };

/** A report of a page about one Experience. */
export const Report = Type.Object({ experience_id: Type.Unsafe<string>(anExperience), ...reportFields });
export type Report = Static<typeof Report>;

/** One report, or several in `items`. Each of these is read separately. */
export const ReportsInput = Type.Object({
  visit_token: Type.Optional(Text('the token of the visit', 1000)),
  items: Type.Optional(
    Type.Unsafe<Record<string, unknown>[]>({
      ...Type.Array(Type.Object({}, { additionalProperties: true, description: 'a report' })),
      maxItems: MAX_REPORTS,
      description: 'a list of reports',
    }),
  ),
  experience_id: Type.Optional(Type.Unsafe<string>(anExperience)),
  ...reportFields,
});
export type ReportsInput = Static<typeof ReportsInput>;

/** Lists the problems of a report that do not depend on the Experience. */
export function findReportProblems({ state, step_id, button_id, response, problem, href }: Report): string[] {
  const problems = [];
  if (problem) {
    if (state || button_id || response)
      problems.push('`problem` stands alone: report a `state`, a `button_id` or a `response` in another request');
    if (!href) problems.push('`href` is required with a `problem`: give the address of the page');
    return problems;
  }
  if (!state && !step_id && !button_id && !response)
    problems.push('Give a `state`, a `step_id`, a `button_id`, a `response` or a `problem`: this reports nothing');
  const { button_id: answer = null, value = null, values = null, input = null } = response ?? {};
  if (response && answer === null && value === null && values === null && input === null)
    problems.push('`response` must be an object with `button_id`, `value`, `values` or `input`');
  return problems;
}

/**
 * The moment of a report is the time when its showing began. It orders the reports of all pages, and stays the same when a
 * report is sent again. The page measures it from the page load, so the clocks of users do not matter. It is never in the
 * future: otherwise the reports of other pages would count as older until then.
 */
export function momentOfReport(visitAt: Millis, showing: Millis, now: Millis): Millis {
  return Math.min(visitAt + showing, now);
}

/** The parts of an Experience that reports refer to. */
export interface ExperienceParts {
  steps: readonly (Pick<
    Step,
    'id' | 'buttons' | 'preset' | 'dropdown_items' | 'other_text' | 'snooze_hours' | 'snooze_choices' | 'elements'
  > &
    Partial<Pick<Step, 'question'>>)[];
  items?: readonly Pick<ListItem, 'id'>[];
  trigger_type?: NonNullable<Document['trigger_type']>;
}

/** The lowest and highest answers of scales, which have no buttons in the step. */
const scales: Partial<Record<NonNullable<Step['preset']>, readonly [lowest: number, highest: number]>> = {
  survey_nps: [0, 10],
  survey_csat: [1, 5],
  survey_ces: [1, 7],
};

/** The index of the answer from 0: of a button, a number of a scale, or an item of a list. Null for any other answer. */
export function findAnswerIndex(
  { buttons, preset, dropdown_items }: ExperienceParts['steps'][number],
  { button_id, value, index }: AnswerInput,
): number | null {
  if (button_id != null) return indexOrNull(buttons.findIndex(({ id }) => id === button_id));
  if (value == null) return null;
  if (preset === 'survey_dropdown')
    return index != null && index < dropdown_items.length ? index : indexOrNull(dropdown_items.indexOf(value));
  const scale = findScale(preset);
  return scale && isOnScale(value, scale) ? Number(value) - scale[0] : null;
}

function findScale(preset: Step['preset']): readonly [lowest: number, highest: number] | undefined {
  return preset === null ? undefined : scales[preset];
}

function isOnScale(value: string, [lowest, highest]: readonly [number, number]): boolean {
  return (
    /^\d{1,2}$/.test(value) && String(Number(value)) === value && Number(value) >= lowest && Number(value) <= highest
  );
}

/** Describes the problem of an answer that the step does not offer. A list with an "other" item accepts any answer. */
export function findAnswerProblem(question: ExperienceParts['steps'][number], answer: AnswerInput): string | undefined {
  const { preset, dropdown_items, other_text } = question;
  const ask = askOf(question);
  if (ask?.source === 'question' && preset === null) return findQuestionProblem(ask, answer);
  const { value, index = null } = answer;
  if (answer.values != null) return '`response.values` is for questions with several answers: give `value`';
  if (value == null || findAnswerIndex(question, { value, index }) !== null) return undefined;
  const scale = findScale(preset);
  if (scale) return `\`response.value\` must be a whole number from ${scale[0]} to ${scale[1]}`;
  if (preset !== 'survey_dropdown' || other_text) return undefined;
  const items = dropdown_items.map((item) => JSON.stringify(item)).join(', ');
  return `\`response.value\` must be one of ${items}; in another language, give its place in the list as \`index\``;
}

/** The answer in the source language of the survey. The index after the last item means the "other" item. */
export function findAnswerValue(question: ExperienceParts['steps'][number], params: AnswerInput): string | null {
  const { preset, dropdown_items, other_text } = question;
  const { value = null, index } = params;
  if (preset !== 'survey_dropdown' || value === null) return value;
  const item = dropdown_items[findAnswerIndex(question, params) ?? -1];
  return item ?? (index === dropdown_items.length ? (other_text ?? value) : value);
}

function indexOrNull(index: number): number | null {
  return index < 0 ? null : index;
}

/** Describes the problem of a snooze for a time that the author does not offer. */
export function findSnoozeProblem(
  { state, step_id, snooze_hours }: Pick<Report, 'state' | 'step_id' | 'snooze_hours'>,
  { steps }: ExperienceParts,
): string | undefined {
  if (state !== 'snoozed' || snooze_hours == null) return undefined;
  const offered = steps.filter(({ id }) => !step_id || id === step_id).flatMap(listSnoozeHours);
  if (offered.length === 0) offered.push(DEFAULT_SNOOZE_HOURS);
  if (offered.includes(snooze_hours)) return undefined;
  return `\`snooze_hours\` must be a time that the author offers: ${joinNames([...new Set(offered)].map(String), 'or')}`;
}

/** What started the Experience, according to the report. Without `group_kind`, it started automatically. */
export function resolveGroup(
  { experience_id, group_kind, group_id }: Pick<Report, 'experience_id' | 'group_kind' | 'group_id'>,
  inExperiment: boolean,
): { group_kind: GroupKind; group_id: string | null } {
  const kind = group_kind ?? (inExperiment ? 'experiment' : 'campaign');
  const isAutomatic = kind === 'experiment' || kind === 'campaign';
  return { group_kind: kind, group_id: group_id ?? (isAutomatic ? experience_id : null) };
}

/** Finds the step of a report: by its `step_id`, by its button, or the only question. */
export function findReportStep(
  { step_id, response, button_id }: Pick<Report, 'step_id' | 'response' | 'button_id'>,
  { steps }: ExperienceParts,
): ExperienceParts['steps'][number] | undefined {
  if (step_id) return steps.find(({ id }) => id === step_id);
  const button = response?.button_id ?? button_id;
  if (button) return steps.find(({ buttons }) => buttons.some(({ id }) => id === button));
  const questions = steps.filter((step) => askOf(step) && step.preset !== 'response');
  return questions.length === 1 ? questions[0] : undefined;
}

/** Finds the step that was seen at an element of the page, according to the report; or the launcher. */
export function findSeenPart(
  { experience_id, state, step_id }: Pick<Report, 'experience_id' | 'state' | 'step_id'>,
  { steps, items, trigger_type }: ExperienceParts,
): string | undefined {
  if (items) return state === 'displayed' && trigger_type === 'element' ? experience_id : undefined;
  // An Experience with one step is displayed with it. With more steps, the report names the step.
  const only = state === 'displayed' && steps.length === 1 ? steps[0] : undefined;
  const step = step_id ? steps.find(({ id }) => id === step_id) : only;
  return step && step.elements.length > 0 ? step.id : undefined;
}

/** Finds whether a report names a step or button that does not exist. */
export function findMissingPart(report: Pick<Report, 'step_id' | 'button_id' | 'response'>, parts: ExperienceParts) {
  const step = report.step_id ? findReportStep(report, parts) : undefined;
  if (report.step_id && !step) return 'step';
  const among = step ? step.buttons : [...parts.steps.flatMap(({ buttons }) => buttons), ...(parts.items ?? [])];
  const named = [report.button_id, report.response?.button_id].filter((id) => id != null);
  return named.every((id) => among.some((button) => button.id === id)) ? undefined : 'button';
}
