/*
 * What users and administrators do that changes counts, in a random order, as requests of the API.
 */

import { itemEvents } from './compare.mjs';
import { optionIds } from './generate.mjs';
import { parts } from './parts.mjs';

const HREF = 'http://localhost/';
const events = ['opened', 'paid', 'left', ...itemEvents];

/**
 * @param {object} api
 * @param {(path: string, content?: unknown) => Promise<any>} api.call
 * @param {(method: string, path: string, content?: unknown) => Promise<any>} api.send
 * @param {import('./generate.mjs').Met} met
 * @param {number} times
 * @param {() => number} random
 * @param {ReadonlyMap<string, unknown>} made what the parts have created
 */
export async function changeUse({ call, send }, met, times, random, made) {
  const pick = (/** @type {number} */ below) => Math.floor(random() * below);
  const trusting = { anonymous_users: true, trust_pages: true };
  const { account } = await send('PATCH', '/v3/edit/account', trusting);
  await call('/v3/edit/urls', { host: 'localhost', enabled: 'on' });
  const anyone = () => `user-${pick(times)}`;
  const { tour: used } = await call('/v3/edit/tours', {
    name: 'Used',
    steps: [{ title: 'Hello' }],
    published_at: '$now',
  });
  const patterns = ['user1*@example.com', 'user2*', '*9@example.com'];
  // The last two have a change of daylight saving time, with the whole and with half an hour.
  const zones = ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/New_York', 'Australia/Lord_Howe'];
  const idOf = async (/** @type {string} */ uid) => (await call('/v3/observe/hooks/profiles', { uid })).profile.id;
  const load = (/** @type {object} */ params) =>
    send('POST', '/v3/observe/visits', { account_token: account.token, href: HREF, ...params });
  const states = ['displayed', 'started', 'completed', 'exited'];
  /** What a page does: it reports, answers and tracks events. Some complete items. */
  const use = async (/** @type {{ token: string }} */ visit) => {
    const report = (/** @type {object} */ params) =>
      send('POST', '/v3/observe/interactions', { visit_token: visit.token, href: HREF, ...params });
    await report({ experience_id: met.tour, state: states[pick(4)] });
    await report({ experience_id: used.id, state: states[pick(4)] });
    const response = { value: String(pick(11)) };
    if (pick(2) === 0) await report({ experience_id: met.survey, step_id: met.question, response });
    const { id, steps } = met.asks;
    const options = () => optionIds.filter(() => pick(2) === 0);
    if (pick(2) === 0) {
      await report({ experience_id: id, step_id: steps[0], state: 'started', response: { value: optionIds[pick(3)] } });
      const values = options();
      if (values.length > 0) await report({ experience_id: id, step_id: steps[1], response: { values } });
    }
    const name = events[pick(events.length)];
    await send('POST', '/v3/observe/events', { visit_token: visit.token, name });
  };
  const plan = () => ['free', 'pro'][pick(2)];
  const actions = [
    ...Array.from({ length: 6 }, () => async () => {
      const { visit } = await load({ uid: anyone(), properties: { plan: plan() } });
      await use(visit);
    }),
    // Somebody uses a page and signs in, while the page goes on.
    ...Array.from({ length: 3 }, () => async () => {
      const { visit, profile } = await load({ properties: { plan: plan() } });
      await use(visit);
      await load({ anonymous_uid: profile.uid });
      await load({ uid: anyone(), anonymous_uid: profile.uid });
      await use(visit);
    }),
    async () => {
      const hook = { uid: anyone(), name: events[pick(events.length)] };
      await send('POST', '/v3/observe/hooks/events', hook);
      await load({ uid: hook.uid });
    },
    async () => send('DELETE', `/v3/edit/profiles/${await idOf(anyone())}`),
    async () => send('DELETE', `/v3/edit/profiles/${await idOf(anyone())}/forget`),
    async () => send('PATCH', `/v3/edit/profiles/${await idOf(anyone())}`, { test: [true, false, null][pick(3)] }),
    async () => {
      const of = pick(2) === 0 ? met.survey : met.asks.id;
      const [response] = (await call(`/v3/analyze/responses?id=${of}&limit=1`)).responses;
      if (response) await send('DELETE', `/v3/edit/responses/${response.id}`);
    },
    // These concern everybody, so they come less often.
    async () => pick(10) === 0 && send('PATCH', '/v3/edit/account', { test_emails: patterns.slice(0, pick(4)) }),
    async () => pick(10) === 0 && send('PATCH', '/v3/edit/account', { time_zone: zones[pick(zones.length)] }),
    ...parts.flatMap((part) => part.actions?.({ call, send, met, pick, anyone, load }, made.get(part.name)) ?? []),
  ];
  for (let n = 0; n < times; n++) await actions[pick(actions.length)]?.();
  await call('/v3/edit/sample_data', {});
  await send('DELETE', '/v3/edit/sample_data');
  await send('DELETE', `/v3/edit/tours/${used.id}`);
}
