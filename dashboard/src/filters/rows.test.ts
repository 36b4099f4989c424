import { readItems, type SegmentItem } from '@usher/domain';
import { describe, expect, it } from 'vitest';
import { convertValues, listOperators, startingTest, widgetOf } from './operators.ts';
import { countUnfinished, findProblem, type Row, type RowContent, toFilters, toRows } from './rows.ts';

const id = 'a'.repeat(24);
const every: SegmentItem[] = [
  { id, kind: 'property', prop: 'plan', op: 'eq', value: 'pro' },
  { kind: 'property', prop: 'plan', op: 'ex' },
  { kind: 'property', prop: 'plan', op: 'in-v', value: ['pro'] },
  { kind: 'property', prop: 'plan', op: 'in-i', value: 'pr' },
  { kind: 'property', prop: 'tags', op: 'in-a', value: ['a', 'b'] },
  { kind: 'property', prop: 'seats', op: 'gte', value: 0 },
  { kind: 'property', prop: 'paying', op: 'eq', value: false },
  { kind: 'property', prop: 'last_seen_at', op: 'gt-d', value: 0 },
  { kind: 'event', op: 'ex', value: 'signed_in', mod: 'gte', range: 0, cond: 'gt-d', int: 0 },
  { kind: 'event', op: 'nx', value: 'signed_in' },
  { kind: 'tour', op: 'nx', value: id, range: 'completed', cond: 'lt-d', int: 3 },
  { kind: 'survey', op: 'ex', value: id, mod: 'lte', range: 6 },
  { kind: 'segment', op: 'nx', value: id },
  { kind: 'group', filters: [{ kind: 'property', prop: 'plan', op: 'ne', value: 'pro' }], filters_op: 'or' },
];
const row = (content: RowContent): Row => ({ key: 'k', ...content });

describe('rows of conditions', () => {
  it('keep every kind of filter as it is, in the form in which the API returns it', () => {
    const problems: string[] = [];
    expect(JSON.stringify(readItems(every, 'items', problems))).toBe(JSON.stringify(every));
    expect(problems).toEqual([]);
    expect(JSON.stringify(toFilters(toRows(every, '0')))).toBe(JSON.stringify(every));
    expect(countUnfinished(toRows(every, '0'))).toBe(0);
  });

  it.each<[RowContent, string]>([
    [{ kind: 'property', prop: 'plan', op: 'eq', values: [] }, 'value'],
    [{ kind: 'property', prop: 'plan', op: 'eq', values: [''] }, 'value'],
    [{ kind: 'property', prop: 'plan', op: 'in-v', values: [] }, 'value'],
    [{ kind: 'property', prop: 'at', op: 'gt-d', values: [] }, 'days'],
    [{ kind: 'property', prop: 'at', op: 'gt-d', values: [40_000] }, 'days'],
    [{ kind: 'property', prop: 'at', op: 'gt-d', values: [-1] }, 'days'],
    [{ kind: 'event', op: 'ex', value: 'a', mod: 'gte' }, 'number'],
    [{ kind: 'event', op: 'ex', value: 'a', cond: 'gt-d' }, 'days'],
    [{ kind: 'tour', op: 'ex', value: id, cond: 'lt-d' }, 'days'],
    [{ kind: 'survey', op: 'ex', value: id, mod: 'eq' }, 'number'],
    [{ kind: 'group', rows: [], filters_op: 'and' }, 'group'],
  ])('leave out %j, which is not complete', (content, problem) => {
    expect(findProblem(row(content))).toBe(problem);
    expect(toFilters([row(content), ...toRows(every.slice(0, 1), '0')])).toEqual(every.slice(0, 1));
    expect(countUnfinished([row(content)])).toBe(1);
  });

  it('leave out a group in which nothing is complete, since an empty group would match everybody', () => {
    const open = row({ kind: 'property', prop: 'plan', op: 'eq', values: [] });
    const group = row({ kind: 'group', rows: [open, open], filters_op: 'or' });
    expect(toFilters([group])).toEqual([]);
    expect(countUnfinished([group])).toBe(2);
  });
});

describe('operators', () => {
  it('are those of the types that were seen, with the current one', () => {
    expect(listOperators(['boolean'], 'eq')).toEqual(['eq', 'ne', 'ex', 'nx']);
    expect(listOperators(['date'], 'in-v').slice(0, 2)).toEqual(['gt-d', 'lt-d']);
    expect(listOperators(['date'], 'in-v').at(-1)).toBe('in-v');
    expect(listOperators([], 'eq')).toHaveLength(20);
  });

  it('have the field that fits the type, and a text field for a value that does not', () => {
    expect(widgetOf('eq', ['boolean'], [])).toBe('yes-no');
    expect(widgetOf('eq', ['boolean'], ['maybe'])).toBe('text');
    expect(widgetOf('gt', ['number'], ['12'])).toBe('number');
    expect(widgetOf('gt', ['number', 'text'], [12])).toBe('text');
    expect(widgetOf('gte', ['date'], ['2026-03-01'])).toBe('date');
    expect(widgetOf('gte', ['date'], ['2026-03-01T10:00:00.000Z'])).toBe('time');
    expect(widgetOf('lt-d', ['date'], [7])).toBe('days');
    expect(widgetOf('in-i', ['text'], ['a', 'b'])).toBe('list');
    expect(widgetOf('nx', ['text'], [])).toBe('none');
  });

  it('keep the values that still fit when another is chosen', () => {
    expect(convertValues(['pro'], 'eq', 'in-v')).toEqual(['pro']);
    expect(convertValues(['pro', 'team'], 'in-v', 'eq')).toEqual(['pro']);
    expect(convertValues(['2026-03-01'], 'gte', 'gt-d')).toEqual([7]);
    expect(convertValues([7], 'gt-d', 'gte')).toEqual([]);
    expect(convertValues([30], 'gt-d', 'lt-d')).toEqual([30]);
    expect(convertValues(['pro'], 'eq', 'nx')).toEqual([]);
  });

  it('start with a condition that is complete where one is likely', () => {
    expect(startingTest(['date'])).toEqual({ op: 'gt-d', values: [7] });
    expect(startingTest(['boolean'])).toEqual({ op: 'eq', values: [true] });
    expect(startingTest(['text'])).toEqual({ op: 'eq', values: [] });
  });
});
