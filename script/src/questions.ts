import { findNext, toGivenAnswer } from '../../domain/src/content/answer-rules.ts';
import { END } from '../../domain/src/fields/rules.ts';
import type { CreateQuestions, Response, Ui } from './kind.ts';
import { safely } from './page/safely.ts';
import { drawQuestion, type PageQuestion } from './questions/draw-question.ts';
import { listenToKeys } from './questions/listen-to-keys.ts';
import css from './questions/questions.css';
import { registerModule } from './register-module.ts';
import type { PageStep } from './wire.ts';

/*
 * Questions of surveys, their answers, and which way a survey takes. Only a survey with questions, rules or answers in its texts loads
 * it.
 */

interface Saved {
  /** The ID of the user. */
  of: unknown;
  /** The IDs of the steps that the user has come through, to the current one. */
  path: string[];
  /** The answers by step: as they were reported, and as texts show them. */
  answers: Record<string, { response: Response; shown: unknown }>;
  /** The IDs of answers in random order, by step. */
  orders: Record<string, string[]>;
}

const createQuestions: CreateQuestions = ({ experience, store }, profileId) => {
  const { id, steps = [], step_id } = experience;
  const name = `${id}:answers`;
  // Only a user who is in the middle of the survey goes on with the answers of the last page.
  const text = step_id && profileId !== undefined ? store?.get(name) : undefined;
  const known = text && safely(() => JSON.parse(text) as Saved);
  const isOwn = known && known.of === profileId;
  const { path, answers, orders }: Saved = isOwn ? known : { of: profileId, path: [], answers: {}, orders: {} };
  const save = () => {
    if (profileId !== undefined)
      store?.set(name, JSON.stringify({ of: profileId, path, answers, orders } satisfies Saved));
  };
  const indexOf = (stepId: string | undefined) => steps.findIndex((step) => step.id === stepId);

  const follow = (index: number, by: number) => {
    // A step that waits for its element is not on the path yet.
    const at = path.indexOf(steps[index]?.id ?? '');
    if (by < 0) return indexOf(at < 0 ? path.at(-1) : path[at - 1]);
    const given = Object.entries(answers).map(([of, { response }]) => [of, toGivenAnswer(response)] as const);
    const next = by > 0 ? findNext(steps[index]?.next, new Map(given)) : undefined;
    const place = indexOf(next);
    return next === END ? steps.length : place < 0 ? index + by : place;
  };

  /** The question with its answers in an order that stays the same while the survey shows. */
  const inOrder = (stepId: string, { options = [], random_order, ...others }: PageQuestion): PageQuestion => {
    if (random_order) orders[stepId] ??= shuffle(options.map((option) => option.id));
    const order = orders[stepId];
    const sorted = order && [...options].sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
    return { ...others, options: sorted ?? options };
  };

  return {
    follow,
    moved: (stepId) => {
      const at = path.indexOf(stepId);
      if (at < 0) path.push(stepId);
      else path.length = at + 1;
      save();
    },
    keepAnswer: (ui, step, response) => {
      answers[step.id] = { response, shown: showAnswer(ui, step, response) };
      save();
    },
    answerTo: (stepId) => (Object.hasOwn(answers, stepId) ? answers[stepId]?.shown : undefined),
    draw: (ui, walk, step, parts, answer) => {
      ui.addStyle(css);
      const index = indexOf(step.id);
      return drawQuestion(ui, walk, step, {
        ...{ parts, answer, question: inOrder(step.id, step.question ?? {}), given: answers[step.id]?.response },
        hasBack: follow(index, -1) >= 0,
        isLast: follow(index, 1) >= steps.length,
      });
    },
    listen: listenToKeys,
    forget: () => store?.set(name),
  };
};

/** An answer as texts show it: the texts of what was chosen, a number, true or false, or what was written. */
function showAnswer(
  ui: Ui,
  { question, buttons = [] }: PageStep,
  { button_id, value, values, input, index }: Response,
) {
  const { kind, options = [], other_text } = question ?? {};
  const textOf = (id: string) => {
    const option = [...options, ...buttons].find((one) => one.id === id);
    return option ? ui.toPlainText(option.text) : input || ui.toPlainText(other_text);
  };
  if (values) return values.map(textOf);
  const chosen = button_id ?? (kind === 'single' ? value : undefined);
  if (chosen !== undefined) return textOf(chosen);
  if (kind === 'consent') return value === 'true';
  return input ?? (index === undefined ? Number(value) : value);
}

function shuffle<Of>(items: Of[]): Of[] {
  for (let at = items.length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1));
    [items[at], items[other]] = [items[other] as Of, items[at] as Of];
  }
  return items;
}

registerModule('questions', createQuestions);
