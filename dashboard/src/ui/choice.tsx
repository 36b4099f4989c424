import { Check, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import { CheckboxButton, CheckboxField, type CheckboxFieldProps } from 'react-aria-components/Checkbox';
import {
  RadioGroup as AriaRadioGroup,
  type RadioGroupProps as AriaRadioGroupProps,
  RadioButton,
  RadioField,
} from 'react-aria-components/RadioGroup';
import { SwitchButton, SwitchField, type SwitchFieldProps } from 'react-aria-components/Switch';
import * as text from '../messages/text.ts';
import { cx } from './cx.ts';
import { FieldHelp, FieldLabel, type FieldTexts, fieldLayout } from './field.tsx';

const rowLook = 'group flex items-start gap-2 text-14 data-disabled:opacity-50';
const helpLook = 'text-13 text-soft';

interface CheckboxProps extends Omit<CheckboxFieldProps, 'children' | 'className'> {
  /** The label. It is left out in a table, where `aria-label` names the control. */
  label?: ReactNode;
  help?: ReactNode;
}

export function Checkbox({ label, help, ...props }: CheckboxProps) {
  return (
    <CheckboxField {...props} className={fieldLayout}>
      <CheckboxButton className={rowLook}>
        {({ isIndeterminate, isSelected }) => (
          <>
            <span className="mt-0.5 grid size-4 shrink-0 place-items-center rounded-4 border border-edge bg-surface text-on-accent transition-colors group-data-hovered:border-soft group-data-indeterminate:border-accent group-data-indeterminate:bg-accent group-data-selected:border-accent group-data-selected:bg-accent group-data-focus-visible:outline-2 group-data-focus-visible:outline-offset-2 group-data-focus-visible:outline-accent">
              {isIndeterminate ? (
                <Minus size={12} strokeWidth={3} aria-hidden />
              ) : (
                isSelected && <Check size={12} strokeWidth={3} aria-hidden />
              )}
            </span>
            {label}
          </>
        )}
      </CheckboxButton>
      {help !== undefined && <div className={cx(helpLook, 'pl-6')}>{help}</div>}
    </CheckboxField>
  );
}

interface SwitchProps extends Omit<SwitchFieldProps, 'children' | 'className'> {
  label: string;
  help?: ReactNode;
}

/** A switch takes effect immediately, without a button that saves. */
export function Switch({ label, help, ...props }: SwitchProps) {
  return (
    <SwitchField {...props} className={fieldLayout}>
      <SwitchButton className={cx(rowLook, 'items-center gap-2.5')}>
        <span className="flex h-4.5 w-8 shrink-0 items-center rounded-full border border-edge bg-edge p-px transition-colors group-data-selected:border-accent group-data-selected:bg-accent group-data-focus-visible:outline-2 group-data-focus-visible:outline-offset-2 group-data-focus-visible:outline-accent">
          <span className="size-3.5 rounded-full bg-surface transition-[translate] group-data-selected:translate-x-3.5 forced-colors:bg-[ButtonText]" />
        </span>
        {label}
      </SwitchButton>
      {help !== undefined && <div className={cx(helpLook, 'pl-10.5')}>{help}</div>}
    </SwitchField>
  );
}

interface RadioGroupProps<Value extends string>
  extends Omit<AriaRadioGroupProps, 'children' | 'className' | 'value' | 'onChange' | 'orientation'>,
    FieldTexts {
  options: readonly { value: Value; label: ReactNode; help?: ReactNode; isDisabled?: boolean }[];
  value: Value | null;
  onChange: (value: Value) => void;
  className?: string;
}

export function RadioGroup<Value extends string>({
  label,
  help,
  error,
  isOptional,
  options,
  onChange,
  className,
  ...props
}: RadioGroupProps<Value>) {
  return (
    <AriaRadioGroup
      {...props}
      onChange={(value) => onChange(value as Value)}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className={cx('flex flex-col gap-1.5', className)}
    >
      <FieldLabel label={label} isOptional={isOptional} optional={text.ui.optional} />
      {options.map((option) => (
        <RadioField
          key={option.value}
          value={option.value}
          isDisabled={option.isDisabled ?? false}
          className={fieldLayout}
        >
          <RadioButton className={rowLook}>
            <span className="mt-0.5 grid size-4 shrink-0 place-items-center rounded-full border border-edge bg-surface transition-colors group-data-hovered:border-soft group-data-selected:border-accent group-data-focus-visible:outline-2 group-data-focus-visible:outline-offset-2 group-data-focus-visible:outline-accent">
              <span className="size-2 scale-0 rounded-full bg-accent transition-[scale] group-data-selected:scale-100 forced-colors:bg-[Highlight]" />
            </span>
            {option.label}
          </RadioButton>
          {option.help !== undefined && <div className={cx(helpLook, 'pl-6')}>{option.help}</div>}
        </RadioField>
      ))}
      <FieldHelp help={help} error={error} />
    </AriaRadioGroup>
  );
}
