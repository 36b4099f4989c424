import * as text from '../../../messages/text.ts';
import { type Option, Select } from '../../../ui/select.tsx';
import type { Filters } from './list-params.ts';

const { filters: texts } = text.experiences;

/** A choice of the menu: a filter, or the order. */
export interface Choice {
  name: Exclude<keyof Filters, 'search'>;
  options: readonly Option[];
  /** The option that changes nothing. */
  none: Option;
}

export interface FilterFieldsProps {
  choices: readonly Choice[];
  filters: Filters;
  onChange: (changes: Record<string, string>) => void;
}

/** A field for each filter, and for the order. */
export function FilterFields({ choices, filters, onChange }: FilterFieldsProps) {
  return choices.map(({ name, options, none }) => {
    const value = filters[name] || none.value;
    // The address can name a record that was deleted. The filter says so instead of hiding it.
    const isGone = value !== none.value && !options.some((option) => option.value === value);
    return (
      <Select
        key={name}
        label={texts[name]}
        options={[none, ...options, ...(isGone ? [{ value, label: texts.gone }] : [])]}
        value={value}
        onChange={(next) => onChange({ [name]: next === none.value ? '' : next })}
        className="min-w-0"
      />
    );
  });
}
