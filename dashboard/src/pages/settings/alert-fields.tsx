import type { AlertStyle } from '@usher/domain';
import * as text from '../../messages/text.ts';
import { Checkbox, RadioGroup } from '../../ui/choice.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { MemberFields } from './member-fields.tsx';
import { type MemberValues, noMembers } from './members.ts';

const alerts = text.alerts;

/** The values of the form. The number stays as it is typed. */
export interface AlertValues extends MemberValues {
  name: string;
  style: AlertStyle;
  interval: string;
  isOn: boolean;
}

export const noAlert: AlertValues = { name: '', style: 'unseen', interval: '7', isOn: true, ...noMembers };

const styles: readonly AlertStyle[] = ['unseen', 'uncompleted'];

interface AlertFieldsProps {
  values: AlertValues;
  set: <Name extends keyof AlertValues>(name: Name, value: AlertValues[Name]) => void;
  wrong: Partial<Record<string, string>>;
}

export function AlertFields({ values, set, wrong }: AlertFieldsProps) {
  const { fields } = alerts;
  return (
    <>
      <TextField
        label={fields.name}
        value={values.name}
        onChange={(name) => set('name', name)}
        error={wrong.name}
        autoFocus
      />
      <RadioGroup
        label={fields.style}
        value={values.style}
        onChange={(style) => set('style', style)}
        options={styles.map((style) => ({ value: style, ...alerts.styles[style] }))}
        error={wrong.style}
      />
      <TextField
        label={fields.interval}
        help={alerts.intervalHelp}
        value={values.interval}
        onChange={(value) => set('interval', value)}
        error={wrong.interval}
        inputMode="numeric"
      />
      <MemberFields values={values} set={set} wrong={wrong} />
      <Checkbox
        label={fields.isOn}
        help={alerts.isOnHelp}
        isSelected={values.isOn}
        onChange={(isOn) => set('isOn', isOn)}
      />
    </>
  );
}
