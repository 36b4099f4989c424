import { isExclusive } from '@usher/domain/kinds';
import type { Step } from '../../../editor/document.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { fieldMark } from '../../../fields/field-focus.ts';
import { fieldsOf } from '../../../fields/fields-of.ts';
import * as text from '../../../messages/text.ts';
import { Fold } from '../../../ui/fold.tsx';
import { NumberField } from '../../../ui/number-field.tsx';
import { Select } from '../../../ui/select.tsx';
import { TextArea } from '../../../ui/text-field.tsx';
import { EventFields } from './event-fields.tsx';

const texts = text.content.when;
const triggers = ['page_load', 'element_match', 'element_not_match', 'event'] as const;
const secondary = [
  ...(['none', 'click', 'hover', 'input', 'time_on_page', 'smart_delay', 'scroll_percent', 'exit_intent'] as const),
  'custom_trigger',
] as const;
const MAX_SECONDS = 86_400;
/** What the field shows before somebody has written a number. */
const USUAL_PERCENT = 50;

/** When a step shows: immediately, unless the administrator chooses to wait for something. */
export function TriggerFields({ editor, step }: { editor: Editor; step: Step }) {
  const fields = fieldsOf(editor, step.id, step);
  const { step_trigger, secondary_trigger, trigger_delay, trigger_scroll_percent } = step;
  const isUsual = step_trigger === 'page_load' && secondary_trigger === null && trigger_delay === null;
  const delay = fields.choice('trigger_delay');
  // Only what shows one at a time has a start.
  const offered = triggers.filter((one) => one !== 'event' || one === step_trigger || isExclusive(editor.document));
  return (
    <Fold title={texts.title} isOpen={!isUsual}>
      <Select
        label={texts.trigger}
        options={offered.map((value) => ({ value, label: texts.triggers[value] }))}
        {...fields.choice('step_trigger')}
      />
      {step_trigger === 'event' && <EventFields key={step.id} editor={editor} step={step} />}
      <Select
        label={texts.secondary}
        options={secondary.map((value) => ({ value, label: texts.secondaries[value] }))}
        {...fields.choice<(typeof secondary)[number]>('secondary_trigger')}
        value={secondary_trigger ?? 'none'}
        onChange={(value) =>
          fields.set({
            secondary_trigger: value === 'none' ? null : value,
            trigger_scroll_percent: value === 'scroll_percent' ? (trigger_scroll_percent ?? USUAL_PERCENT) : null,
          })
        }
        {...(secondary_trigger === 'exit_intent' && { help: texts.exitHelp })}
      />
      {secondary_trigger === 'scroll_percent' && (
        <NumberField
          label={texts.scrollPercent}
          help={texts.scrollHelp}
          value={trigger_scroll_percent ?? USUAL_PERCENT}
          onChange={(percent) => fields.set({ trigger_scroll_percent: percent })}
          min={1}
          max={100}
          problem={texts.scrollProblem}
          error={fields.choice('trigger_scroll_percent').error}
          isReadOnly={editor.isReadOnly}
          {...fieldMark(step.id, 'trigger_scroll_percent')}
        />
      )}
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
