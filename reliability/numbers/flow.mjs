import { createIds, createWriter } from './generate.mjs';
import { countListed, DAY_MS, groupBy, isIn, periods, readTruth, toDate } from './truth.mjs';

/*
 * The flow through the steps of a tour, splits, scores by week and the people of every number, counted again from rows. A second tour is for
 * people who report steps, and a ledger keeps what they did.
 */

const WALKERS = 30;
const languages = ['', 'de', 'fr'];
const devices = ['desktop', 'mobile', 'tablet'];
const ends = ['completed', 'exited', 'snoozed', undefined];
const measures = ['displayed', 'started', 'completed', 'exited', 'snoozed'];

/** @typedef {import('./truth.mjs').Row} Row */
/** @typedef {{ reached: Set<string>, next: Set<string>, back: Set<string>, exited: Set<string>, snoozed: Set<string>, test: boolean }} Walk */

/** @type {import('./parts.mjs').Part} */
export const flow = {
  name: 'flow',

  async create(call) {
    const make = async (/** @type {string} */ name) =>
      (
        await call('/v3/edit/tours', {
          ...{ name, style: 'manual', published_at: '$now' },
          steps: ['One', 'Two', 'Three', 'Four'].map((title) => ({ title })),
        })
      ).tour;
    const [large, walked] = [await make('Large'), await make('Walked')];
    const idsOf = (/** @type {any} */ { id, steps }) => ({
      id,
      steps: steps.map((/** @type {{ id: string }} */ step) => step.id),
    });
    return { large: idsOf(large), walked: idsOf(walked), ledger: new Map() };
  },

  async generate({ run, accountId, now, random }, { large }) {
    const pick = (/** @type {number} */ below) => Math.floor(random() * below);
    const newId = createIds(2 ** 42);
    const write = createWriter(run, accountId);
    const people = await run(`select id from profiles where account_id = '${accountId}' order by id`);
    const today = Math.floor(now / DAY_MS);
    const versions = ['', newId(now), newId(now)];
    const environments = ['', newId(now), newId(now)];
    const variants = ['', newId(now), newId(now)];
    for (const { id: profile_id } of people) {
      if (pick(5) < 2) continue;
      const of = { experience_id: large.id, profile_id };
      const shown = now - pick(40) * DAY_MS - DAY_MS / 2;
      await write('interactions', {
        ...{ id: newId(shown), updated_at: shown, experience_id: large.id, profile_id, group_kind: 'campaign' },
        ...{ state: 'started', started_at: shown },
      });
      /** The day before on which the person did the same. @type {Map<string, number>} */
      const before = new Map();
      const first = today - 1 - pick(38);
      for (const day of [first, first + 1, first + 9].filter(
        (day, at) => day <= today && (at === 0 || pick(3) === 0),
      )) {
        const dimensions = {
          ...{ language: languages[pick(3)], device: devices[pick(3)], variant: variants[pick(3)] },
          ...{ url_group_id: environments[pick(3)], version_id: versions[pick(3)] },
        };
        const record = async (
          /** @type {string} */ what,
          part_id = '',
          seconds = /** @type {number | null} */ (null),
        ) => {
          const previous_day = before.get(`${what} ${part_id}`) ?? -1;
          before.set(`${what} ${part_id}`, day);
          await write('activities', { ...of, ...dimensions, day, what, part_id, previous_day, seconds });
        };
        if (pick(2) === 0) await record('displayed');
        await record('started');
        const reached = 1 + pick(large.steps.length);
        for (const [at, id] of large.steps.slice(0, reached).entries()) {
          await record('step', id);
          if (at + 1 < reached) await record('next', id, pick(5) === 0 ? null : 1 + pick(90));
          if (pick(6) === 0) await record('back', id);
        }
        const end = ends[pick(4)];
        if (!end) continue;
        await record(end);
        await record(end === 'completed' ? 'next' : end, large.steps[reached - 1], 1 + pick(90));
      }
    }
    await write.flush();
  },

  actions({ call, send, pick, load }, { walked, ledger }) {
    const uidOf = () => `walker-${pick(WALKERS)}`;
    const idOf = async (/** @type {string} */ uid) => (await call('/v3/observe/hooks/profiles', { uid })).profile.id;
    const report = async (/** @type {string} */ visit_token, /** @type {object} */ params) => {
      const before = Date.now();
      await send('POST', '/v3/observe/interactions', {
        ...{ visit_token, experience_id: walked.id, href: 'http://localhost/', elapsed: 60_000, ...params },
      });
      // Two steps of one millisecond have no order.
      while (Date.now() <= before + 1) await Promise.resolve();
    };
    /** A page goes through some steps, and then ends, or not. */
    const walk = async (/** @type {string} */ token, /** @type {boolean} */ test) => {
      /** @type {Walk} */
      const done = {
        ...{ reached: new Set(), next: new Set(), back: new Set() },
        exited: new Set(),
        snoozed: new Set(),
        test,
      };
      let at = -1;
      for (let n = 1 + pick(6); n > 0; n--) {
        const to = pick(walked.steps.length);
        await report(token, { ...(at < 0 && { state: 'started' }), step_id: walked.steps[to] });
        if (at >= 0 && to !== at) done.next.add(walked.steps[at]);
        if (to < at) done.back.add(walked.steps[at]);
        done.reached.add(walked.steps[to]);
        at = to;
      }
      const end = ends[pick(4)];
      if (end) await report(token, { state: end });
      if (end === 'completed') done.next.add(walked.steps[at]);
      if (end === 'exited' || end === 'snoozed') done[end].add(walked.steps[at]);
      return done;
    };
    const tests = new Map();
    const walkAs = async () => {
      const uid = uidOf();
      if (ledger.has(uid)) return;
      const { visit } = await load({ uid });
      ledger.set(uid, await walk(visit.token, tests.get(uid) ?? false));
    };
    return [
      walkAs,
      walkAs,
      walkAs,
      async () => {
        const uid = uidOf();
        if (ledger.has(uid)) return;
        const { visit, profile } = await load({});
        const done = await walk(visit.token, tests.get(uid) ?? false);
        await load({ uid, anonymous_uid: profile.uid });
        ledger.set(uid, done);
      },
      async () => {
        const uid = uidOf();
        await send('DELETE', `/v3/edit/profiles/${await idOf(uid)}/forget`);
        ledger.delete(uid);
        tests.delete(uid);
      },
      async () => {
        const uid = uidOf();
        await send('DELETE', `/v3/edit/profiles/${await idOf(uid)}`);
        ledger.delete(uid);
      },
      async () => {
        const uid = uidOf();
        const test = pick(2) === 0;
        await send('PATCH', `/v3/edit/profiles/${await idOf(uid)}`, { test });
        tests.set(uid, test);
        if (ledger.has(uid)) ledger.get(uid).test = test;
      },
    ];
  },

  async compareNumbers(numbers, compare, { large, walked, ledger }) {
    const { call, met } = numbers;
    const truth = await readTruth(numbers);
    const columns = 'what, part_id, day, seconds, language, device, url_group_id, version_id, variant';
    const rows = await truth.rowsOf('activities', columns, `experience_id = '${large.id}'`);
    for (const row of rows) row.day = Number(row.day);
    const pros = [...truth.people].filter(([, { custom }]) => custom.plan === 'pro').map(([id]) => id);
    for (const range of periods(truth.timeZone)) {
      const inRange = rows.filter(({ day }) => isIn(range, day));
      await compareFlow(call, compare, large, range, inRange);
      await compareSplits(call, compare, large, range, inRange, { segment: met.segment, members: new Set(pros) });
    }
    await compareScores(call, compare, truth, met, new Set(pros));

    const { stats } = await call(`/v3/analyze/tours/${walked.id}/stats`);
    /** @type {Walk[]} */
    const walks = [...ledger.values()].filter(({ test }) => !test);
    for (const [at, { id, flow }] of stats.steps.filter((/** @type {any} */ step) => step.flow).entries()) {
      const count = (/** @type {'reached' | 'next' | 'back' | 'exited' | 'snoozed'} */ what) =>
        walks.filter((walk) => walk[what].has(id)).length;
      const left = walks.filter(({ reached, next }) => reached.has(id) && !next.has(id)).length;
      for (const [what, number] of Object.entries({ left, reached: count('reached'), back: count('back') }))
        await compare(`flow of pages, step ${at + 1}: ${what}`, flow[what], number);
      for (const what of /** @type {const} */ (['exited', 'snoozed']))
        await compare(`flow of pages, step ${at + 1}: ${what}`, flow[what], count(what));
    }
  },

  async compareCounts({ compare, accountId, whose }) {
    await compare(
      `select experience_id, day, step_id, seconds, sum(count) as n from step_times where account_id = '${accountId}'
        group by experience_id, day, step_id, seconds`,
      `select a.experience_id, a.day, a.part_id, a.seconds, count(*) as n from activities a ${whose} and a.what = 'next'
        and a.seconds is not null group by a.experience_id, a.day, a.part_id, a.seconds`,
    );
    await compare(
      `select experience_id, day, what, part_id, version_id, sum(count) as n from version_counts where account_id = '${accountId}'
        group by experience_id, day, what, part_id, version_id`,
      `select a.experience_id, a.day, a.what, a.part_id, a.version_id, count(*) as n from activities a ${whose}
        and a.experience_id not like 'all%' group by a.experience_id, a.day, a.what, a.part_id, a.version_id`,
    );
    const dimensions = 'previous_day, language, device, url_group_id, variant';
    await compare(
      `select experience_id, day, what, part_id, ${dimensions}, sum(count) as n from activity_counts
        where account_id = '${accountId}' group by experience_id, day, what, part_id, ${dimensions}`,
      `select a.experience_id, a.day, a.what, a.part_id, ${dimensions.replaceAll(/\w+/g, 'a.$&')}, count(*) as n from activities a ${whose}
        group by a.experience_id, a.day, a.what, a.part_id, ${dimensions.replaceAll(/\w+/g, 'a.$&')}`,
    );
  },
};

/** How many different people. @param {readonly Row[]} rows */
const countPeople = (rows) => new Set(rows.map(({ profile_id }) => profile_id)).size;

/**
 * @param {import('./compare.mjs').Numbers['call']} call
 * @param {import('./compare.mjs').Compare} compare
 * @param {{ id: string, steps: string[] }} tour
 * @param {ReturnType<typeof periods>[number]} range
 * @param {readonly Row[]} rows those of the period
 */
async function compareFlow(call, compare, { id, steps }, { query }, rows) {
  const { stats } = await call(`/v3/analyze/tours/${id}/stats?${query}`);
  const done = groupBy(rows, ({ what, part_id }) => `${what} ${part_id}`);
  const of = (/** @type {string} */ what, part = '') => done.get(`${what} ${part}`) ?? [];
  const listed = (/** @type {string} */ what, part = '') =>
    countListed(call, `/v3/analyze/tours/${id}/people?${query}&what=${what}${part && `&part_id=${part}`}`);
  for (const what of measures) {
    await compare(`${query}: ${what}`, stats.totals[what], countPeople(of(what)));
    await compare(`${query}: list of ${what}`, await listed(what), countPeople(of(what)));
  }
  for (const step of steps) {
    const { seen, flow } = stats.steps.find((/** @type {{ id: string }} */ one) => one.id === step);
    const name = (/** @type {string} */ what) => `${query}, step ${steps.indexOf(step) + 1}: ${what}`;
    const went = new Set(of('next', step).map(({ profile_id }) => profile_id));
    const left = countPeople(of('step', step).filter(({ profile_id }) => !went.has(profile_id)));
    const seconds = of('next', step)
      .flatMap((row) => (row.seconds === null ? [] : [Number(row.seconds)]))
      .sort((one, other) => one - other);
    await compare(name('seen'), seen, countPeople(of('step', step)));
    await compare(name('reached'), flow.reached, countPeople(of('step', step)));
    await compare(name('left'), flow.left, left);
    for (const what of ['back', 'exited', 'snoozed']) {
      await compare(name(what), flow[what], countPeople(of(what, step)));
      await compare(name(`list of ${what}`), await listed(what, step), countPeople(of(what, step)));
    }
    await compare(name('list of reached'), await listed('reached', step), countPeople(of('step', step)));
    await compare(name('list of left'), await listed('left', step), left);
    // The lower one of an even number.
    await compare(name('seconds'), flow.seconds ?? -1, seconds[Math.ceil(seconds.length / 2) - 1] ?? -1);
  }
}

/**
 * Everybody counts as at the first time in the period.
 * @param {import('./compare.mjs').Numbers['call']} call
 * @param {import('./compare.mjs').Compare} compare
 * @param {{ id: string }} tour
 * @param {ReturnType<typeof periods>[number]} range
 * @param {readonly Row[]} rows those of the period
 * @param {{ segment: string, members: ReadonlySet<string> }} of
 */
async function compareSplits(call, compare, { id }, { query }, rows, { segment, members }) {
  const path = `/v3/analyze/tours/${id}`;
  for (const what of measures) {
    const own = groupBy(
      rows.filter((row) => row.what === what && row.part_id === ''),
      ({ profile_id }) => profile_id,
    );
    const first = [...own.values()].map((rows) => rows.reduce((one, other) => (other.day < one.day ? other : one)));
    for (const [by, column] of Object.entries({
      ...{
        language: 'language',
        device: 'device',
        url_group: 'url_group_id',
        version: 'version_id',
        variant: 'variant',
      },
    })) {
      const { splits } = await call(`${path}/splits?${query}&by=${by}`);
      const expected = groupBy(first, (row) => row[column]);
      for (const { value, totals } of splits)
        await compare(`${query}: ${what} by ${by}`, totals[what], expected.get(value)?.length ?? 0);
      for (const value of expected.keys())
        if (!splits.some((/** @type {any} */ split) => split.value === value))
          await compare(`${query}: ${what} by ${by} has "${value}"`, 0, 1);
      if (what !== 'started' || by === 'variant') continue;
      for (const [value, people] of expected) {
        const count = await countListed(call, `${path}/people?${query}&what=${what}&${column}=${value || 'none'}`);
        await compare(`${query}: list of ${what} by ${by}`, count, people.length);
      }
    }
    const expected = [...own.keys()].filter((id) => members.has(id)).length;
    let [found, after] = [0, ''];
    do {
      const part = await call(`${path}/splits?${query}&by=segment&segment_ids=${segment}${after && `&after=${after}`}`);
      found += part.splits[0].totals[what];
      after = part.cursor.after ?? '';
    } while (after);
    await compare(`${query}: ${what} in a Segment`, found, expected);
    const count = await countListed(call, `${path}/people?${query}&what=${what}&segment_id=${segment}`);
    await compare(`${query}: list of ${what} in a Segment`, count, expected);
  }
}

/**
 * The last answer of each person in the period, in each of its weeks, and in a Segment.
 * @param {import('./compare.mjs').Numbers['call']} call
 * @param {import('./compare.mjs').Compare} compare
 * @param {import('./truth.mjs').Truth} truth
 * @param {import('./generate.mjs').Met} met
 * @param {ReadonlySet<string>} members
 */
async function compareScores(call, compare, truth, met, members) {
  const rows = await truth.rowsOf('answers', 'response_id, value, day', `step_id = '${met.question}'`);
  const answers = rows.map((row) => ({ ...row, day: Number(row.day) }));
  const countLast = (/** @type {readonly Row[]} */ given, /** @type {number} */ value) => {
    const own = groupBy(given, ({ profile_id }) => profile_id);
    const isLater = (/** @type {Row} */ one, /** @type {Row} */ other) =>
      one.day === other.day ? one.response_id > other.response_id : one.day > other.day;
    const last = [...own.values()].map((rows) => rows.reduce((one, other) => (isLater(other, one) ? other : one)));
    return last.filter((row) => row.value === String(value)).length;
  };
  for (const range of periods(truth.timeZone)) {
    const { query, first, last, today } = range;
    const given = answers.filter(({ day }) => isIn(range, day));
    const { stats } = await call(`/v3/analyze/surveys/${met.survey}/stats?${query}`);
    const { scores } = stats;
    const [{ values, weeks }] = scores;
    for (const { value, count } of values) await compare(`${query}: score ${value}`, count, countLast(given, value));
    let until = last;
    for (const week of [...weeks].reverse()) {
      const from = Math.max(until - 6, first);
      if (week.day !== toDate(from)) await compare(`${query}: the week of ${week.day} begins then`, 0, 1);
      const own = given.filter(({ day }) => isIn({ first: from, last: until, today }, day) && day >= from);
      for (const { value, count } of week.values)
        await compare(`${query}, week of ${week.day}: score ${value}`, count, countLast(own, value));
      until = from - 1;
    }
    const path = `/v3/analyze/surveys/${met.survey}/people?${query}&what=score&part_id=${met.question}`;
    for (const { value, count } of values.slice(0, 3)) {
      await compare(`${query}: list of score ${value}`, await countListed(call, `${path}&options=${value}`), count);
      // Somebody who answered twice counts for each different answer.
      const answered = await countListed(call, `${path.replace('what=score', 'what=answer')}&options=${value}`);
      const people = countPeople(given.filter((row) => row.value === String(value)));
      await compare(`${query}: list of answer ${value}`, answered, people);
    }
    /** @type {Map<number, number>} */
    const found = new Map();
    let after = '';
    do {
      const splits = `splits?${query}&by=segment&segment_ids=${met.segment}${after && `&after=${after}`}`;
      const part = await call(`/v3/analyze/surveys/${met.survey}/${splits}`);
      for (const { value, count } of part.splits[0].scores) found.set(value, (found.get(value) ?? 0) + count);
      after = part.cursor.after ?? '';
    } while (after);
    const own = given.filter(({ profile_id }) => members.has(profile_id));
    for (let value = 0; value <= 10; value++)
      await compare(`${query}: score ${value} in a Segment`, found.get(value) ?? 0, countLast(own, value));
  }
}
