import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import type { ListedExperience } from '@usher/domain';
import { listKindsWith } from '@usher/domain/kinds';
import { useState } from 'react';
import { query } from '../api/queries.ts';
import * as text from '../messages/text.ts';
import { ComboBox } from '../ui/combo-box.tsx';
import type { FieldTexts } from '../ui/field.tsx';
import { useDebounced } from '../ui/use-debounced.ts';

const { kinds } = text.deliveries;
const TYPING_MS = 250;
const MAX_FOUND = 50;

export type ChosenExperience = Pick<ListedExperience, 'id' | 'kind' | 'name'>;

interface ExperienceFieldProps extends FieldTexts {
  /** The chosen Experience, with its name if the page has it. */
  value: { id: string; kind?: string; name?: string } | null;
  onChange: (chosen: ChosenExperience) => void;
  /** Whether only live Experiences can be chosen. */
  isLive?: boolean;
  placeholder?: string;
  autoFocus?: boolean;
  className?: string;
}

/** Chooses a tour or survey by a part of its name. The server searches, since an account may have thousands. */
export function ExperienceField({ value, onChange, isLive = false, ...props }: ExperienceFieldProps) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<ChosenExperience>();
  const known = useNamed(value?.id === chosen?.id && chosen ? chosen : value);
  const fieldKey = useFieldKey(known?.id, chosen?.id);
  const search = useDebounced(typed.trim(), TYPING_MS);
  // The field contains the name of the chosen Experience, which is not a search.
  const found = useTriggerable(search === known?.name ? '' : search, isLive);
  const options = known && !found.some(({ id }) => id === known.id) ? [known, ...found] : found;
  return (
    <ComboBox
      {...props}
      key={fieldKey}
      options={options.map(({ id, kind, name }) => ({ value: id, label: name, description: kinds[kind] }))}
      value={known?.id ?? null}
      onChange={(id) => {
        const next = options.find((one) => one.id === id);
        if (!next || id === value?.id) return;
        setChosen(next);
        onChange(next);
      }}
      onInputChange={setTyped}
    />
  );
}

/**
 * The field shows the chosen Experience only if it knows the name when it is mounted, so a new key mounts it again when
 * the name is loaded. The key stays when the person chooses in the field, so that the field keeps the focus.
 */
function useFieldKey(knownId: string | undefined, chosenHere: string | undefined): number {
  const [{ key, id }, set] = useState({ key: 0, id: knownId });
  if (id !== knownId) set({ key: knownId === chosenHere ? key : key + 1, id: knownId });
  return key;
}

/** The tours and surveys with these words in their name. */
function useTriggerable(search: string, isLive: boolean): ChosenExperience[] {
  const params = {
    fields: 'list' as const,
    order: 'name' as const,
    limit: MAX_FOUND,
    ...(search !== '' && { search }),
    ...(isLive && { state: 'live' as const }),
  };
  const lists = useQueries({
    queries: listKindsWith('isExclusive').map((kind) => ({
      ...query('GET /v3/edit/experiences', { ...params, kind }),
      placeholderData: keepPreviousData,
    })),
  });
  const all = lists.flatMap(({ data }) => data?.experiences ?? []);
  return all.sort((one, other) => one.name.localeCompare(other.name));
}

/** Loads the name of an Experience that the address contains as an ID. */
function useNamed(value: ExperienceFieldProps['value']): ChosenExperience | undefined {
  const isNamed = value?.name !== undefined && value.kind !== undefined;
  const { data } = useQuery({
    ...query('GET /v3/edit/experiences/{id}', { id: value?.id ?? '' }),
    enabled: value !== null && !isNamed,
  });
  if (value === null) return undefined;
  if (isNamed) return value as ChosenExperience;
  return data?.experience;
}
