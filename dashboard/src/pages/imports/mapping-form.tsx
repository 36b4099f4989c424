import * as text from '../../messages/text.ts';
import { RadioGroup } from '../../ui/choice.tsx';
import { TextField } from '../../ui/text-field.tsx';

const texts = text.imports.mapping;

interface MappingFormProps {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  /** What each column sets. */
  props: Readonly<Record<string, string>>;
  onChange: (props: Record<string, string>) => void;
  /** Undefined where missing records cannot be created. */
  onMissing: 'create' | 'ignore' | undefined;
  onMissingChange: (value: 'create' | 'ignore') => void;
}

/** Says what each column of the file sets, beside its first values. */
export function MappingForm({ columns, rows, props, onChange, onMissing, onMissingChange }: MappingFormProps) {
  return (
    <>
      <ul className="flex flex-col divide-y divide-line">
        {columns.map((column, index) => {
          const samples = rows.map((row) => row[index] ?? '').filter((cell) => cell.trim() !== '');
          return (
            <li key={column} className="grid grid-cols-1 gap-x-6 gap-y-2 py-3 sm:grid-cols-2">
              <div className="flex min-w-0 flex-col gap-0.5">
                <bdi className="truncate text-14 font-medium" title={column}>
                  {column}
                </bdi>
                <p className="truncate text-13 text-soft">
                  {samples.length === 0 ? texts.noSamples : <bdi>{samples.slice(0, 3).join(' · ')}</bdi>}
                </p>
              </div>
              <TextField
                label={texts.sets(column)}
                value={props[column] ?? ''}
                onChange={(value) => onChange({ ...props, [column]: value })}
                maxLength={255}
                autoComplete="off"
              />
            </li>
          );
        })}
      </ul>
      {onMissing && (
        <RadioGroup
          label={texts.missing}
          value={onMissing}
          onChange={onMissingChange}
          options={[
            { value: 'create', label: texts.create },
            { value: 'ignore', label: texts.ignore },
          ]}
        />
      )}
    </>
  );
}
