import { ListFilter, Search, X } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { EnvironmentMark } from '../../../app/environment-badge.tsx';
import { lazyComponent } from '../../../app/lazy-component.ts';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Popover } from '../../../ui/popover.tsx';
import type { Option } from '../../../ui/select.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import type { Choice, FilterFieldsProps } from './filter-fields.tsx';
import { FIRST_ORDER, type Filters } from './list-params.ts';
import { SaveView, type Views, ViewTabs } from './saved-views.tsx';
import type { ListNames } from './use-list-names.ts';

const { filters: texts, kinds, states, orders } = text.experiences;
const ALL = 'all';

interface ListFiltersProps {
  filters: Filters;
  names: ListNames;
  views: Views;
  onChange: (changes: Record<string, string>) => void;
  onClear: () => void;
}

const wordOptions = (words: Record<string, string>): Option[] =>
  Object.entries(words).map(([value, label]) => ({ value, label }));
const namedOptions = (list: readonly { id: string; name: string }[]): Option[] =>
  list.map(({ id, name }) => ({ value: id, label: name }));

function choicesOf(names: ListNames): Choice[] {
  const environments = names.environments.map((one) => ({
    value: one.id,
    label: one.name,
    mark: <EnvironmentMark environment={one} />,
  }));
  const noFilter = (label: string): Option => ({ value: ALL, label });
  return [
    { name: 'kind', options: wordOptions(kinds), none: noFilter(texts.allKinds) },
    { name: 'state', options: wordOptions(states), none: noFilter(texts.allStates) },
    { name: 'environment', options: environments, none: noFilter(texts.any) },
    { name: 'segment', options: namedOptions(names.segments), none: noFilter(texts.any) },
    { name: 'tag', options: namedOptions(names.tags), none: noFilter(texts.any) },
    {
      name: 'order',
      options: wordOptions(orders).filter(({ value }) => value !== FIRST_ORDER),
      none: { value: FIRST_ORDER, label: orders[FIRST_ORDER] },
    },
  ];
}

/** The saved views, the search, and one button for all filters. What is chosen is shown as chips, which remove it. */
export function ListFilters({ filters, names, views, onChange, onClear }: ListFiltersProps) {
  const bar = useRef<HTMLDivElement>(null);
  const choices = choicesOf(names);
  const chosen = choices.filter(({ name, none }) => filters[name] !== '' && filters[name] !== none.value);
  // The chip is gone then, so the focus goes to the button beside it.
  const focusButton = () => bar.current?.querySelector('button')?.focus();
  return (
    <div className="flex flex-col gap-3">
      <ViewTabs views={views} />
      <div ref={bar} className="flex flex-wrap items-center gap-2">
        <TextField
          label={texts.search}
          placeholder={texts.search}
          icon={Search}
          type="search"
          value={filters.search}
          maxLength={255}
          onChange={(search) => onChange({ search })}
          autoComplete="off"
          className="min-w-48 flex-1 basis-48 sm:max-w-80 [&>:first-child]:sr-only"
        />
        <FilterMenu choices={choices} filters={filters} onChange={onChange} />
        {chosen.length > 0 && (
          <ul aria-label={texts.chosen} className="contents">
            {chosen.map(({ name, options }) => {
              const option = options.find(({ value }) => value === filters[name]);
              const remove = () => {
                onChange({ [name]: '' });
                focusButton();
              };
              return (
                <li key={name} className="min-w-0">
                  <Chip label={texts[name]} mark={option?.mark} onRemove={remove}>
                    {option?.label ?? texts.gone}
                  </Chip>
                </li>
              );
            })}
          </ul>
        )}
        {chosen.length > 1 && (
          <Button
            look="quiet"
            size="small"
            onPress={() => {
              onClear();
              focusButton();
            }}
          >
            {texts.clearAll}
          </Button>
        )}
        <SaveView views={views} />
      </div>
    </div>
  );
}

// The fields are loaded after the page, because most people open the list without filters.
const loadFields = () => import('./filter-fields.tsx').then((module) => module.FilterFields);
const FilterFields = lazyComponent(loadFields);

function FilterMenu(props: FilterFieldsProps) {
  useEffect(() => {
    loadFields().catch(() => {});
  }, []);
  return (
    <Popover
      label={texts.show}
      placement="bottom start"
      trigger={<Button icon={ListFilter}>{texts.show}</Button>}
      className="grid w-88 max-w-[calc(100vw-3.5rem)] grid-cols-2 gap-3"
    >
      <Suspense>
        <FilterFields {...props} />
      </Suspense>
    </Popover>
  );
}

interface ChipProps {
  label: string;
  mark: ReactNode;
  onRemove: () => void;
  children: string;
}

/** A filter that is chosen. Pressing it removes the filter. */
function Chip({ label, mark, onRemove, children }: ChipProps) {
  return (
    <Button
      size="small"
      onPress={onRemove}
      aria-label={texts.remove(label, children)}
      className="max-w-60 rounded-full border-accent! bg-accent-tint! font-normal"
    >
      <span className="text-soft">{label}</span>
      {mark}
      <bdi className="truncate font-medium">{children}</bdi>
      <X size={14} aria-hidden className="shrink-0 text-soft" />
    </Button>
  );
}
