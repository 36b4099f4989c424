import { useQuery } from '@tanstack/react-query';
import { type MemberKind, memberKinds } from '@usher/domain';
import { listKindsWith } from '@usher/domain/kinds';
import { query } from '../../api/queries.ts';
import { ExperienceList } from '../../experiences/experience-picker.tsx';
import * as text from '../../messages/text.ts';
import { Checkbox, RadioGroup } from '../../ui/choice.tsx';
import type { MemberValues } from './members.ts';

const members = text.members;

interface MemberFieldsProps {
  values: MemberValues;
  set: {
    (name: 'kind', value: MemberKind): void;
    (name: 'experience_ids' | 'tag_ids', value: string[]): void;
  };
  wrong: Partial<Record<keyof MemberValues, string>>;
}

export function MemberFields({ values, set, wrong }: MemberFieldsProps) {
  return (
    <>
      <RadioGroup
        label={members.fields.kind}
        value={values.kind}
        onChange={(kind) => set('kind', kind)}
        options={memberKinds.map((kind) => ({ value: kind, ...members.options[kind] }))}
        error={wrong.kind ?? wrong.experience_ids ?? wrong.tag_ids}
      />
      {values.kind === 'campaigns' && (
        <ExperienceList
          value={values.experience_ids}
          onChange={(ids) => set('experience_ids', ids)}
          kinds={listKindsWith('isExclusive')}
        />
      )}
      {values.kind === 'tags' && <TagList value={values.tag_ids} onChange={(ids) => set('tag_ids', ids)} />}
    </>
  );
}

/** The Tags of the account. One that is disabled is listed only while it is chosen. */
function TagList({ value, onChange }: { value: readonly string[]; onChange: (ids: string[]) => void }) {
  const { data } = useQuery(query('GET /v3/edit/tags', { limit: 500 }));
  const tags = (data?.tags ?? []).filter(({ id, disabled_at }) => disabled_at === null || value.includes(id));
  return (
    <fieldset aria-label={members.fields.tag_ids} className="flex max-h-56 flex-col gap-1.5 overflow-auto pl-6">
      {data && tags.length === 0 && <p className="text-13 text-soft">{members.noTags}</p>}
      {tags.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          isSelected={value.includes(id)}
          onChange={(isSelected) => onChange(isSelected ? [...value, id] : value.filter((one) => one !== id))}
        />
      ))}
    </fieldset>
  );
}
