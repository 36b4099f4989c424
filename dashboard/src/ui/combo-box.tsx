import { ChevronsUpDown } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { ComboBox as AriaComboBox, type ComboBoxProps as AriaComboBoxProps } from 'react-aria-components/ComboBox';
import { Input } from 'react-aria-components/Input';
import { ListBox } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import * as text from '../messages/text.ts';
import { cx } from './cx.ts';
import { FieldHelp, FieldLabel, fieldLayout, inputLook } from './field.tsx';
import { popoverLook } from './popover.tsx';
import { type ChoiceProps, type Option, OptionItem } from './select.tsx';

interface ComboBoxProps<Value extends string>
  extends Omit<
      AriaComboBoxProps<object>,
      'children' | 'className' | 'value' | 'onChange' | 'items' | 'defaultItems' | 'selectedKey' | 'onSelectionChange'
    >,
    ChoiceProps<Value> {
  onChange: (value: Value | null) => void;
  /** Whether any typed text is a valid value, so that no list opens when no option matches. */
  isQuiet?: boolean;
}

/** Chooses one of many options, by typing a part of its name. */
export function ComboBox<Value extends string>(props: ComboBoxProps<Value>) {
  const {
    label,
    help,
    error,
    isOptional,
    options,
    value,
    onChange,
    placeholder,
    className,
    isQuiet = false,
    ...others
  } = props;
  return (
    <AriaComboBox
      menuTrigger="focus"
      {...others}
      defaultItems={options}
      selectedKey={value}
      onSelectionChange={(key) => onChange(key as Value | null)}
      allowsEmptyCollection={!isQuiet}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className={cx(fieldLayout, className)}
    >
      <FieldLabel label={label} isOptional={isOptional} optional={text.ui.optional} />
      <div className="relative">
        <Input placeholder={placeholder ?? text.ui.typeToSearch} className={cx(inputLook, 'h-8 pr-9 pl-2.5')} />
        <Button className="absolute top-0.5 right-0.5 grid size-7 place-items-center rounded-4 text-faint data-hovered:bg-hover">
          <ChevronsUpDown size={16} aria-hidden />
        </Button>
      </div>
      <FieldHelp help={help} error={error} />
      <Popover offset={4} className={cx(popoverLook, 'max-h-80 w-(--trigger-width) overflow-auto')}>
        <ListBox<Option<Value>>
          className="p-1 outline-none"
          renderEmptyState={() => <p className="px-2 py-1.5 text-13 text-soft">{text.ui.nothingFound}</p>}
        >
          {(option) => <OptionItem id={option.value} option={option} />}
        </ListBox>
      </Popover>
    </AriaComboBox>
  );
}
