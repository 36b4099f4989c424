import type { Filter } from '@usher/domain';
import { expect, it } from 'vitest';
import { inChunks } from './in-chunks.ts';

const named = (id: string): Filter => ({ kind: 'segment', op: 'ex', value: id });
const values = (count: number): Filter => ({ kind: 'property', prop: 'a', op: 'in-v', value: Array(count).fill('b') });
const idsOf = (segments: Parameters<typeof inChunks>[0]) =>
  inChunks(segments).map((chunk) => chunk.map(({ id }) => id));

it('puts ten small Segments into a query', () => {
  const segments = Array.from({ length: 21 }, (_, index) => ({ id: String(index), items: [values(1)] }));
  expect(inChunks(segments).map((chunk) => chunk.length)).toEqual([10, 10, 1]);
  expect(inChunks(segments).flat()).toEqual(segments);
});

it('puts few large ones into a query, with the Segments that they name', () => {
  const base = { id: 'base', items: [values(450)] };
  const small = { id: 'small', items: [values(1)] };
  const twice = { id: 'twice', items: [named('base'), named('base')] };
  expect(idsOf([base, small, twice, small, small])).toEqual([['base', 'small'], ['twice'], ['small', 'small']]);
  expect(idsOf([])).toEqual([]);
});
