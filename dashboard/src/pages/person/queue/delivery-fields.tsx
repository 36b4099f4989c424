import { ExperienceField } from '../../../experiences/experience-field.tsx';
import * as text from '../../../messages/text.ts';
import { Checkbox } from '../../../ui/choice.tsx';
import { describeZone } from '../../../ui/local-time.ts';
import { TextField } from '../../../ui/text-field.tsx';
import type { DeliveryField, DeliveryValues } from './delivery-values.ts';
import { OptionFields } from './option-fields.tsx';

const texts = text.queue.form;
const { fields, help } = texts;
const choices = ['skip_url_match', 'skip_triggers', 'once', 'use_segmentation'] as const;

interface DeliveryFieldsProps {
  values: DeliveryValues;
  set: (change: Partial<DeliveryValues>) => void;
  wrong: Partial<Record<DeliveryField, string>>;
  used: readonly string[] | undefined;
  isNew?: boolean;
}

/** The fields of a Delivery: the Experience, the times, and the values for its texts. */
export function DeliveryFields({ values, set, wrong, used, isNew = false }: DeliveryFieldsProps) {
  return (
    <>
      <ExperienceField
        label={fields.model_id}
        help={help.model_id}
        value={values.experience}
        onChange={(experience) => set({ experience })}
        error={wrong.model_id}
        isLive
        autoFocus={isNew}
      />
      <div className="flex flex-col gap-1">
        <div className="grid gap-3 sm:grid-cols-2">
          {(['from', 'until'] as const).map((name) => (
            <TextField
              key={name}
              label={fields[name]}
              type="datetime-local"
              value={values[name]}
              onChange={(time) => set({ [name]: time })}
              error={wrong[name]}
              isOptional
            />
          ))}
        </div>
        <p className="text-13 text-soft">{help.times(describeZone())}</p>
      </div>
      <fieldset className="flex flex-col gap-2.5">
        <legend className="pb-1.5 text-13 font-medium">{texts.how}</legend>
        {choices.map((name) => (
          <Checkbox
            key={name}
            label={fields[name]}
            help={help[name]}
            isSelected={values[name]}
            onChange={(isSelected) => set({ [name]: isSelected })}
          />
        ))}
      </fieldset>
      {values.experience && used && (
        <OptionFields
          draft={values.options}
          onChange={(options) => set({ options })}
          used={used}
          error={wrong.options}
        />
      )}
    </>
  );
}
