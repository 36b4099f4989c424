import type { PropertyOp } from '@usher/domain';
import * as text from '../messages/text.ts';
import { Select } from '../ui/select.tsx';
import { convertValues, describeOperator, listOperators, widgetOf } from './operators.ts';
import type { PropertyRow } from './rows.ts';
import type { KnownProperty } from './use-filter-names.ts';
import { hiddenLabel, ValueField } from './value-fields.tsx';

const texts = text.filters;

interface PropertyFieldsProps {
  row: PropertyRow;
  property: KnownProperty;
  onChange: (changes: Partial<PropertyRow>) => void;
  isDisabled: boolean;
}

/** The operator and the value of a condition about a property, as they fit the type of its values. */
export function PropertyFields({ row, property, onChange, isDisabled }: PropertyFieldsProps) {
  const { op, values } = row;
  const { name, types } = property;
  const choose = (next: PropertyOp) => onChange({ op: next, values: convertValues(values, op, next) });
  const widget = widgetOf(op, types, values);
  return (
    <>
      <Select
        label={texts.comparison(name)}
        options={listOperators(types, op).map((value) => ({ value, label: describeOperator(value, types) }))}
        value={op}
        onChange={choose}
        isDisabled={isDisabled}
        className={`w-44 ${hiddenLabel}`}
      />
      <ValueField
        // The key gives each kind of field its own typed text.
        key={widget}
        widget={widget}
        subject={name}
        values={values}
        onChange={(next) => onChange({ values: next })}
        seen={property.values}
        isDisabled={isDisabled}
      />
    </>
  );
}
