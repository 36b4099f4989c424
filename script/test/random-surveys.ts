import type { createRandom } from './random.ts';

/* Random surveys that can be published, random answers to them, and a model of what should happen. */

type QuestionKind = 'single' | 'multiple' | 'stars' | 'scale' | 'text' | 'long_text' | 'email' | 'date' | 'consent';
const kinds: QuestionKind[] = ['single', 'multiple', 'stars', 'scale', 'text', 'long_text', 'email', 'date', 'consent'];

export interface RandomQuestion {
  kind: QuestionKind;
  required: boolean;
  options?: { id: string; text: string }[];
  other_text?: string | null;
  random_order?: boolean;
  min_choices?: number | null;
  max_choices?: number | null;
  min?: number;
  max?: number;
  look?: string | null;
  min_length?: number | null;
  max_length?: number | null;
  label?: string;
}
interface Rule {
  when: { step_id: number; op: string; value: string | string[] | null } | { filters: object[] } | null;
  go: number | 'end';
}
/** A step as a request has it: rules and texts name steps by their places. */
export interface RandomStep {
  title: string;
  body: string;
  question: RandomQuestion | null;
  next: Rule[];
  /** Which answer the text shows. */
  shows: number | undefined;
}
/** An answer, in the form of a report. */
export interface RandomAnswer {
  value?: string;
  values?: string[];
  input?: string;
}

export type Random = ReturnType<typeof createRandom>;

function pick<Of>(random: Random, items: readonly Of[]): Of {
  return items[random(items.length)] as Of;
}

/** In the text of an option, the last one would be a merge tag. */
const words = ['red', 'two words', 'a, b', '"quoted"', '<b>bold</b>', 'ümläut', "it's", '1 2', 'x', '{{uid}}'];

export function randomSurvey(random: Random): RandomStep[] {
  const count = 1 + random(7);
  const steps = Array.from({ length: count }, (_, at): RandomStep => {
    const shows = at > 0 && random(2) ? random(at) : undefined;
    const question = at === 0 || random(8) ? randomQuestion(random) : null;
    const body = shows === undefined ? '' : `You said {{answer "${shows}" fallback="nothing"}}.`;
    return { title: `Step ${at}`, body, question, next: [], shows };
  });
  for (const [at, step] of steps.entries()) step.next = randomRules(random, steps, at);
  // Only steps that ask something have answers to show.
  for (const step of steps)
    if (step.shows !== undefined && !steps[step.shows]?.question) Object.assign(step, { shows: undefined, body: '' });
  return steps;
}

function randomQuestion(random: Random): RandomQuestion {
  const kind = pick(random, kinds);
  const question: RandomQuestion = { kind, required: random(2) === 0 };
  const count = 2 + random(9);
  switch (kind) {
    case 'single':
    case 'multiple': {
      question.options = Array.from({ length: count }, (_, at) => ({
        id: `o-${at}`,
        text: `${pick(random, words.slice(0, -1))} ${at}`,
      }));
      question.other_text = random(2) ? 'Another' : null;
      question.random_order = random(2) === 0;
      if (kind === 'single') break;
      const most = count + (question.other_text ? 1 : 0);
      question.min_choices = random(2) ? 1 + random(most) : null;
      const least = question.min_choices ?? 1;
      question.max_choices = random(2) ? least + random(most - least + 1) : null;
      break;
    }
    case 'stars':
      question.max = 3 + random(8);
      break;
    case 'scale':
      question.min = random(2);
      question.max = question.min + 2 + random(9);
      question.look = pick(random, ['numbers', 'emoji', null]);
      break;
    case 'text':
    case 'long_text':
      question.min_length = random(2) ? random(6) : null;
      question.max_length = random(2) ? 6 + random(30) : null;
      break;
    case 'consent':
      question.label = 'I agree';
  }
  return question;
}

/** The step that follows stays on a path, and no path leads back. */
function randomRules(random: Random, steps: readonly RandomStep[], at: number): Rule[] {
  const later = (): Rule['go'] => (random(4) && at + 1 < steps.length ? at + 1 + random(steps.length - at - 1) : 'end');
  const rules = Array.from({ length: random(4) }, (): Rule => {
    if (random(8) === 0)
      return { when: { filters: [{ kind: 'property', prop: 'plan', op: 'eq', value: 'gold' }] }, go: 'end' };
    const asked = random(at + 1);
    const question = steps[asked]?.question;
    return {
      when: question ? { step_id: asked, ...randomTest(random, question) } : { filters: [noPlan] },
      go: later(),
    };
  });
  if (random(5) === 0) rules.push({ when: null, go: at + 1 < steps.length ? at + 1 : 'end' });
  return rules;
}

/** Filters that match, because the user has no such property. */
const noPlan = { kind: 'property', prop: 'plan', op: 'nx' };

function randomTest(random: Random, question: RandomQuestion): { op: string; value: string | string[] | null } {
  if (random(5) === 0) return { op: pick(random, ['answered', 'not_answered']), value: null };
  const value = givenOf(randomAnswer(random, question))[0] ?? '';
  switch (question.kind) {
    case 'stars':
    case 'scale':
    case 'date':
      return { op: pick(random, ['eq', 'ne', 'lt', 'lte', 'gt', 'gte']), value };
    case 'text':
    case 'long_text':
    case 'email':
      return { op: pick(random, ['eq', 'ne', 'contains']), value: random(2) ? value : 'e' };
    default:
      return random(3) ? { op: pick(random, ['eq', 'ne']), value } : { op: 'in', value: [value] };
  }
}

export function randomAnswer(random: Random, question: RandomQuestion): RandomAnswer {
  const { kind, options = [], other_text } = question;
  const ids = [...options.map(({ id }) => id), ...(other_text ? ['other'] : [])];
  const withOther = (chosen: string[]) => (chosen.includes('other') ? { input: pick(random, words) } : {});
  switch (kind) {
    case 'single': {
      const value = pick(random, ids);
      return { value, ...withOther([value]) };
    }
    case 'multiple': {
      const least = question.min_choices ?? 1;
      const count = least + random((question.max_choices ?? ids.length) - least + 1);
      const left = [...ids];
      const chosen = new Set(Array.from({ length: count }, () => left.splice(random(left.length), 1)[0]));
      const values = ids.filter((id) => chosen.has(id));
      return { values, ...withOther(values) };
    }
    case 'stars':
    case 'scale': {
      const { min = 1, max = 5 } = question;
      return { value: `${min + random(max - min + 1)}` };
    }
    case 'email':
      return { input: `user${random(9)}@example.com` };
    case 'date':
      return { input: `20${10 + random(30)}-0${1 + random(9)}-1${random(9)}` };
    case 'consent':
      return { value: question.required || random(2) ? 'true' : 'false' };
    default: {
      const { min_length: least = 0, max_length: most = 40 } = question;
      const text = `${pick(random, words)} ${pick(random, words)}`
        .padEnd(least ?? 0, 'e')
        .slice(0, most ?? 40)
        .trim();
      return { input: text.padEnd(least ?? 0, 'e') };
    }
  }
}

/* The model. It is written without the rules of the product on purpose. */

function givenOf({ value, values, input }: RandomAnswer): string[] {
  return values ?? [value ?? input ?? ''];
}

/** Where the survey goes after a step: to another one, or to its end, the number of steps. */
export function nextOf(steps: readonly RandomStep[], at: number, answers: ReadonlyMap<number, RandomAnswer>): number {
  for (const { when, go } of steps[at]?.next ?? []) {
    if (when && 'filters' in when && !when.filters.includes(noPlan)) continue;
    if (when && 'op' in when && !passes(when.op, when.value, answers.get(when.step_id), steps[when.step_id])) continue;
    return go === 'end' ? steps.length : go;
  }
  return at + 1;
}

function passes(
  op: string,
  value: string | string[] | null,
  answer: RandomAnswer | undefined,
  step?: RandomStep,
): boolean {
  const given = answer ? givenOf(answer) : [];
  if (op === 'answered') return given.length > 0;
  if (op === 'not_answered') return given.length === 0;
  const text = `${value}`;
  if (op === 'ne') return !given.includes(text);
  if (op === 'contains') return given.some((one) => one.toLowerCase().includes(text.toLowerCase()));
  if (op === 'eq' || op === 'in') return given.includes(text);
  const [first] = given;
  if (first === undefined) return false;
  const [one, other] =
    step?.question?.kind === 'date' ? [Date.parse(first), Date.parse(text)] : [Number(first), Number(text)];
  return { lt: one < other, lte: one <= other, gt: one > other, gte: one >= other }[op] ?? false;
}

/** What a text shows of an answer. */
export function shownText({ question }: RandomStep, answer: RandomAnswer | undefined): string {
  if (!answer) return 'nothing';
  const textOf = (id: string) => question?.options?.find((option) => option.id === id)?.text ?? answer.input ?? '';
  const isChoice = question?.kind === 'single' || question?.kind === 'multiple';
  return isChoice ? givenOf(answer).map(textOf).join(', ') : `${givenOf(answer)}`;
}
