import { createIds, createWriter } from './generate.mjs';
import { DAY_MS, dayWriter, everyGoal, findMet, isIn, periods, readTruth, timeOfId, withConditions } from './truth.mjs';

/*
 * Goals of an Experience: who met them, how many, and sums, for several periods, with the list of people of each number.
 */

const PAGE = 500;

/** @type {import('./parts.mjs').Part} */
export const goals = {
  name: 'goals',

  async create(call, met) {
    const [shared, ...own] = everyGoal(met);
    const { goal } = await call('/v3/edit/goals', shared);
    const { tour } = await call('/v3/edit/tours', {
      ...{ name: 'With goals', style: 'manual', steps: [{ title: 'Hello' }], published_at: '$now' },
      goals: [{ goal_id: goal.id }, ...own],
    });
    return { tour: tour.id };
  },

  async generate({ run, accountId, now, random }, { tour }) {
    const pick = (/** @type {number} */ below) => Math.floor(random() * below);
    const newId = createIds(2 ** 41);
    const write = createWriter(run, accountId);
    const people = await run(`select id from profiles where account_id = '${accountId}' order by id`);
    for (const { id: profile_id } of people) {
      if (pick(3) === 0) continue;
      // Some minutes around midnight are among these times, in any time zone.
      const at = now - pick(40) * DAY_MS - pick(24) * 60 * 60_000 - 15 * 60_000;
      const isMoved = pick(20) === 0;
      await write('interactions', {
        // What comes from another service has a time of its own.
        ...{ id: newId(isMoved ? now - DAY_MS : at), created_at: isMoved ? at : null, updated_at: at },
        ...{ experience_id: tour, profile_id, group_kind: 'campaign' },
        ...(pick(8) === 0
          ? { state: 'displayed', displayed_at: at, started_at: null }
          : { state: 'started', displayed_at: null, started_at: at + 1000 }),
      });
      if (pick(10) === 0)
        await write('activities', {
          ...{ experience_id: tour, profile_id, day: Math.floor(at / DAY_MS), what: 'started', part_id: '' },
        });
    }
    await write.flush();
  },

  async compareNumbers(numbers, compare, { tour }) {
    const { call, send } = numbers;
    const path = `/v3/analyze/tours/${tour}/goals`;
    const truth = await readTruth(numbers);
    const { goals } = (await call(`/v3/edit/tours/${tour}`)).tour;
    // Numbers of many people are some minutes old. Another goal and back makes the server count again.
    const renew = async (/** @type {object[]} */ goals) => {
      await send('PATCH', `/v3/edit/tours/${tour}`, { goals });
      for (;;) {
        const { results } = await call(path);
        if (results.counted_at !== null && results.counting === null) return;
      }
    };
    const [, other] = goals;
    await renew(goals.map((/** @type {object} */ goal) => (goal === other ? { ...other, within_days: 300 } : goal)));
    await renew(goals);

    const columns = 'id, created_at, displayed_at, started_at';
    const rows = await truth.rowsOf('interactions', columns, `experience_id = '${tour}'`);
    const since = new Map(
      rows
        .filter(({ displayed_at, started_at }) => displayed_at !== null || started_at !== null)
        .map(({ profile_id, id, created_at }) => [profile_id, created_at === null ? timeOfId(id) : Number(created_at)]),
    );
    const toDay = dayWriter(truth.timeZone);
    const days = new Map([...since].map(([id, at]) => [id, Math.floor(Date.parse(toDay(at)) / DAY_MS)]));
    const inPeriod = (/** @type {ReturnType<typeof periods>[number]} */ range) => (/** @type {string} */ id) =>
      isIn(range, days.get(id) ?? -1);
    /** @type {Map<string, Map<string, number>>} */
    const met = new Map();
    const { results } = await call(path);
    for (const goal of results.goals) met.set(goal.id, await findMet(truth, withConditions(goal), since));

    for (const range of periods(truth.timeZone)) {
      const name = (/** @type {string} */ what) => `${truth.timeZone}, goals, ${range.query}: ${what}`;
      const { results } = await call(`${path}?${range.query}`);
      await compare(name('people'), results.people, [...since.keys()].filter(inPeriod(range)).length);
      for (const goal of results.goals) {
        const found = [...(met.get(goal.id) ?? [])].filter(([id]) => inPeriod(range)(id));
        const sum = found.reduce((total, [, value]) => total + value, 0);
        await compare(name(goal.name), goal.people, found.length);
        if (goal.sum_property) await compare(name(`sum of ${goal.name}`), goal.sum, sum);
        if (range.first === range.today) continue;
        const listed = await readPeople(call, `${path}/people?goal_id=${goal.id}&${range.query}`);
        const isSame = found.every(([id, value]) => (listed.get(id) ?? 0) === value && listed.has(id));
        await compare(name(`list of ${goal.name}`), listed.size, found.length);
        await compare(name(`the same people and numbers in the list of ${goal.name}`), Number(isSame), 1);
      }
    }
    await compare('how many goals', results.goals.length, everyGoal(numbers.met).length);
  },
};

/**
 * @param {import('./compare.mjs').Numbers['call']} call
 * @param {string} path
 */
async function readPeople(call, path) {
  /** @type {Map<string, number>} */
  const found = new Map();
  for (let before = ''; ; ) {
    const { people, cursor } = await call(`${path}&limit=${PAGE}${before && `&before=${before}`}`);
    for (const { profile, value } of people) {
      if (found.has(profile.id)) throw new Error(`${profile.id} is in a list of people twice`);
      found.set(profile.id, value ?? 0);
    }
    if (cursor.before === null) return found;
    before = cursor.before;
  }
}
