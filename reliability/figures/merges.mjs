import { setTimeout as pause } from 'node:timers/promises';
import { startUsher, unlimited } from '../../bench/servers.mjs';
import { createStore } from '../../bench/store.mjs';
import { compareCounts } from '../numbers/compare-counts.mjs';
import { createRandom } from '../numbers/generate.mjs';
import { callApi } from '../sync/call-api.mjs';

const NODES = { sqlite: 1, postgres: 2 };
const WORKERS = 8;
const HREF = 'http://localhost/';
/** Whether the user ended a tour depends on which page reported first, so no page reports that. */
const STATES = /** @type {const} */ (['displayed', 'started', 'completed']);
const settings = {
  ...unlimited,
  USHER_PAGE_PROFILES_PER_DAY: '1000000000',
  USHER_PAGE_EVENTS_PER_DAY: '1000000000',
};

/**
 * What the server has acknowledged for one person, on all devices.
 * @typedef {{ uid: string, devices: number, events: Set<number>, states: Set<string>, scores: number[] }} Person
 */

/**
 * People use one or two browsers before they sign in, and then each browser signs in, in two tabs together, on two nodes, while
 * all of their pages and the backend go on sending. Everything that was acknowledged must be there, once.
 * @param {{ seed?: number | undefined }} options
 */
export function mergesWithRaces({ seed = 1 }) {
  return async (/** @type {import('../../bench/harness.mjs').Bench} */ bench) => {
    const wanted = bench.quick ? 200 : 10_000;
    const store = await createStore(bench);
    const nodes = [await startUsher(bench, store, settings)];
    while (nodes.length < NODES[bench.engine]) nodes.push(await startUsher(bench, store, settings));
    const random = createRandom(seed);
    const pick = (/** @type {number} */ below) => Math.floor(random() * below);
    const call = (/** @type {string} */ path, /** @type {object} */ options) =>
      callApi(nodes[pick(nodes.length)]?.port ?? 0, path, options);
    const met = await prepare(call);
    let events = 0;

    /** What a page does with its token; the server has acknowledged it when this ends. */
    const use = async (
      /** @type {Person} */ person,
      /** @type {string} */ visit_token,
      /** @type {number} */ times,
    ) => {
      for (let n = 0; n < times; n++) {
        if (pick(2) === 0) {
          events += 1;
          const content = { visit_token, name: 'Clicked', properties: { number: events } };
          const { number } = content.properties;
          await call('/v3/observe/events', { content });
          person.events.add(number);
        } else {
          const state = STATES[pick(STATES.length)] ?? 'displayed';
          await call('/v3/observe/interactions', {
            content: { visit_token, href: HREF, experience_id: met.tour, state },
          });
          person.states.add(state);
          // A tour that is completed has started.
          if (state === 'completed') person.states.add('started');
        }
      }
    };
    const load = async (/** @type {object} */ params) =>
      call('/v3/observe/visits', { content: { account_token: met.token, href: HREF, ...params } });

    const live = async (/** @type {Person} */ person) => {
      /** @type {string[]} */
      const tokens = [];
      if (pick(4) > 0) {
        const { visit } = await load({ uid: person.uid });
        tokens.push(visit.token);
        await use(person, visit.token, pick(3));
      }
      /** @type {string[]} */
      const anonymous = [];
      for (let n = 0; n < person.devices; n++) {
        const { profile, visit } = await load({});
        anonymous.push(profile.uid);
        tokens.push(visit.token);
        await use(person, visit.token, pick(4));
        if (pick(2) > 0) continue;
        const score = pick(11);
        const response = { value: String(score) };
        const report = {
          visit_token: visit.token,
          href: HREF,
          experience_id: met.survey,
          step_id: met.question,
          response,
        };
        await call('/v3/observe/interactions', { content: report });
        person.scores.push(score);
      }
      const signIns = anonymous.flatMap((anonymous_uid) => [anonymous_uid, anonymous_uid]);
      const backend = async () => {
        events += 1;
        const number = events;
        await call('/v3/observe/hooks/events', { content: { uid: person.uid, name: 'Paid', number } });
        person.events.add(number);
      };
      await Promise.all([
        ...signIns.map((anonymous_uid) => load({ uid: person.uid, anonymous_uid })),
        ...tokens.map((token) => use(person, token, pick(3))),
        backend(),
      ]);
      await Promise.all(anonymous.map((anonymous_uid) => load({ uid: person.uid, anonymous_uid })));
      await Promise.all(tokens.map((token) => use(person, token, 1)));
    };

    /** @type {Person[]} */
    const people = [];
    let merges = 0;
    const work = async () => {
      while (merges < wanted) {
        const devices = 1 + pick(2);
        merges += devices;
        const person = { uid: `person-${people.length}`, devices, events: new Set(), states: new Set(), scores: [] };
        people.push(person);
        if (people.length % 500 === 0) bench.note(`${merges} of ${wanted} sign-ins`);
        await live(person);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
    // What is left to do after a request, such as marks of test users, is done within seconds.
    await pause(2000);
    for (const node of nodes) await node.stop();

    const connection = await store.connect();
    const found = await compare(connection.run, people, met);
    const counts = await compareCounts(bench.engine, connection.run, met.account, Date.now());
    await connection.close();
    for (const difference of [...found.differences, ...counts.differences].slice(0, 50))
      console.log(`DIFFERS  ${difference}`);
    return [
      { part: 'merges', value: merges, unit: 'sign-ins' },
      { part: 'acknowledged', value: found.compared, unit: 'records' },
      { part: 'different', value: found.differences.length, unit: 'records', target: { most: 0 } },
      { part: 'counts.different', value: counts.differences.length, unit: 'numbers', target: { most: 0 } },
      { part: 'counts.compared', value: counts.compared, unit: 'numbers' },
    ];
  };
}

/** @param {(path: string, options: object) => Promise<any>} call */
async function prepare(call) {
  await call('/v3/edit/urls', { content: { host: 'localhost', enabled: 'on' } });
  await call('/v3/edit/account', { method: 'PATCH', content: { anonymous_users: true, trust_pages: true } });
  const published = { published_at: '$now' };
  const { tour } = await call('/v3/edit/tours', {
    content: { name: 'Tour', steps: [{ title: 'Hello' }], ...published },
  });
  const steps = [{ title: 'How likely?', preset: 'survey_nps' }];
  const { survey } = await call('/v3/edit/surveys', { content: { name: 'Survey', steps, ...published } });
  const { account } = await call('/v3/edit/account', {});
  const question = survey.steps[0].id;
  return { account: account.id, token: account.token, tour: tour.id, survey: survey.id, question };
}

/**
 * Compares the rows with what was acknowledged.
 * @param {(sql: string) => Promise<Record<string, any>[]>} run
 * @param {Person[]} people
 * @param {Awaited<ReturnType<typeof prepare>>} met
 */
async function compare(run, people, met) {
  const whose = `account_id = '${met.account}'`;
  const group = (/** @type {Record<string, any>[]} */ rows) => {
    /** @type {Map<string, Record<string, any>[]>} */
    const groups = new Map();
    for (const row of rows) groups.set(row.profile_id, [...(groups.get(row.profile_id) ?? []), row]);
    return groups;
  };
  const profiles = await run(`select id, uid from profiles where ${whose}`);
  const ids = new Map(profiles.map(({ id, uid }) => [uid, id]));
  const events = group(await run(`select profile_id, custom from events where ${whose}`));
  const interactions = group(await run(`select * from interactions where ${whose} and experience_id = '${met.tour}'`));
  const answers = group(await run(`select profile_id, button_index from answers where ${whose}`));
  /** @type {string[]} */
  const differences = [];
  let compared = 0;
  const same = (/** @type {string} */ what, /** @type {unknown[]} */ stored, /** @type {unknown[]} */ acknowledged) => {
    compared += acknowledged.length;
    const [one, other] = [[...stored].sort().join(), [...acknowledged].sort().join()];
    if (one !== other) differences.push(`${what}: stored ${one}, acknowledged ${other}`);
  };
  const uids = people.map(({ uid }) => uid);
  same(
    'profiles',
    profiles.map(({ uid }) => uid),
    uids,
  );
  for (const { uid, events: sent, states, scores } of people) {
    const id = ids.get(uid) ?? '';
    const custom = (events.get(id) ?? []).map((row) =>
      typeof row.custom === 'string' ? JSON.parse(row.custom) : row.custom,
    );
    same(
      `events of ${uid}`,
      custom.map(({ number }) => number),
      [...sent],
    );
    const [tour = {}] = interactions.get(id) ?? [];
    same(
      `states of ${uid}`,
      STATES.filter((state) => tour[`${state}_at`]),
      [...states],
    );
    same(
      `answers of ${uid}`,
      (answers.get(id) ?? []).map((row) => row.button_index),
      scores,
    );
  }
  return { differences, compared };
}
