import { TextField, type TextFieldProps } from '../../../ui/text-field.tsx';

interface OptionalNumberProps extends Omit<TextFieldProps, 'value' | 'onChange'> {
  value: number | null;
  onChange: (value: number | null) => void;
  max?: number;
}

/** A number that may be missing. A typed text that is not a number, or is too large, does not change it. */
export function OptionalNumber({ value, onChange, max = Number.MAX_SAFE_INTEGER, ...props }: OptionalNumberProps) {
  return (
    <TextField
      {...props}
      inputMode="numeric"
      value={value === null ? '' : String(value)}
      onChange={(typed) => onChange(readNumber(typed, value, max))}
    />
  );
}

function readNumber(typed: string, before: number | null, max: number): number | null {
  if (typed.trim() === '') return null;
  const number = Number(typed);
  return Number.isFinite(number) && number >= 0 && number <= max ? number : before;
}
