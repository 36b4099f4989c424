import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query } from '../api/queries.ts';
import { ErrorNotice } from '../app/error-notice.tsx';
import * as text from '../messages/text.ts';
import { Checkbox, RadioGroup } from '../ui/choice.tsx';
import { matchesWords } from '../ui/matches-words.ts';
import { TextField } from '../ui/text-field.tsx';

const texts = text.experiencePicker;
/** A list of more Experiences than this has a search field. */
const MANY = 8;

interface ExperiencePickerProps {
  label: string;
  /** An empty list means all. */
  value: readonly string[];
  onChange: (ids: string[]) => void;
  kinds: readonly string[];
  options: Record<'all' | 'some', { label: string; help: string }>;
  error?: string | undefined;
}

/** All Experiences of some kinds, or only some of them. */
export function ExperiencePicker({ label, value, onChange, kinds, options, error }: ExperiencePickerProps) {
  const [isSome, setSome] = useState(value.length > 0);
  const choose = (choice: 'all' | 'some') => {
    setSome(choice === 'some');
    if (choice === 'all') onChange([]);
  };
  return (
    <div className="flex flex-col gap-3">
      <RadioGroup
        label={label}
        value={isSome ? 'some' : 'all'}
        onChange={choose}
        options={[
          { value: 'all', ...options.all },
          { value: 'some', ...options.some },
        ]}
        error={error}
      />
      {isSome && <ExperienceList value={value} onChange={onChange} kinds={kinds} />}
    </div>
  );
}

/** The Experiences of some kinds, with a checkbox for each. */
export function ExperienceList({
  value,
  onChange,
  kinds,
}: Pick<ExperiencePickerProps, 'value' | 'onChange' | 'kinds'>) {
  const { data, error } = useQuery(query('GET /v3/edit/experiences', { limit: 500 }));
  const [words, setWords] = useState('');
  const known = (data?.experiences ?? [])
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ id, kind, name }) => ({ id, kind, name: name || texts.untitled }));
  const deleted = value
    .filter((id) => data && known.every((one) => one.id !== id))
    .map((id) => ({ id, kind: '', name: texts.deleted(id) }));
  const all = [...known, ...deleted];
  const toggle = (id: string, isSelected: boolean) =>
    onChange(isSelected ? [...value, id] : value.filter((one) => one !== id));
  return (
    <div className="flex flex-col gap-2 pl-6">
      <ErrorNotice error={error} />
      {data && all.length === 0 && <p className="text-13 text-soft">{texts.none}</p>}
      {all.length > MANY && <TextField label={texts.filter} value={words} onChange={setWords} type="search" />}
      <div className="flex max-h-56 flex-col gap-1.5 overflow-auto">
        {all
          .filter(({ name }) => matchesWords(name, words))
          .map(({ id, kind, name }) => (
            <Checkbox
              key={id}
              label={kind ? `${name} · ${texts.kinds[kind] ?? kind}` : name}
              isSelected={value.includes(id)}
              onChange={(isSelected) => toggle(id, isSelected)}
            />
          ))}
      </div>
    </div>
  );
}
