import { MAX_FILTER_DAYS, parseIso, type Scalar, toTimestamp } from '@usher/domain';
import { X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { formatNumber } from '../messages/format.ts';
import * as text from '../messages/text.ts';
import { IconButton } from '../ui/button.tsx';
import { ComboBox } from '../ui/combo-box.tsx';
import { fromLocalTime, toLocalTime } from '../ui/local-time.ts';
import { Select } from '../ui/select.tsx';
import { SuggestField } from '../ui/suggest-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { describeValue } from './describe-filters.ts';
import { readDecimal, type Widget } from './operators.ts';

const texts = text.filters;
/** The label of a field in a row is only for screen readers, because the row says what the field is about. */
export const hiddenLabel = '[&>:first-child]:sr-only';

interface ValueFieldProps {
  widget: Widget;
  /** What the condition is about. */
  subject: string;
  values: readonly Scalar[];
  onChange: (values: Scalar[]) => void;
  /** The values that were seen for this Property. */
  seen: readonly unknown[];
  isDisabled: boolean;
}

/** Chooses the value of a Property with a field that fits its type. */
export function ValueField({ widget, subject, values, onChange, seen, isDisabled }: ValueFieldProps) {
  const [value] = values;
  const label = texts.value(subject);
  const field = { label, isDisabled };
  const setText = (next: string | undefined) => onChange(next === undefined || next === '' ? [] : [next]);
  switch (widget) {
    case 'none':
      return null;
    case 'days':
      return (
        <DaysField
          label={texts.days(subject)}
          value={toNumber(value)}
          onChange={(days) => onChange(days === undefined ? [] : [days])}
          isDisabled={isDisabled}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...field}
          value={toNumber(value)}
          onChange={(next) => onChange(next === undefined ? [] : [next])}
          className="w-32"
        />
      );
    case 'yes-no':
      return (
        <Select
          {...field}
          options={['true', 'false'].map((one) => ({ value: one, label: one === 'true' ? texts.yes : texts.no }))}
          value={value === undefined ? null : String(value)}
          onChange={(next) => onChange([next === 'true'])}
          className={`w-24 ${hiddenLabel}`}
        />
      );
    case 'date':
      return (
        <TextField
          {...field}
          type="date"
          value={value === undefined ? '' : toTimestamp(parseIso(String(value)) ?? 0).slice(0, 10)}
          onChange={setText}
          help={texts.utc}
          className={`w-44 ${hiddenLabel}`}
        />
      );
    case 'time':
      return (
        <TextField
          {...field}
          type="datetime-local"
          value={value === undefined ? '' : toLocalTime(toTimestamp(parseIso(String(value)) ?? 0))}
          onChange={(next) => setText(fromLocalTime(next))}
          className={`w-56 ${hiddenLabel}`}
        />
      );
    case 'list':
      return <ValueList subject={subject} values={values} onChange={onChange} seen={seen} isDisabled={isDisabled} />;
    case 'text':
      return (
        <SuggestField
          {...field}
          placeholder={texts.typeValue}
          options={toOptions(seen)}
          value={value === undefined ? '' : String(value)}
          onChange={setText}
          className={`min-w-36 flex-1 ${hiddenLabel}`}
        />
      );
  }
}

function toNumber(value: Scalar | undefined): number | undefined {
  return value === undefined ? undefined : readDecimal(String(value));
}

const toOptions = (seen: readonly unknown[]) =>
  [...new Set(seen.flat().filter(isScalar).map(String))].map((value) => ({ value, label: value }));

const isScalar = (value: unknown): value is Scalar => ['string', 'number', 'boolean'].includes(typeof value);

interface NumberInputProps {
  label: string;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
  isDisabled: boolean;
  className?: string;
}

/** A text that is not a number stays in the field, and the condition is not complete. */
export function NumberInput({ value, onChange, className = 'w-20', ...props }: NumberInputProps) {
  const [typed, setTyped] = useState<string>();
  const change = (next: string) => {
    setTyped(next);
    onChange(readDecimal(next));
  };
  return (
    <TextField
      {...props}
      inputMode="decimal"
      value={typed ?? (value === undefined ? '' : String(value))}
      onChange={change}
      onBlur={() => value !== undefined && setTyped(undefined)}
      className={`${className} ${hiddenLabel}`}
    />
  );
}

/** A number of days with its unit. A number that is too large does not count. */
export function DaysField(props: NumberInputProps) {
  const set = (days: number | undefined) =>
    props.onChange(days !== undefined && days >= 0 && days <= MAX_FILTER_DAYS ? days : undefined);
  return (
    <span className="flex items-center gap-2">
      <NumberInput {...props} onChange={set} />
      <span className="text-14 text-soft">{texts.daysUnit}</span>
    </span>
  );
}

export const describeDaysProblem = () => texts.unfinished.days(formatNumber(MAX_FILTER_DAYS));

/** Several values. Each is added with Enter or a comma, or chosen from the values seen so far. */
function ValueList({ subject, values, onChange, seen, isDisabled }: Omit<ValueFieldProps, 'widget'>) {
  const [typed, setTyped] = useState('');
  const add = (value: string) => {
    setTyped('');
    const known = seen.flat().find((one) => isScalar(one) && String(one) === value) as Scalar | undefined;
    const next = known ?? value.trim();
    if (next !== '' && !values.includes(next)) onChange([...values, next]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isOnOption = event.currentTarget.querySelector('[aria-activedescendant]') !== null;
    if (event.key !== ',' && (event.key !== 'Enter' || isOnOption || typed.trim() === '')) return;
    event.preventDefault();
    event.stopPropagation();
    add(typed);
  };
  return (
    <div className="flex min-w-40 flex-1 flex-col gap-1.5">
      {values.length > 0 && (
        <ul aria-label={texts.values(subject)} className="flex flex-wrap gap-1">
          {values.map((value) => (
            <li
              key={String(value)}
              className="flex h-7 max-w-full items-center gap-0.5 rounded-6 bg-accent-tint pr-0.5 pl-2 text-13"
            >
              <bdi className="truncate">{describeValue(value)}</bdi>
              {!isDisabled && (
                <IconButton
                  icon={X}
                  size="small"
                  label={texts.removeValue(describeValue(value))}
                  onPress={() => onChange(values.filter((one) => one !== value))}
                  className="size-6"
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {!isDisabled && (
        <div onKeyDownCapture={onKeyDown}>
          <ComboBox
            label={texts.addValue(subject)}
            placeholder={texts.addValuePlaceholder}
            options={toOptions(seen).filter(({ value }) => values.every((one) => String(one) !== value))}
            value={null}
            onChange={(value) => value !== null && add(value)}
            inputValue={typed}
            onInputChange={setTyped}
            onBlur={() => add(typed)}
            allowsCustomValue
            isQuiet
            className={hiddenLabel}
          />
        </div>
      )}
    </div>
  );
}
