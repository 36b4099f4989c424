import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../test/random-runs.ts';
import { compileReader } from '../params/read.ts';
import { type Filter, listSegmentReferences, mapFilterValues } from './filter.ts';
import { readCompanyFilters, readFilters } from './read-filters.ts';
import { Filters } from './segment.ts';

const ID = 'a'.repeat(24);
const plan = { kind: 'property', prop: 'plan', op: 'eq', value: 'pro' };
const OPS = 'ex nx eq ne gt gte lt lte gt-d lt-d in in-i nin nin-i in-v nin-v in-a nin-a in-vi nin-vi'.split(' ');

function read(input: unknown): Filter[] {
  const problems: string[] = [];
  const filters = readFilters(input, 'filters', problems);
  expect(problems).toEqual([]);
  return filters as Filter[];
}

function problemsOf(input: unknown, reader = readFilters): string[] {
  const problems: string[] = [];
  reader(input, 'filters', problems);
  return problems;
}

/** Checks that the filter has one problem, with this path. */
function expectRejected(filter: unknown, path: string): void {
  expect(problemsOf([filter])).toEqual([expect.stringMatching(new RegExp(`^\`${path.replace(/[[\].]/g, '\\$&')}\` `))]);
}

const property = (op: string, value?: unknown) => ({ kind: 'property', prop: 'plan', op, value });
const nest = (levels: number): object =>
  levels === 1 ? plan : { kind: 'group', filters: [nest(levels - 1)], filters_op: 'and' };

describe('properties', () => {
  it('accepts exactly these operators', () => {
    const operand = (op: string) => (/^n?in/.test(op) ? ['pro'] : /-d$/.test(op) ? 7 : 'pro');
    for (const op of OPS)
      expect(read([property(op, operand(op))])).toEqual([
        op === 'ex' || op === 'nx' ? { kind: 'property', prop: 'plan', op } : property(op, operand(op)),
      ]);
    fc.assert(
      fc.property(
        fc.string().filter((op) => !OPS.includes(op)),
        (op) => problemsOf([property(op, ['pro'])]).length === 1,
      ),
    );
  });

  it.each([undefined, null, '', 'EQ', 'eq ', '=', 'like', 'constructor', '__proto__', 5, ['eq'], {}])(
    'rejects the operator %j',
    (op) => expectRejected({ ...plan, op }, 'filters[0].op'),
  );

  it.each([
    ['User Role', 'user_role'],
    ['userRole', 'user_role'],
    ['company.User Role', 'company.user_role'],
    ['company.Address.Zip-Code', 'company.address.zip_code'],
    ['__proto__', '__proto__'],
    ['0', '0'],
    ['Größe', 'größe'],
    ['a.b.c.d.e', 'a.b.c.d.e'],
  ])('reads the key of %s', (input, prop) => expect(read([{ ...plan, prop: input }])).toEqual([{ ...plan, prop }]));

  it.each([
    undefined,
    null,
    '',
    '!',
    '.',
    'a.',
    '.a',
    'a..b',
    'company',
    'Company',
    'a.b.c.d.e.f',
    'x'.repeat(1001),
    5,
    ['plan'],
    {},
  ])('rejects the key %j', (prop) => expectRejected({ ...plan, prop }, 'filters[0].prop'));

  it.each(['pro', '', '12', 'true', 12, -0.5, 0, true, false, '2026-06-15', 'p%o', 'p*', '^pro$', '[a-z]', '$now'])(
    'keeps the value %j unchanged',
    (value) =>
      expect(read([property('eq', value), property('ne', value)])).toEqual([
        property('eq', value),
        property('ne', value),
      ]),
  );

  it.each(['eq', 'ne', 'gt', 'gte', 'lt', 'lte'])('rejects for %s anything but a single value', (op) => {
    for (const value of [undefined, null, {}, { a: 1 }, [], ['pro'], 'a\0b', '\ud800', Number.POSITIVE_INFINITY])
      expectRejected(property(op, value), 'filters[0].value');
  });

  it.each(['gt', 'gte', 'lt', 'lte'])('rejects a boolean for %s, because it has no order', (op) => {
    expectRejected(property(op, true), 'filters[0].value');
    expect(read([property(op, 'true')])).toEqual([property(op, 'true')]);
  });

  it.each(['2026-13-45T99:99:99.999Z', '2026-02-30T00:00:00.000Z', '2026-06-15T24:00:00.000Z'])(
    'rejects %s, which looks like a time but does not exist',
    (value) => {
      for (const op of ['eq', 'lt']) expectRejected(property(op, value), 'filters[0].value');
      expectRejected(property('in-v', ['pro', value]), 'filters[0].value[1]');
    },
  );

  it.each(['gt-d', 'lt-d'])('accepts for %s a number of days', (op) => {
    for (const [input, days] of [
      [0, 0],
      [7, 7],
      ['7', 7],
      [0.5, 0.5],
      ['0.5', 0.5],
      [36_500, 36_500],
    ])
      expect(read([property(op, input)])).toEqual([property(op, days)]);
    for (const value of [
      undefined,
      null,
      '',
      'week',
      '7d',
      -1,
      '-1',
      36_501,
      true,
      [7],
      {},
      Number.NaN,
      '1e3',
      '2026-06-15',
    ])
      expectRejected(property(op, value), 'filters[0].value');
  });

  it.each(OPS.filter((op) => /^n?in/.test(op)))('accepts for %s a list of values', (op) => {
    const values = ['pro', '12', 12, -1.5, true, false, '2026-06-15', '%'];
    expect(read([property(op, values)])).toEqual([property(op, values)]);
    for (const value of [undefined, null, {}, { a: 1 }, [], '', '[]'])
      expectRejected(property(op, value), 'filters[0].value');
    for (const item of [null, {}, [], ['pro'], '', 'a\0b', '\udfff'])
      expectRejected(property(op, ['pro', item]), 'filters[0].value[1]');
  });

  it('reads a list from one value, JSON, words with commas or a numbered list', () => {
    for (const [input, value] of [
      ['pro', ['pro']],
      [12, [12]],
      [true, [true]],
      ['pro, free', ['pro', 'free']],
      ['["pro","fr,ee"]', ['pro', 'fr,ee']],
      [{ 0: 'pro', 1: 'free' }, ['pro', 'free']],
    ])
      expect(read([property('in-v', input)])).toEqual([property('in-v', value)]);
  });

  it.each(['in', 'nin', 'in-i', 'nin-i', 'in-a', 'nin-a'])('keeps a single value for %s', (op) => {
    for (const value of ['pro', 'Paris, France', 12, true, '12', '[a'])
      expect(read([property(op, value)])).toEqual([property(op, value)]);
    expect(read([property(op, '["pro","fr,ee"]')])).toEqual([property(op, ['pro', 'fr,ee'])]);
  });

  it('accepts at most 500 values', () => {
    const values = Array.from({ length: 501 }, (_, index) => index);
    expect(read([property('in-v', values.slice(1))])).toHaveLength(1);
    expectRejected(property('in-v', values), 'filters[0].value');
  });

  it('accepts at most 1000 values in all filters together', () => {
    const half = property(
      'in-v',
      Array.from({ length: 500 }, (_, index) => index),
    );
    expect(read([half, half])).toHaveLength(2);
    const problems = problemsOf([half, { kind: 'group', filters: [half, property('in-v', 1)] }]);
    expect(problems).toEqual(['`filters[1].filters[1].value` brings the values to 1001: 1000 at most']);
  });
});

describe('what users did', () => {
  it.each(['event', 'tour', 'survey', 'segment'])('defaults to ex for a %s', (kind) => {
    expect(read([{ kind, value: ID }])).toEqual([{ kind, op: 'ex', value: ID }]);
  });

  it.each([
    ['ex', 'ex'],
    ['eq', 'ex'],
    ['in', 'ex'],
    ['nx', 'nx'],
    ['ne', 'nx'],
    ['nin', 'nx'],
  ])('reads %s as %s', (input, op) => {
    for (const kind of ['event', 'tour', 'survey', 'segment'])
      expect(read([{ kind, op: input, value: ID }])).toEqual([{ kind, op, value: ID }]);
  });

  it.each(['event', 'tour', 'survey', 'segment'])('rejects other operators for a %s', (kind) => {
    for (const op of ['', 'gt', 'in-v', 'lt-d', 'constructor', 'toString', 5, {}, { toString: 'ex' }, ['ex']])
      expectRejected({ kind, op, value: ID }, 'filters[0].op');
  });

  it.each(['Signed In', 'signedIn', 'signed-in'])('normalizes the name of an event: %s', (value) => {
    expect(read([{ kind: 'event', value }])).toEqual([{ kind: 'event', op: 'ex', value: 'signed_in' }]);
  });

  it.each([undefined, null, '', '!?', 5, ['signed_in'], {}, 'x'.repeat(256)])(
    'rejects %j as the name of an event',
    (value) => {
      expectRejected({ kind: 'event', value }, 'filters[0].value');
    },
  );

  it.each(['tour', 'survey', 'segment'])('requires an ID for a %s', (kind) => {
    for (const value of [undefined, null, '', 5, 'A'.repeat(24), 'a'.repeat(23), [ID], {}])
      expectRejected({ kind, value }, 'filters[0].value');
  });

  it.each(['event', 'survey'])('reads mod and range of a %s', (kind) => {
    for (const mod of ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'])
      expect(read([{ kind, value: ID, mod, range: '3' }])).toEqual([{ kind, op: 'ex', value: ID, mod, range: 3 }]);
    expectRejected({ kind, value: ID, mod: 'gt' }, 'filters[0].range');
    expectRejected({ kind, value: ID, range: 3 }, 'filters[0].mod');
    for (const mod of ['in', '', null, 'gt-d', 5]) expectRejected({ kind, value: ID, mod, range: 3 }, 'filters[0].mod');
    for (const range of ['', 'three', null, {}, [3], Number.NaN, true])
      expectRejected({ kind, value: ID, mod: 'gt', range }, 'filters[0].range');
  });

  it.each(['event', 'tour'])('reads cond and int of a %s', (kind) => {
    for (const cond of ['gt-d', 'lt-d'])
      expect(read([{ kind, value: ID, cond, int: '30' }])).toEqual([{ kind, op: 'ex', value: ID, cond, int: 30 }]);
    expectRejected({ kind, value: ID, cond: 'gt-d' }, 'filters[0].int');
    expectRejected({ kind, value: ID, int: 3 }, 'filters[0].cond');
    for (const cond of ['gt', '', null, 5]) expectRejected({ kind, value: ID, cond, int: 3 }, 'filters[0].cond');
    for (const int of ['', 'three', null, -1, 36_501, {}, [3]])
      expectRejected({ kind, value: ID, cond: 'gt-d', int }, 'filters[0].int');
  });

  it.each(['started', 'completed', 'exited', 'displayed'])('accepts the state %s of a tour', (range) => {
    expect(read([{ kind: 'tour', value: ID, range }])).toEqual([{ kind: 'tour', op: 'ex', value: ID, range }]);
  });

  it.each(['deferred', '', null, 5, ['started']])('rejects the state %j of a tour', (range) => {
    expectRejected({ kind: 'tour', value: ID, range }, 'filters[0].range');
  });

  it('returns the fields in a fixed order and drops all others', () => {
    const event = { kind: 'event', op: 'ex', value: 'a', mod: 'gt', range: 3, cond: 'gt-d', int: 7 };
    expect(read([{ ...event, prop: 'x', id: 5, __proto__: { a: 1 } }])).toEqual([event]);
    expect(read([{ ...plan, mod: 'gt', range: 3, cond: 'gt-d', int: 7, filters: [] }])).toEqual([plan]);
  });
});

describe('lists and groups', () => {
  it.each(['', 'user', 'Property', 5, ['property'], 'constructor'])('rejects the kind %j', (kind) =>
    expectRejected({ ...plan, kind }, 'filters[0].kind'),
  );

  it.each([undefined, null])('is about a property when its kind is %j', (kind) => {
    expect(read([{ ...plan, kind }])).toEqual([plan]);
  });

  it.each([null, 'plan', 5, true, [], [plan]])('rejects %j as a filter', (filter) =>
    expectRejected(filter, 'filters[0]'),
  );

  it.each([undefined, null, 5, true, 'plan', '{"kind":"property"}', plan, {}])(
    'rejects %j as a list of filters',
    (input) => {
      expect(problemsOf(input)).toEqual([expect.stringMatching(/^`filters` must be a list of filters/)]);
    },
  );

  it('defaults to and for a group', () => {
    expect(read([{ kind: 'group', filters: [plan] }])).toEqual([{ kind: 'group', filters: [plan], filters_op: 'and' }]);
    expect(read([{ kind: 'group', filters: [], filters_op: 'or' }])).toEqual([
      { kind: 'group', filters: [], filters_op: 'or' },
    ]);
    for (const filters_op of ['xor', '', 'AND', 5, {}])
      expectRejected({ kind: 'group', filters: [plan], filters_op }, 'filters[0].filters_op');
    for (const filters of [undefined, null, 5, plan]) expectRejected({ kind: 'group', filters }, 'filters[0].filters');
  });

  it('reports each problem with its path', () => {
    const group = {
      kind: 'group',
      filters: [{ ...plan, op: 'like' }, plan, { kind: 'group', filters: [{ kind: 'user' }] }],
    };
    expect(problemsOf([plan, { ...plan, prop: '' }, group]).map((problem) => problem.split(' ')[0])).toEqual([
      '`filters[1].prop`',
      '`filters[2].filters[0].op`',
      '`filters[2].filters[2].filters[0].kind`',
    ]);
  });

  it('accepts at most five levels', () => {
    expect(read([nest(5)])).toEqual([nest(5)]);
    expectRejected(nest(6), `filters[0]${'.filters[0]'.repeat(4)}.filters`);
    let deep: object = plan;
    for (let level = 0; level < 10_000; level++) deep = { kind: 'group', filters: [deep] };
    expect(problemsOf([deep])).toHaveLength(1);
  });

  it('accepts at most 200 filters in total', () => {
    expect(read(Array(200).fill(plan))).toHaveLength(200);
    for (const count of [201, 1000])
      expect(problemsOf(Array(count).fill(plan))).toEqual([expect.stringMatching(/200 at most/)]);
    const halves = [
      { kind: 'group', filters: Array(99).fill(plan) },
      { kind: 'group', filters: Array(99).fill(plan) },
    ];
    expect(read(halves)).toHaveLength(2);
    expect(problemsOf([...halves, plan])).toEqual([expect.stringMatching(/^`filters\[1\]\.filters` .*200 at most/)]);
  });

  it('reads JSON text, a numbered list as in URLs, and an empty value', () => {
    expect(read(JSON.stringify([plan]))).toEqual([plan]);
    expect(read({ 0: plan, 1: { ...plan, op: 'in-v', value: 'pro,free' } })).toEqual([
      plan,
      { ...plan, op: 'in-v', value: ['pro', 'free'] },
    ]);
    expect(read([])).toEqual([]);
    expect(read('')).toEqual([]);
    expect(problemsOf({ 1: plan })).toHaveLength(1);
    expect(problemsOf('[{')).toHaveLength(1);
  });

  it('reads a parameter with the schema of filters', () => {
    const reader = compileReader({ type: 'object', properties: { filters: Filters } });
    expect(reader({ filters: [{ ...plan, prop: 'Plan' }] }, 0)).toEqual({ value: { filters: [plan] } });
    expect(reader({ filters: [{ kind: 'user' }] }, 0)).toEqual({
      problems: [expect.stringMatching(/^`filters\[0\]\.kind`/)],
    });
  });

  it('returns its own output unchanged', () => {
    const filters = read([
      { ...plan, prop: 'Plan.Name' },
      { kind: 'event', value: 'Signed In', mod: 'gt', range: '3', cond: 'lt-d', int: '2' },
      { kind: 'tour', op: 'nin', value: ID, range: 'exited' },
      { kind: 'survey', value: ID, mod: 'ne', range: -1 },
      { kind: 'group', filters: [{ kind: 'segment', value: ID }, property('in-i', 'a, B')] },
    ]);
    expect(read(filters)).toEqual(filters);
    expect(read(JSON.stringify(filters))).toEqual(filters);
  });

  it('returns a list or problems for any input', () => {
    const words = fc.constantFrom(
      'kind',
      'prop',
      'op',
      'value',
      'mod',
      'range',
      'cond',
      'int',
      'filters',
      'filters_op',
    );
    const kind = fc.constantFrom('property', 'event', 'tour', 'survey', 'segment', 'group');
    const filter = fc
      .dictionary(words, fc.oneof(fc.anything(), fc.constantFrom(...OPS)))
      .chain((rest) => kind.map((one) => ({ ...rest, kind: one })));
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.array(filter)), (input) => {
        const problems: string[] = [];
        const filters = readFilters(input, 'filters', problems);
        if (problems.length === 0) expect(readFilters(filters, 'filters', problems)).toEqual(filters);
        expect(problems.every((problem) => problem.startsWith('`filters'))).toBe(true);
      }),
      { numRuns: randomRuns(100) },
    );
  });
});

describe('readCompanyFilters', () => {
  it('reads a filter without a kind as one of a property', () => {
    const { kind: _, ...rest } = plan;
    const group = { kind: 'group', filters: [rest], filters_op: 'or' };
    for (const read of [readFilters, readCompanyFilters])
      expect(read([rest, group], 'filters', [])).toEqual([plan, { ...group, filters: [plan] }]);
  });

  it('reads properties and groups of them', () => {
    const input = [plan, { kind: 'group', filters: [plan], filters_op: 'or' }];
    expect(readCompanyFilters(input, 'filters', [])).toEqual(input);
  });

  it.each(['event', 'tour', 'survey', 'segment'])('rejects the kind %s', (kind) => {
    expect(problemsOf([{ kind, value: ID }], readCompanyFilters)).toEqual([
      '`filters[0].kind` must be one of `property`, `group`',
    ]);
  });
});

describe('listSegmentReferences', () => {
  it('lists the Segments and the paths of the references', () => {
    const inGroup = { kind: 'group', filters: [plan, { kind: 'segment', op: 'nx', value: 'b'.repeat(24) }] };
    expect(listSegmentReferences(read([plan, { kind: 'segment', value: ID }, inGroup]), 'items')).toEqual([
      { id: ID, path: 'items[1].value' },
      { id: 'b'.repeat(24), path: 'items[2].filters[1].value' },
    ]);
  });
});

describe('mapFilterValues', () => {
  it('replaces only values of properties, also in lists and groups', () => {
    const uid = { kind: 'property', prop: 'uid', op: 'in', value: ['7', '8'] };
    const filters = read([
      plan,
      { kind: 'group', filters: [uid] },
      { ...plan, op: 'ex' },
      { kind: 'event', value: 'pro' },
    ]);
    expect(mapFilterValues(filters, (prop, value) => (prop === 'uid' && value === '7' ? 'x' : `${value}!`))).toEqual([
      { ...plan, value: 'pro!' },
      { kind: 'group', filters: [{ ...uid, value: ['x', '8!'] }], filters_op: 'and' },
      { kind: 'property', prop: 'plan', op: 'ex' },
      { kind: 'event', op: 'ex', value: 'pro' },
    ]);
  });
});
