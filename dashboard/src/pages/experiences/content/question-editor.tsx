import { useQuery } from '@tanstack/react-query';
import {
  askOf,
  type Field,
  isShownIn,
  presets,
  questionFields,
  questionKinds,
  questionNameOf,
  stepFields,
} from '@usher/domain/fields';
import { Plus } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { query } from '../../../api/queries.ts';
import { addPart } from '../../../editor/commands.ts';
import type { Step } from '../../../editor/document.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { fieldMark } from '../../../fields/field-focus.ts';
import { type Fields, fieldsOf } from '../../../fields/fields-of.ts';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/choice.tsx';
import { Fold } from '../../../ui/fold.tsx';
import { Select } from '../../../ui/select.tsx';
import { SuggestField } from '../../../ui/suggest-field.tsx';
import { AnswerList } from './answer-list.tsx';
import { type Asked, changeQuestion } from './change-question.ts';
import { OptionIds, OptionList } from './option-list.tsx';
import { OptionalNumber } from './optional-number.tsx';
import { RichField } from './rich-field.tsx';
import type { Selection } from './use-selection.ts';

const texts = text.questions;
const offered: readonly Asked[] = [...questionKinds, ...presets, 'none'];

interface QuestionEditorProps {
  editor: Editor;
  step: Step;
  selection: Selection;
}

/** What a step of a survey asks: the type of the question, and the fields that this type has. */
export function QuestionEditor({ editor, step, selection }: QuestionEditorProps) {
  const fields = fieldsOf(editor, step.id, step);
  const asked: Asked = questionNameOf(step) ?? 'none';
  /** The IDs of answers whose text is new, so that the ID is still made from it. */
  const fresh = useRef(new Set<string>());
  const { settle } = selection;
  useEffect(() => settle(), [settle]);
  const choose = (next: Asked) => {
    const changes = changeQuestion(step, next) as Partial<Step>;
    for (const { id, text } of changes.question?.options ?? []) if (text === '') fresh.current.add(id);
    fields.set(changes, true);
  };
  return (
    <div className="flex flex-col gap-3" {...fieldMark(step.id, 'question')}>
      <Select
        label={texts.type}
        options={offered.map((value) => ({
          value,
          label: texts.types[value].name,
          description: texts.types[value].help,
        }))}
        {...fields.choice<Asked>(step.question ? 'question' : 'preset')}
        value={asked}
        onChange={choose}
      />
      {step.question && step.preset === null && <Main editor={editor} step={step} fresh={fresh.current} />}
      <OwnTexts editor={editor} step={step} asked={asked} />
      {step.question && step.preset === null && <More editor={editor} step={step} />}
      {(step.question ? step.preset === null : step.preset?.startsWith('survey_')) && !editor.isReadOnly && (
        <FollowUps editor={editor} step={step} selection={selection} />
      )}
    </div>
  );
}

/** Fields of a question that few people need. */
const further: ReadonlySet<string> = new Set([
  ...['min_choices', 'max_choices', 'min_length', 'max_length', 'error_text', 'property'],
]);

/** The fields that this kind of question has, in their order. */
function listFields({ question }: Step, isFurther: boolean): string[] {
  return Object.entries<Field>(questionFields).flatMap(([name, field]) =>
    name !== 'kind' && further.has(name) === isFurther && isShownIn(field, '', question?.kind ?? null) ? [name] : [],
  );
}

interface PartProps {
  editor: Editor;
  step: Step;
}

/** "Required" comes last, below what the question is about. */
function Main({ editor, step, fresh }: PartProps & { fresh: Set<string> }) {
  const names = listFields(step, false);
  const numbers = names.filter((name) => questionFields[name as 'max'].type === 'number');
  const others = names.filter((name) => !numbers.includes(name) && name !== 'required');
  return (
    <>
      {numbers.length > 0 && (
        <div className="grid grid-cols-2 items-end gap-2">
          {numbers.map((name) => (
            <QuestionField key={name} editor={editor} step={step} name={name} />
          ))}
        </div>
      )}
      {others.map((name) =>
        name === 'options' ? (
          <OptionList key={name} editor={editor} step={step} fresh={fresh} />
        ) : (
          <QuestionField key={name} editor={editor} step={step} name={name} />
        ),
      )}
      <QuestionField editor={editor} step={step} name="required" />
    </>
  );
}

function More({ editor, step }: PartProps) {
  return (
    <Fold title={texts.more}>
      {listFields(step, true).map((name) => (
        <QuestionField key={name} editor={editor} step={step} name={name} />
      ))}
      {isShownIn(questionFields.options, '', step.question?.kind ?? null) && <OptionIds editor={editor} step={step} />}
    </Fold>
  );
}

/** The input of one field, by its type. */
function QuestionField({ editor, step, name }: PartProps & { name: string }) {
  const fields = fieldsOf(editor, step.id, step, 'question');
  const field: Field = questionFields[name as keyof typeof questionFields];
  const { label } = fields.text(name);
  switch (field.type) {
    case 'shown_text':
      return <RichField {...fields.text(name)} />;
    case 'boolean':
      return <Checkbox label={label} {...fields.flag(name)} />;
    case 'number': {
      const { isDisabled, value: _, onChange: __, ...mark } = fields.choice(name);
      const usual = askOf(step)?.[name as 'max'] ?? null;
      return (
        <OptionalNumber
          {...mark}
          label={label}
          value={(fields.read(name) as number | null) ?? null}
          onChange={(value) => fields.set({ [name]: value })}
          max={field.max ?? 0}
          isReadOnly={isDisabled}
          {...(usual !== null && { placeholder: String(usual) })}
          isOptional={usual === null}
        />
      );
    }
    case 'optional_word':
      return (
        <Select
          label={label}
          options={[null, ...(field.words ?? [])].map((word) => ({
            value: word ?? 'none',
            label: word === null ? texts.anyLook : texts.looks[word as keyof typeof texts.looks],
          }))}
          {...fields.choice(name)}
          value={(fields.read(name) as string | null) ?? 'none'}
          onChange={(value) => fields.set({ [name]: value === 'none' ? null : value })}
        />
      );
    case 'text':
      return <PropertyField fields={fields} name={name} />;
    default:
      return null;
  }
}

/** A property that exists already, or a new one. */
function PropertyField({ fields, name }: { fields: Fields; name: string }) {
  const { data } = useQuery(query('GET /v3/edit/properties', { kind: 'profile' }));
  const { label, value, onChange, isReadOnly, error, ...mark } = fields.text(name);
  return (
    <div {...mark}>
      <SuggestField
        label={label}
        help={texts.propertyHelp}
        error={error}
        isOptional
        options={(data?.properties ?? []).map(({ prop, name }) => ({
          value: prop,
          label: prop,
          ...(name !== prop && { description: name }),
        }))}
        value={value}
        onChange={onChange}
        isReadOnly={isReadOnly}
      />
    </div>
  );
}

/** The fields of the step that depend on what it asks: labels of a scale, a hint, the answers of a list. */
function OwnTexts({ editor, step, asked }: PartProps & { asked: Asked }) {
  const fields = fieldsOf(editor, step.id, step);
  const names = Object.entries<Field>(stepFields).flatMap(([name, field]) =>
    field.questions && asked !== 'none' && isShownIn(field, '', asked) ? [name] : [],
  );
  const labels = names.filter((name) => name.startsWith('label_'));
  return (
    <>
      {labels.length > 0 && (
        <div className="grid grid-cols-2 gap-2">
          {labels.map((name) => (
            <RichField key={name} {...fields.text(name)} />
          ))}
        </div>
      )}
      {names.includes('dropdown_items') && (
        <div {...fieldMark(step.id, 'dropdown_items')}>
          <AnswerList step={step} fields={fields} isReadOnly={editor.isReadOnly} />
        </div>
      )}
      {names
        .filter((name) => !labels.includes(name) && name !== 'dropdown_items')
        .map((name) => (
          <RichField key={name} {...fields.text(name)} />
        ))}
    </>
  );
}

/** Adds steps that come after an answer: a text field for the reason, and thanks. */
function FollowUps({ editor, step, selection }: QuestionEditorProps) {
  const add = (preset: 'response' | 'thank_you') => {
    // The new step has the placement of the question, so that the survey stays in its corner.
    const { position_type, screen_position, placement, elements } = step;
    const place = { position_type, screen_position, placement, elements };
    const command = addPart('steps', { preset, ...place, ...texts.followUps[preset].fields }, { after: step.id });
    editor.change(command);
    selection.goTo(command.id, 'title');
  };
  return (
    <div className="flex flex-wrap gap-2">
      {(['response', 'thank_you'] as const).map((preset) => (
        <Button key={preset} size="small" icon={Plus} onPress={() => add(preset)}>
          {texts.followUps[preset].add}
        </Button>
      ))}
    </div>
  );
}
