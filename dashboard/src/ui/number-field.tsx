import { useState } from 'react';
import { TextField, type TextFieldProps } from './text-field.tsx';

interface NumberFieldProps extends Omit<TextFieldProps, 'value' | 'onChange' | 'error'> {
  value: number;
  onChange: (value: number) => void;
  /** The smallest number. Without it, 0. */
  min?: number;
  max: number;
  /** The error while the text is no valid number. */
  problem: string;
  error?: string | undefined;
}

/** A number. A text that is not a number stays in the field and changes nothing. */
export function NumberField({ value, onChange, min = 0, max, problem, error, ...props }: NumberFieldProps) {
  const [typed, setTyped] = useState<string>();
  const isWrong = typed !== undefined && readNumber(typed, min, max) === undefined;
  const change = (next: string) => {
    setTyped(next);
    const number = readNumber(next, min, max);
    if (number !== undefined && number !== value) onChange(number);
  };
  return (
    <TextField
      {...props}
      inputMode="decimal"
      value={typed ?? String(value)}
      onChange={change}
      onBlur={() => setTyped(undefined)}
      error={isWrong ? problem : error}
    />
  );
}

function readNumber(typed: string, min: number, max: number): number | undefined {
  const plain = typed.trim().replace(',', '.');
  if (!/^\d+(\.\d{1,2})?$/.test(plain)) return undefined;
  return Number(plain) >= min && Number(plain) <= max ? Number(plain) : undefined;
}
