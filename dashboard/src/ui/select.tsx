import { ChevronsUpDown, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select as AriaSelect, type SelectProps as AriaSelectProps, SelectValue } from 'react-aria-components/Select';
import * as text from '../messages/text.ts';
import { cx } from './cx.ts';
import { FieldHelp, FieldLabel, type FieldTexts, fieldLayout, inputLook } from './field.tsx';
import { ItemContent, itemLook } from './list-item.tsx';
import { popoverLook } from './popover.tsx';

export interface Option<Value extends string = string> {
  value: Value;
  label: string;
  description?: string;
  icon?: LucideIcon;
  mark?: ReactNode;
  isDisabled?: boolean;
}

export interface ChoiceProps<Value extends string> extends FieldTexts {
  options: readonly Option<Value>[];
  value: Value | null;
  placeholder?: string;
  className?: string;
}

interface SelectProps<Value extends string>
  extends Omit<AriaSelectProps<object>, 'children' | 'className' | 'value' | 'onChange' | 'placeholder'>,
    ChoiceProps<Value> {
  onChange: (value: Value) => void;
}

/** Chooses one of a few options. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, help, error, isOptional, options, value, onChange, placeholder, className, ...others } = props;
  return (
    <AriaSelect
      {...others}
      value={value}
      onChange={(key) => key !== null && onChange(key as Value)}
      placeholder={placeholder ?? text.ui.choose}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      // The button shows the focus, so the field around it must not show it a second time.
      className={cx(fieldLayout, 'outline-none!', className)}
    >
      <FieldLabel label={label} isOptional={isOptional} optional={text.ui.optional} />
      <Button className={cx(inputLook, 'flex h-8 items-center gap-2 pr-2 pl-2.5 text-left data-hovered:bg-hover')}>
        <SelectValue className="flex min-w-0 flex-1 items-center gap-2 truncate data-placeholder:text-faint [&_[slot=description]]:hidden" />
        <ChevronsUpDown size={16} aria-hidden className="shrink-0 text-faint" />
      </Button>
      <FieldHelp help={help} error={error} />
      <Popover offset={4} className={cx(popoverLook, 'max-h-80 min-w-(--trigger-width) overflow-auto')}>
        <ListBox items={options} className="p-1 outline-none">
          {(option) => <OptionItem id={option.value} option={option} />}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}

/** The list identifies options by `id` when others are added. */
export function OptionItem({ id, option }: { id: string; option: Option }) {
  return (
    <ListBoxItem id={id} textValue={option.label} isDisabled={option.isDisabled ?? false} className={itemLook}>
      {({ isSelected }) => <ItemContent {...option} isSelected={isSelected} />}
    </ListBoxItem>
  );
}
