import { describePeriod, splitPeriod } from '../../messages/period.ts';
import * as text from '../../messages/text.ts';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { MemberFields } from './member-fields.tsx';
import { type MemberValues, noMembers } from './members.ts';

const limits = text.limits;

/** The values of the form. Numbers stay as they are typed. */
export interface LimitValues extends MemberValues {
  name: string;
  max_count: string;
  /** A number and its unit, such as `2 days`. */
  period_hours: string;
  /** Empty for any number. */
  max_steps: string;
  max_seconds: string;
}

export const noLimit: LimitValues = {
  name: '',
  max_count: '1',
  period_hours: '24 hours',
  max_steps: '',
  max_seconds: '',
  ...noMembers,
};

interface LimitFieldsProps {
  values: LimitValues;
  set: <Name extends keyof LimitValues>(name: Name, value: LimitValues[Name]) => void;
  wrong: Partial<Record<keyof LimitValues, string>>;
}

export function LimitFields({ values, set, wrong }: LimitFieldsProps) {
  const { fields } = limits;
  const { count, unit } = splitPeriod(values.period_hours);
  return (
    <>
      <TextField
        label={fields.name}
        value={values.name}
        onChange={(name) => set('name', name)}
        error={wrong.name}
        autoFocus
      />
      <div className="flex flex-col gap-2">
        <div className="grid grid-cols-3 items-start gap-3">
          <TextField
            label={fields.max_count}
            value={values.max_count}
            onChange={(value) => set('max_count', value)}
            error={wrong.max_count}
            inputMode="numeric"
          />
          <TextField
            label={fields.period_hours}
            value={count}
            onChange={(value) => set('period_hours', `${value.trim()} ${unit}`)}
            error={wrong.period_hours}
            inputMode="decimal"
          />
          <Select
            label={limits.unit}
            value={unit}
            onChange={(value) => set('period_hours', `${count} ${value}`)}
            options={[
              { value: 'hours', label: limits.units.hours },
              { value: 'days', label: limits.units.days },
            ]}
          />
        </div>
        <p className="text-13 text-soft">
          {limits.sentence(values.max_count || '…', describePeriod(values.period_hours))}
        </p>
      </div>
      <div className="flex flex-col gap-2">
        <div className="grid grid-cols-2 items-start gap-3">
          {(['max_steps', 'max_seconds'] as const).map((name) => (
            <TextField
              key={name}
              label={fields[name]}
              value={values[name]}
              onChange={(value) => set(name, value)}
              error={wrong[name]}
              inputMode="numeric"
            />
          ))}
        </div>
        <p className="text-13 text-soft">{limits.useHelp}</p>
      </div>
      <MemberFields values={values} set={set} wrong={wrong} />
    </>
  );
}
