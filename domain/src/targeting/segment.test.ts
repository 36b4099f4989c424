import { describe, expect, it } from 'vitest';
import type { Filter } from './filter.ts';
import { exceedsFilterLimit, referencesSegment } from './segment.ts';

const uses = (value: string): Filter => ({ kind: 'segment', op: 'ex', value });
const group = (...filters: Filter[]): Filter => ({ kind: 'group', filters, filters_op: 'and' });
const plain: Filter = { kind: 'property', prop: 'plan', op: 'ex' };
const lookupIn = (segments: Record<string, Filter[]>) => (id: string) => segments[id];

describe('referencesSegment', () => {
  it('returns true for the Segment itself', () => expect(referencesSegment('a', 'a', lookupIn({ a: [] }))).toBe(true));

  it('finds references through other Segments and groups', () => {
    const lookup = lookupIn({ a: [plain, uses('b')], b: [group(plain, group(uses('c')))], c: [plain], d: [] });
    expect(['a', 'b', 'c', 'd'].map((to) => referencesSegment('a', to, lookup))).toEqual([true, true, true, false]);
    expect(referencesSegment('c', 'a', lookup)).toBe(false);
  });

  it('ends for cycles and missing Segments', () => {
    const lookup = lookupIn({ a: [uses('b'), uses('gone')], b: [uses('a')] });
    expect(referencesSegment('a', 'c', lookup)).toBe(false);
    expect(referencesSegment('a', 'gone', lookup)).toBe(true);
  });

  it('visits each Segment once', () => {
    const segments: Record<string, Filter[]> = { s0: [] };
    for (let level = 1; level <= 60; level++) segments[`s${level}`] = [uses(`s${level - 1}`), uses(`s${level - 1}`)];
    expect(referencesSegment('s60', 'other', lookupIn(segments))).toBe(false);
  });
});

describe('exceedsFilterLimit', () => {
  it('counts filters and groups, up to 1000', () => {
    const none = lookupIn({});
    expect(exceedsFilterLimit(Array(1000).fill(plain), none)).toBe(false);
    expect(exceedsFilterLimit(Array(1001).fill(plain), none)).toBe(true);
    expect(exceedsFilterLimit([group(...Array(999).fill(plain))], none)).toBe(false);
    expect(exceedsFilterLimit([group(...Array(1000).fill(plain))], none)).toBe(true);
  });

  it('counts every value of a list', () => {
    const values = (length: number): Filter => ({ ...plain, op: 'in', value: Array(length).fill('pro') });
    expect(exceedsFilterLimit([values(500), values(500)], lookupIn({}))).toBe(false);
    expect(exceedsFilterLimit([values(500), values(500), plain], lookupIn({}))).toBe(true);
  });

  it('counts a Segment each time it is referenced', () => {
    const lookup = lookupIn({ a: Array(99).fill(plain), b: Array(5).fill(uses('a')) });
    expect(exceedsFilterLimit(Array(10).fill(uses('a')), lookup)).toBe(false);
    expect(exceedsFilterLimit([...Array(10).fill(uses('a')), plain], lookup)).toBe(true);
    expect(exceedsFilterLimit([uses('b')], lookup)).toBe(false);
    expect(exceedsFilterLimit([uses('b'), uses('b')], lookup)).toBe(true);
  });

  it('is fast for Segments that double each time', () => {
    const segments: Record<string, Filter[]> = { s0: [plain] };
    for (let level = 1; level <= 60; level++) segments[`s${level}`] = [uses(`s${level - 1}`), uses(`s${level - 1}`)];
    expect(exceedsFilterLimit([uses('s60')], lookupIn(segments))).toBe(true);
  });
});
