import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { Input } from 'react-aria-components/Input';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import * as text from '../messages/text.ts';
import { cx } from './cx.ts';
import { FieldHelp, FieldLabel, fieldLayout, inputLook } from './field.tsx';
import { MIN_PASSWORD_LENGTH, passwordStrength } from './password-strength.ts';
import type { TextFieldProps } from './text-field.tsx';

interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'icon' | 'autoComplete'> {
  /** A new password shows how strong it is, and password managers offer to make one. */
  isNew?: boolean;
}

export function PasswordField({
  label,
  help,
  error,
  isOptional,
  isNew = false,
  className,
  ...props
}: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <AriaTextField
      {...props}
      type={isShown ? 'text' : 'password'}
      autoComplete={isNew ? 'new-password' : 'current-password'}
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
      {isNew && <Strength password={props.value ?? ''} />}
      <FieldHelp help={help} error={error} />
    </AriaTextField>
  );
}

const bars = [1, 2, 3, 4] as const;

function Strength({ password }: { password: string }) {
  const strength = passwordStrength(password);
  const words = text.ui.passwordStrength;
  const color = strength <= 1 ? 'bg-bad' : strength === 2 ? 'bg-warn' : 'bg-good';
  return (
    <div className="mt-0.5 flex items-center gap-2 text-12 text-soft">
      <span className="flex flex-1 gap-1" aria-hidden>
        {bars.map((bar) => (
          <span
            key={bar}
            className={cx('h-1 flex-1 rounded-full transition-colors', bar <= strength ? color : 'bg-pressed')}
          />
        ))}
      </span>
      <span aria-live="polite" className="min-w-36 text-right">
        {password.length === 0
          ? words.empty(MIN_PASSWORD_LENGTH)
          : strength === 0
            ? words.short(MIN_PASSWORD_LENGTH - [...password].length)
            : words.levels[strength - 1]}
      </span>
    </div>
  );
}
