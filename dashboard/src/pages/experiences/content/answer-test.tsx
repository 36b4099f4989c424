import { listAnswerOps } from '@usher/domain';
import {
  type AnswerOp,
  type AnswerTest,
  type AskedQuestion,
  askOf,
  isNumeric,
  type QuestionOption,
} from '@usher/domain/fields';
import type { Step } from '../../../editor/document.ts';
import { readableText } from '../../../editor/readable-text.ts';
import { hiddenLabel } from '../../../filters/value-fields.tsx';
import * as text from '../../../messages/text.ts';
import { Checkbox } from '../../../ui/choice.tsx';
import { Select } from '../../../ui/select.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import type { AnsweredStep } from './survey-steps.ts';

const texts = text.questions.rules;

/** A new test: whether the answer is the first one that can be given, or for a written answer whether there is one. */
export function firstTest({ step, ask }: AnsweredStep): AnswerTest {
  const op = valuesOf(ask) ? 'eq' : 'answered';
  return { step_id: step.id, op, value: convertValue(ask, null, op) };
}

/** The answers that can be chosen or clicked; undefined if the answer is written. */
function valuesOf(ask: AskedQuestion): QuestionOption[] | undefined {
  if (ask.kind === 'consent') return (['true', 'false'] as const).map((id) => ({ id, text: texts.agreed[id] }));
  if (isNumeric(ask)) {
    const [min, max] = [ask.min ?? 0, ask.max ?? 0];
    const count = Math.max(0, Math.min(Math.round(max - min), 10)) + 1;
    return Array.from({ length: count }, (_, at) => ({ id: String(min + at), text: String(min + at) }));
  }
  if (ask.kind !== 'single' && ask.kind !== 'multiple') return undefined;
  return ask.options.map(({ id, text }, at) => ({
    id,
    text: readableText(text) || nameOfPlace(at),
  }));
}

const nameOfPlace = (at: number) => text.questions.options.text(at + 1);

/** The words for an operator, as they fit the question. */
function nameOfOp(op: AnswerOp, { kind }: Pick<AskedQuestion, 'kind'>): string {
  const own: Partial<Record<AnswerOp, string>> =
    kind === 'date' ? texts.dateOps : kind === 'multiple' ? texts.multipleOps : {};
  return own[op] ?? texts.ops[op];
}

/** The value for an operator: a list for "is one of", and none for "is given". */
function convertValue(ask: AskedQuestion, value: AnswerTest['value'], op: AnswerOp): AnswerTest['value'] {
  if (op === 'answered' || op === 'not_answered') return null;
  const first = [value ?? []].flat()[0] ?? valuesOf(ask)?.[0]?.id ?? '';
  if (op !== 'in') return first;
  return Array.isArray(value) ? value : [first];
}

/** A test in words: `“Very sad”`, or `Step 1 is at least “8”`. */
export function describeTest({ step_id, op, value }: AnswerTest, step: Step, steps: readonly Step[]): string {
  const asked = steps.find(({ id }) => id === step_id);
  const ask = asked && askOf(asked);
  const known = ask && valuesOf(ask);
  const names = [value ?? []].flat().map((id) => known?.find((one) => one.id === id)?.text ?? id);
  const place = steps.findIndex(({ id }) => id === step_id) + 1;
  const subject = step_id === step.id || place === 0 ? texts.answer : texts.answerOfStep(place);
  return `${subject} ${nameOfOp(op, ask ?? { kind: 'text' })} ${names.map((name) => `“${name}”`).join(', ')}`.trim();
}

interface TestFieldsProps {
  ask: AskedQuestion;
  test: AnswerTest;
  onChange: (test: AnswerTest, isOwnStep?: boolean) => void;
  error: string | undefined;
  isDisabled: boolean;
}

/** The operator and the value of a rule about an answer. */
export function TestFields({ valueMark, ...props }: TestFieldsProps & { valueMark: object }) {
  const { ask, test, onChange, isDisabled } = props;
  const { op, value } = test;
  const ops = listAnswerOps(ask);
  return (
    <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] items-start gap-2">
      <Select
        label={texts.op}
        options={[...ops, ...(ops.includes(op) ? [] : [op])].map((one) => ({ value: one, label: nameOfOp(one, ask) }))}
        value={op}
        onChange={(next) => onChange({ ...test, op: next, value: convertValue(ask, value, next) })}
        isDisabled={isDisabled}
        className={hiddenLabel}
      />
      {op !== 'answered' && op !== 'not_answered' && (
        <div {...valueMark} className="min-w-0">
          <ValueField {...props} />
        </div>
      )}
    </div>
  );
}

function ValueField({ ask, test, onChange, error, isDisabled }: TestFieldsProps) {
  const { op, value } = test;
  const known = valuesOf(ask);
  const chosen = [value ?? []].flat();
  const set = (next: AnswerTest['value'], isOwnStep?: boolean) => onChange({ ...test, value: next }, isOwnStep);
  if (known && op === 'in')
    return (
      <fieldset aria-label={texts.value} className="flex min-w-0 flex-col gap-1 pt-1.5">
        {[...known, ...listUnknown(chosen, known)].map(({ id, text }) => (
          <Checkbox
            key={id}
            label={text}
            isSelected={chosen.includes(id)}
            onChange={(isOn) => set(isOn ? [...chosen, id] : chosen.filter((one) => one !== id))}
            isDisabled={isDisabled}
          />
        ))}
        {error !== undefined && <p className="text-13 text-bad">{error}</p>}
      </fieldset>
    );
  if (known)
    return (
      <Select
        label={texts.value}
        options={[...known, ...listUnknown(chosen, known)].map(({ id, text }) => ({ value: id, label: text }))}
        value={chosen[0] ?? null}
        onChange={(next) => set(next)}
        error={error}
        isDisabled={isDisabled}
        className={hiddenLabel}
      />
    );
  return (
    <TextField
      label={texts.value}
      {...(ask.kind === 'date' && { type: 'date' })}
      value={chosen.join(', ')}
      onChange={(next) => set(op === 'in' ? next.split(',').map((one) => one.trim()) : next, false)}
      error={error}
      isReadOnly={isDisabled}
      className={hiddenLabel}
    />
  );
}

/** Answers that the question no longer has. The problem beside the field says so. */
function listUnknown(chosen: readonly string[], known: readonly QuestionOption[]): QuestionOption[] {
  return chosen.filter((id) => known.every((one) => one.id !== id)).map((id) => ({ id, text: id }));
}
