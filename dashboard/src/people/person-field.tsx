import { useState } from 'react';
import * as text from '../messages/text.ts';
import { ComboBox } from '../ui/combo-box.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { usePeople } from './use-people.ts';

const texts = text.targeting.who;
const TYPING_MS = 250;

interface PersonFieldProps {
  value: string | null;
  onChange: (id: string | null) => void;
  /** Whether the label is above the field, and the field takes all the width. */
  isWide?: boolean;
}

/** Chooses a person by a part of the name, the email or the ID. */
export function PersonField({ value, onChange, isWide = false }: PersonFieldProps) {
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed.trim(), TYPING_MS);
  const known = usePeople('', value).chosen;
  // The field contains the name of the chosen person, which is not a search.
  const { people } = usePeople(search === known?.label ? '' : search, value);
  return (
    <ComboBox
      // The field shows the chosen person only if it knows their name when it is mounted.
      key={known?.id ?? 'none'}
      label={texts.person}
      placeholder={texts.searchPerson}
      options={people.map(({ id, label }) => ({ value: id, label }))}
      value={known?.id ?? null}
      onChange={(id) => id !== null && onChange(id)}
      onInputChange={setTyped}
      className={isWide ? 'w-full' : 'w-full sm:w-44 [&>:first-child]:sr-only'}
    />
  );
}
