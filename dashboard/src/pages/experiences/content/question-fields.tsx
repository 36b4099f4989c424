import { Plus, X } from 'lucide-react';
import { addPart } from '../../../editor/commands.ts';
import type { Step } from '../../../editor/document.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { fieldMark } from '../../../fields/field-focus.ts';
import { type Fields, fieldsOf } from '../../../fields/fields-of.ts';
import * as text from '../../../messages/text.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Select } from '../../../ui/select.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { buttonsFor, type Preset } from './buttons-for.ts';
import { RichField } from './rich-field.tsx';
import type { Selection } from './use-selection.ts';

const texts = text.content;

const presets: readonly Preset[] = [
  'survey_nps',
  'survey_csat',
  'survey_ces',
  'survey_two',
  'survey_three',
  'survey_four',
  'survey_five',
  'survey_input',
  'survey_dropdown',
  'response',
  'thank_you',
];
const isScale = (preset: Preset | null) => preset !== null && /^survey_(nps|csat|ces)$/.test(preset);
const isQuestion = (preset: Preset | null) => preset?.startsWith('survey_') ?? false;

interface QuestionFieldsProps {
  editor: Editor;
  step: Step;
  selection: Selection;
}

/** The kind of question of a survey's step, and the fields of that kind. */
export function QuestionFields({ editor, step, selection }: QuestionFieldsProps) {
  const fields = fieldsOf(editor, step.id, step);
  const { preset } = step;
  const choose = (next: Preset | 'none') => {
    fields.set({ preset: next === 'none' ? null : next, ...buttonsFor(step, next) });
  };
  return (
    <>
      <Select
        label={texts.question}
        options={[...presets, 'none' as const].map((value) => ({
          value,
          label: texts.presets[value].name,
          description: texts.presets[value].help,
        }))}
        {...fields.choice<Preset | 'none'>('preset')}
        value={preset ?? 'none'}
        onChange={choose}
      />
      {isScale(preset) && (
        <div className="grid grid-cols-2 gap-2">
          <RichField {...fields.text('label_low')} />
          <RichField {...fields.text('label_high')} />
        </div>
      )}
      {(preset === 'survey_input' || preset === 'response') && <RichField {...fields.text('placeholder')} />}
      {preset === 'survey_dropdown' && (
        <>
          <div {...fieldMark(step.id, 'dropdown_items')}>
            <AnswerList step={step} fields={fields} isReadOnly={editor.isReadOnly} />
          </div>
          <RichField {...fields.text('other_text')} />
        </>
      )}
      {isQuestion(preset) && !editor.isReadOnly && <FollowUps editor={editor} step={step} selection={selection} />}
    </>
  );
}

/** The answers that a person chooses from. */
export function AnswerList({ step, fields, isReadOnly }: { step: Step; fields: Fields; isReadOnly: boolean }) {
  const answers = step.dropdown_items;
  const set = (next: string[]) => fields.set({ dropdown_items: next });
  const { error } = fields.choice('dropdown_items');
  return (
    <div className="flex flex-col gap-2">
      <h3 className="text-13 font-medium">{texts.answers}</h3>
      {answers.map((answer, index) => (
        // Answers have no identity but their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: typing must not replace the field
        <div key={index} className="flex items-end gap-1">
          <TextField
            label={texts.answer(index + 1)}
            value={answer}
            onChange={(value) => set(answers.map((one, at) => (at === index ? value : one)))}
            isReadOnly={isReadOnly}
            className="flex-1"
          />
          {!isReadOnly && (
            <IconButton
              icon={X}
              label={texts.removeAnswer(index + 1)}
              onPress={() => set(answers.filter((_, at) => at !== index))}
            />
          )}
        </div>
      ))}
      {error !== undefined && <p className="text-13 text-bad">{error}</p>}
      {!isReadOnly && (
        <Button
          look="quiet"
          size="small"
          icon={Plus}
          className="self-start"
          onPress={() => set([...answers, texts.answer(answers.length + 1)])}
        >
          {texts.addAnswer}
        </Button>
      )}
    </div>
  );
}

/** Adds steps that come after an answer: a text field for the reason, and thanks. */
function FollowUps({ editor, step, selection }: QuestionFieldsProps) {
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
