import type { Filter } from '@usher/domain';
import { expect, it } from 'vitest';
import { readFilterSet, writeFilterSet } from './read-filter-set.ts';

const pro: Filter = { kind: 'property', prop: 'plan', op: 'eq', value: 'pro' };
const group: Filter = {
  kind: 'group',
  filters: [pro, { kind: 'segment', op: 'nx', value: 'a'.repeat(24) }],
  filters_op: 'or',
};

it.each([{ filters: [] }, { filters: [pro] }, { filters: [pro, group] }])(
  'reads what was written: %j',
  ({ filters }) => {
    for (const filters_op of ['and', 'or'] as const) {
      const written = writeFilterSet({ filters, filters_op });
      const read = readFilterSet(written.filters, written.filters_op);
      expect(read).toEqual({ filters, filters_op: filters.length === 0 ? 'and' : filters_op, isBad: false });
    }
  },
);

it.each(['[{"kind":', 'null', '7', '"x"', '[{"kind":"nonsense"}]', '[{"kind":"property","prop":"plan","op":"like"}]'])(
  'does not use filters of a link that is cut off or wrong: %s',
  (filters) => expect(readFilterSet(filters, 'or')).toEqual({ filters: [], filters_op: 'or', isBad: true }),
);
