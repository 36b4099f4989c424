import type { EventTrigger } from '@usher/domain/fields';
import type { Step } from '../../../editor/document.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { EventNameField } from '../../../experiences/event-name-field.tsx';
import { fieldMark } from '../../../fields/field-focus.ts';
import { fieldsOf } from '../../../fields/fields-of.ts';
import { FilterBuilder } from '../../../filters/filter-builder.tsx';
import { toAllOf, toFilterSetOf } from '../../../filters/filter-set.ts';
import * as text from '../../../messages/text.ts';
import { NumberField } from '../../../ui/number-field.tsx';

const texts = text.content.event;
const MAX_DELAY = 86_400;
const MAX_MINUTES = 43_200;
const blank: EventTrigger = { name: '', filters: [], delay_seconds: 0, within_seconds: 86_400 };

/** The event that a step waits for: its name, what its properties must be, and when the step starts after it. */
export function EventFields({ editor, step }: { editor: Editor; step: Step }) {
  const fields = fieldsOf(editor, step.id, step);
  const event = step.trigger_event ?? blank;
  const { isReadOnly } = editor;
  const { error } = fields.choice('trigger_event');
  const set = (changes: Partial<EventTrigger>) => {
    const next = { ...event, ...changes };
    fields.set({ trigger_event: next.name.trim() === '' ? null : next });
  };
  return (
    <div
      className="flex min-w-0 flex-col gap-3 rounded-10 border border-line p-3"
      {...fieldMark(step.id, 'trigger_event')}
    >
      <EventNameField
        label={texts.name}
        help={texts.nameHelp}
        value={event.name}
        onChange={(name) => set({ name })}
        isReadOnly={isReadOnly}
        error={error}
      />
      {event.name !== '' && (
        <>
          <FilterBuilder
            isEvent
            value={toFilterSetOf(event.filters)}
            onChange={(value) => set({ filters: toAllOf(value) })}
            isDisabled={isReadOnly}
          />
          <NumberField
            label={texts.delay}
            value={event.delay_seconds}
            onChange={(seconds) => set({ delay_seconds: Math.round(seconds) })}
            max={MAX_DELAY}
            problem={text.content.when.delayProblem}
            isReadOnly={isReadOnly}
          />
          <NumberField
            label={texts.within}
            help={texts.withinHelp}
            value={Math.round((event.within_seconds / 60) * 100) / 100}
            onChange={(minutes) => set({ within_seconds: Math.max(1, Math.round(minutes * 60)) })}
            max={MAX_MINUTES}
            problem={texts.withinProblem}
            isReadOnly={isReadOnly}
          />
        </>
      )}
    </div>
  );
}
