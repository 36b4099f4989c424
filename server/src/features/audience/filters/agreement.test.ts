import {
  type Condition,
  type Custom,
  type Filter,
  firstIdAt,
  matchesCondition,
  readItems,
  type Subject,
  timeOfId,
  toCondition,
  toTimestamp,
} from '@usher/domain';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomRuns } from '../../../../../domain/test/random-runs.ts';
import { type Api, startApi } from '../../../../test/api.ts';

/*
 * A filter is evaluated in memory by `matchesCondition` and in the database by `conditionSql`. Generated filters over
 * generated profiles must give the same result both ways.
 */

const RUNS = randomRuns(60);
const { seed: SEED = 1 } = fc.readConfigureGlobal();
const PROFILES = 150;
const COMPANIES = 20;
const DAY = 86_400_000;
/** The clock is fixed, so that a time can be exactly on a boundary. */
const NOW = Date.UTC(2026, 5, 15, 12, 0, 0, 500);

const some = <T>(...items: T[]) => fc.constantFrom(...items);
const perhaps = <T>(arb: fc.Arbitrary<T>) => fc.option(arb, { nil: null });
const id = (number: number) => number.toString(16).padStart(24, '0');

const tours = [id(0xa1), id(0xa2), id(0xa3)];
const surveys = [id(0xb1), id(0xb2)];
const eventNames = ['signed_in', 'opened_page', 'größe', '0', '__proto__'];

/* Values as products send them. */

const time = fc.oneof(
  fc.integer({ min: 0, max: 60 }).map((days) => NOW - days * DAY),
  fc
    .tuple(fc.integer({ min: 0, max: 60 }), some(-1, 1, 1000, 12 * 3_600_000))
    .map(([days, off]) => NOW - days * DAY + off),
  some(
    0,
    -1,
    1,
    Date.UTC(1955, 10, 5),
    Date.parse('0000-01-01T00:00:00.000Z'),
    Date.UTC(9999, 11, 31, 23, 59, 59, 999),
  ),
);
const text = fc.oneof(
  some('', ' ', 'pro', 'Pro', 'PRO', 'free', 'free trial', 'é', 'É', 'e\u0301', 'ß', 'SS', 'İ', 'ı', 'K', 'k'),
  some(
    'CARDÁPIO do dia',
    'cardápio',
    'ΟΔΟΣ',
    'οδος',
    '\u212bngström',
    'ÅNGSTRÖM',
    'ẞ',
    '𐐀𐐨',
    'Ǆǅǆ',
    'Москва',
    '\u212a',
  ),
  some('100% [sÜre]', '100_ [süRE]', 'a*É?b', '[É]', 'É]', '^é-ü', 'a, É', 'Paris, France'),
  some('%', '_', '*', '?', '[', 'p%o', 'p_o', 'p*o', '[p]ro', '^pro$', 'pr.', '.*', '\\', "'", '"', '{"a":1}', '[1]'),
  some('007', '+1', '1e3', '12abc', '-', 'NaN', 'null', 'undefined', 'True', 'TRUE', '0x10', '12345678901234567890'),
  some('2026-02-30', '2026-13-45T99:99:99.999Z', '2026-06-15T12:00:60.500Z', '2026-06-15T24:00:00.000Z', '12:30'),
  some('🦊', '🦊🦊', '\u{10ffff}', '\uffff', '\ud7ff', '\ue000', 'a🦊', 'a\uffff', '𝐀', '中文', '\u202e', '\u2028'),
  some('x'.repeat(255), 'x'.repeat(768), 'x'.repeat(800), '🦊'.repeat(200)),
  fc.string({ unit: 'grapheme', maxLength: 6 }).filter((one) => !one.includes('\0')),
);
const number = fc.oneof(
  fc.integer({ min: -3, max: 12 }),
  some(0.5, -0.5, 0.1, 0.1 + 0.2, 1.5, 99.99, 12.0, -0, 1e21, -1e21, 1e300, 5e-324, 1e-7, 2 ** 31, -(2 ** 31) - 1),
  some(Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 2 ** 53, 2 ** 63, 2 ** 64, 1234567890123456800, 1e15, 1e20),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const scalar = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 4, arbitrary: number },
  { weight: 1, arbitrary: fc.boolean() },
  { weight: 1, arbitrary: some('true', 'false', '12', '0.5', '-3', '0', '1.50', '9007199254740991') },
  { weight: 2, arbitrary: time.map(toTimestamp) },
  { weight: 1, arbitrary: some('2026-06-15', '2026-06-15T12:00:00.5Z', '2026-06-10T14:00:00+02:00') },
);
const list = fc.array(scalar, { maxLength: 4 });
const keys = [
  'plan',
  'seats',
  'flag',
  'joined_at',
  'tags',
  'nested',
  '0',
  '12',
  '__proto__',
  'constructor',
  'größe',
  'a',
];
const key = some(...keys);
const dictionary = (value: fc.Arbitrary<unknown>, most: number) =>
  // `fromEntries` makes `__proto__` an ordinary key.
  fc.array(fc.tuple(key, value), { maxLength: most }).map((entries) => Object.fromEntries(entries));
const nested = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, list, dictionary(tie('value'), 3)),
})).value;
const customOf = dictionary(
  fc.oneof({ weight: 5, arbitrary: scalar }, { weight: 2, arbitrary: list }, { weight: 2, arbitrary: nested }),
  8,
);

const everyKind: Record<string, unknown> = JSON.parse(
  '{"plan":"Pro","seats":12.5,"flag":true,"joined_at":0,"tags":["a",1,true],"a":{"0":{"x":1}},"0":0,"__proto__":"p"}',
);

/* What is known of users and what they did. */

const stateTime = perhaps(time);
const facts = fc.record({
  company: perhaps(fc.nat(COMPANIES - 1)),
  email: perhaps(some('Ann', 'ANN', 'Élodie', 'İpek', 'x%y', 'bob')),
  browser_x: perhaps(some(0, 1, 360, 1920)),
  browser_tz: perhaps(some(-720, -60, 0, 120)),
  browser_l: perhaps(some('en', 'en-US', 'EN', 'de', '2026-06-15T12:00:00.000Z', '')),
  browser_n: perhaps(some('chrome' as const, 'firefox' as const, 'safari' as const)),
  browser_k: perhaps(some('desktop' as const, 'mobile' as const)),
  percent: some(0, 0.01, 12.34, 50, 99.99, 100),
  last_seen_at: perhaps(time),
  last_cleared_at: perhaps(time),
  last_seen_session_count: some(0, 1, 2, 50),
  created_at: time.map((at) => Math.max(at, 0) % (0xffffffff * 1000)),
  updated_at: time,
});
const deeds = fc.record({
  events: fc.uniqueArray(fc.record({ name: some(...eventNames), count: some(1, 2, 3, 100), last_at: time }), {
    selector: ({ name }) => name,
    maxLength: 4,
  }),
  interactions: fc.uniqueArray(
    fc.record({
      experience_id: some(...tours),
      state: some('displayed' as const, 'started' as const, 'completed' as const, 'exited' as const),
      updated_at: time,
      displayed_at: stateTime,
      started_at: stateTime,
      completed_at: stateTime,
      exited_at: stateTime,
    }),
    { selector: ({ experience_id }) => experience_id, maxLength: 3 },
  ),
  answers: fc.array(fc.record({ experience_id: some(...surveys), button_index: perhaps(some(0, 1, 2, 10)) }), {
    maxLength: 3,
  }),
});

let api: Api;
let subjects: Map<string, Subject>;
/** Every stored key and value, so that filters match something. */
let stored: { prop: string; value: unknown }[];

beforeAll(async () => {
  api = await startApi({ inTest: false });
  api.app.now = () => NOW;
  await populate();
  const population = await readPopulation();
  subjects = population.subjects;
  stored = population.stored;
});
afterAll(() => api.stop());

const sample = <T>(arb: fc.Arbitrary<T>, numRuns: number) => fc.sample(arb, { seed: SEED, numRuns });

async function sendBatch(kind: 'profiles' | 'companies', items: object[]) {
  const { status, body } = await api.post(`/v3/observe/hooks/${kind}/batch`, { [kind]: items });
  expect(status).toBe(202);
  expect(body.errors).toBeUndefined();
}

async function populate() {
  const account_id = api.account.account_id;
  const customs = sample(customOf, PROFILES + COMPANIES);
  customs[0] = customs[COMPANIES] = everyKind;
  const known = sample(facts, PROFILES);
  known[0] = { ...(known[0] as (typeof known)[number]), company: 0, email: 'Ann' };
  const companyUids = Array.from(
    { length: COMPANIES },
    (_, index) => ['acme', 'Acme 2', '12', 'ü'][index] ?? `c${index}`,
  );
  await sendBatch(
    'companies',
    companyUids.map((uid, index) => ({ ...customs[index], uid })),
  );
  await sendBatch(
    'profiles',
    known.map(({ company, email }, index) => ({
      ...customs[COMPANIES + index],
      uid: ['12', '0012', 'Ann', 'ann', '2026-06-15T12:00:00.000Z', 'true', 'ü🦊'][index] ?? `u${index}`,
      ...(email !== null && { email: `${email}${index}@Example.test` }),
      ...(company !== null && { company_uid: companyUids[company] }),
    })),
  );
  await api.app.storage.write(account_id, async (db) => {
    const rows = await db
      .selectFrom('profiles')
      .select(['id', 'uid'])
      .where('account_id', '=', account_id)
      .orderBy('id')
      .execute();
    for (const [index, row] of rows.entries()) {
      const { company, email, created_at, ...rest } = known[index] as (typeof known)[number];
      const profile_id = firstIdAt(created_at).slice(0, 15) + index.toString(16).padStart(9, '0');
      await db
        .updateTable('profiles')
        .set({ ...rest, id: profile_id })
        .where('account_id', '=', account_id)
        .where('id', '=', row.id)
        .execute();
    }
  });
  const ids = await api.app.storage
    .reader(account_id)
    .selectFrom('profiles')
    .select('id')
    .where('account_id', '=', account_id)
    .orderBy('id')
    .execute();
  await api.app.storage.write(account_id, async (db) => {
    for (const [index, { events, interactions, answers }] of sample(deeds, PROFILES).entries()) {
      const whose = { account_id, profile_id: ids[index]?.id ?? '' };
      const row = () => ({ ...whose, id: api.app.newId() });
      if (events.length > 0)
        await db
          .insertInto('profile_events')
          .values(events.map((event) => ({ ...whose, ...event, first_at: 0 })))
          .execute();
      if (interactions.length > 0)
        await db
          .insertInto('interactions')
          .values(interactions.map((one) => ({ ...row(), ...one, defer_count: 0 })))
          .execute();
      if (answers.length > 0)
        await db
          .insertInto('answers')
          .values(
            answers.map((one) => {
              const { id: response_id, ...of } = row();
              return { ...of, response_id, step_id: '', question_order: 0, ...one };
            }),
          )
          .execute();
    }
  });
}

/** The stored profiles, as the domain evaluates them. */
async function readPopulation() {
  const account_id = api.account.account_id;
  const db = api.app.storage.reader(account_id);
  const companies = await db.selectFrom('companies').selectAll().where('account_id', '=', account_id).execute();
  const profiles = await db.selectFrom('profiles').selectAll().where('account_id', '=', account_id).execute();
  const events = await db.selectFrom('profile_events').selectAll().where('account_id', '=', account_id).execute();
  const interactions = await db.selectFrom('interactions').selectAll().where('account_id', '=', account_id).execute();
  const answers = await db.selectFrom('answers').selectAll().where('account_id', '=', account_id).execute();
  const companyFacts = new Map(
    companies.map(({ custom, ...row }) => [row.id, { facts: { ...row, created_at: timeOfId(row.id) }, custom }]),
  );
  const subjects = new Map(
    profiles.map(
      ({
        custom,
        delivery_ids,
        pending_starts,
        page_keys,
        custom_sources,
        test,
        is_test,
        ...row
      }): [string, Subject] => [
        row.id,
        {
          profile: { facts: { ...row, created_at: timeOfId(row.id) }, custom },
          company: companyFacts.get(row.company_id ?? ''),
          event: (name) => events.find((one) => one.profile_id === row.id && one.name === name),
          tour: (id) => interactions.find((one) => one.profile_id === row.id && one.experience_id === id),
          survey: (id) =>
            answers
              .filter((one) => one.profile_id === row.id && one.experience_id === id)
              .map(({ button_index }) => button_index),
          inSegment: () => false,
        },
      ],
    ),
  );
  const stored = [...subjects.values()].flatMap(({ profile, company }) => [
    ...valuesIn(profile.custom, ''),
    ...Object.entries(profile.facts).map(([prop, value]) => ({ prop, value: asSent(prop, value) })),
    ...valuesIn(company?.custom ?? {}, 'company.'),
    ...Object.entries(company?.facts ?? {}).map(([prop, value]) => ({
      prop: `company.${prop}`,
      value: asSent(prop, value),
    })),
  ]);
  return { subjects, stored: stored.filter(({ prop, value }) => value !== null && prop !== 'account_id') };
}

function asSent(prop: string, value: unknown): unknown {
  return typeof value === 'number' && prop.endsWith('_at') ? toTimestamp(value) : value;
}

function valuesIn(custom: Custom, path: string): { prop: string; value: unknown }[] {
  return Object.entries(custom).flatMap(([name, value]) => {
    const prop = path + name;
    if (prop.split('.').length > 5) return [];
    if (Array.isArray(value)) return value.map((item) => ({ prop, value: item }));
    return typeof value === 'object' ? valuesIn(value, `${prop}.`) : [{ prop, value }];
  });
}

/* Filters as clients send them. */

const oneOps = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'];
const ageOps = ['gt-d', 'lt-d'];
const listOps = ['in', 'in-i', 'nin', 'nin-i', 'in-v', 'nin-v', 'in-a', 'nin-a', 'in-vi', 'nin-vi'];
const days = fc.oneof(fc.integer({ min: 0, max: 60 }), some<unknown>(0.5, 1.25, 36_500, 20_000, '7'));

/** A value, or a slightly different one. */
function near(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value === 'number') return some<unknown>(value, value, value + 1, value - 0.5, String(value), value / 2);
  if (typeof value !== 'string') return some<unknown>(value, String(value), !value);
  const characters = [...value];
  return some<unknown>(
    value,
    value,
    value.toUpperCase(),
    value.toLowerCase(),
    characters.slice(1).join(''),
    characters.slice(0, 2).join(''),
    characters.slice(0, -1).join(''),
    `${value}0`,
  ).filter((one) => String(one).isWellFormed());
}

function propertyFilter(): fc.Arbitrary<object> {
  const anything = fc.record({ prop: some(...stored).map(({ prop }) => prop), value: scalar as fc.Arbitrary<unknown> });
  const target = fc.oneof(
    { weight: 5, arbitrary: some(...stored) },
    { weight: 2, arbitrary: anything },
    { weight: 1, arbitrary: fc.record({ prop: key, value: some(...stored).map(({ value }) => value) }) },
  );
  return target.chain(({ prop, value }) => {
    const base = { kind: 'property', prop };
    const values = fc
      .tuple(
        near(value),
        fc.array(
          fc.oneof(
            scalar,
            some(...stored).map((one) => one.value),
          ),
          { maxLength: 3 },
        ),
      )
      .map(([one, more]) => [one, ...more].filter((one) => one !== ''))
      .filter((all) => all.length > 0);
    return fc.oneof(
      { weight: 1, arbitrary: some('ex', 'nx').map((op) => ({ ...base, op })) },
      {
        weight: 4,
        arbitrary: fc.tuple(some(...oneOps), near(value)).map(([op, one]) => ({ ...base, op, value: one })),
      },
      { weight: 1, arbitrary: fc.tuple(some(...ageOps), days).map(([op, one]) => ({ ...base, op, value: one })) },
      { weight: 4, arbitrary: fc.tuple(some(...listOps), values).map(([op, all]) => ({ ...base, op, value: all })) },
      {
        weight: 4,
        arbitrary: fc
          .tuple(some(...listOps), near(value))
          .filter(([, one]) => one !== '')
          .map(([op, one]) => ({ ...base, op, value: one })),
      },
    );
  });
}

const presence = fc.oneof(
  fc.constant({}),
  some('ex', 'nx').map((op) => ({ op })),
);
const counted = fc.oneof(
  fc.constant({}),
  fc.record({ mod: some(...oneOps), range: some<unknown>(0, 1, 2, 3, 100, -1, 1.5, '2', 1e12, -1e300) }),
);
const aged = fc.oneof(fc.constant({}), fc.record({ cond: some(...ageOps), int: days }));
const merged = (...parts: fc.Arbitrary<object>[]) => fc.tuple(...parts).map((all): object => Object.assign({}, ...all));

const deedFilter = fc.oneof(
  merged(fc.record({ kind: some('event'), value: some(...eventNames, 'never') }), presence, counted, aged),
  merged(
    fc.record({ kind: some('tour'), value: some(...tours, id(0xff)) }),
    presence,
    fc.oneof(
      fc.constant({}),
      some('started', 'completed', 'exited', 'displayed').map((range) => ({ range })),
    ),
    aged,
  ),
  merged(fc.record({ kind: some('survey'), value: some(...surveys, id(0xff)) }), presence, counted),
);

/** A filter of another service, which only imported Segments have. */
const foreignFilter = fc.record({ kind: some('action', 'intercom'), op: some('ex', 'nx'), value: text });

const groupOp = some('and' as const, 'or' as const);

const segmentFilter = (ids: string[]) => merged(fc.record({ kind: some('segment'), value: some(...ids) }), presence);

/** A filter, or a group of filters of the next level. */
function anyFilter(segmentIds: string[], levels: number, hasForeign = false): fc.Arbitrary<object> {
  const leaves: fc.WeightedArbitrary<object>[] = [
    { weight: 6, arbitrary: propertyFilter() },
    { weight: 3, arbitrary: deedFilter },
    ...(segmentIds.length > 0 ? [{ weight: 1, arbitrary: segmentFilter(segmentIds) }] : []),
    ...(hasForeign ? [{ weight: 1, arbitrary: foreignFilter }] : []),
  ];
  if (levels <= 1) return fc.oneof(...leaves);
  const group = fc.record({
    kind: some('group'),
    filters: fc.array(anyFilter(segmentIds, levels - 1, hasForeign), { maxLength: 3 }),
    filters_op: groupOp,
  });
  return fc.oneof(...leaves, { weight: 3, arbitrary: group });
}

interface StoredSegment {
  condition: Condition;
}

function subjectOf(subject: Subject, segments: Map<string, StoredSegment>): Subject {
  const whole: Subject = {
    ...subject,
    inSegment: (id) => matchesCondition((segments.get(id) as StoredSegment).condition, whole, NOW),
  };
  return whole;
}

function read(filters: object[]): Filter[] {
  const problems: string[] = [];
  const read = readItems(filters, 'filters', problems);
  if (!read || problems.length > 0) throw new Error(problems.join('; '));
  return read;
}

const isReadable = (filters: object[]) => {
  const problems: string[] = [];
  readItems(filters, 'filters', problems);
  return problems.length === 0;
};

function foundInMemory(condition: Condition, segments: Map<string, StoredSegment>): string[] {
  return [...subjects]
    .filter(([, subject]) => matchesCondition(condition, subjectOf(subject, segments), NOW))
    .map(([id]) => id)
    .sort();
}

async function foundInDatabase(params: object, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let before: string | null = null; ; ) {
    const page: object = { ...params, limit, ...(before !== null && { before }), expand: { profile: 'skip' } };
    const { status, body, text } = await api.post('/v3/analyze/profiles', page);
    if (status !== 200) throw new Error(`${status} ${text}`);
    ids.push(...body.profiles.map((profile: { id: string }) => profile.id));
    before = body.cursor.before;
    if (before === null) return ids.sort();
  }
}

const countInDatabase = async (params: object) => (await api.post('/v3/analyze/profiles/count', params)).body.count;

describe('agreement', () => {
  it('has every kind of value in the population', () => {
    expect(subjects.size).toBe(PROFILES);
    const kinds = new Set(stored.map(({ value }) => typeof value));
    expect([...kinds].sort()).toEqual(['boolean', 'number', 'string']);
    const props = new Set(stored.map(({ prop }) => prop));
    for (const prop of ['plan', 'tags', 'a.0.x', '__proto__', '0', 'email', 'created_at', 'company.plan', 'company.id'])
      expect(props).toContain(prop);
  });

  it(
    'finds the same profiles in memory and in the database',
    async () => {
      const segments = new Map<string, StoredSegment>();
      // Some Segments contain others.
      for (let count = 0; count < 12; count++) {
        const of = fc.record({
          name: fc.constant(`Segment ${count}`),
          items: fc.array(anyFilter([...segments.keys()], 3, true), { maxLength: 3 }).filter(isReadable),
          items_op: groupOp,
        });
        const [params] = fc.sample(of, { seed: SEED + count, numRuns: 1 });
        const { items, ...others } = params ?? { items: [], name: '', items_op: 'and' as const };
        const { segment } = (await api.post('/v3/edit/segments', others)).body;
        const { status } = await api.post(`/v3/edit/segments/${segment.id}/import`, { ...others, items });
        expect(status).toBe(200);
        segments.set(segment.id, { condition: toCondition(read(items), others.items_op) });
      }
      const ids = [...segments.keys()];
      const search = fc.record({
        filters: fc.array(anyFilter(ids, 5), { minLength: 1, maxLength: 3 }).filter(isReadable),
        filters_op: groupOp,
        segment_id: fc.option(some(...ids), { nil: undefined, freq: 8 }),
      });
      let found = 0;
      await fc.assert(
        fc.asyncProperty(search, some(500, 500, 40), async ({ filters, filters_op, segment_id }, limit) => {
          const own: Condition[] = segment_id === undefined ? [] : [{ is: 'in segment', id: segment_id }];
          const condition: Condition = { is: 'all', of: [...own, toCondition(read(filters), filters_op)] };
          const expected = foundInMemory(condition, segments);
          const params = { filters, filters_op, ...(segment_id !== undefined && { segment_id }) };
          expect(await foundInDatabase(params, limit)).toEqual(expected);
          expect(await countInDatabase(params)).toBe(expected.length);
          if (expected.length > 0 && expected.length < PROFILES) found++;
        }),
        { numRuns: RUNS, seed: SEED, endOnFailure: false },
      );
      // Filters that match nobody or everybody prove little.
      expect(found).toBeGreaterThan(RUNS / 20);
    },
    Math.max(60_000, RUNS * 150),
  );
});
