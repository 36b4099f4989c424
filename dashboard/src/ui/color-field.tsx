import { Check } from 'lucide-react';
import { RadioButton, RadioField, RadioGroup } from 'react-aria-components/RadioGroup';
import * as text from '../messages/text.ts';
import { FieldLabel } from './field.tsx';
import { readableOn } from './readable-on.ts';

interface ColorFieldProps {
  label: string;
  /** Six hex digits and the name of each color. */
  colors: Readonly<Record<string, string>>;
  /** Six hex digits, which need not be among the colors. */
  value: string | null;
  onChange: (color: string) => void;
}

/** Chooses one of a few colors, each with its name for screen readers and on hover. */
export function ColorField({ label, colors, value, onChange }: ColorFieldProps) {
  return (
    <RadioGroup
      orientation="horizontal"
      value={value !== null && value in colors ? value : null}
      onChange={onChange}
      className="flex flex-col gap-1"
    >
      <FieldLabel label={label} optional={text.ui.optional} />
      <div className="flex flex-wrap gap-1.5">
        {Object.entries(colors).map(([color, name]) => (
          <RadioField key={color} value={color} aria-label={name}>
            <RadioButton className="group block rounded-full">
              {({ isSelected }) => (
                <span
                  title={name}
                  className="grid size-7 place-items-center rounded-full border border-ink/20 forced-color-adjust-none group-data-focus-visible:outline-2 group-data-focus-visible:outline-offset-2 group-data-focus-visible:outline-accent"
                  style={{ background: `#${color}`, color: readableOn(`#${color}`) }}
                >
                  {isSelected && <Check size={16} strokeWidth={3} aria-hidden />}
                </span>
              )}
            </RadioButton>
          </RadioField>
        ))}
      </div>
    </RadioGroup>
  );
}
