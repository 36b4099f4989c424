import { isDeepStrictEqual } from 'node:util';
import { findHistoryProblems, findResponseProblems, findSnapshotProblems } from './check.mjs';

/**
 * @typedef {import('./check.mjs').History} History
 * @typedef {import('./check.mjs').Operation} Operation
 * @typedef {import('./check.mjs').Row} Row
 */

const LIMIT = 2;
const AT = '2029-04-07T12:18:00.000Z';
const user = 'ann';

/** @type {(kind: Operation['kind'], started: number, ended: number, rest?: Partial<Operation>) => Operation} */
const operation = (kind, started, ended, rest = {}) => ({ kind, user, started, ended, status: 200, ...rest });
/** @type {(started: number, id: string, rest?: Partial<Operation>) => Operation} */
const create = (started, id, rest = {}) => operation('create', started, started + 5, { status: 201, id, ...rest });
/** @type {(started: number, id: string, by: string, triggered: boolean, rest?: Partial<Operation>) => Operation} */
const claim = (started, id, by, triggered, rest = {}) =>
  operation('claim', started, started + 5, { id, by, href: `/${by}`, triggered, ...rest });
/** @type {(started: number, listed: string[]) => Operation} */
const read = (started, listed) => operation('read', started, started + 5, { listed });
/** @type {(started: number, id: string, status?: number) => Operation} */
const cancel = (started, id, status = 200) => operation('cancel', started, started + 5, { id, status });
/** It is unknown whether the request took effect. */
const unknown = { status: undefined };

/** @type {(id: string, rest?: Partial<Row>) => Row} */
const pending = (id, rest = {}) => ({
  ...{ id, user, key: null, at: null, at_href: null, interaction_id: null, removed_at: null },
  ...rest,
});
/** @type {(id: string, by: string, rest?: Partial<Row>) => Row} */
const triggered = (id, by, rest = {}) => pending(id, { at: AT, at_href: `/${by}`, interaction_id: 'i', ...rest });
/** @type {(id: string, rest?: Partial<Row>) => Row} */
const removed = (id, rest = {}) => pending(id, { removed_at: AT, ...rest });

/** @typedef {[operations: Operation[], rows: Row[], observedTriggers?: History['observedTriggers']]} TestHistory */

/** @type {Record<string, TestHistory>} */
const validHistories = {
  'operations one after the other': [
    [create(0, 'a'), read(10, ['a']), claim(20, 'a', 'tab', true), claim(30, 'a', 'tab', true), read(40, [])],
    [triggered('a', 'tab')],
    [{ id: 'a', at: AT }],
  ],
  'two concurrent claims, one wins': [
    [create(0, 'a'), claim(10, 'a', 'one', false), claim(12, 'a', 'two', true), cancel(20, 'a', 409)],
    [triggered('a', 'two')],
  ],
  'operations without a response that took effect': [
    [
      operation('create', 0, 5, { ...unknown, key: 'k' }),
      operation('create', 10, 15, { id: 'a', key: 'k' }),
      operation('claim', 20, 25, { ...unknown, id: 'a', by: 'tab', href: '/tab' }),
      read(30, []),
      create(40, 'b'),
      operation('cancel', 50, 55, { ...unknown, id: 'b' }),
    ],
    [triggered('a', 'tab', { key: 'k' }), removed('b')],
  ],
  'operations without a response that did not take effect': [
    [
      operation('create', 0, 5, unknown),
      create(10, 'a'),
      operation('claim', 20, 25, { ...unknown, id: 'a', by: 'tab', href: '/tab' }),
      operation('clear', 30, 35, unknown),
      read(40, ['a']),
    ],
    [pending('a')],
  ],
  'a read during a change': [
    [
      create(0, 'a'),
      create(10, 'b'),
      operation('read', 9, 30, { listed: ['a'] }),
      operation('clear', 20, 40),
      read(50, []),
    ],
    [removed('a'), removed('b')],
  ],
  'a full list': [
    [create(0, 'a'), create(10, 'b'), create(20, 'c', { drops: true }), read(30, ['c', 'a'])],
    [pending('a'), removed('b'), pending('c')],
  ],
  'a page load outside of the Segment': [
    [create(0, 'a', { segmented: true }), operation('visit', 10, 15, { listed: [], offered: [] })],
    [removed('a')],
  ],
  'a Delivery with a condition that is not met': [
    [create(0, 'a', { conditional: true }), claim(10, 'a', 'tab', false)],
    [pending('a')],
  ],
  'a Delivery with a condition that is met later': [
    [create(0, 'a', { conditional: true }), claim(10, 'a', 'tab', false), claim(20, 'a', 'tab', true)],
    [triggered('a', 'tab')],
  ],
  'a page load after a Delivery has expired': [
    [create(0, 'a', { expires: true }), operation('visit', 10, 15, { listed: [], offered: [] }), read(20, ['a'])],
    [pending('a')],
  ],
  'a claim after another one won': [
    [create(0, 'a'), claim(10, 'a', 'one', true), claim(20, 'a', 'two', false), cancel(30, 'a', 409)],
    [triggered('a', 'one')],
  ],
  'a change that makes the list shorter': [
    [create(0, 'a'), create(10, 'b'), operation('update', 20, 25, { id: 'b', drops: true }), read(30, ['b'])],
    [removed('a'), pending('b')],
  ],
  'a creation while the profile is cleared': [
    [operation('clear', 0, 20), create(5, 'a'), read(30, ['a'])],
    [pending('a')],
  ],
  'an operation that takes effect after its process was killed': [
    [operation('clear', 0, 5, unknown), create(10, 'a'), read(20, [])],
    [removed('a')],
  ],
  'a page load that removes a Delivery whose creation got no response': [
    [
      operation('create', 0, 5, { ...unknown, segmented: true }),
      read(10, ['a']),
      operation('visit', 20, 25, { listed: [], offered: [] }),
    ],
    [removed('a')],
  ],
  'a visit that is over': [
    [create(0, 'a'), operation('clear', 10, 15), claim(20, 'a', 'tab', false, { status: 403 })],
    [removed('a')],
  ],
};

/** Each of these histories breaks the named invariant. @type {[invariant: string, TestHistory][]} */
const invalidHistories = [
  [
    'triggered twice',
    [[create(0, 'a'), claim(10, 'a', 'one', true), claim(11, 'a', 'two', true)], [triggered('a', 'one')]],
  ],
  [
    'triggered twice',
    [
      [create(0, 'a'), claim(10, 'a', 'one', true)],
      [triggered('a', 'one')],
      [
        { id: 'a', at: AT },
        { id: 'a', at: '2029-04-07T12:18:00.001Z' },
      ],
    ],
  ],
  ['triggered without a claim', [[create(0, 'a'), claim(10, 'a', 'one', true)], [triggered('a', 'two')]]],
  ['triggered without a claim', [[create(0, 'a'), claim(10, 'a', 'one', false)], [triggered('a', 'one')]]],
  [
    'triggered after removal',
    [[create(0, 'a'), operation('clear', 10, 15), claim(20, 'a', 'tab', true)], [triggered('a', 'tab')]],
  ],
  [
    'triggered after removal',
    [[create(0, 'a'), cancel(9, 'a', 404), claim(20, 'a', 'tab', true)], [triggered('a', 'tab')]],
  ],
  [
    'triggered after removal',
    [
      [
        create(0, 'a', { conditional: true }),
        claim(10, 'a', 'one', false),
        operation('clear', 20, 25),
        claim(21, 'a', 'two', false, { status: 403 }),
        claim(30, 'a', 'two', true),
      ],
      [triggered('a', 'two')],
    ],
  ],
  ['trigger lost', [[create(0, 'a'), claim(10, 'a', 'tab', true)], [pending('a')]]],
  [
    'partly triggered',
    [[create(0, 'a'), claim(10, 'a', 'tab', true)], [triggered('a', 'tab', { interaction_id: null })]],
  ],
  ['partly triggered', [[create(0, 'a'), claim(10, 'a', 'tab', true)], [triggered('a', 'tab', { removed_at: AT })]]],
  ['claim rejected', [[create(0, 'a'), claim(10, 'a', 'tab', false)], [pending('a')]]],
  [
    'repeated claim rejected',
    [[create(0, 'a'), claim(10, 'a', 'tab', true), claim(20, 'a', 'tab', false)], [triggered('a', 'tab')]],
  ],
  ['cancelled and triggered', [[create(0, 'a'), cancel(10, 'a'), claim(11, 'a', 'tab', true)], [removed('a')]]],
  [
    'cancelled and triggered',
    [
      [create(0, 'a'), operation('claim', 10, 15, { ...unknown, id: 'a', by: 'tab', href: '/tab' }), cancel(20, 'a')],
      [triggered('a', 'tab')],
    ],
  ],
  ['cancelled twice', [[create(0, 'a'), cancel(10, 'a'), cancel(11, 'a')], [removed('a')]]],
  ['removal lost', [[create(0, 'a'), cancel(10, 'a')], [pending('a')]]],
  ['removal lost', [[create(0, 'a'), operation('clear', 10, 15)], [pending('a')]]],
  ['removed without a request', [[create(0, 'a'), operation('visit', 10, 15, { listed: ['a'] })], [removed('a')]]],
  ['creation lost', [[create(0, 'a')], []]],
  ['created twice', [[create(0, 'a'), create(10, 'a')], [pending('a')]]],
  ['created without a request', [[operation('create', 0, 5, { status: 409 })], [pending('a')]]],
  ['created without a request', [[operation('create', 0, 5, unknown)], [pending('a'), pending('b')]]],
  ['created without a request', [[operation('create', 0, 5, { id: 'a', key: 'k' })], []]],
  ['created without a request', [[operation('clear', 0, 5, unknown)], [pending('a')]]],
  [
    'two Deliveries for one key',
    [
      [create(0, 'a', { key: 'k' }), create(1, 'b', { key: 'k' })],
      [pending('a', { key: 'k' }), pending('b')],
    ],
  ],
  [
    'two Deliveries for one key',
    [
      [
        create(0, 'a', { key: 'k' }),
        operation('create', 10, 15, { id: 'b', key: 'k' }),
        operation('create', 10, 15, unknown),
      ],
      [pending('a', { key: 'k' }), pending('b')],
    ],
  ],
  ['key lost', [[create(0, 'a', { key: 'k' })], [pending('a')]]],
  [
    'over the limit',
    [
      [create(0, 'a'), create(0, 'b'), create(0, 'c'), read(10, ['a', 'b', 'c'])],
      ['a', 'b', 'c'].map((id) => pending(id)),
    ],
  ],
  ['missing', [[create(0, 'a'), read(10, []), cancel(20, 'a')], [removed('a')]]],
  [
    'missing',
    [[create(0, 'a', { conditional: true }), operation('visit', 10, 15, { listed: [], offered: [] })], [pending('a')]],
  ],
  ['missing', [[create(0, 'a', { expires: true }), read(10, [])], [pending('a')]]],
  ['missing', [[create(0, 'a'), cancel(10, 'a', 404), cancel(20, 'a')], [removed('a')]]],
  ['missing', [[create(0, 'a'), cancel(10, 'a', 409), cancel(20, 'a')], [removed('a')]]],
  [
    'missing',
    [[create(0, 'a'), operation('update', 10, 15, { id: 'a', status: 404 }), cancel(20, 'a')], [removed('a')]],
  ],
  [
    'missing',
    [
      [create(0, 'a'), create(0, 'b'), cancel(10, 'b'), read(20, [])],
      [pending('a'), removed('b')],
    ],
  ],
  ['missing', [[operation('clear', 0, 5), create(10, 'a'), read(20, [])], [pending('a')]]],
  [
    'missing',
    [
      [
        operation('create', 0, 5, { ...unknown, segmented: true }),
        create(10, 'a'),
        operation('visit', 20, 25, { listed: [], offered: [] }),
      ],
      [pending('a')],
    ],
  ],
  [
    'seen after removal',
    [
      [operation('create', 0, 5, unknown), read(30, ['a']), read(10, ['a']), read(20, []), operation('clear', 0, 50)],
      [removed('a')],
    ],
  ],
  ['seen after removal', [[create(0, 'a'), cancel(10, 'a'), operation('update', 20, 25, { id: 'a' })], [removed('a')]]],
  ['seen after removal', [[create(0, 'a'), cancel(10, 'a'), read(20, ['a'])], [removed('a')]]],
  ['seen after removal', [[create(0, 'a'), operation('clear', 10, 40), read(12, []), read(20, ['a'])], [removed('a')]]],
  ['seen before creation', [[read(0, ['a']), create(10, 'a')], [pending('a')]]],
  ['response differs', [[create(0, 'a'), operation('visit', 10, 15, { listed: [], offered: ['a'] })], [pending('a')]]],
  ['wrong response', [[operation('visit', 0, 5, { status: 500 })], []]],
  ['wrong response', [[operation('visit', 0, 5, { ...unknown, message: 'ECONNRESET' })], []]],
  ['wrong response', [[create(0, 'a'), claim(10, 'a', 'tab', false, { status: 403 })], [pending('a')]]],
];

/**
 * Checks that the checker finds all problems in the test histories, and no others.
 * @returns {number} how many test histories it checked
 */
export function checkTheChecker() {
  for (const [name, history] of Object.entries(validHistories)) expect(name, brokenInvariants(history), []);
  for (const [index, [invariant, history]] of invalidHistories.entries()) {
    const found = brokenInvariants(history);
    if (!found.includes(invariant)) throw new Error(`The checker does not find "${invariant}" (${index}): ${found}`);
  }
  const same = { user, delivery_ids: ['b', 'a'], pending: ['a', 'b'] };
  const names = (/** @type {import('./check.mjs').Problem[]} */ problems) => problems.map(({ invariant }) => invariant);
  const listChecks = [
    [findSnapshotProblems([same], LIMIT), []],
    [findSnapshotProblems([{ ...same, delivery_ids: ['a'] }], LIMIT), ['list differs']],
    [findSnapshotProblems([{ ...same, pending: ['a'] }], LIMIT), ['list differs']],
    [findSnapshotProblems([{ ...same, delivery_ids: ['a', 'a'] }], LIMIT), ['list differs']],
    [findSnapshotProblems([same], LIMIT - 1), ['over the limit']],
    [findSnapshotProblems([{ ...same, pending: ['a'] }], LIMIT - 1), ['list differs', 'over the limit']],
    [findSnapshotProblems([{ ...same, delivery_ids: ['a'] }], LIMIT - 1), ['list differs', 'over the limit']],
    [findResponseProblems(same, { delivery_ids: ['b', 'a'], pending: ['b', 'a'] }), []],
    [findResponseProblems(same, { delivery_ids: ['a', 'b'], pending: ['b', 'a'] }), ['response differs']],
    [findResponseProblems(same, { delivery_ids: ['b', 'a'], pending: ['b'] }), ['response differs']],
  ];
  for (const [index, [problems, expected]] of listChecks.entries())
    expect(`list ${index}`, names(/** @type {import('./check.mjs').Problem[]} */ (problems)), expected);
  return Object.keys(validHistories).length + invalidHistories.length + listChecks.length;
}

/** @param {TestHistory} history */
function brokenInvariants([operations, rows, observedTriggers = []]) {
  return findHistoryProblems({ limit: LIMIT, operations, rows, observedTriggers }).map(({ invariant }) => invariant);
}

/**
 * @param {string} name
 * @param {unknown} found
 * @param {unknown} expected
 */
function expect(name, found, expected) {
  if (!isDeepStrictEqual(found, expected)) throw new Error(`The checker finds in "${name}": ${found || 'nothing'}`);
}
