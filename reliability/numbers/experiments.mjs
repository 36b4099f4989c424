import { createWriter } from './generate.mjs';
import { DAY_MS, everyGoal, findMet, groupBy, readTruth, withConditions } from './truth.mjs';

/*
 * Two experiments. The exposures of the first one are written with SQL, and its numbers are counted again from the rows. The second one is
 * for people who load pages, and a ledger keeps what the pages were shown: from the first page that showed a variant on, it is the same one.
 */

const WINDOW_DAYS = 3;
const LEDGER_PEOPLE = 40;

/**
 * What a person has seen and done, in the order of a counter.
 * @typedef {object} Entry
 * @property {string | undefined} arm the launcher that was shown
 * @property {number} since
 * @property {boolean} contaminated
 * @property {Set<string>} seen the launchers of both arms that a page showed as a Delivery or a link does
 * @property {boolean} test
 * @property {{ at: number, amount: number }[]} paid
 * @property {{ holdout: number, is: boolean } | undefined} held whether the person is in a holdout, and in which one
 */

/** @type {import('./parts.mjs').Part} */
export const experiments = {
  name: 'experiments',

  async create(call, met) {
    const launcher = async (/** @type {string} */ name) =>
      (await call('/v3/edit/launchers', { name, title: name, items: [{ title: 'Read', url: '/' }] })).launcher.id;
    const goalIds = [];
    for (const goal of everyGoal(met)) goalIds.push((await call('/v3/edit/goals', goal)).goal.id);
    const start = async (/** @type {object} */ params) => {
      const { experiment } = await call('/v3/edit/experiments', params);
      return (await call(`/v3/edit/experiments/${experiment.id}/start`, {})).experiment;
    };
    const [tip, one, other] = [await launcher('Tip'), await launcher('One'), await launcher('Other')];
    const large = await start({
      ...{
        name: 'Large',
        goal_ids: goalIds.slice(0, 6),
        guardrail_goal_ids: goalIds.slice(6),
        window_days: WINDOW_DAYS,
      },
      variants: [
        { name: 'Nothing', share: 50 },
        { name: 'Tip', experience_id: tip, share: 50 },
      ],
    });
    const items = [{ kind: 'property', prop: 'ledger', op: 'eq', value: 'yes' }];
    const { segment } = await call('/v3/edit/segments', { name: 'Ledger', items });
    const bought = { name: 'Bought', kind: 'event', event_name: 'bought', sum_property: 'amount' };
    const { goal } = await call('/v3/edit/goals', bought);
    const watched = await start({
      ...{ name: 'Watched', segment_ids: [segment.id], goal_ids: [goal.id], window_days: 1 },
      variants: toVariants([one, other], 60),
    });
    return {
      large,
      watched,
      arms: [one, other],
      ledger: new Map(),
      problems: [],
      clock: 0,
      holdout: 0,
      hasHoldout: false,
    };
  },

  async generate({ run, accountId, now, random }, { large }) {
    const pick = (/** @type {number} */ below) => Math.floor(random() * below);
    const write = createWriter(run, accountId);
    const people = await run(`select id from profiles where account_id = '${accountId}' order by id`);
    // The times are half a day away from the end of the days of a person, so that no days end meanwhile.
    const daysAgo = (/** @type {number} */ days) => now - days * DAY_MS - DAY_MS / 2 + pick(3 * 60 * 60_000);
    for (const { id: profile_id } of people) {
      if (pick(4) === 0) continue;
      const exposed_at = daysAgo(pick(25));
      await write('exposures', {
        ...{ profile_id, experiment_id: large.id, variant_id: large.variants[pick(2)].id, exposed_at },
        contaminated_at: pick(30) === 0 ? exposed_at + 1000 : null,
      });
    }
    await write.flush();
  },

  actions({ call, send, pick, load }, made) {
    const { ledger, arms, problems, watched } = made;
    const uidOf = () => `arm-${pick(LEDGER_PEOPLE)}`;
    const tick = () => ++made.clock;
    /** @returns {Entry} */
    const entryOf = (/** @type {string} */ uid) => {
      const known = ledger.get(uid);
      if (known) return known;
      const entry = {
        arm: undefined,
        since: 0,
        contaminated: false,
        seen: new Set(),
        test: false,
        paid: [],
        held: undefined,
      };
      ledger.set(uid, entry);
      return entry;
    };
    /** The launcher of the experiment that a page is shown. There is always one, except to people of a holdout. */
    const armOf = (/** @type {any} */ { experiences }, /** @type {string} */ who) => {
      const shown = experiences.map((/** @type {{ id: string }} */ one) => one.id);
      const own = arms.filter((/** @type {string} */ id) => shown.includes(id));
      if (own.length > 1 || (own.length === 0 && !made.hasHoldout))
        problems.push(`${who} was shown ${own.length} arms`);
      return own[0];
    };
    const see = (/** @type {Entry} */ entry, /** @type {string | undefined} */ arm, /** @type {string} */ who) => {
      if (made.hasHoldout) {
        const is = arm === undefined;
        if (entry.held?.holdout === made.holdout && entry.held.is !== is)
          problems.push(`${who} left or joined the holdout`);
        entry.held = { holdout: made.holdout, is };
      }
      if (arm === undefined) return;
      if (entry.arm !== undefined && entry.arm !== arm) problems.push(`${who} was moved to another arm`);
      if (entry.arm === undefined) expose(entry, arm, tick());
    };
    /** Also somebody of a holdout may have seen the other arm before. */
    const expose = (/** @type {Entry} */ entry, /** @type {string} */ arm, /** @type {number} */ since) => {
      const contaminated = [...entry.seen].some((seen) => seen !== arm);
      Object.assign(entry, { arm, since, contaminated });
    };
    const properties = { ledger: 'yes' };
    const visit = async (/** @type {string} */ uid, params = {}) => {
      const page = await load({ uid, properties, ...params });
      return { page, arm: armOf(page, uid) };
    };
    const idOf = async (/** @type {string} */ uid) => (await call('/v3/observe/hooks/profiles', { uid })).profile.id;
    const report = (/** @type {string} */ visit_token, /** @type {string} */ experience_id) =>
      send('POST', '/v3/observe/interactions', {
        ...{ visit_token, experience_id, state: 'displayed', href: 'http://localhost/' },
      });
    const often = [
      async () => {
        const uid = uidOf();
        const { arm } = await visit(uid);
        see(entryOf(uid), arm, uid);
      },
      async () => {
        // Several tabs of one person, who may be new.
        const uid = uidOf();
        for (const { arm } of await Promise.all([visit(uid), visit(uid), visit(uid)])) see(entryOf(uid), arm, uid);
      },
      async () => {
        // The page shows the launcher of the other arm, as a Delivery or a link does.
        const uid = uidOf();
        const { page, arm } = await visit(uid);
        see(entryOf(uid), arm, uid);
        const seen = arms[pick(2)];
        await report(page.visit.token, seen);
        entryOf(uid).seen.add(seen);
        if (seen !== entryOf(uid).arm && entryOf(uid).arm !== undefined) entryOf(uid).contaminated = true;
      },
      async () => {
        const uid = uidOf();
        const amount = pick(1000) - 100;
        await send('POST', '/v3/observe/hooks/events', { uid, name: 'bought', amount });
        entryOf(uid).paid.push({ at: tick(), amount });
      },
      async () => {
        // Somebody is shown an arm, and signs in.
        const anonymous = await load({ properties });
        const first = { arm: armOf(anonymous, 'An anonymous user'), since: tick() };
        const uid = uidOf();
        const entry = entryOf(uid);
        if (entry.arm === undefined && first.arm !== undefined) expose(entry, first.arm, first.since);
        if (first.arm !== undefined && entry.arm !== first.arm) entry.contaminated = true;
        const { arm } = await visit(uid, { anonymous_uid: anonymous.profile.uid });
        see(entry, arm, uid);
      },
    ];
    return [
      ...often,
      ...often,
      async () => {
        const uid = uidOf();
        await send('DELETE', `/v3/edit/profiles/${await idOf(uid)}/forget`);
        ledger.delete(uid);
      },
      async () => {
        const uid = uidOf();
        await send('DELETE', `/v3/edit/profiles/${await idOf(uid)}`);
        const { test } = entryOf(uid);
        ledger.delete(uid);
        entryOf(uid).test = test;
      },
      async () => {
        const uid = uidOf();
        const test = pick(2) === 0;
        await send('PATCH', `/v3/edit/profiles/${await idOf(uid)}`, { test });
        entryOf(uid).test = test;
      },
      async () => {
        if (pick(6) > 0) return;
        const share = [0, 20, 60, 100][pick(4)] ?? 50;
        await send('PATCH', `/v3/edit/experiments/${watched.id}`, { variants: toVariants(arms, share) });
      },
      async () => {
        if (pick(4) > 0) return;
        made.hasHoldout = !made.hasHoldout;
        if (made.hasHoldout) made.holdout++;
        const holdout = { holdout_percent: 30, holdout_until: '+91d' };
        await send(
          'PATCH',
          '/v3/edit/account',
          made.hasHoldout ? holdout : { holdout_percent: 0, holdout_until: null },
        );
      },
      async () => {
        if (pick(20) > 0) return;
        // It ends while pages load, and goes on with the same arms.
        const { experiment } = await call(`/v3/edit/experiments/${watched.id}/end`, {});
        if (experiment.state !== 'ended') problems.push('the experiment did not end');
        await call(`/v3/edit/experiments/${watched.id}/undo`, {});
      },
    ];
  },

  async compareNumbers(numbers, compare, { large, watched, ledger, problems }) {
    const { call } = numbers;
    const truth = await readTruth(numbers);
    const { results } = await call(`/v3/analyze/experiments/${large.id}/results`);
    const at = Date.parse(results.at);
    const columns = 'variant_id, exposed_at, contaminated_at';
    const exposures = await truth.rowsOf('exposures', columns, `experiment_id = '${large.id}'`);
    const isOver = (/** @type {import('./truth.mjs').Row} */ { exposed_at }) =>
      Number(exposed_at) < at - WINDOW_DAYS * DAY_MS;
    const isMixed = (/** @type {import('./truth.mjs').Row} */ { contaminated_at }) => contaminated_at !== null;
    await compare('experiment: exposed', results.exposed_count, exposures.length);
    await compare('experiment: days are over', results.complete_count, exposures.filter(isOver).length);
    await compare('experiment: contaminated', results.contaminated_count, exposures.filter(isMixed).length);
    const byArm = groupBy(exposures, ({ variant_id }) => variant_id);
    for (const { variant_id, exposed_count, complete_count, contaminated_count } of results.variants) {
      const own = byArm.get(variant_id) ?? [];
      await compare('experiment, an arm: exposed', exposed_count, own.length);
      await compare('experiment, an arm: days are over', complete_count, own.filter(isOver).length);
      await compare('experiment, an arm: contaminated', contaminated_count, own.filter(isMixed).length);
    }
    const since = new Map(exposures.map(({ profile_id, exposed_at }) => [profile_id, Number(exposed_at)]));
    await compare('experiment: goals', results.goals.length, everyGoal(numbers.met).length);
    for (const { goal_id, name, sums, variants } of results.goals) {
      const { goal } = await call(`/v3/edit/goals/${goal_id}`);
      const met = await findMet(truth, withConditions({ ...goal, within_days: WINDOW_DAYS }), since);
      for (const { variant_id, complete_count, reached_count, reached_so_far_count, sum, rate } of variants) {
        const own = (byArm.get(variant_id) ?? []).filter(({ profile_id }) => met.has(profile_id));
        const complete = own.filter(isOver);
        const all = (byArm.get(variant_id) ?? []).filter(isOver).length;
        const total = complete.reduce((sum, { profile_id }) => sum + (met.get(profile_id) ?? 0), 0);
        await compare(`experiment, ${name}: reached`, reached_count, complete.length);
        await compare(`experiment, ${name}: reached so far`, reached_so_far_count, own.length);
        await compare(`experiment, ${name}: people`, complete_count, all);
        await compare(`experiment, ${name}: rate`, rate, complete.length / all);
        if (sums) await compare(`experiment, ${name}: sum`, sum, total);
      }
    }
    await compareLedger(call, compare, watched, ledger, problems);
  },
};

/** @param {readonly string[]} ids @param {number} share of the first one */
function toVariants([one, other], share) {
  return [
    { name: 'One', experience_id: one, share },
    { name: 'Other', experience_id: other, share: 100 - share },
  ];
}

/**
 * @param {import('./compare.mjs').Numbers['call']} call
 * @param {import('./compare.mjs').Compare} compare
 * @param {any} watched
 * @param {ReadonlyMap<string, Entry>} ledger
 * @param {readonly string[]} problems
 */
async function compareLedger(call, compare, watched, ledger, problems) {
  for (const problem of problems) console.log(`WRONG  ${problem}`);
  await compare('what pages of the experiment were shown: wrong', problems.length, 0);
  const { results } = await call(`/v3/analyze/experiments/${watched.id}/results`);
  const counted = [...ledger.values()].filter(({ arm, test }) => arm !== undefined && !test);
  await compare('experiment of pages: exposed', results.exposed_count, counted.length);
  await compare(
    'experiment of pages: contaminated',
    results.contaminated_count,
    counted.filter(({ contaminated }) => contaminated).length,
  );
  const [goal] = results.goals;
  for (const [at, { id, experience_id }] of watched.variants.entries()) {
    const own = counted.filter(({ arm }) => arm === experience_id);
    const paid = own.filter(({ since, paid }) => paid.some(({ at }) => at > since));
    await compare('experiment of pages, an arm: exposed', results.variants[at].exposed_count, own.length);
    const reached = goal.variants.find((/** @type {any} */ one) => one.variant_id === id);
    await compare('experiment of pages, an arm: reached so far', reached.reached_so_far_count, paid.length);
  }
}
