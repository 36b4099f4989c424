import type { LucideIcon } from 'lucide-react';
import { Input } from 'react-aria-components/Input';
import { TextArea as AriaTextArea } from 'react-aria-components/TextArea';
import { TextField as AriaTextField, type TextFieldProps as AriaTextFieldProps } from 'react-aria-components/TextField';
import * as text from '../messages/text.ts';
import { cx } from './cx.ts';
import { FieldHelp, FieldLabel, type FieldTexts, fieldLayout, inputLook } from './field.tsx';

export interface TextFieldProps extends Omit<AriaTextFieldProps, 'children' | 'className'>, FieldTexts {
  placeholder?: string;
  icon?: LucideIcon;
  className?: string;
}

export function TextField({
  label,
  help,
  error,
  isOptional,
  placeholder,
  icon: Icon,
  className,
  ...props
}: TextFieldProps) {
  return (
    <AriaTextField
      {...props}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className={cx(fieldLayout, className)}
    >
      <FieldLabel label={label} isOptional={isOptional} optional={text.ui.optional} />
      <div className="relative">
        {Icon && <Icon size={16} aria-hidden className="pointer-events-none absolute top-2 left-2.5 text-faint" />}
        <Input
          {...(placeholder !== undefined && { placeholder })}
          className={cx(inputLook, 'h-8 px-2.5', Icon && 'pl-8')}
        />
      </div>
      <FieldHelp help={help} error={error} />
    </AriaTextField>
  );
}

export interface TextAreaProps extends Omit<TextFieldProps, 'icon' | 'type'> {
  rows?: number;
}

export function TextArea({
  label,
  help,
  error,
  isOptional,
  placeholder,
  rows = 3,
  className,
  ...props
}: TextAreaProps) {
  return (
    <AriaTextField
      {...props}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className={cx(fieldLayout, className)}
    >
      <FieldLabel label={label} isOptional={isOptional} optional={text.ui.optional} />
      <AriaTextArea
        rows={rows}
        {...(placeholder !== undefined && { placeholder })}
        className={cx(inputLook, 'resize-y px-2.5 py-1.5')}
      />
      <FieldHelp help={help} error={error} />
    </AriaTextField>
  );
}
