/*
 * What users and administrators do that changes counts, in a random order, as requests of the API.
 */

import { parts } from './parts.mjs';

const HREF = 'http://localhost/';

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
  const { account } = await call('/v3/edit/account');
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
  const actions = [
    ...Array.from({ length: 8 }, () => async () => {
      const page = { account_token: account.token, uid: anyone(), href: HREF };
      const { visit } = await send('POST', '/v3/observe/visits', page);
      const report = (/** @type {object} */ params) =>
        send('POST', '/v3/observe/interactions', { visit_token: visit.token, href: HREF, ...params });
      const states = ['displayed', 'started', 'completed', 'exited'];
      await report({ experience_id: met.tour, state: states[pick(4)] });
      await report({ experience_id: used.id, state: states[pick(4)] });
      const response = { value: String(pick(11)) };
      if (pick(2) === 0) await report({ experience_id: met.survey, step_id: met.question, response });
    }),
    async () => send('DELETE', `/v3/edit/profiles/${await idOf(anyone())}`),
    async () => send('DELETE', `/v3/edit/profiles/${await idOf(anyone())}/forget`),
    async () => send('PATCH', `/v3/edit/profiles/${await idOf(anyone())}`, { test: [true, false, null][pick(3)] }),
    async () => {
      const [response] = (await call(`/v3/analyze/responses?id=${met.survey}&limit=1`)).responses;
      if (response) await send('DELETE', `/v3/edit/responses/${response.id}`);
    },
    // These concern everybody, so they come less often.
    async () => pick(10) === 0 && send('PATCH', '/v3/edit/account', { test_emails: patterns.slice(0, pick(4)) }),
    async () => pick(10) === 0 && send('PATCH', '/v3/edit/account', { time_zone: zones[pick(zones.length)] }),
    ...parts.flatMap((part) => part.actions?.({ call, send, met, pick, anyone }, made.get(part.name)) ?? []),
  ];
  for (let n = 0; n < times; n++) await actions[pick(actions.length)]?.();
  await call('/v3/edit/sample_data', {});
  await send('DELETE', '/v3/edit/sample_data');
  await send('DELETE', `/v3/edit/tours/${used.id}`);
}
