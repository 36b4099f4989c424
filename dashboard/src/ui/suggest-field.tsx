import { ComboBox } from './combo-box.tsx';
import type { FieldTexts } from './field.tsx';
import type { Option } from './select.tsx';

interface SuggestFieldProps extends FieldTexts {
  value: string;
  onChange: (value: string) => void;
  options: readonly Option[];
  isReadOnly?: boolean;
  isDisabled?: boolean;
  placeholder?: string;
  className?: string;
  'data-field'?: string;
}

/** A text: any that is typed, or one that is suggested. */
export function SuggestField({ value, onChange, options, ...props }: SuggestFieldProps) {
  return (
    <ComboBox
      {...props}
      options={options}
      // The list closes when one of its options is chosen.
      value={options.some((one) => one.value === value) ? value : null}
      onChange={(chosen) => chosen !== null && onChange(chosen)}
      inputValue={value}
      onInputChange={(typed) => typed !== value && onChange(typed)}
      allowsCustomValue
      isQuiet
    />
  );
}
