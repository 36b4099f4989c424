import type { Step } from '../../../editor/document.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { fieldMark } from '../../../fields/field-focus.ts';
import { fieldsOf } from '../../../fields/fields-of.ts';
import * as text from '../../../messages/text.ts';
import { Fold } from '../../../ui/fold.tsx';
import { NumberField } from '../../../ui/number-field.tsx';
import { Select } from '../../../ui/select.tsx';
import { TextArea } from '../../../ui/text-field.tsx';

const texts = text.content.when;
const triggers = ['page_load', 'element_match', 'element_not_match'] as const;
const secondary = ['none', 'click', 'hover', 'input', 'time_on_page', 'smart_delay', 'custom_trigger'] as const;
const MAX_SECONDS = 86_400;

/** When a step shows: immediately, unless the administrator chooses to wait for something. */
export function TriggerFields({ editor, step }: { editor: Editor; step: Step }) {
  const fields = fieldsOf(editor, step.id, step);
  const { step_trigger, secondary_trigger, trigger_delay } = step;
  const isUsual = step_trigger === 'page_load' && secondary_trigger === null && trigger_delay === null;
  const delay = fields.choice('trigger_delay');
  return (
    <Fold title={texts.title} isOpen={!isUsual}>
      <Select
        label={texts.trigger}
        options={triggers.map((value) => ({ value, label: texts.triggers[value] }))}
        {...fields.choice('step_trigger')}
      />
      <Select
        label={texts.secondary}
        options={secondary.map((value) => ({ value, label: texts.secondaries[value] }))}
        {...fields.choice<(typeof secondary)[number]>('secondary_trigger')}
        value={secondary_trigger ?? 'none'}
        onChange={(value) => fields.set({ secondary_trigger: value === 'none' ? null : value })}
      />
      {secondary_trigger === 'custom_trigger' && (
        <TextArea {...fields.text('custom_trigger')} help={text.content.codeHelp} className="[&_textarea]:font-mono" />
      )}
      <NumberField
        label={texts.delay}
        value={trigger_delay ?? 0}
        onChange={(seconds) => fields.set({ trigger_delay: seconds === 0 ? null : seconds })}
        max={MAX_SECONDS}
        problem={texts.delayProblem}
        error={delay.error}
        isReadOnly={editor.isReadOnly}
        {...fieldMark(step.id, 'trigger_delay')}
      />
    </Fold>
  );
}
