import { expect, it } from 'vitest';
import { isNewRecord } from './unused.ts';

it('calls a record new for seven days', () => {
  const now = Date.UTC(2029, 3, 17, 12);
  const found = ['2029-04-17T12:00Z', '2029-04-10T12:01Z', '2029-04-10T12:00Z'].map((time) =>
    isNewRecord(Date.parse(time), now),
  );
  expect(found).toEqual([true, true, false]);
});
