import { ListFilter, Search } from 'lucide-react';
import { useState } from 'react';
import { EnvironmentMark } from '../../../app/environment-badge.tsx';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { type Option, Select } from '../../../ui/select.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { type Filters, filterNames } from './list-params.ts';
import type { ListNames } from './use-list-names.ts';

const { filters: texts, kinds, states, orders } = text.experiences;
const ALL = 'all';

interface ListFiltersProps {
  filters: Filters;
  names: ListNames;
  onChange: (changes: Record<string, string>) => void;
}

const wordOptions = (words: Record<string, string>): Option[] =>
  Object.entries(words).map(([value, label]) => ({ value, label }));
const namedOptions = (list: readonly { id: string; name: string }[]): Option[] =>
  list.map(({ id, name }) => ({ value: id, label: name }));

/** Search, filters and order. In narrow windows, all but the search are behind a button. */
export function ListFilters({ filters, names, onChange }: ListFiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const count = filterNames.filter((name) => name !== 'search' && filters[name] !== '').length;
  const select = (name: Exclude<keyof Filters, 'search'>, options: readonly Option[], all?: string) => (
    <FilterSelect
      label={texts[name]}
      value={filters[name]}
      options={options}
      all={all}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
  const environments = names.environments.map((one) => ({
    value: one.id,
    label: one.name,
    mark: <EnvironmentMark environment={one} />,
  }));
  return (
    <div className="@container">
      <div className="grid grid-cols-[1fr_auto] items-end gap-3 @2xl:grid-cols-4 @5xl:grid-cols-[minmax(10rem,1.4fr)_repeat(6,minmax(0,1fr))]">
        <TextField
          label={texts.search}
          icon={Search}
          type="search"
          value={filters.search}
          maxLength={255}
          onChange={(search) => onChange({ search })}
          autoComplete="off"
        />
        <Button icon={ListFilter} aria-expanded={isOpen} onPress={() => setOpen(!isOpen)} className="@2xl:hidden">
          {count > 0 ? texts.showCount(count) : texts.show}
        </Button>
        <div className={cx('col-span-2 grid grid-cols-2 gap-3 @2xl:contents', !isOpen && '@max-2xl:hidden')}>
          {select('kind', wordOptions(kinds), texts.allKinds)}
          {select('state', wordOptions(states), texts.allStates)}
          {select('environment', environments, texts.allEnvironments)}
          {select('segment', namedOptions(names.segments), texts.allSegments)}
          {select('tag', namedOptions(names.tags), texts.allTags)}
          {select('order', wordOptions(orders))}
        </div>
      </div>
    </div>
  );
}

interface FilterSelectProps {
  label: string;
  value: string;
  options: readonly Option[];
  /** The option that does not filter. */
  all?: string | undefined;
  onChange: (value: string) => void;
}

/** The address can name a record that was deleted. The filter says so instead of hiding it. */
function FilterSelect({ label, value, options, all, onChange }: FilterSelectProps) {
  const isGone = value !== '' && !options.some((option) => option.value === value);
  const shown = [
    ...(all === undefined ? [] : [{ value: ALL, label: all }]),
    ...options,
    ...(isGone ? [{ value, label: texts.gone }] : []),
  ];
  return (
    <Select
      label={label}
      options={shown}
      value={value || ALL}
      onChange={(next) => onChange(next === ALL ? '' : next)}
      className="min-w-0"
    />
  );
}
