/*
 * People with Companies, events, Interactions and answers, written as plain SQL. The same seed and sizes give the same rows.
 */

const DAY_MS = 24 * 60 * 60_000;
const ROWS_PER_STATEMENT = 500;
const eventNames = ['opened', 'saved', 'invited', 'exported', 'paid'];
const plans = ['free', 'pro', 'team'];
export const optionIds = ['red', 'green', 'blue'];
const QUARTER_MS = 15 * 60_000;

/**
 * @typedef {object} Sizes
 * @property {number} people
 * @property {number} events
 * @property {number} seed
 */

/**
 * The Experiences that users have seen.
 * @typedef {{ id: string, steps: string[] }} Asks a survey with a question with one answer, and one with several
 * @typedef {{ id: string, items: string[] }} Checklist
 * @typedef {{ tour: string, survey: string, question: string, segment: string, asks: Asks, checklist: Checklist }} Met
 */

/**
 * Inserts the rows. The times are of the days before `now`, always half a day away from its time of day, so that a filter by
 * days gives the same some minutes later.
 * @param {(sql: string) => Promise<unknown>} run
 * @param {string} accountId
 * @param {number} now
 * @param {Met} met
 * @param {Sizes} sizes
 */
export async function generate(run, accountId, now, met, { people, events, seed }) {
  const random = createRandom(seed);
  const pick = (/** @type {number} */ below) => Math.floor(random() * below);
  const daysAgo = (/** @type {number} */ days) => now - days * DAY_MS - DAY_MS / 2 + pick(3 * 60 * 60_000);
  const idAt = createIds(0);
  const write = createWriter(run, accountId);

  const companyIds = Array.from({ length: Math.max(2, Math.floor(people / 50)) }, () => idAt(daysAgo(pick(90))));
  for (const [n, id] of companyIds.entries())
    await write('companies', {
      id,
      updated_at: now,
      uid: `company-${n}`,
      custom: { name: `Company ${n}`, size: n % 40 },
    });

  const testers = new Set();
  const ids = Array.from({ length: people }, () => idAt(daysAgo(pick(90))));
  for (const [n, id] of ids.entries()) {
    const isTest = pick(50) === 0;
    if (isTest) testers.add(id);
    const email = pick(3) > 0 ? `user${n}@example.com` : null;
    await write('profiles', {
      ...{ id, updated_at: now, uid: `user-${n}`, email, email_key: email, percent: pick(10_000) / 100 },
      company_id: pick(10) < 7 ? (companyIds[pick(companyIds.length)] ?? null) : null,
      last_seen_at: pick(5) > 0 ? daysAgo(pick(60)) : null,
      last_seen_session_count: pick(12),
      custom: {
        ...(pick(10) > 0 && { plan: plans[pick(3)] }),
        ...(pick(4) > 0 && { seats: pick(60) }),
        ...(pick(40) === 0 && { disabled: true }),
        name: `User ${n}`,
      },
      ...{ test: isTest ? true : null, is_test: isTest },
    });
  }

  // Some people do much more than others.
  const done = function* () {
    for (let n = 0; n < events; n++) {
      const profile_id = ids[Math.floor(random() ** 3 * people)] ?? '';
      const name = eventNames[Math.floor(random() ** 2 * eventNames.length)] ?? '';
      yield { profile_id, isTest: testers.has(profile_id), name, at: daysAgo(pick(30)), custom: { n } };
    }
  };
  await writeEvents(write, idAt, now, done());

  for (const profile_id of ids) {
    if (pick(5) < 2) await meetTour(profile_id);
    if (pick(5) < 2) await answer(profile_id);
    if (pick(5) < 2) await answerQuestions(profile_id);
    if (pick(5) < 2) await completeItems(profile_id);
  }
  await write.flush();

  async function meetTour(/** @type {string} */ profile_id) {
    const shown = daysAgo(5 + pick(20));
    const started = pick(4) > 0 ? shown + 1000 : null;
    const end = started === null ? null : /** @type {const} */ (['completed', 'exited', null])[pick(3)];
    const state = end ?? (started === null ? 'displayed' : 'started');
    const times = { displayed_at: shown, started_at: started, ...(end && { [`${end}_at`]: shown + 2000 }) };
    const row = { updated_at: shown + 2000, experience_id: met.tour, profile_id, state, ...times };
    await write('interactions', {
      id: idAt(shown),
      completed_at: null,
      exited_at: null,
      group_kind: 'campaign',
      ...row,
    });
    // Some users come back on other days, and count once.
    for (const back of [0, ...(pick(3) === 0 ? [1, 2] : [])])
      for (const what of ['displayed', ...(started === null ? [] : ['started']), ...(end ? [end] : [])])
        await write('activities', {
          ...{ experience_id: met.tour, day: Math.floor(shown / DAY_MS) + back, what, part_id: '', profile_id },
        });
  }

  async function answer(/** @type {string} */ profile_id) {
    const first = daysAgo(24);
    await write('interactions', {
      ...{ id: idAt(first), updated_at: first, experience_id: met.survey, profile_id, group_kind: 'campaign' },
      ...{ state: 'completed', started_at: first, completed_at: first + 2000 },
    });
    for (const showing of pick(4) === 0 ? [0, 1] : [0]) {
      const at = daysAgo(4 + pick(20) - showing);
      const id = idAt(at);
      const value = pick(11);
      const of = { experience_id: met.survey, profile_id };
      await write('responses', { id, updated_at: at, ...of, showing_from: showing, finished_at: at });
      await write('answers', {
        ...{ response_id: id, step_id: met.question, ...of, question_order: 0 },
        ...{ button_index: value, button_text: String(value), value: String(value) },
      });
    }
  }

  /** Answers to questions with options: one, and none to all. */
  async function answerQuestions(/** @type {string} */ profile_id) {
    for (const showing of pick(4) === 0 ? [0, 1] : [0]) {
      const at = daysAgo(4 + pick(20) - showing);
      const id = idAt(at);
      const of = { experience_id: met.asks.id, profile_id };
      const segment_ids = pick(3) === 0 ? [{ id: met.segment }] : null;
      await write('responses', { id, updated_at: at, ...of, showing_from: showing, finished_at: at, segment_ids });
      const one = pick(optionIds.length);
      const chosen = optionIds.filter(() => pick(2) === 0);
      const choices = [[optionIds[one] ?? ''], chosen].map((texts) => texts.map((id) => ({ id, text: id })));
      for (const [order, step_id] of met.asks.steps.entries())
        await write('answers', {
          ...{ response_id: id, step_id, ...of, question_order: order, choices: choices[order] ?? [] },
          button_index: order === 0 ? one : null,
          button_text: order === 0 ? optionIds[one] : null,
          value: order === 0 ? optionIds[one] : null,
        });
    }
  }

  /** Items of a checklist, each at a time of its own. */
  async function completeItems(/** @type {string} */ profile_id) {
    const shown = daysAgo(5 + pick(20));
    const done = met.checklist.items.filter(() => pick(2) === 0).map((id) => ({ id, at: shown + pick(3) * DAY_MS }));
    const of = { experience_id: met.checklist.id, profile_id };
    await write('interactions', {
      ...{ id: idAt(shown), updated_at: shown, ...of, state: 'displayed', displayed_at: shown, group_kind: 'campaign' },
      items: done.length === 0 ? null : Object.fromEntries(done.map(({ id, at }) => [id, at])),
    });
    for (const { what, part_id, at } of [
      { what: 'displayed', part_id: '', at: shown },
      ...done.map(({ id, at }) => ({ what: 'item', part_id: id, at })),
    ])
      await write('activities', { ...of, day: Math.floor(at / DAY_MS), what, part_id });
  }
}

/**
 * Writes events, and what is counted of them.
 * @param {ReturnType<typeof createWriter>} write
 * @param {(at: number) => string} idAt
 * @param {number} now
 * @param {Iterable<{ profile_id: string, isTest: boolean, name: string, at: number, custom: object }>} events
 */
export async function writeEvents(write, idAt, now, events) {
  /** How often each person did each event. @type {Map<string, { count: number, first: number, last: number }>} */
  const counts = new Map();
  /** How many events there were in each quarter of an hour, by name. @type {Map<string, number>} */
  const quarters = new Map();
  const names = new Set();
  for (const { profile_id, isTest, name, at, custom } of events) {
    names.add(name);
    await write('events', { id: idAt(at), profile_id, name, custom });
    const quarter = `${name} ${Math.floor(at / QUARTER_MS)}`;
    if (!isTest) quarters.set(quarter, (quarters.get(quarter) ?? 0) + 1);
    const { count, first, last } = counts.get(`${profile_id} ${name}`) ?? { count: 0, first: at, last: at };
    const known = { count: count + 1, first: Math.min(first, at), last: Math.max(last, at) };
    counts.set(`${profile_id} ${name}`, known);
  }
  for (const [key, { count, first, last }] of counts) {
    const [profile_id, name] = key.split(' ');
    await write('profile_events', { profile_id, name, count, first_at: first, last_at: last });
  }
  for (const [key, count] of quarters) {
    const [name, quarter] = key.split(' ');
    await write('event_counts', { name, quarter: Number(quarter), count });
  }
  for (const name of names)
    await write('properties', {
      ...{ id: idAt(now - 60 * DAY_MS), updated_at: now, kind: 'event_name', name, prop: name, types: [], samples: [] },
      ...{ hidden: false, last_seen_at: now },
    });
}

/**
 * Collects rows of each table, and inserts many with one statement. A table is written before the tables that reference it.
 * @param {(sql: string) => Promise<unknown>} run
 * @param {string} accountId
 */
export function createWriter(run, accountId) {
  /** @type {Map<string, Record<string, unknown>[]>} */
  const waiting = new Map();
  const insert = async (/** @type {string} */ table) => {
    const rows = waiting.get(table) ?? [];
    waiting.set(table, []);
    const [first] = rows;
    if (!first) return;
    const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const values = rows.map((row) => `(${names.map((name) => toLiteral(row[name])).join(', ')})`);
    await run(`insert into ${table} (${names.join(', ')}) values ${values.join(', ')}`);
  };
  const flush = async () => {
    for (const table of waiting.keys()) await insert(table);
  };
  const write = async (/** @type {string} */ table, /** @type {Record<string, unknown>} */ row) => {
    const rows = waiting.get(table) ?? [];
    waiting.set(table, rows);
    rows.push({ account_id: accountId, ...row });
    if (rows.length >= ROWS_PER_STATEMENT) await flush();
  };
  return Object.assign(write, { flush });
}

/** @param {unknown} value */
function toLiteral(value) {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `'${text.replaceAll("'", "''")}'`;
}

/** Different IDs. Each part begins with another number. @param {number} first */
export function createIds(first) {
  let count = first;
  return (/** @type {number} */ at) => toId(at, ++count);
}

/**
 * @param {number} at
 * @param {number} count
 */
function toId(at, count) {
  const hex = (/** @type {number} */ value, /** @type {number} */ digits) => value.toString(16).padStart(digits, '0');
  return hex(Math.floor(at / 1000), 8) + hex(at % 1000, 3) + hex(count, 13);
}

/**
 * Random numbers from 0 to 1 (mulberry32).
 * @param {number} seed
 */
export function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
