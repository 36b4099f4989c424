import { useQuery } from '@tanstack/react-query';
import { type MemberKind, memberKinds } from '@usher/domain';
import { listKindsWith } from '@usher/domain/kinds';
import { query } from '../../api/queries.ts';
import { ExperienceList } from '../../experiences/experience-picker.tsx';
import { describePeriod, splitPeriod } from '../../messages/period.ts';
import * as text from '../../messages/text.ts';
import { Checkbox, RadioGroup } from '../../ui/choice.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';

const limits = text.limits;

/** The values of the form. Numbers stay as they are typed. */
export interface LimitValues {
  name: string;
  max_count: string;
  /** A number and its unit, such as `2 days`. */
  period_hours: string;
  kind: MemberKind;
  experience_ids: string[];
  tag_ids: string[];
}

export const noLimit: LimitValues = {
  ...{ name: '', max_count: '1', period_hours: '24 hours' },
  ...{ kind: 'all', experience_ids: [], tag_ids: [] },
};

interface LimitFieldsProps {
  values: LimitValues;
  set: <Name extends keyof LimitValues>(name: Name, value: LimitValues[Name]) => void;
  wrong: Partial<Record<keyof LimitValues, string>>;
}

export function LimitFields({ values, set, wrong }: LimitFieldsProps) {
  const { fields } = limits;
  const { count, unit } = splitPeriod(values.period_hours);
  return (
    <>
      <TextField
        label={fields.name}
        value={values.name}
        onChange={(name) => set('name', name)}
        error={wrong.name}
        autoFocus
      />
      <div className="flex flex-col gap-2">
        <div className="grid grid-cols-3 items-start gap-3">
          <TextField
            label={fields.max_count}
            value={values.max_count}
            onChange={(value) => set('max_count', value)}
            error={wrong.max_count}
            inputMode="numeric"
          />
          <TextField
            label={fields.period_hours}
            value={count}
            onChange={(value) => set('period_hours', `${value.trim()} ${unit}`)}
            error={wrong.period_hours}
            inputMode="decimal"
          />
          <Select
            label={limits.unit}
            value={unit}
            onChange={(value) => set('period_hours', `${count} ${value}`)}
            options={[
              { value: 'hours', label: limits.units.hours },
              { value: 'days', label: limits.units.days },
            ]}
          />
        </div>
        <p className="text-13 text-soft">
          {limits.sentence(values.max_count || '…', describePeriod(values.period_hours))}
        </p>
      </div>
      <RadioGroup
        label={fields.kind}
        value={values.kind}
        onChange={(kind) => set('kind', kind)}
        options={memberKinds.map((kind) => ({ value: kind, ...limits.appliesTo[kind] }))}
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
    <fieldset aria-label={limits.fields.tag_ids} className="flex max-h-56 flex-col gap-1.5 overflow-auto pl-6">
      {data && tags.length === 0 && <p className="text-13 text-soft">{limits.noTags}</p>}
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
