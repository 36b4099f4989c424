import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
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

export function TextField({ placeholder, icon: Icon, ...props }: TextFieldProps) {
  return (
    <TextFrame {...props}>
      <div className="relative">
        {Icon && <Icon size={16} aria-hidden className="pointer-events-none absolute top-2 left-2.5 text-faint" />}
        <Input
          {...(placeholder !== undefined && { placeholder })}
          className={cx(inputLook, 'h-8 px-2.5', Icon && 'pl-8')}
        />
      </div>
    </TextFrame>
  );
}

export interface TextAreaProps extends Omit<TextFieldProps, 'icon' | 'type'> {
  rows?: number;
}

export function TextArea({ placeholder, rows = 3, ...props }: TextAreaProps) {
  return (
    <TextFrame {...props}>
      <AriaTextArea
        rows={rows}
        {...(placeholder !== undefined && { placeholder })}
        className={cx(inputLook, 'resize-y px-2.5 py-1.5')}
      />
    </TextFrame>
  );
}

type TextFrameProps = Omit<TextFieldProps, 'placeholder' | 'icon'> & { children: ReactNode };

/** The label above an input, and what is wrong with it below. */
function TextFrame({ label, help, error, isOptional, className, children, ...props }: TextFrameProps) {
  return (
    <AriaTextField
      {...props}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className={cx(fieldLayout, className)}
    >
      <FieldLabel label={label} isOptional={isOptional} optional={text.ui.optional} />
      {children}
      <FieldHelp help={help} error={error} />
    </AriaTextField>
  );
}
