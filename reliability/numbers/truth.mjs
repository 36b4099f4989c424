/*
 * The rows of an account in memory, and what follows from them. It is written by hand and uses nothing of the server, so that a mistake
 * in a statement of the server is not repeated here.
 */

export const DAY_MS = 24 * 60 * 60_000;

/** @typedef {Record<string, any>} Row */

/**
 * @typedef {object} Truth
 * @property {string} timeZone
 * @property {Map<string, Row>} people everybody but test users, by ID
 * @property {(table: string, columns: string, condition?: string) => Promise<Row[]>} rowsOf rows of `table` of these people
 */

/**
 * @param {Pick<import('./compare.mjs').Numbers, 'run' | 'accountId' | 'call'>} numbers
 * @returns {Promise<Truth>}
 */
export async function readTruth({ run, accountId, call }) {
  const { account } = await call('/v3/edit/account');
  const profiles = await run(`select id, custom, is_test from profiles where account_id = '${accountId}'`);
  const counted = profiles.filter(({ is_test }) => !Number(is_test));
  const people = new Map(counted.map((row) => [String(row.id), { custom: readJson(row.custom) ?? {} }]));
  const rowsOf = async (/** @type {string} */ table, /** @type {string} */ columns, condition = '1 = 1') => {
    const rows = await run(
      `select ${columns}, profile_id from ${table} where account_id = '${accountId}' and ${condition}`,
    );
    return rows.filter(({ profile_id }) => people.has(String(profile_id)));
  };
  return { timeZone: account.time_zone ?? 'UTC', people, rowsOf };
}

/** JSON comes as a text from one engine, and as a value from the other one. */
export function readJson(/** @type {any} */ value) {
  return typeof value === 'string' ? JSON.parse(value) : value;
}

/** An ID begins with its time: eight hexadecimal digits of seconds, and three of milliseconds. */
export function timeOfId(/** @type {unknown} */ id) {
  const text = String(id);
  return Number.parseInt(text.slice(0, 8), 16) * 1000 + Number.parseInt(text.slice(8, 11), 16);
}

/** Writes the day of a time as `2026-11-01`. @param {string} timeZone */
export function dayWriter(timeZone) {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone });
  return (/** @type {number} */ at) => format.format(at);
}

/**
 * The first moment of a day. Clocks are changed there, so it is searched.
 * @param {number} day
 * @param {string} timeZone
 */
export function startOfDay(day, timeZone) {
  const toDay = dayWriter(timeZone);
  let [before, at] = [(day - 1) * DAY_MS, (day + 1) * DAY_MS];
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2);
    if (toDay(middle) < toDate(day)) before = middle;
    else at = middle;
  }
  return at;
}

/** The lowest value that is not exceeded by this share of values; -1 without any. @param {readonly number[]} values @param {number} share */
export function quantileOf(values, share) {
  return values.toSorted((one, other) => one - other)[Math.ceil(values.length * share) - 1] ?? -1;
}

/** @param {number} day */
export function toDate(day) {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Periods in days of the account: long, short, one in the middle, and today. @param {string} timeZone */
export function periods(timeZone) {
  const today = Math.floor(Date.parse(dayWriter(timeZone)(Date.now())) / DAY_MS);
  return [
    { first: today - 59, last: today },
    { first: today - 20, last: today - 8 },
    { first: today - 12, last: today - 12 },
    { first: today, last: today },
  ].map((range) => ({ ...range, query: `from=${toDate(range.first)}&until=${toDate(range.last)}`, today }));
}

/** Whether the row of a day counts in a period. A change of the time zone can leave rows after today, which count as today. */
export function isIn(
  /** @type {{ first: number, last: number, today: number }} */ { first, last, today },
  /** @type {number} */ day,
) {
  return day >= first && (day <= last || last >= today);
}

/** Groups rows by a key. @param {readonly Row[]} rows @param {(row: Row) => string} keyOf */
export function groupBy(rows, keyOf) {
  /** @type {Map<string, Row[]>} */
  const groups = new Map();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

/**
 * @typedef {object} Goal as the API writes it
 * @property {string} kind
 * @property {string | null} [event_name]
 * @property {string | null} [experience_id]
 * @property {string | null} [experience_state]
 * @property {string | null} [sum_property]
 * @property {number | null} [within_days]
 * @property {(custom: Row) => boolean} [matches] the conditions of the goal, written again
 */

/**
 * Who met a goal, of people who began at a time. It looks at every event and every Interaction of each person.
 * @param {Truth} truth
 * @param {Goal} goal
 * @param {ReadonlyMap<string, number>} since by the ID of the person
 * @returns {Promise<Map<string, number>>} the sum of each person who met it; 0 if the goal sums nothing
 */
export async function findMet({ people, rowsOf }, goal, since) {
  const { kind, within_days = null, sum_property, matches = () => true } = goal;
  const isInTime = (/** @type {string} */ id, /** @type {number} */ at) => {
    const from = since.get(id);
    return from !== undefined && at >= from && (within_days === null || at <= from + within_days * DAY_MS);
  };
  /** @type {Map<string, number>} */
  const met = new Map();
  if (kind === 'event')
    for (const { id, profile_id, custom } of await rowsOf('events', 'id, custom', `name = '${goal.event_name}'`)) {
      if (!isInTime(profile_id, timeOfId(id))) continue;
      const properties = readJson(custom) ?? {};
      if (!matches(properties)) continue;
      const number = sum_property ? properties[sum_property] : undefined;
      met.set(profile_id, (met.get(profile_id) ?? 0) + (typeof number === 'number' ? number : 0));
    }
  else if (kind === 'experience') {
    const column = `${goal.experience_state}_at`;
    for (const row of await rowsOf('interactions', column, `experience_id = '${goal.experience_id}'`))
      if (row[column] !== null && isInTime(row.profile_id, Number(row[column]))) met.set(row.profile_id, 0);
  } else for (const id of since.keys()) if (people.has(id) && matches(people.get(id)?.custom)) met.set(id, 0);
  return met;
}

/**
 * The four kinds of goals, with and without days, conditions and a number.
 * @param {import('./generate.mjs').Met} met
 * @returns {Goal[]}
 */
export function everyGoal(met) {
  const proFilter = [{ kind: 'property', prop: 'n', op: 'gt', value: 500 }];
  const seats = [{ kind: 'property', prop: 'seats', op: 'gt', value: 30 }];
  const goals = [
    { name: 'Paid', kind: 'event', event_name: 'paid', within_days: 7 },
    { name: 'Saved, ever', kind: 'event', event_name: 'saved', within_days: null, sum_property: 'n' },
    { name: 'Opened', kind: 'event', event_name: 'opened', within_days: 1, sum_property: 'n' },
    { name: 'Exported', kind: 'event', event_name: 'exported', within_days: 20, filters: proFilter },
    { name: 'Invited', kind: 'event', event_name: 'invited', within_days: 365, filters: proFilter, sum_property: 'n' },
    { name: 'Pro', kind: 'segment', segment_id: met.segment },
    { name: 'Seats', kind: 'property', filters: seats },
    { name: 'Tour', kind: 'experience', experience_id: met.tour, experience_state: 'started', within_days: 10 },
    { name: 'List', kind: 'experience', experience_id: met.checklist.id, experience_state: 'displayed' },
  ];
  return goals;
}

/** The conditions of a goal, in JavaScript. @param {Goal & { name?: string }} goal @returns {Goal} */
export function withConditions(goal) {
  const isNumber = (/** @type {unknown} */ value) => typeof value === 'number';
  /** @type {Record<string, (custom: Row) => boolean>} */
  const conditions = {
    Exported: ({ n }) => isNumber(n) && n > 500,
    Invited: ({ n }) => isNumber(n) && n > 500,
    Pro: ({ plan }) => plan === 'pro',
    Seats: ({ seats }) => isNumber(seats) && seats > 30,
  };
  const matches = conditions[goal.name ?? ''];
  return matches ? { ...goal, matches } : goal;
}

/**
 * Pages through a list of people.
 * @param {import('./compare.mjs').Numbers['call']} call
 * @param {string} path
 */
export async function countListed(call, path) {
  const ids = new Set();
  for (let before = ''; ; ) {
    const { people, cursor } = await call(`${path}&limit=500${before && `&before=${before}`}`);
    for (const { id } of people) {
      if (ids.has(id)) throw new Error(`${id} is in a list of people twice`);
      ids.add(id);
    }
    if (cursor.before === null) return ids.size;
    before = cursor.before;
  }
}
