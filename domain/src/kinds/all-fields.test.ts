import { expect, it } from 'vitest';
import { partFields } from '../fields/part-fields.ts';
import { allFields } from './all-fields.ts';
import { experienceKinds, fieldsOfKind } from './kinds.ts';

it('has one type and one name for each key', () => {
  const lists = [...Object.values(partFields), ...experienceKinds.map(fieldsOfKind)];
  const entries = lists.flatMap((fields) => Object.entries(fields));
  const others = entries.filter(([key, { type, name }]) => {
    const known = allFields.get(key);
    return type !== known?.type || name !== known.name;
  });
  expect(entries.length).toBeGreaterThan(100);
  expect(others.map(([key]) => key)).toEqual([]);
});
