import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../test/random-runs.ts';
import { toTimestamp } from '../basics/time.ts';
import type { Custom } from '../ingestion/value.ts';
import { ageCutoff, comparableType, foldCase, listCapitals, lowerCase, toCondition } from './condition.ts';
import { matchesCondition, type Subject } from './match.ts';
import { readFilters } from './read-filters.ts';

const NOW = Date.UTC(2026, 5, 15, 12);
const DAY = 86_400_000;
const TOUR = 'a'.repeat(24);
const SURVEY = 'b'.repeat(24);
const SEGMENT = 'c'.repeat(24);

const nothing: Subject = {
  profile: { facts: {}, custom: {} },
  event: () => undefined,
  tour: () => undefined,
  survey: () => [],
  inSegment: () => false,
};

function holds(filters: object[], subject: Partial<Subject>, op: 'and' | 'or' = 'and'): boolean | undefined {
  const problems: string[] = [];
  const read = readFilters(filters, 'filters', problems);
  expect(problems).toEqual([]);
  return matchesCondition(toCondition(read ?? [], op), { ...nothing, ...subject }, NOW);
}

const withCustom = (custom: Custom) => ({ profile: { facts: {}, custom } });
const withFacts = (facts: Subject['profile']['facts']) => ({ profile: { facts, custom: {} } });

/** Whether `x <op> value` holds for this x. Without x, the key is missing. */
function passes(x: Custom[string] | undefined, op: string, value?: unknown): boolean | undefined {
  return holds([{ kind: 'property', prop: 'x', op, value }], withCustom(x === undefined ? {} : { x }));
}

const daysAgo = (days: number, off = 0) => toTimestamp(NOW - days * DAY + off);

describe('presence', () => {
  it.each(['', 'pro', 0, false, [], {}, daysAgo(1)])('ex holds for %j, nx does not', (x) => {
    expect(passes(x, 'ex')).toBe(true);
    expect(passes(x, 'nx')).toBe(false);
  });

  it('nx holds for a missing key, ex does not', () => {
    expect(passes(undefined, 'ex')).toBe(false);
    expect(passes(undefined, 'nx')).toBe(true);
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'treats %s as missing until it is sent',
    (prop) => {
      const key = prop.toLowerCase();
      const filter = { kind: 'property', prop: key, op: 'ex' };
      expect(holds([filter], withCustom({}))).toBe(false);
      expect(holds([filter], withCustom(JSON.parse(`{"${key}":1}`)))).toBe(true);
    },
  );
});

describe('equality', () => {
  it.each([
    ['pro', 'pro'],
    ['', ''],
    [12, 12],
    [12, '12'],
    [0.5, '0.5'],
    [true, 'true'],
    [false, false],
    [daysAgo(0), '2026-06-15T12:00:00Z'],
    [daysAgo(0), '2026-06-15T14:00:00+02:00'],
    ['2026-06-15T00:00:00.000Z', '2026-06-15'],
    ['p%o', 'p%o'],
    ['é', 'é'],
  ])('finds that %j equals %j', (x, value) => {
    expect(passes(x, 'eq', value)).toBe(true);
    expect(passes(x, 'ne', value)).toBe(false);
  });

  it.each([
    ['pro', 'Pro'],
    ['pro', 'p%o'],
    ['pro', 'p_o'],
    ['pro', '^pro$'],
    ['pro', 'pro '],
    ['é', 'e\u0301'],
    ['007', '07'],
    [12, 12.5],
    [true, false],
    [daysAgo(0), daysAgo(1)],
  ])('finds that %j differs from %j', (x, value) => {
    expect(passes(x, 'eq', value)).toBe(false);
    expect(passes(x, 'ne', value)).toBe(true);
  });

  it.each([
    ['pro', 12],
    ['pro', true],
    ['pro', daysAgo(0)],
    [12, 'pro'],
    [1, true],
    [12, daysAgo(0)],
    [true, 'yes'],
    [true, 1],
    [daysAgo(0), 'pro'],
    [daysAgo(0), 12],
    [['pro'], 'pro'],
    [{ a: 'pro' }, 'pro'],
  ])('matches neither eq nor ne for %j and %j of different types', (x, value) => {
    for (const op of ['eq', 'ne', 'in-v', 'nin-v', 'in-vi', 'nin-vi', 'gt', 'gte', 'lt', 'lte'])
      if (typeof value !== 'boolean' || !/^[gl]t/.test(op)) expect(passes(x, op, value)).toBe(false);
  });

  it.each(['ne', 'nin', 'nin-i', 'nin-v', 'nin-vi', 'nin-a'])('%s holds for a missing key', (op) => {
    for (const value of ['pro', 12, true, daysAgo(0)]) expect(passes(undefined, op, value)).toBe(true);
  });

  it.each(['eq', 'gt', 'gte', 'lt', 'lte', 'gt-d', 'lt-d', 'in', 'in-i', 'in-v', 'in-vi', 'in-a'])(
    '%s does not hold for a missing key',
    (op) => expect(passes(undefined, op, op.endsWith('-d') ? 0 : 12)).toBe(false),
  );

  it('reads a Unix number as a time when the key names a time', () => {
    const filter = { kind: 'property', prop: 'joined_at', op: 'eq', value: NOW / 1000 };
    expect(holds([filter], withCustom({ joined_at: daysAgo(0) }))).toBe(true);
    expect(passes(NOW / 1000, 'eq', NOW / 1000)).toBe(true);
  });
});

describe('lists of values', () => {
  it('in-v matches a value that is one of the list, nin-v one that is not', () => {
    expect(passes('pro', 'in-v', ['free', 'pro'])).toBe(true);
    expect(passes('pro', 'nin-v', ['free', 'pro'])).toBe(false);
    expect(passes('pro', 'in-v', ['free', 'basic'])).toBe(false);
    expect(passes('pro', 'nin-v', ['free', 'basic'])).toBe(true);
    expect(passes('pro', 'in-v', 'free, pro')).toBe(true);
    expect(passes('professional', 'in-v', 'free,pro')).toBe(false);
    expect(passes(12, 'in-v', ['free', '12'])).toBe(true);
    expect(passes(12, 'nin-v', ['free', 13])).toBe(true);
    expect(passes(12, 'nin-v', ['free', 'basic'])).toBe(false);
  });

  it('in-vi and nin-vi ignore the case of A to Z and of no other letter', () => {
    expect(passes('Pro', 'in-vi', ['free', 'pRO'])).toBe(true);
    expect(passes('Pro', 'nin-vi', ['free', 'pRO'])).toBe(false);
    expect(passes('Pro', 'in-v', ['pRO'])).toBe(false);
    expect(passes('É', 'in-vi', ['é'])).toBe(false);
    expect(passes('É', 'nin-vi', ['é'])).toBe(true);
    expect(passes('K', 'in-vi', ['\u212a'])).toBe(false);
    expect(passes(12, 'in-vi', ['12'])).toBe(true);
    expect(passes(true, 'in-vi', ['TRUE'])).toBe(false);
  });

  it('in matches a text that contains the value, nin a text that does not', () => {
    expect(passes('professional', 'in', 'fess')).toBe(true);
    expect(passes('professional', 'nin', 'fess')).toBe(false);
    expect(passes('professional', 'in', 'professionals')).toBe(false);
    expect(passes('professional', 'in', ['basic', 'fess'])).toBe(true);
    expect(passes('professional', 'nin', ['basic', 'fess'])).toBe(false);
    expect(passes('professional', 'in', ['Fess', 'p%l', 'p_o', 'p.*l', 'p*'])).toBe(false);
    expect(passes('professional', 'nin', ['Fess', 'p%l'])).toBe(true);
    expect(passes('100% [sure]', 'in', '% [s')).toBe(true);
    expect(passes('a_b', 'in', '_')).toBe(true);
    expect(passes('room 12', 'in', 12)).toBe(true);
  });

  it('treats a comma as part of the value of in', () => {
    expect(passes('Paris, France', 'in', 'Paris, F')).toBe(true);
    expect(passes('Paris', 'in', 'Paris, France')).toBe(false);
  });

  it('in-i and nin-i ignore the case of every letter', () => {
    expect(passes('Professional', 'in-i', 'pROF')).toBe(true);
    expect(passes('Professional', 'nin-i', 'pROF')).toBe(false);
    expect(passes('CARDÁPIO do dia', 'in-i', 'cardápio')).toBe(true);
    expect(passes('cardápio', 'in-i', 'CARDÁ')).toBe(true);
    expect(passes('ΟΔΟΣ', 'in-i', 'οδοσ')).toBe(true);
    expect(passes('ΜΟΣΚΒΑ Москва', 'in-i', 'МОСКВА')).toBe(true);
    expect(passes('\u212b', 'in-i', 'å')).toBe(true);
    expect(passes('𐐀', 'in-i', '𐐨')).toBe(true);
    expect(passes('STRASSE', 'in-i', 'ß')).toBe(false);
    expect(passes('İ', 'in-i', 'i')).toBe(false);
    expect(passes('cardapio', 'in-i', 'á')).toBe(false);
    expect(passes('CAFÉ', 'in', 'café')).toBe(false);
  });

  it.each([12, true, daysAgo(0), ['professional'], { a: 'professional' }])(
    'does not search in %j, which is not a text',
    (x) => {
      for (const value of ['fess', '1', '2026', 'true', 'pro'])
        for (const op of ['in', 'nin', 'in-i', 'nin-i']) expect(passes(x, op, value)).toBe(false);
    },
  );

  it('in-a holds for a list that contains one value, nin-a for a list that contains none', () => {
    expect(passes(['a', 'b'], 'in-a', ['b', 'c'])).toBe(true);
    expect(passes(['a', 'b'], 'nin-a', ['b', 'c'])).toBe(false);
    expect(passes(['a', 'b'], 'in-a', ['c', 'A'])).toBe(false);
    expect(passes(['a', 'b'], 'nin-a', ['c', 'A'])).toBe(true);
    expect(passes([], 'in-a', 'a')).toBe(false);
    expect(passes([], 'nin-a', 'a')).toBe(true);
    expect(passes([12, true, daysAgo(0)], 'in-a', '12')).toBe(true);
    expect(passes([12, true, daysAgo(0)], 'in-a', 'true')).toBe(true);
    expect(passes([12, true, daysAgo(0)], 'in-a', '2026-06-15T12:00:00Z')).toBe(true);
    expect(passes(['12'], 'in-a', 12)).toBe(false);
  });

  it.each(['a', 12, true, daysAgo(0), { 0: 'a' }])('does not treat %j as a list', (x) => {
    expect(passes(x, 'in-a', ['a', 12, true])).toBe(false);
    expect(passes(x, 'nin-a', ['b', 13])).toBe(false);
  });
});

describe('order', () => {
  const expectOrder = (
    less: Custom[string],
    more: Custom[string],
    operand: (x: Custom[string]) => unknown = (x) => x,
  ) => {
    const outcomes = (x: Custom[string], value: unknown) =>
      ['gt', 'gte', 'lt', 'lte'].map((op) => passes(x, op, value));
    expect(outcomes(less, operand(more))).toEqual([false, false, true, true]);
    expect(outcomes(more, operand(less))).toEqual([true, true, false, false]);
    expect(outcomes(more, operand(more))).toEqual([false, true, false, true]);
  };

  it('compares numbers as numbers', () => {
    expectOrder(9, 10);
    expectOrder(9, 10, String);
    expectOrder(-10, -9);
    expectOrder(0.1, 0.25);
    expectOrder(9007199254740991, 1e21);
  });

  it('compares timestamps as times', () => {
    expectOrder(daysAgo(1), daysAgo(0));
    expectOrder(daysAgo(0, -1), daysAgo(0));
    expectOrder('1955-11-05T00:00:00.000Z', '1970-01-01T00:00:00.000Z');
    expect(passes(daysAgo(0), 'lt', '2026-06-15T15:00:00+02:00')).toBe(true);
    expect(passes(daysAgo(0), 'gt', '2026-06-15T15:00:00+04:00')).toBe(true);
    expect(passes(daysAgo(0), 'gt', '2026-06-15')).toBe(true);
  });

  it('compares everything else as strings, by code points', () => {
    expectOrder('a', 'b');
    expectOrder('Z', 'a');
    expectOrder('a', 'aa');
    expectOrder('007', '01x');
    expectOrder('zebra', 'émile');
    expectOrder('\uffff', '🦊');
    expectOrder('a\uffff', 'a🦊');
    expectOrder('🦊', '🦋');
  });

  it('orders any two texts by code points', () => {
    const text = fc.string({ unit: 'binary', maxLength: 4 }).map((one) => `x${one.replaceAll('\0', '')}`);
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(passes(one, 'lt', other)).toBe(Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0);
      }),
    );
  });

  it('does not order booleans', () => {
    for (const op of ['gt', 'gte', 'lt', 'lte']) expect(passes(true, op, 'true')).toBe(false);
  });
});

describe('days', () => {
  it('gt-d is newer than so many days ago', () => {
    expect(passes(daysAgo(7, 1), 'gt-d', 7)).toBe(true);
    expect(passes(daysAgo(7), 'gt-d', 7)).toBe(false);
    expect(passes(daysAgo(7, -1), 'gt-d', 7)).toBe(false);
    expect(passes(daysAgo(-400), 'gt-d', 0)).toBe(true);
  });

  it('lt-d is older than so many days ago', () => {
    expect(passes(daysAgo(7, -1), 'lt-d', 7)).toBe(true);
    expect(passes(daysAgo(7), 'lt-d', 7)).toBe(false);
    expect(passes(daysAgo(7, 1), 'lt-d', 7)).toBe(false);
    expect(passes('1955-11-05T00:00:00.000Z', 'lt-d', 20_000)).toBe(true);
  });

  it.each(['pro', 12, true, [daysAgo(1)], {}])('does not treat %j as a time', (x) => {
    expect(passes(x, 'gt-d', 7)).toBe(false);
    expect(passes(x, 'lt-d', 7)).toBe(false);
  });

  it('accepts fractions of days', () => expect(ageCutoff({ newer: true, days: 0.5 }, NOW)).toBe(NOW - DAY / 2));
});

describe('fields', () => {
  it('reads paths in objects, but not in lists or texts', () => {
    const matches = (prop: string) =>
      holds([{ kind: 'property', prop, op: 'ex' }], withCustom({ a: { b: { c: 1 } }, list: ['x'], t: 'text' }));
    expect(['a', 'a.b', 'a.b.c'].map(matches)).toEqual([true, true, true]);
    expect(['a.c', 'a.b.c.d', 'list.0', 'list.length', 't.0', 't.length', 'b'].map(matches)).toEqual(
      Array(7).fill(false),
    );
  });

  it('reads company.x from the Company, and treats it as missing without one', () => {
    const filter = { kind: 'property', prop: 'company.plan', op: 'eq', value: 'pro' };
    const company = { facts: {}, custom: { plan: 'pro' } };
    expect(holds([filter], { company })).toBe(true);
    expect(holds([filter], withCustom({ plan: 'pro' }))).toBe(false);
    expect(holds([{ ...filter, op: 'ne' }], { company })).toBe(false);
    expect(holds([{ ...filter, op: 'ne' }], {})).toBe(true);
    expect(holds([{ ...filter, prop: 'company.id', op: 'nx' }], {})).toBe(true);
  });

  it('compares facts by their own type, whatever type the filter has', () => {
    const facts = { uid: '12', percent: 12.5, last_seen_at: NOW, email: 'Ann@Acme.test', browser_n: null };
    const matches = (prop: string, op: string, value?: unknown) =>
      holds([{ kind: 'property', prop, op, value }], withFacts(facts));
    expect(matches('uid', 'eq', 12)).toBe(true);
    expect(matches('uid', 'eq', '12')).toBe(true);
    expect(matches('uid', 'in', 2)).toBe(true);
    expect(matches('percent', 'lt', '100')).toBe(true);
    expect(matches('percent', 'eq', 'much')).toBe(false);
    expect(matches('last_seen_at', 'eq', NOW / 1000)).toBe(true);
    expect(matches('last_seen_at', 'gt-d', 1)).toBe(true);
    expect(matches('last_seen_at', 'in', '2026')).toBe(false);
    expect(matches('email', 'eq', 'ann@ACME.test')).toBe(true);
    expect(matches('browser_n', 'ex')).toBe(false);
    expect(matches('browser_n', 'ne', 'chrome')).toBe(true);
  });

  it.each([
    ['eq', 'ANN@acme.TEST'],
    ['gte', 'ANN@acme.TEST'],
    ['lte', 'ANN@acme.TEST'],
    ['gt', 'ANM'],
    ['lt', 'ANO'],
    ['in', 'ACME'],
    ['in-i', 'ACME'],
    ['in-v', 'bob@acme.test,ANN@ACME.test'],
    ['in-vi', 'ANN@ACME.test'],
  ])('ignores the case of emails with %s', (op, value) => {
    const facts = withFacts({ email: 'Ann@Acme.test' });
    expect(holds([{ kind: 'property', prop: 'email', op, value }], facts)).toBe(true);
    const opposite = op === 'eq' ? 'ne' : op.replace(/^in/, 'nin');
    if (opposite !== op) expect(holds([{ kind: 'property', prop: 'email', op: opposite, value }], facts)).toBe(false);
  });

  it('reads the keys of the Company in filters about Companies', () => {
    const condition = toCondition([{ kind: 'property', prop: 'uid', op: 'eq', value: '931' }], 'and', 'company');
    expect(matchesCondition(condition, { ...nothing, company: { facts: { uid: '931' }, custom: {} } }, NOW)).toBe(true);
    expect(matchesCondition(condition, { ...nothing, ...withFacts({ uid: '931' }) }, NOW)).toBe(false);
  });
});

describe('events', () => {
  const event = { count: 3, last_at: NOW - 7 * DAY };
  const matches = (more: object = {}, value = 'Signed In') =>
    holds([{ kind: 'event', value, ...more }], { event: (name) => (name === 'signed_in' ? event : undefined) });

  it('ex holds when it was tracked, nx when it never was', () => {
    expect([matches(), matches({ op: 'nx' })]).toEqual([true, false]);
    expect([matches({}, 'other'), matches({ op: 'nx' }, 'other')]).toEqual([false, true]);
  });

  it('mod and range test the count, which is 0 without events', () => {
    const counts = (mod: string, range: number, value?: string) => matches({ mod, range }, value);
    expect([
      counts('eq', 3),
      counts('ne', 3),
      counts('gt', 2),
      counts('gte', 3),
      counts('lt', 3),
      counts('lte', 3),
    ]).toEqual([true, false, true, true, false, true]);
    expect([
      counts('eq', 2),
      counts('ne', 2),
      counts('gt', 3),
      counts('gte', 4),
      counts('lt', 4),
      counts('lte', 2),
    ]).toEqual([false, true, false, false, true, false]);
    expect([counts('eq', 0, 'other'), counts('lt', 1, 'other'), counts('ne', 0, 'other')]).toEqual([true, true, false]);
    expect(matches({ op: 'nx', mod: 'gt', range: 2 })).toBe(false);
    expect(matches({ op: 'nx', mod: 'gt', range: 3 })).toBe(true);
  });

  it('cond and int test the last time, and fail without events', () => {
    expect([
      matches({ cond: 'gt-d', int: 8 }),
      matches({ cond: 'gt-d', int: 7 }),
      matches({ cond: 'lt-d', int: 7 }),
      matches({ cond: 'lt-d', int: 6 }),
    ]).toEqual([true, false, false, true]);
    expect([matches({ cond: 'gt-d', int: 8 }, 'other'), matches({ cond: 'lt-d', int: 0 }, 'other')]).toEqual([
      false,
      false,
    ]);
    expect(matches({ mod: 'lt', range: 1, cond: 'lt-d', int: 0 }, 'other')).toBe(false);
  });

  it('requires both the count and the age', () => {
    expect(matches({ mod: 'eq', range: 3, cond: 'gt-d', int: 8 })).toBe(true);
    expect(matches({ mod: 'eq', range: 3, cond: 'gt-d', int: 6 })).toBe(false);
    expect(matches({ mod: 'eq', range: 2, cond: 'gt-d', int: 8 })).toBe(false);
  });
});

describe('tours', () => {
  const tour = {
    updated_at: NOW - DAY,
    displayed_at: NOW - 9 * DAY,
    started_at: NOW - 8 * DAY,
    completed_at: null,
    exited_at: NOW - DAY,
  };
  const matches = (more: object = {}, value = TOUR) =>
    holds([{ kind: 'tour', value, ...more }], { tour: (id) => (id === TOUR ? tour : undefined) });

  it('ex holds when there is an Interaction, nx when there is none', () => {
    expect([matches(), matches({ op: 'nx' })]).toEqual([true, false]);
    expect([matches({}, SURVEY), matches({ op: 'nx' }, SURVEY)]).toEqual([false, true]);
  });

  it('range tests whether a state was ever reached', () => {
    const states = ['displayed', 'started', 'completed', 'exited'];
    expect(states.map((range) => matches({ range }))).toEqual([true, true, false, true]);
    expect(states.map((range) => matches({ range, op: 'nx' }))).toEqual([false, false, true, false]);
    expect(states.map((range) => matches({ range }, SURVEY))).toEqual([false, false, false, false]);
  });

  it('cond and int test the days since that state, or since the last change', () => {
    expect([
      matches({ range: 'started', cond: 'gt-d', int: 9 }),
      matches({ range: 'started', cond: 'gt-d', int: 8 }),
    ]).toEqual([true, false]);
    expect([
      matches({ range: 'started', cond: 'lt-d', int: 7 }),
      matches({ range: 'started', cond: 'lt-d', int: 8 }),
    ]).toEqual([true, false]);
    expect([matches({ cond: 'gt-d', int: 2 }), matches({ cond: 'lt-d', int: 2 })]).toEqual([true, false]);
    expect([
      matches({ range: 'completed', cond: 'gt-d', int: 9 }),
      matches({ range: 'completed', cond: 'lt-d', int: 0 }),
    ]).toEqual([false, false]);
  });
});

describe('surveys', () => {
  const matches = (answers: (number | null)[], more: object = {}) =>
    holds([{ kind: 'survey', value: SURVEY, ...more }], { survey: (id) => (id === SURVEY ? answers : []) });

  it('ex holds when it was answered, nx when it was not', () => {
    expect([matches([0]), matches([null]), matches([])]).toEqual([true, true, false]);
    expect([matches([0], { op: 'nx' }), matches([null], { op: 'nx' }), matches([], { op: 'nx' })]).toEqual([
      false,
      false,
      true,
    ]);
    expect(matches([0], { value: TOUR })).toBe(false);
  });

  it('mod and range test the index of the button, in any of the answers', () => {
    expect([matches([9, 2], { mod: 'gte', range: 9 }), matches([8, 2], { mod: 'gte', range: 9 })]).toEqual([
      true,
      false,
    ]);
    expect([matches([0], { mod: 'eq', range: 0 }), matches([1], { mod: 'eq', range: 0 })]).toEqual([true, false]);
    expect([matches([], { mod: 'lt', range: 9 }), matches([null], { mod: 'ne', range: 9 })]).toEqual([false, false]);
    expect(matches([8], { op: 'nx', mod: 'gte', range: 9 })).toBe(true);
  });
});

describe('segments and groups', () => {
  const yes = { kind: 'property', prop: 'x', op: 'nx' };
  const no = { kind: 'property', prop: 'x', op: 'ex' };

  it('tests a segment by its ID', () => {
    const subject = { inSegment: (id: string) => id === SEGMENT };
    const matches = (value: string, op: string) => holds([{ kind: 'segment', op, value }], subject);
    expect([matches(SEGMENT, 'ex'), matches(SEGMENT, 'nx'), matches(TOUR, 'ex'), matches(TOUR, 'nx')]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  it('and holds when all hold, or when one does', () => {
    expect([holds([yes, yes], {}), holds([yes, no], {}), holds([no, no], {})]).toEqual([true, false, false]);
    expect([holds([yes, yes], {}, 'or'), holds([yes, no], {}, 'or'), holds([no, no], {}, 'or')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('groups hold within groups', () => {
    const group = (filters_op: string, ...filters: object[]) => ({ kind: 'group', filters, filters_op });
    expect(holds([group('or', no, group('and', yes, group('or', no, yes)))], {})).toBe(true);
    expect(holds([group('or', no, group('and', yes, group('or', no, no)))], {})).toBe(false);
  });

  it('matches everyone without filters, with and and or', () => {
    expect([holds([], {}), holds([], {}, 'or')]).toEqual([true, true]);
    expect(holds([{ kind: 'group', filters: [], filters_op: 'or' }], {})).toBe(true);
  });
});

describe('any values', () => {
  const value = fc.oneof(
    fc.string({ maxLength: 5 }).map((text) => `x${text.replaceAll('\0', '')}`),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.boolean(),
    fc.date({ min: new Date(0), max: new Date(NOW), noInvalidDate: true }).map((date) => date.toISOString()),
  );

  it('matches exactly one of eq and ne for values of one type, and none for two types', () => {
    fc.assert(
      fc.property(value, value, (x, other) => {
        const same = comparableType(x) === comparableType(other);
        expect([passes(x, 'eq', other), passes(x, 'ne', other)].filter(Boolean)).toHaveLength(same ? 1 : 0);
        expect(passes(x, 'eq', x)).toBe(true);
      }),
    );
  });

  it('matches exactly one of lt, eq and gt for ordered values', () => {
    const ordered = value.filter((one) => typeof one !== 'boolean');
    fc.assert(
      fc.property(ordered, ordered, (x, other) => {
        const same = comparableType(x) === comparableType(other);
        const outcomes = ['lt', 'eq', 'gt'].map((op) => passes(x, op, other));
        expect(outcomes.filter(Boolean)).toHaveLength(same ? 1 : 0);
        expect(passes(x, 'lte', other)).toBe(outcomes[0] || outcomes[1]);
        expect(passes(x, 'gte', other)).toBe(outcomes[2] || outcomes[1]);
      }),
    );
  });

  it('has the same lower case for a letter and its capitals', () => {
    const text = fc.string({ unit: 'binary', maxLength: 6 });
    fc.assert(
      fc.property(text, (one) => {
        const lower = lowerCase(one);
        expect(lowerCase(lower)).toBe(lower);
        for (const [letter, capitals] of listCapitals(lower))
          for (const capital of capitals) expect(lowerCase(capital)).toBe(letter);
        const restored = listCapitals(lower).reduce(
          (text, [letter, capitals]) => [...capitals].reduce((all, capital) => all.replaceAll(capital, letter), text),
          foldCase(one),
        );
        expect(restored).toBe(lower);
      }),
      { numRuns: randomRuns(100), examples: [['ÉCOLE ΣΑΣ \u212a\u212b ǅ İ ẞ 𐐀']] },
    );
  });

  it('folds only A to Z', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const folded = [...text].map((one) => (one >= 'A' && one <= 'Z' ? one.toLowerCase() : one)).join('');
        expect(foldCase(text)).toBe(folded);
      }),
    );
  });
});
