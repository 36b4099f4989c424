import Type, { type Static } from 'typebox';
import { Id, Nullable, OneOf, OutputObject } from '../basics/schema.ts';
import { askOf, isNumeric } from '../fields/question.ts';
import { questionKinds } from '../fields/question-fields.ts';
import { OTHER_OPTION } from '../fields/rules.ts';

/** How many users gave each answer to one question. A user who chose several answers counts for each. */
export const Distribution = OutputObject({
  step_id: Id,
  title: Nullable(Type.String()),
  kind: OneOf(questionKinds),
  options: Type.Array(
    OutputObject({
      /** The ID of an option or a button, the place of an item in its list, `other`, a number, `true` or `false`. */
      id: Type.String(),
      /** As it is now. Of an option that is not there any more, as it was when it was last chosen. */
      text: Type.String(),
      count: Type.Integer(),
      is_removed: Type.Boolean(),
    }),
  ),
  /** How many users wrote a text. */
  written: Type.Integer(),
});
export type Distribution = Static<typeof Distribution>;

interface GivenAnswer {
  step_id: string | null;
  button_id: string | null;
  value: string | null;
  count: number;
}
type AskingStep = Parameters<typeof askOf>[0] & { id: string; title?: string | null };

/**
 * Counts the answers to a step; undefined if it asks nothing.
 * @param olderTexts the texts of options that are not there any more, by their IDs
 */
export function countOptions(
  step: AskingStep,
  all: readonly GivenAnswer[],
  olderTexts: ReadonlyMap<string, string> = new Map(),
): Distribution | undefined {
  const ask = askOf(step);
  if (!ask) return undefined;
  const { kind, source, options } = ask;
  const counts = new Map<string, number>();
  let written = 0;
  for (const { step_id, button_id, value, count } of all) {
    if (step_id !== step.id) continue;
    const id = button_id ?? (source === 'items' && value !== null ? findItem(options, value, step) : value);
    if (id === null) written += count;
    else counts.set(id, (counts.get(id) ?? 0) + count);
  }
  const [least, most] = [ask.min ?? 0, ask.max ?? 0];
  const numbers = Array.from({ length: most - least + 1 }, (_, at) => String(least + at));
  const offered = isNumeric(ask)
    ? numbers.map((id) => ({ id, text: id }))
    : kind === 'consent'
      ? ['true', 'false'].map((id) => ({ id, text: id }))
      : // The other answer of a list has a place in it, and is counted as what it is.
        options.map((option, at) =>
          source === 'items' && step.other_text && at === options.length - 1 ? { ...option, id: OTHER_OPTION } : option,
        );
  const known = new Set(offered.map(({ id }) => id));
  const removed = [...counts.keys()].filter((id) => !known.has(id));
  return {
    ...{ step_id: step.id, title: step.title ?? null, kind },
    options: [
      ...offered.map(({ id, text }) => ({ id, text, count: counts.get(id) ?? 0, is_removed: false })),
      ...removed.map((id) => ({
        ...{ id, text: olderTexts.get(id) ?? id, count: counts.get(id) ?? 0 },
        is_removed: id !== OTHER_OPTION,
      })),
    ],
    written,
  };
}

/** The place of an item, which is stored as its text. Every other text is the other answer. */
function findItem(
  options: readonly { id: string; text: string }[],
  value: string,
  { dropdown_items = [] }: AskingStep,
) {
  const at = dropdown_items.indexOf(value);
  return at < 0 ? OTHER_OPTION : (options[at]?.id ?? OTHER_OPTION);
}
