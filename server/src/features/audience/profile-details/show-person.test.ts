import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { newUid, openDomain, visit } from '../../../../test/visiting.ts';

let now = Date.parse('2029-04-07T12:00:00.000Z');
let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
});
afterAll(() => api.stop());
beforeEach(async () => {
  await api.replaceAccounts();
  await openDomain(api);
});

const minutes = (count: number) => new Date(Date.parse('2029-04-07T12:00:00.000Z') + count * 60_000).toISOString();
const at = (count: number) => {
  now = Date.parse(minutes(count));
};

async function save(params: object): Promise<string> {
  const { status, body } = await api.post('/v3/observe/hooks/profiles', params);
  expect([status, body.messages]).toEqual([200, undefined]);
  return body.profile.id;
}

async function load(uid: string, properties: object, proof: object = {}): Promise<string> {
  const { status, body } = await visit(api, { uid, properties, ...proof });
  expect([status, body.messages]).toEqual([200, undefined]);
  const query = new URLSearchParams({ uid }).toString();
  return (await api.get('/v3/analyze/profile', { query })).body.profile.id;
}

async function show(id: string) {
  const { status, body } = await api.get(`/v3/edit/profiles/${id}`);
  expect([status, body.messages]).toEqual([200, undefined]);
  return body.profile;
}

interface Sent {
  prop: string;
  sent_at: string | null;
  source: string | null;
  is_proven: boolean | null;
}
/** When, by whom, and with which proof each property was sent. */
async function sourcesOf(id: string): Promise<Record<string, unknown[]>> {
  const { properties } = await show(id);
  return Object.fromEntries(
    properties.map(({ prop, sent_at, source, is_proven }: Sent) => [prop, [sent_at, source, is_proven]]),
  );
}

describe('the details of a person', () => {
  it('have who it is, its Company, and its properties with names and types', async () => {
    at(0);
    const id = await save({ uid: '7', name: 'Ann', seats: 2, company: { uid: 'c', name: 'Acme' }, tags: ['a'] });
    const company = { id: expect.any(String), uid: 'c', name: 'Acme' };
    const sent = { sent_at: minutes(0), source: 'api', is_proven: null };
    expect(await show(id)).toEqual({
      ...{ id, uid: '7', email: null, name: 'Ann', company, created_at: minutes(0), updated_at: minutes(0) },
      ...{ last_seen_at: null, last_seen_session_count: 0, is_test: false, test: null, last_cleared_at: null },
      ...{ browser_l: null, browser_n: null, browser_k: null, browser_x: null, browser_tz: null },
      ...{ percent: expect.any(Number), delivery_ids: [], delivery_ids_limit: 3 },
      properties: [
        { prop: 'name', name: 'name', value: 'Ann', type: 'string', ...sent },
        { prop: 'seats', name: 'seats', value: 2, type: 'integer', ...sent },
        { prop: 'tags', name: 'tags', value: ['a'], type: 'array', ...sent },
      ],
    });
    await api.patch(`/v3/edit/profiles/${id}`, { test: true });
    expect(await show(id)).toMatchObject({ test: true, is_test: true });
  });

  it('say when each value was sent, and not when the same value was sent again', async () => {
    at(1);
    const id = await save({ uid: newUid(), plan: 'pro', seats: 2, role: 'admin' });
    at(2);
    await save({ id, plan: 'pro', seats: 3, role: null });
    at(3);
    await save({ id, plan: 'pro', seats: 3 });
    expect(await sourcesOf(id)).toEqual({ plan: [minutes(1), 'api', null], seats: [minutes(2), 'api', null] });
    await api.send('DELETE', `/v3/edit/profiles/${id}`);
    expect(await sourcesOf(id)).toEqual({ plan: [minutes(1), 'api', null], seats: [minutes(2), 'api', null] });
  });

  it('say whether a page or the backend has sent a value', async () => {
    const uid = newUid();
    at(1);
    const id = await load(uid, { plan: 'pro', seats: 2 });
    expect(await sourcesOf(id)).toEqual({
      plan: [minutes(1), 'browser', false],
      seats: [minutes(1), 'browser', false],
    });
    at(2);
    await load(uid, { plan: 'team', seats: 2 });
    at(3);
    await load(uid, { plan: 'team' });
    expect(await sourcesOf(id)).toMatchObject({
      plan: [minutes(2), 'browser', false],
      seats: [minutes(1), 'browser', false],
    });
    at(4);
    await save({ id, seats: 2, role: 'admin' });
    expect(await sourcesOf(id)).toEqual({
      plan: [minutes(2), 'browser', false],
      seats: [minutes(4), 'api', null],
      role: [minutes(4), 'api', null],
    });
    // Once its keys are Properties, a new user takes one insert.
    at(5);
    const another = await load(newUid(), { plan: 'pro' });
    expect(await sourcesOf(another)).toEqual({ plan: [minutes(5), 'browser', false] });
    expect(await sourcesOf(await load(newUid(), {}))).toEqual({});
  });

  it('say that a page with `uid_hash` has proven who its user is', async () => {
    const secret = (await api.post('/v3/edit/account/uid_secret', {})).body.uid_secret;
    const uid = newUid();
    at(1);
    const id = await save({ uid, plan: 'pro' });
    at(2);
    const seconds = now / 1000;
    const uid_hash = `${createHmac('sha256', secret).update(`${uid}-${seconds}`).digest('hex')}-${seconds}`;
    await load(uid, { plan: 'team' }, { uid_hash });
    expect(await sourcesOf(id)).toEqual({ plan: [minutes(2), 'browser', true] });
  });

  it('have no time for what was stored before it was recorded, and say which of it pages sent', async () => {
    at(1);
    const id = await load(newUid(), { plan: 'pro' });
    await save({ id, seats: 2 });
    const { account_id } = api.account;
    await api.app.storage.write(account_id, (db) =>
      db.updateTable('profiles').set({ custom_sources: null }).where('account_id', '=', account_id).execute(),
    );
    expect(await sourcesOf(id)).toEqual({ plan: [null, 'browser', false], seats: [null, null, null] });
    at(2);
    await save({ id, role: 'admin' });
    expect(await sourcesOf(id)).toMatchObject({ plan: [null, 'browser', false], role: [minutes(2), 'api', null] });
  });

  it('come from batches too, for known and new users', async () => {
    at(1);
    const id = await save({ uid: 'ann', plan: 'pro', seats: 2 });
    const profiles = [
      { uid: 'ann', plan: 'team' },
      { uid: 'bob', plan: 'pro' },
      { uid: 'ann', seats: null, role: 'admin' },
    ];
    expect((await api.post('/v3/observe/hooks/profiles/batch', { profiles })).status).toBe(202);
    const sent = [expect.any(String), 'api', null];
    expect(await sourcesOf(id)).toEqual({ plan: sent, role: sent });
    const bob = (await api.get('/v3/analyze/profile?uid=bob')).body.profile.id;
    expect(await sourcesOf(bob)).toEqual({ plan: sent });
  });

  it('are 404 for an unknown ID and for one of another account', async () => {
    const { body } = await api.post('/v3/observe/hooks/profiles', { uid: 'ann' }, { as: api.other });
    for (const id of [body.profile.id, 'f'.repeat(24), 'ann'])
      expect((await api.get(`/v3/edit/profiles/${id}`)).body).toMatchObject({
        code: 404,
        messages: [expect.any(String)],
      });
  });
});
