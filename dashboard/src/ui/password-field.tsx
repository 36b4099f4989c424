import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { Input } from 'react-aria-components/Input';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import * as text from '../messages/text.ts';
import { cx } from './cx.ts';
import { FieldHelp, FieldLabel, fieldLayout, inputLook } from './field.tsx';
import type { TextFieldProps } from './text-field.tsx';

export interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'icon' | 'autoComplete'> {
  /** For a new password: its strength from 0 to 4, also in words. Password managers then offer to create one. */
  strength?: { level: number; words: string };
}

export function PasswordField({ label, help, error, isOptional, strength, className, ...props }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <AriaTextField
      {...props}
      type={isShown ? 'text' : 'password'}
      autoComplete={strength ? 'new-password' : 'current-password'}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className={cx(fieldLayout, className)}
    >
      <FieldLabel label={label} isOptional={isOptional} optional={text.ui.optional} />
      <div className="relative">
        <Input className={cx(inputLook, 'h-8 pr-9 pl-2.5')} spellCheck={false} autoCapitalize="off" />
        <ToggleButton
          isSelected={isShown}
          onChange={setShown}
          aria-label={text.ui.showPassword}
          className="absolute top-0.5 right-0.5 grid size-7 place-items-center rounded-4 text-soft data-hovered:bg-hover data-hovered:text-ink"
        >
          <Icon size={16} aria-hidden />
        </ToggleButton>
      </div>
      {strength && <Strength {...strength} />}
      <FieldHelp help={help} error={error} />
    </AriaTextField>
  );
}

const bars = [1, 2, 3, 4] as const;

function Strength({ level, words }: { level: number; words: string }) {
  const color = level <= 1 ? 'bg-bad' : level === 2 ? 'bg-warn' : 'bg-good';
  return (
    <div className="mt-0.5 flex items-center gap-2 text-12 text-soft">
      <span className="flex flex-1 gap-1" aria-hidden>
        {bars.map((bar) => (
          <span
            key={bar}
            className={cx('h-1 flex-1 rounded-full transition-colors', bar <= level ? color : 'bg-pressed')}
          />
        ))}
      </span>
      <span aria-live="polite" className="min-w-36 text-right">
        {words}
      </span>
    </div>
  );
}
