import { askOf, END, MAX_RULES, type NextRule } from '@usher/domain/fields';
import { useEffect, useRef, useState } from 'react';
import type { Step } from '../../../editor/document.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { fieldMark } from '../../../fields/field-focus.ts';
import { fieldsOf } from '../../../fields/fields-of.ts';
import { problemOf } from '../../../fields/place-of-path.ts';
import { FilterBuilder } from '../../../filters/filter-builder.tsx';
import { toAllOf, toFilterSetOf } from '../../../filters/filter-set.ts';
import { MovableList, type RowControls } from '../../../lists/movable-list.tsx';
import * as text from '../../../messages/text.ts';
import { Select } from '../../../ui/select.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { firstTest, TestFields } from './answer-test.tsx';
import { type AnsweredStep, listAnsweredBefore, listTargets, nameOfTarget } from './survey-steps.ts';
import type { Selection } from './use-selection.ts';

const texts = text.questions.rules;

interface RuleListProps {
  editor: Editor;
  step: Step;
  selection: Selection;
}

/** The rules that say which step comes after this one. */
export function RuleList({ editor, step, selection }: RuleListProps) {
  const { document, isReadOnly } = editor;
  const { steps } = document;
  const rules = step.next;
  const fields = fieldsOf(editor, step.id, step);
  const root = useRef<HTMLOListElement>(null);
  /** A rule about filters that has none yet. It matches always, so only this place knows that it is about them. */
  const [unfiltered, setUnfiltered] = useState<number>();
  const { settle } = selection;
  useEffect(() => settle(), [settle]);
  const own = askOf(step);
  const answered = [...(own ? [{ step, ask: own }] : []), ...listAnsweredBefore(steps, step.id)];
  const targets = listTargets(steps, step.id);
  const after = steps[steps.findIndex(({ id }) => id === step.id) + 1]?.id ?? END;
  const set = (next: readonly NextRule[], isOwnStep = true) => fields.set({ next }, isOwnStep);
  const focus = (index: number) =>
    requestAnimationFrame(() => root.current?.children[index]?.querySelector<HTMLElement>('button')?.focus());
  const add = () => {
    const [first] = answered;
    const go = targets.find((target) => target !== after) ?? END;
    if (!first) setUnfiltered(rules.length);
    set([...rules, { when: first ? firstTest(first) : null, go }]);
    focus(rules.length);
  };
  const remove = (at: number) => {
    setUnfiltered(undefined);
    set(rules.toSpliced(at, 1));
    showToast({ title: texts.removed(at + 1), onUndo: editor.undo });
    focus(Math.min(at, rules.length - 2));
  };
  const change = (at: number, rule: NextRule, isOwnStep?: boolean) => set(rules.with(at, rule), isOwnStep);
  const problem = problemOf(document, editor.problems, step.id, 'next');
  return (
    <section className="flex flex-col gap-2 border-t border-line pt-3" {...fieldMark(step.id, 'next')}>
      <h3 className="text-13 font-medium">{texts.title}</h3>
      {rules.length !== 1 && <p className="text-13 text-soft">{rules.length === 0 ? texts.none : texts.first}</p>}
      <MovableList
        {...{ root, isReadOnly, title: texts.title, items: rules, max: MAX_RULES, words: texts }}
        onChange={set}
        onMoved={(to) => {
          setUnfiltered(undefined);
          focus(to);
        }}
        onRemove={remove}
        onAdd={add}
        // In fields, these keys open a list.
        keepsKeys={(target) => target instanceof HTMLInputElement}
        className="gap-2"
        rowProps={(_, index) => fieldMark(step.id, `next.${index}`)}
        renderRow={(rule, index, controls) => (
          <RuleFields
            editor={editor}
            step={step}
            rule={rule}
            index={index}
            answered={answered}
            targets={targets}
            isUnfiltered={unfiltered === index}
            onUnfiltered={(isOn) => setUnfiltered(isOn ? index : undefined)}
            onChange={(next, isOwnStep) => change(index, next, isOwnStep)}
            controls={controls}
          />
        )}
      >
        {rules.length > 0 && !rules.some(({ when }) => when === null) && (
          <p className="text-13 text-soft">{texts.otherwise(nameOfTarget(steps, after))}</p>
        )}
        {problem !== undefined && <p className="text-13 text-bad">{problem}</p>}
      </MovableList>
    </section>
  );
}

interface RuleFieldsProps {
  editor: Editor;
  step: Step;
  rule: NextRule;
  index: number;
  answered: readonly AnsweredStep[];
  targets: readonly string[];
  isUnfiltered: boolean;
  onUnfiltered: (isOn: boolean) => void;
  onChange: (rule: NextRule, isOwnStep?: boolean) => void;
  controls: RowControls;
}

/** One rule: what it tests, how, and where it goes. */
function RuleFields(props: RuleFieldsProps) {
  const { editor, step, rule, index, answered, targets, isUnfiltered, onUnfiltered, onChange, controls } = props;
  const { isReadOnly, document } = editor;
  const { steps } = document;
  const { when, go } = rule;
  const subject = when === null ? (isUnfiltered ? 'filters' : 'always') : 'filters' in when ? 'filters' : when.step_id;
  const problem = (path: string) => problemOf(document, editor.problems, step.id, `next.${index}${path}`);
  const choose = (next: string) => {
    onUnfiltered(next === 'filters');
    const found = answered.find((one) => one.step.id === next);
    // What somebody has written about the user stays until another test replaces it.
    if (next === subject) return;
    onChange({ when: found ? firstTest(found) : null, go });
  };
  const known = answered.find((one) => one.step.id === subject);
  const isGone = subject !== 'filters' && subject !== 'always' && !known;
  const own = problem('');
  return (
    <fieldset
      aria-label={texts.rule(index + 1)}
      className="flex min-w-0 flex-col gap-2 rounded-10 border border-line bg-surface p-2"
    >
      <div className="flex items-end gap-1">
        {controls.handle}
        <div className="min-w-0 flex-1" {...fieldMark(step.id, `next.${index}.when.step_id`)}>
          <Select
            label={texts.subject}
            options={[
              ...answered.map((one) => ({
                value: one.step.id,
                label:
                  one.step.id === step.id
                    ? texts.subjects.own
                    : text.content.mergeTag.answerTo(nameOfTarget(steps, one.step.id)),
              })),
              ...(isGone
                ? [{ value: subject, label: text.content.mergeTag.answerTo(nameOfTarget(steps, subject)) }]
                : []),
              { value: 'filters', label: texts.subjects.filters },
              { value: 'always', label: texts.subjects.always },
            ]}
            value={subject}
            onChange={choose}
            error={problem('.when.step_id')}
            isDisabled={isReadOnly}
          />
        </div>
        {controls.menu}
      </div>
      {subject === 'filters' && (
        <FilterBuilder
          value={toFilterSetOf(when && 'filters' in when ? when.filters : [])}
          onChange={(value) => {
            const filters = toAllOf(value);
            onUnfiltered(filters.length === 0);
            onChange({ when: filters.length === 0 ? null : { filters }, go }, false);
          }}
          isDisabled={isReadOnly}
        />
      )}
      {known && when && 'step_id' in when && (
        <TestFields
          key={known.ask.kind}
          ask={known.ask}
          test={when}
          onChange={(test, isOwnStep) => onChange({ when: test, go }, isOwnStep)}
          error={problem('.when.value')}
          valueMark={fieldMark(step.id, `next.${index}.when.value`)}
          isDisabled={isReadOnly}
        />
      )}
      <div {...fieldMark(step.id, `next.${index}.go`)}>
        <Select
          label={texts.go}
          options={[...(targets.includes(go) ? [] : [go]), ...targets].map((target) => ({
            value: target,
            label: nameOfTarget(steps, target),
          }))}
          value={go}
          onChange={(target) => onChange({ when, go: target })}
          error={problem('.go')}
          isDisabled={isReadOnly}
        />
      </div>
      {own !== undefined && <p className="text-13 text-bad">{own}</p>}
    </fieldset>
  );
}
