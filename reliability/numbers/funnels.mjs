import { createIds, createWriter, writeEvents } from './generate.mjs';
import { DAY_MS, groupBy, periods, quantileOf, readJson, readTruth, startOfDay, timeOfId } from './truth.mjs';

/*
 * Funnels over events and states of two Experiences, which people see in two Environments. Each person is followed again from the rows, by trying
 * every way. A ledger keeps what some people did on pages, in its order.
 */

const TRAVELERS = 30;
const HOUR_MS = 60 * 60_000;
const hosts = ['localhost', 'shop.example.com'];
const eventNames = ['looked', 'tried', 'arrived'];
const places = ['displayed', 'started', 'completed', 'exited'];

/** @typedef {import('./truth.mjs').Row} Row */
/** @typedef {{ at: number, place: number, id: string, mask: number }} Deed */
/** @typedef {{ started: number[], arrived: number[], test: boolean }} Journey the places in the order of a counter */

/** @type {import('./parts.mjs').Part} */
export const funnels = {
  name: 'funnels',

  async create(call) {
    const { url_group: shop } = await call('/v3/edit/url_groups', { name: 'Shop', short_name: 'S' });
    const { url_group: other } = await call('/v3/edit/url_groups', { name: 'Other', short_name: 'O' });
    await call('/v3/edit/urls', { host: hosts[1], enabled: 'on', url_group_id: shop.id });
    const { tag } = await call('/v3/edit/tags', { name: 'Trips' });
    const common = { tag_ids: [tag.id], published_at: '$now' };
    const { tour } = await call('/v3/edit/tours', { name: 'Trip', steps: [{ title: 'Hello' }], ...common });
    const items = [{ title: 'Read', url: '/' }];
    const { launcher } = await call('/v3/edit/launchers', { name: 'Map', title: 'Map', items, ...common });
    return { tour: tour.id, launcher: launcher.id, environments: ['', shop.id, other.id], ledger: new Map(), clock: 0 };
  },

  async generate({ run, accountId, now, random }, { tour, launcher, environments }) {
    const pick = (/** @type {number} */ below) => Math.floor(random() * below);
    const newId = createIds(2 ** 43);
    const write = createWriter(run, accountId);
    const people = await run(`select id, is_test from profiles where account_id = '${accountId}' order by id`);
    // A fifth of the times are within an hour of a midnight of some time zone.
    const anyTime = () => {
      const at = now - HOUR_MS - pick(40 * DAY_MS);
      return pick(5) > 0 ? at : Math.floor(at / HOUR_MS) * HOUR_MS + pick(3) - 1;
    };
    const events = people.flatMap(({ id, is_test }) =>
      Array.from({ length: pick(12) }, () => ({
        ...{ profile_id: String(id), isTest: Boolean(Number(is_test)), custom: { n: pick(10) } },
        ...{ name: eventNames[pick(2)] ?? '', at: anyTime() },
      })),
    );
    await writeEvents(write, newId, now, events);
    for (const { id: profile_id } of people)
      for (const experience_id of [tour, launcher]) {
        if (pick(3) === 0) continue;
        const of = { experience_id, profile_id };
        /** The first time of each state on each day, and the last one. @type {Map<string, Row>} */
        const days = new Map();
        /** @type {Record<string, number>} */
        const last = {};
        const times = Array.from({ length: 1 + pick(4) }, anyTime).sort((one, other) => one - other);
        for (const at of times) {
          const state = places[pick(4)] ?? '';
          last[`${state}_at`] = at;
          for (const what of [state, ...(state === 'displayed' || state === 'started' ? ['shown'] : [])]) {
            const day = Math.floor(at / DAY_MS);
            if (days.has(`${what} ${day}`)) continue;
            days.set(`${what} ${day}`, { ...of, day, what, part_id: '', at, url_group_id: environments[pick(3)] });
          }
        }
        const [first = now] = times;
        await write('interactions', {
          ...{ id: newId(first), updated_at: now, ...of, state: 'started', group_kind: 'campaign' },
          ...Object.fromEntries(places.map((state) => [`${state}_at`, last[`${state}_at`] ?? null])),
        });
        for (const row of days.values()) await write('activities', row);
      }
    await write.flush();
  },

  actions({ call, send, pick, load }, made) {
    const { tour, launcher, ledger } = made;
    const uidOf = () => `traveler-${pick(TRAVELERS)}`;
    const idOf = async (/** @type {string} */ uid) => (await call('/v3/observe/hooks/profiles', { uid })).profile.id;
    /** @returns {Journey} */
    const journeyOf = (/** @type {string} */ uid) => {
      if (!ledger.has(uid)) ledger.set(uid, { started: [], arrived: [], test: false });
      return ledger.get(uid);
    };
    const tick = async () => {
      // What happens in one millisecond has another order.
      const before = Date.now();
      while (Date.now() <= before + 1) await Promise.resolve();
      return ++made.clock;
    };
    /** A page of one of the Environments: what users do there comes in any order. */
    const travel = async (/** @type {any} */ { visit }, /** @type {string} */ href, /** @type {Journey} */ journey) => {
      for (let n = 1 + pick(3); n > 0; n--) {
        const at = await tick();
        if (pick(2) === 0) {
          await send('POST', '/v3/observe/events', { visit_token: visit.token, name: 'arrived' });
          journey.arrived.push(at);
          continue;
        }
        const experience_id = [tour, launcher][pick(2)];
        const state = places[pick(4)];
        await send('POST', '/v3/observe/interactions', { visit_token: visit.token, href, experience_id, state });
        if (experience_id === tour && state !== 'displayed' && journey.started.length === 0) journey.started.push(at);
      }
    };
    const hrefOf = () => `http://${hosts[pick(2)]}/`;
    const often = [
      async () => {
        const [uid, href] = [uidOf(), hrefOf()];
        await travel(await load({ uid, href }), href, journeyOf(uid));
      },
      async () => {
        // Somebody uses a page in two browsers, and signs in in one of them later.
        const [uid, href] = [uidOf(), hrefOf()];
        /** @type {Journey} */
        const journey = { started: [], arrived: [], test: false };
        const page = await load({ href });
        await travel(page, href, journey);
        const known = hrefOf();
        await travel(await load({ uid, href: known }), known, journeyOf(uid));
        await load({ uid, href, anonymous_uid: page.profile.uid });
        const { started, arrived } = journeyOf(uid);
        started.push(...journey.started);
        arrived.push(...journey.arrived);
      },
    ];
    return [
      ...[...often, ...often, ...often, ...often],
      async () => {
        // What somebody saw first on a day is deleted.
        if (pick(3) > 0) return;
        const steps = [{ title: 'Hello' }];
        const { tour } = await call('/v3/edit/tours', { name: 'For a day', steps, published_at: '$now' });
        const [uid, href, next] = [uidOf(), hrefOf(), hrefOf()];
        const { visit } = await load({ uid, href });
        const report = { visit_token: visit.token, href, experience_id: tour.id, state: 'started' };
        await send('POST', '/v3/observe/interactions', report);
        await travel(await load({ uid, href: next }), next, journeyOf(uid));
        await send('DELETE', `/v3/edit/tours/${tour.id}`);
      },
      async () => {
        const uid = uidOf();
        await send('DELETE', `/v3/edit/profiles/${await idOf(uid)}${pick(2) === 0 ? '/forget' : ''}`);
        ledger.delete(uid);
        // A profile that was cleared is still a test user.
        await send('PATCH', `/v3/edit/profiles/${await idOf(uid)}`, { test: null });
      },
      async () => {
        const uid = uidOf();
        const test = pick(2) === 0;
        await send('PATCH', `/v3/edit/profiles/${await idOf(uid)}`, { test });
        journeyOf(uid).test = test;
      },
    ];
  },

  async compareNumbers(numbers, compare, { tour, launcher, ledger }) {
    const { call, met } = numbers;
    const truth = await readTruth(numbers);
    const event = (/** @type {string} */ name) => ({ kind: 'event', name });
    const few = { ...event('tried'), filters: [{ kind: 'property', prop: 'n', op: 'gt', value: 5 }] };
    const state = (/** @type {string} */ experience_id, /** @type {string} */ state) => ({
      ...{ kind: 'experience', experience_id, state },
    });
    const tests = [
      { steps: [event('looked'), event('tried')], window_days: 1 },
      { steps: [event('looked'), few, event('looked'), state(tour, 'completed')], window_days: 14 },
      { steps: [state(tour, 'displayed'), state(tour, 'started'), state(launcher, 'exited')], window_days: 30 },
      { steps: [state(launcher, 'started'), event('tried'), event('tried'), few], window_days: 7 },
      { steps: [few, event('tried'), state(tour, 'started'), state(tour, 'started')], window_days: 365 },
      { steps: [event('opened'), state(met.tour, 'completed'), event('paid')], window_days: 7 },
    ];
    const events = await truth.rowsOf('events', 'id, name, custom');
    const [first, last] = [
      await truth.rowsOf('activities', 'experience_id, what, at', `part_id = '' and at is not null`),
      await truth.rowsOf('interactions', `experience_id, ${places.map((state) => `${state}_at`).join(', ')}`),
    ].map((rows) => groupBy(rows, ({ profile_id }) => profile_id));
    const eventsOf = groupBy(events, ({ profile_id }) => profile_id);
    const pros = new Set([...truth.people].filter(([, { custom }]) => custom.plan === 'pro').map(([id]) => id));
    for (const [n, { steps, window_days }] of tests.entries()) {
      /** What one person did of the steps, in its order. */
      const deedsOf = (/** @type {string} */ id) => {
        const maskOf = (/** @type {(step: Row) => boolean} */ isStep) =>
          steps.reduce((mask, step, at) => (isStep(step) ? mask | (1 << at) : mask), 0);
        /** @type {Deed[]} */
        const deeds = (eventsOf.get(id) ?? []).map(({ id, name, custom }) => ({
          ...{ at: timeOfId(id), place: places.length, id },
          mask: maskOf((step) => step.name === name && (!step.filters || readJson(custom)?.n > 5)),
        }));
        const reached = (
          /** @type {string} */ experienceId,
          /** @type {string} */ what,
          /** @type {unknown} */ at,
        ) => ({
          ...{ at: Number(at), place: places.indexOf(what), id: experienceId },
          mask: maskOf((step) => step.experience_id === experienceId && step.state === what),
        });
        const times = [
          ...(first?.get(id) ?? []).map(({ experience_id, what, at }) => reached(experience_id, what, at)),
          ...(last?.get(id) ?? []).flatMap((row) =>
            places.flatMap((state) =>
              row[`${state}_at`] === null ? [] : reached(row.experience_id, state, row[`${state}_at`]),
            ),
          ),
        ];
        for (const one of times.sort(inOrder)) {
          const before = deeds.findLast(({ id, place }) => id === one.id && place === one.place);
          if (!before || one.at - before.at >= 1000) deeds.push(one);
        }
        return deeds.filter(({ mask }) => mask > 0).sort(inOrder);
      };
      const all = new Map([...truth.people.keys()].map((id) => [id, deedsOf(id)]));
      for (const range of periods(truth.timeZone)) {
        const rule = {
          ...{ from: startOfDay(range.first, truth.timeZone), before: startOfDay(range.last + 1, truth.timeZone) },
          ...{ steps: steps.length, windowMs: window_days * DAY_MS },
        };
        const ways = new Map([...all].map(([id, deeds]) => [id, tryAllWays(deeds, rule)]));
        const params = { steps, window_days, ...Object.fromEntries(new URLSearchParams(range.query)) };
        const counting = { ...params, split_segment_ids: [met.segment], within_ms: 30_000 };
        const { funnel } = await call('/v3/analyze/funnels', counting);
        const name = (/** @type {string} */ what) => `${truth.timeZone}, funnel ${n + 1}, ${range.query}: ${what}`;
        await compare(name('everybody is counted'), Number(funnel.complete), 1);
        for (const [of, counted, members] of [
          ['', funnel.steps, all],
          [' in a Segment', funnel.segments[0].steps, pros],
        ])
          for (const at of steps.keys()) {
            const own = [...ways].filter(([id, times]) => members.has(id) && times.length > at);
            const seconds = own.map(([, times]) => (times[at] ?? 0) - (times[at - 1] ?? 0)).map((ms) => ms / 1000);
            const median = at === 0 ? -1 : quantileOf(seconds.map(toTwoDigits), 0.5);
            await compare(name(`people of step ${at + 1}${of}`), counted[at].people, own.length);
            await compare(name(`seconds to step ${at + 1}${of}`), counted[at].median_seconds ?? -1, median);
          }
        if (range.first === range.today) continue;
        for (const [what, isListed] of /** @type {const} */ ([
          ['reached', (/** @type {number} */ count) => count >= 2],
          ['left', (/** @type {number} */ count) => count === 1],
        ])) {
          const step = what === 'reached' ? 2 : 1;
          const listed = await readPeople(call, { ...params, what, step });
          const own = [...ways].filter(([, times]) => isListed(times.length)).map(([id]) => id);
          await compare(name(`list of step ${step}, ${what}`), listed.size, own.length);
          const isSame = own.every((id) => listed.has(id));
          await compare(name(`the same people in the list of ${what}`), Number(isSame), 1);
        }
      }
    }

    /** @type {Journey[]} */
    const journeys = [...ledger.values()].filter(({ test }) => !test);
    const arrived = journeys.filter(({ started, arrived }) => Math.max(...arrived) > Math.min(...started)).length;
    const steps = [state(tour, 'started'), event('arrived')];
    const { funnel } = await call('/v3/analyze/funnels', { steps, within_ms: 30_000 });
    await compare('funnel of pages: arrived after the tour', funnel.steps[1].people, arrived);
  },
};

/** Times, then states before events, then IDs. @param {Deed} one @param {Deed} other */
function inOrder(one, other) {
  return one.at - other.at || one.place - other.place || (one.id < other.id ? -1 : 1);
}

/**
 * From every first step in the period, every next step is the next one in time. The longest way counts, and of equal ones the first.
 * @param {readonly Deed[]} deeds
 * @param {{ steps: number, windowMs: number, from: number, before: number }} rule
 */
function tryAllWays(deeds, { steps, windowMs, from, before }) {
  /** @type {number[]} */
  let best = [];
  for (const [start, { at, mask }] of deeds.entries()) {
    if (!(mask & 1) || at < from || at >= before) continue;
    const way = [at];
    for (let next = start + 1; next < deeds.length && way.length < steps; next++) {
      const deed = deeds[next];
      if (deed && deed.at <= at + windowMs && deed.mask & (1 << way.length)) way.push(deed.at);
    }
    if (way.length > best.length) best = way;
  }
  return best;
}

function toTwoDigits(/** @type {number} */ seconds) {
  return Number(Math.round(seconds).toPrecision(2));
}

/**
 * @param {import('./compare.mjs').Numbers['call']} call
 * @param {object} params
 */
async function readPeople(call, params) {
  const ids = new Set();
  for (let before; ; ) {
    const { people, cursor } = await call('/v3/analyze/funnels/people', { ...params, limit: 500, before });
    for (const { id } of people) {
      if (ids.has(id)) throw new Error(`${id} is in a list of people twice`);
      ids.add(id);
    }
    if (cursor.before === null) return ids;
    before = cursor.before;
  }
}
