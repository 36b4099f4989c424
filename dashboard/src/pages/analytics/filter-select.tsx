import * as text from '../../messages/text.ts';
import { type Option, Select } from '../../ui/select.tsx';

const ALL = 'all';

interface FilterSelectProps {
  label: string;
  /** Names the choice without the filter. */
  all: string;
  /** Undefined while they load. */
  options: readonly Option[] | undefined;
  /** Empty without the filter. */
  value: string;
  onChange: (value: string) => void;
}

/** A filter of the address. It is left out if there is nothing to choose. */
export function FilterSelect({ label, all, options, value, onChange }: FilterSelectProps) {
  if (!options || (options.length === 0 && value === '')) return null;
  const isKnown = value === '' || options.some((option) => option.value === value);
  return (
    <Select
      label={label}
      className="w-44"
      options={[
        { value: ALL, label: all },
        ...options,
        ...(isKnown ? [] : [{ value, label: text.analytics.filters.gone }]),
      ]}
      value={value || ALL}
      onChange={(next) => onChange(next === ALL ? '' : next)}
    />
  );
}
