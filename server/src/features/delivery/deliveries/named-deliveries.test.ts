import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { engine } from '../../../../test/engine.ts';
import { explain, runUnchecked } from '../../../../test/explain.ts';
import { openDomain, PAGE, visit } from '../../../../test/visiting.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());
beforeEach(async () => {
  await api.replaceAccounts();
  await openDomain(api);
});

async function addTour(name: string, params: object = {}): Promise<string> {
  const content = { name, steps: [{ title: 'Hello' }], published_at: '$now', style: 'manual', ...params };
  return (await api.post('/v3/edit/tours', content)).body.tour.id;
}
async function deliver(uid: string, model_id: string, params: object = {}): Promise<string> {
  const { status, body } = await api.post('/v3/edit/deliveries', { model_kind: 'tour', model_id, uid, ...params });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.delivery.id;
}
const list = async (query = '') => (await api.get('/v3/analyze/deliveries', { query })).body;
const idsOf = (deliveries: { id: string }[]) => deliveries.map(({ id }) => id);

it('lists pending, triggered and removed Deliveries with names, and pages through them', async () => {
  const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
  const segment = (await api.post('/v3/edit/segments', { name: 'Pro', items })).body.segment.id;
  const [plain, forPro] = [await addTour('Plain'), await addTour('For pro', { segment_ids: [segment] })];
  await visit(api, { uid: 'u-1', email: 'ann@example.com', properties: { name: 'Ann Lee' } });
  const removed = await deliver('u-1', forPro, { use_segmentation: true });
  const triggered = await deliver('u-1', plain);
  const { body } = await visit(api, { uid: 'u-1' });
  const started = { experience_id: plain, state: 'started', delivery_id: triggered, href: PAGE };
  await api.post('/v3/observe/interactions', { visit_token: body.visit.token, ...started }, { as: null });
  const canceled = await deliver('u-1', plain);
  await api.send('DELETE', `/v3/edit/deliveries/${canceled}`);
  const pending = await deliver('u-1', forPro);

  const all = await list();
  expect(idsOf(all.deliveries)).toEqual([pending, triggered, removed]);
  const profile = expect.objectContaining({ uid: 'u-1', email: 'ann@example.com', name: 'Ann Lee', test: false });
  expect(all.deliveries).toEqual([
    expect.objectContaining({ profile, experience: { id: forPro, kind: 'tour', name: 'For pro', is_live: true } }),
    expect.objectContaining({ profile, at_href: PAGE, experience: expect.objectContaining({ name: 'Plain' }) }),
    expect.objectContaining({ profile, removed_reason: 'segment_mismatch' }),
  ]);
  const pages = [await list(`model_id=${forPro}&limit=1`)];
  pages.push(await list(`model_id=${forPro}&limit=1&before=${pages[0].cursor.before}`));
  expect(pages.map(({ deliveries }) => idsOf(deliveries))).toEqual([[pending], [removed]]);
  expect(pages[1].cursor.before).toBeNull();
  expect((await api.get('/v3/analyze/deliveries', { query: `model_id=${'f'.repeat(24)}` })).status).toBe(404);
  expect((await api.get('/v3/analyze/deliveries', { as: api.other })).body.deliveries).toEqual([]);
});

it('lists the pending Deliveries of a user in their order with the limit of the account', async () => {
  const tour = await addTour('Plain');
  const { body } = await visit(api, { uid: 'u-1' });
  const path = `/v3/edit/profiles/${body.profile.id}/deliveries`;
  expect((await api.get(path)).body).toEqual({ deliveries: [], delivery_ids_limit: 3 });
  const first = await deliver('u-1', tour);
  const second = await deliver('u-1', tour, { delivery_ids_position: 'last' });
  const front = await deliver('u-1', tour, { delivery_ids_position: 'first' });
  await api.patch('/v3/edit/account', { delivery_ids_limit: 5 });
  await api.patch(`/v3/edit/tours/${tour}`, { published_at: null });
  const shown = (await api.get(path)).body;
  expect([idsOf(shown.deliveries), shown.delivery_ids_limit]).toEqual([[front, first, second], 5]);
  expect(shown.deliveries[0].experience).toEqual({ id: tour, kind: 'tour', name: 'Plain', is_live: false });
  expect((await api.get(path, { as: api.other })).status).toBe(404);
});

it('finds the removed Deliveries of an Experience by an index', async () => {
  const { account_id } = api.account;
  if (engine === 'postgres') {
    const tour = await addTour('Plain');
    const { body } = await visit(api, { uid: 'u-1' });
    const columns = 'use_segmentation, once, skip_triggers, skip_url_match, removed_at, removed_reason';
    await runUnchecked(
      api,
      `insert into deliveries (account_id, id, updated_at, model_id, model_kind, profile_id, ${columns})
      select '${account_id}', lpad(n::text, 24, '0'), n, case when n % 50 = 0 then '${tour}' else lpad(n::text, 24, '1') end, 'tour',
        '${body.profile.id}', true, false, true, true, n, 'segment_mismatch' from generate_series(1, 5000) as n`,
    );
    await runUnchecked(api, 'analyze deliveries');
  }
  const query = `select * from deliveries where account_id = '${account_id}' and removed_reason is not null
    and model_id = '${'a'.repeat(24)}' order by id desc limit 51`;
  expect(await explain(api, query)).toContain('deliveries_removed');
});
