import { expect, it } from 'vitest';
import { type DomainRow, sortRows } from './filter-rows.ts';

const rowOf = (host: string) => ({ id: host, domain: { host }, state: 'on', live: 0 }) as unknown as DomainRow;

it.each(['__proto__', 'constructor', '__defineGetter__', 'no such column'])(
  'sorts by host if the address names %s as the column',
  (column) => {
    const sorted = sortRows([rowOf('b.example.com'), rowOf('a.example.com')], { column, direction: 'ascending' });
    expect(sorted.map(({ id }) => id)).toEqual(['a.example.com', 'b.example.com']);
  },
);
