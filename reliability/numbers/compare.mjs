import { jsonOf } from './compare-counts.mjs';
import { optionIds } from './generate.mjs';

/*
 * Numbers of the API beside the same numbers from SQL, which is written here by hand and uses nothing of the server.
 */

import { forEachPart } from './parts.mjs';

const DAY_MS = 24 * 60 * 60_000;
/** The events that complete the items of the checklist. */
export const itemEvents = ['item one', 'item two', 'item three'];

/**
 * @typedef {object} Numbers
 * @property {'sqlite' | 'postgres'} engine
 * @property {string} accountId
 * @property {number} now the time that the rows were generated for
 * @property {import('./generate.mjs').Met} met
 * @property {(path: string, content?: unknown) => Promise<any>} call GET, or POST with content
 * @property {(method: string, path: string, content?: unknown) => Promise<any>} send
 * @property {(sql: string) => Promise<Record<string, unknown>[]>} run
 * @property {ReadonlyMap<string, unknown>} [made] what the parts have created, by name
 */

/**
 * Creates the tour and the survey that users see. This must happen before the rows are generated.
 * @param {Numbers['call']} call
 * @returns {Promise<import('./generate.mjs').Met>}
 */
export async function createMet(call) {
  const published = { published_at: '$now' };
  const { tour } = await call('/v3/edit/tours', { name: 'Tour', steps: [{ title: 'Hello' }], ...published });
  const steps = [{ title: 'How likely?', preset: 'survey_nps' }];
  const { survey } = await call('/v3/edit/surveys', { name: 'Survey', steps, ...published });
  const { segment } = await call('/v3/edit/segments', {
    name: 'Pro',
    items: [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }],
  });
  const options = optionIds.map((id) => ({ id, text: id }));
  const { survey: asks } = await call('/v3/edit/surveys', {
    ...{ name: 'Asks', segment_ids: [segment.id], stop_after_responses_per_segment: 1_000_000, ...published },
    steps: ['single', 'multiple'].map((kind) => ({
      title: kind,
      question: { kind, options, ...(kind === 'multiple' && { required: false }) },
    })),
  });
  const { launcher } = await call('/v3/edit/launchers', {
    ...{ name: 'First steps', title: 'First steps', list_type: 'checklist', ...published },
    items: itemEvents.map((value) => ({
      ...{ title: value, url: '/', completed_when: [{ kind: 'event', op: 'ex', value }] },
    })),
  });
  const idsOf = (/** @type {{ id: string }[]} */ parts) => parts.map(({ id }) => id);
  return {
    ...{ tour: tour.id, survey: survey.id, question: survey.steps[0].id, segment: segment.id },
    asks: { id: asks.id, steps: idsOf(asks.steps) },
    checklist: { id: launcher.id, items: idsOf(launcher.items) },
  };
}

/**
 * @param {Numbers} numbers
 * @returns {Promise<{ name: string, api: number, sql: number }[]>}
 */
export async function compareNumbers(numbers) {
  const { call, accountId, met } = numbers;
  const { compare, compared } = createCompare(numbers);
  const people = (/** @type {string} */ condition) =>
    `select count(*) from profiles p where p.account_id = '${accountId}' and (${condition})`;
  const counted = `not p.is_test`;
  const countOf = async (/** @type {object} */ params) => (await call('/v3/analyze/profiles/count', params)).count;

  await compare('all people', await countOf({}), people('1 = 1'));
  await compare('people without test users', await countOf({ without_test_users: true }), people(counted));
  await compare('test users', (await call('/v3/analyze/test_users')).test_users.count, people('p.is_test'));

  const tests = filterTests(numbers);
  for (const { name, filter, sql } of tests) {
    await compare(`people: ${name}`, await countOf({ filters: [filter] }), people(sql));
    const params = { filters: [filter], without_test_users: true };
    await compare(`people without test users: ${name}`, await countOf(params), people(`${counted} and ${sql}`));
  }
  const [first, , third] = /** @type {[Test, Test, Test]} */ (tests);
  const either = { filters: [first.filter, third.filter], filters_op: 'or' };
  await compare('people: one of two filters', await countOf(either), people(`${first.sql} or ${third.sql}`));

  const createSegment = async (/** @type {object} */ params) =>
    (await call('/v3/edit/segments', { name: 'Segment', ...params })).segment.id;
  const both = await createSegment({ items: [first.filter, third.filter] });
  await compare('people in a Segment', await countOf({ segment_id: both }), people(`${first.sql} and ${third.sql}`));
  const not = await createSegment({ items: [{ kind: 'segment', op: 'nx', value: both }] });
  const outside = `not (${first.sql} and ${third.sql})`;
  await compare('people who are not in it', await countOf({ segment_id: not }), people(outside));

  const draft = { name: 'For some', steps: [{ title: 'Hello' }], segment_ids: [not] };
  const { tour } = await call('/v3/edit/tours', draft);
  const { audience } = await call(`/v3/edit/tours/${tour.id}/audience`, {});
  const enabled = `not ${isTrue(numbers, 'disabled')}`;
  await compare('audience of a tour', audience.count, people(`${counted} and ${enabled} and ${outside}`));

  const { companies } = await call('/v3/edit/companies/search', { limit: 5 });
  for (const { id, uid, profiles_count } of companies)
    await compare(`people of ${uid}`, profiles_count, people(`${counted} and p.company_id = '${id}'`));

  await compareStats(numbers, compare);
  await compareTimelines(numbers, compare);
  const listed = await call(`/v3/edit/tours/${met.tour}`);
  const started = listed.tour.stats?.started_count;
  if (started !== undefined)
    await compare('started_count of the tour', started, usersWho(numbers, `i.started_at is not null`));
  await forEachPart((part, made) => part.compareNumbers?.(numbers, compare, made), numbers.made);
  return compared;
}

/**
 * The numbers of the parts again, after people and administrators have changed much.
 * @param {Numbers} numbers
 * @returns {Promise<{ name: string, api: number, sql: number }[]>}
 */
export async function compareParts(numbers, when = 'after changes') {
  const { compare, compared } = createCompare(numbers);
  await forEachPart((part, made) => part.compareNumbers?.(numbers, compare, made), numbers.made);
  return compared.map((one) => ({ ...one, name: `${one.name}, ${when}` }));
}

/** @param {Pick<Numbers, 'run'>} numbers */
function createCompare({ run }) {
  /** @type {{ name: string, api: number, sql: number }[]} */
  const compared = [];
  const compare = async (
    /** @type {string} */ name,
    /** @type {unknown} */ api,
    /** @type {string | number} */ expected,
  ) => {
    if (typeof expected === 'number') return void compared.push({ name, api: Number(api), sql: expected });
    const [row] = await run(expected);
    compared.push({ name, api: Number(api), sql: Number(Object.values(row ?? {})[0]) });
  };
  return { compare, compared };
}

/** @typedef {{ name: string, filter: object, sql: string }} Test */

/**
 * Filters, and the same in SQL about the profile `p`. Events are counted from the events themselves.
 * @param {Numbers} numbers
 * @returns {Test[]}
 */
function filterTests(numbers) {
  const { engine, accountId, now, met } = numbers;
  const text = (/** @type {string} */ name, of = 'p') =>
    engine === 'sqlite' ? `json_extract(${of}.custom, '$.${name}')` : `(${of}.custom->>'${name}')`;
  const number = (/** @type {string} */ name, of = 'p') => `cast(${text(name, of)} as integer)`;
  const since = (/** @type {number} */ days) => now - days * DAY_MS;
  const events = (/** @type {string} */ name) =>
    `(select count(*) from events e where e.account_id = '${accountId}' and e.profile_id = p.id and e.name = '${name}')`;
  const exists = (/** @type {string} */ from) => `exists (select 1 from ${from} and x.profile_id = p.id)`;
  const property = (/** @type {string} */ prop, /** @type {string} */ op, /** @type {unknown} */ value) => ({
    ...{ kind: 'property', prop, op, value },
  });
  const interactions = `interactions x where x.account_id = '${accountId}' and x.experience_id = '${met.tour}'`;
  const answers = `answers x where x.account_id = '${accountId}' and x.experience_id = '${met.survey}'`;
  const company = `companies c where c.account_id = '${accountId}' and c.id = p.company_id`;
  return [
    { name: 'plan', filter: property('plan', 'eq', 'pro'), sql: `coalesce(${text('plan')} = 'pro', false)` },
    { name: 'another plan', filter: property('plan', 'ne', 'pro'), sql: `coalesce(${text('plan')}, '') <> 'pro'` },
    { name: 'seats', filter: property('seats', 'gt', 30), sql: `coalesce(${number('seats')} > 30, false)` },
    { name: 'without seats', filter: property('seats', 'nx', null), sql: `${text('seats')} is null` },
    { name: 'percent', filter: property('percent', 'lt', 40), sql: 'p.percent < 40' },
    {
      name: 'seen lately',
      filter: property('last_seen_at', 'gt-d', 7),
      sql: `coalesce(p.last_seen_at > ${since(7)}, false)`,
    },
    {
      name: 'size of the Company',
      filter: property('company.size', 'gte', 10),
      sql: `exists (select 1 from ${company} and ${number('size', 'c')} >= 10)`,
    },
    { name: 'an event', filter: { kind: 'event', value: 'paid' }, sql: `${events('paid')} > 0` },
    { name: 'never an event', filter: { kind: 'event', op: 'nx', value: 'paid' }, sql: `${events('paid')} = 0` },
    {
      name: 'an event often',
      filter: { kind: 'event', value: 'opened', mod: 'gte', range: 3 },
      sql: `${events('opened')} >= 3`,
    },
    {
      name: 'an event lately',
      filter: { kind: 'event', value: 'saved', cond: 'gt-d', int: 10 },
      sql: exists(`events x where x.account_id = '${accountId}' and x.name = 'saved' and x.id > '${idOf(since(10))}'`),
    },
    { name: 'met the tour', filter: { kind: 'tour', value: met.tour }, sql: exists(interactions) },
    {
      name: 'completed the tour',
      filter: { kind: 'tour', value: met.tour, range: 'completed' },
      sql: exists(`${interactions} and x.completed_at is not null`),
    },
    { name: 'answered the survey', filter: { kind: 'survey', value: met.survey }, sql: exists(answers) },
    {
      name: 'answered 9 or 10',
      filter: { kind: 'survey', value: met.survey, mod: 'gte', range: 9 },
      sql: exists(`${answers} and cast(x.value as integer) >= 9`),
    },
  ];
}

/** @typedef {(name: string, api: unknown, expected: string | number) => Promise<void>} Compare a number, or SQL that counts it */

/**
 * @param {Numbers} numbers
 * @param {Compare} compare
 */
async function compareStats({ accountId, now, met, call }, compare) {
  const range = `from=${toDay(now - 60 * DAY_MS)}&until=${toDay(now)}`;
  const users = (/** @type {string} */ what, more = '') =>
    `select count(distinct a.profile_id) from activities a join profiles p on p.account_id = a.account_id and p.id = a.profile_id
      where a.account_id = '${accountId}' and a.experience_id = '${met.tour}' and a.what = '${what}' and not p.is_test ${more}`;
  const { stats } = await call(`/v3/analyze/tours/${met.tour}/stats?${range}`);
  for (const what of ['displayed', 'started', 'completed', 'exited'])
    await compare(`${what} the tour`, stats.totals[what], users(what));
  const [busiest] = [...stats.days].sort((one, other) => other.started - one.started);
  const day = Date.parse(busiest.day) / DAY_MS;
  await compare(`started the tour on ${busiest.day}`, busiest.started, users('started', `and a.day = ${day}`));

  const survey = await call(`/v3/analyze/surveys/${met.survey}/stats?${range}`);
  const last = `select a.value from answers a join profiles p on p.account_id = a.account_id and p.id = a.profile_id
    where a.account_id = '${accountId}' and a.experience_id = '${met.survey}' and not p.is_test and not exists (
      select 1 from answers b where b.account_id = a.account_id and b.profile_id = a.profile_id
        and b.experience_id = a.experience_id and b.response_id > a.response_id)`;
  const among = (/** @type {string} */ condition) =>
    `select count(*) from (${last}) as l where cast(l.value as integer) ${condition}`;
  await compare('promoters', survey.stats.nps.promoters, among('>= 9'));
  await compare('passives', survey.stats.nps.passives, among('between 7 and 8'));
  await compare('detractors', survey.stats.nps.detractors, among('<= 6'));
}

/**
 * Pages through the timelines of the people with the most events.
 * @param {Numbers} numbers
 * @param {Compare} compare
 */
async function compareTimelines({ engine, accountId, call, run }, compare) {
  const { from, id: item } = jsonOf[engine].keys('t.items');
  const done = `coalesce((select count(${item}) from interactions t cross join ${from}
    where t.account_id = p.account_id and t.profile_id = p.id and t.items is not null), 0)`;
  const busiest = await run(`select profile_id from events where account_id = '${accountId}' group by profile_id
    order by count(*) desc, profile_id limit 3`);
  for (const [n, { profile_id }] of busiest.entries()) {
    const of = `from profiles p where p.account_id = '${accountId}' and p.id = '${profile_id}'`;
    const rows = (/** @type {string} */ table, what = 'count(*)') =>
      `coalesce((select ${what} from ${table} t where t.account_id = p.account_id and t.profile_id = p.id), 0)`;
    const times = ['displayed_at', 'started_at', 'completed_at', 'exited_at', 'goal_at', 'snoozed_at'];
    const sum = `sum(${times.map((name) => `case when t.${name} is null then 0 else 1 end`).join(' + ')})`;
    const seen = `1 + case when p.last_seen_at is null then 0 else 1 end`;
    const all = `select ${rows('events')} + ${rows('responses')} + ${rows('interactions', sum)} + ${done} + ${seen} ${of}`;
    const keys = await readTimeline(call, String(profile_id));
    await compare(`timeline of person ${n + 1}`, keys.length, all);
    await compare(`different entries of it`, new Set(keys).size, all);
  }
}

/**
 * @param {Numbers['call']} call
 * @param {string} id
 * @returns {Promise<string[]>}
 */
async function readTimeline(call, id) {
  const keys = [];
  for (let before = ''; ; ) {
    const { entries, cursor } = await call(
      `/v3/edit/profiles/${id}/timeline?limit=500${before && `&before=${before}`}`,
    );
    keys.push(...entries.map((/** @type {{ id: string }} */ entry) => entry.id));
    if (cursor.before === null) return keys;
    before = cursor.before;
  }
}

/**
 * @param {Numbers} numbers
 * @param {string} condition on the Interaction `i`
 */
function usersWho({ accountId, met }, condition) {
  return `select count(*) from interactions i join profiles p on p.account_id = i.account_id and p.id = i.profile_id
    where i.account_id = '${accountId}' and i.experience_id = '${met.tour}' and not p.is_test and ${condition}`;
}

/**
 * @param {Pick<Numbers, 'engine'>} numbers
 * @param {string} name
 */
function isTrue({ engine }, name) {
  return engine === 'sqlite'
    ? `coalesce(json_extract(p.custom, '$.${name}') = 1, false)`
    : `coalesce((p.custom->>'${name}') = 'true', false)`;
}

/** The first ID of a time. @param {number} at */
function idOf(at) {
  const hex = (/** @type {number} */ value, /** @type {number} */ digits) => value.toString(16).padStart(digits, '0');
  return (hex(Math.floor(at / 1000), 8) + hex(at % 1000, 3)).padEnd(24, '0');
}

/** @param {number} at */
function toDay(at) {
  return new Date(at).toISOString().slice(0, 10);
}
