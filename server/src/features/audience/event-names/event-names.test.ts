import { isId } from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { openDomain, visit } from '../../../../test/visiting.ts';
import { migrations } from '../../../db/migrations/index.ts';
import type { Migration } from '../../../db/migrations/migration.ts';
import { createAccount } from '../../team/accounts/create-account.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
  await openDomain(api);
});
afterAll(() => api.stop());

const track = (name: string, as = api.account) =>
  api.post('/v3/observe/hooks/events', { uid: 'ann', name, plan: 'pro' }, { as });
const list = async (query = '', as = api.account) => (await api.get('/v3/edit/event_names', { query, as })).body;

describe('Event Names', () => {
  it('registers an Event Name with every field when its first event is tracked', async () => {
    await track('Report Exported');
    const { event_names, cursor } = await list();
    expect(cursor).toEqual({ limit: 50, before: null });
    const [{ id, created_at, updated_at, last_seen_at, dashboard_url, ...rest }] = event_names;
    expect(isId(id)).toBe(true);
    expect(updated_at).toBe(created_at);
    expect(Math.abs(Date.parse(last_seen_at) - Date.parse(created_at))).toBeLessThan(60_000);
    expect(dashboard_url).toContain(api.app.publicUrl);
    expect(new URL(dashboard_url).pathname).toBe(`/app/events/${id}`);
    const filters = [{ kind: 'event', op: 'ex', value: 'report_exported' }];
    expect((await api.post('/v3/analyze/profiles/count', { filters })).body).toEqual({ count: 1 });
    expect(rest).toEqual({
      name: 'Report Exported',
      description: null,
      uid: 'report_exported',
      kind: 'tracked',
      source: 'api_v3',
      published_at: null,
      filters: [],
      content_summary: null,
      definition: null,
      hidden: false,
    });
    const { status, body } = await api.get(`/v3/edit/event_names/${id}`);
    expect([status, body]).toEqual([200, { event_name: event_names[0] }]);
  });

  it('registers each normalized name once, with the time of the last event', async () => {
    const as = await createAccount(api.app, { name: 'Seen', email: 'seen@acme.test' });
    await track('signedIn', as);
    const [first] = (await list('', as)).event_names;
    await track('Signed In', as);
    const [again, ...others] = (await list('', as)).event_names;
    expect(others).toEqual([]);
    expect(again).toEqual({ ...first, last_seen_at: again.last_seen_at });
    expect(Date.parse(again.last_seen_at)).toBeGreaterThanOrEqual(Date.parse(first.last_seen_at));
  });

  it('returns as source that a page sent the first event', async () => {
    const { body } = await visit(api, { uid: 'ann' });
    await api.post('/v3/observe/events', { visit_token: body.visit.token, name: 'Clicked Pay' }, { as: null });
    const { event_names } = await list('limit=1');
    expect(event_names[0]).toMatchObject({ uid: 'clicked_pay', source: 'api_js' });
  });

  it('lists Event Names newest first, page by page, without those of other accounts', async () => {
    const as = await createAccount(api.app, { name: 'Pages', email: 'pages@acme.test' });
    for (const name of ['a', 'b', 'c']) await track(name, as);
    const uids = ({ event_names }: { event_names: { uid: string }[] }) => event_names.map(({ uid }) => uid);
    const first = await list('limit=2', as);
    expect(uids(first)).toEqual(['c', 'b']);
    expect(uids(await list(`limit=2&before=${first.cursor.before}`, as))).toEqual(['a']);
    const { status } = await api.get(`/v3/edit/event_names/${first.event_names[0].id}`);
    expect(status).toBe(404);
  });

  it('deletes an Event Name with its only user, and registers it again with the next event', async () => {
    const as = await createAccount(api.app, { name: 'Gone', email: 'gone@acme.test' });
    const uids = async () => (await list('', as)).event_names.map(({ uid }: { uid: string }) => uid);
    for (const name of ['Of Ann', 'Of Both']) await track(name, as);
    await api.post('/v3/observe/hooks/events', { uid: 'bob', name: 'Of Both' }, { as });
    expect(await uids()).toEqual(['of_both', 'of_ann']);
    await api.send('DELETE', '/v3/edit/profiles/forget', { query: 'uid=ann', as });
    expect(await uids()).toEqual(['of_both']);
    await api.post('/v3/observe/hooks/events', { uid: 'bob', name: 'Of Ann' }, { as });
    expect(await uids()).toEqual(['of_ann', 'of_both']);
    await api.send('DELETE', '/v3/edit/profiles', { query: 'uid=bob', as });
    expect(await uids()).toEqual([]);
  });

  it('does not list Event Names as Properties', async () => {
    const [{ id }] = (await list()).event_names;
    for (const kind of ['profile', 'event', 'company']) {
      const { properties } = (await api.get('/v3/edit/properties', { query: `kind=${kind}` })).body;
      expect(properties.map((one: { id: string }) => one.id)).not.toContain(id);
    }
    expect((await api.get('/v3/edit/properties', { query: 'kind=event_name' })).status).toBe(422);
    expect((await api.get(`/v3/edit/properties/${id}`)).status).toBe(404);
    expect((await api.patch(`/v3/edit/properties/${id}`, { name: 'Other' })).status).toBe(404);
    const [property] = (await api.get('/v3/edit/properties', { query: 'kind=event' })).body.properties;
    expect((await api.get(`/v3/edit/event_names/${property.id}`)).status).toBe(404);
    expect((await api.get(`/v3/edit/properties/${property.id}`)).body).toEqual({ property });
  });

  it('registers names of earlier events in the migration, with the time of the first event', async () => {
    const { account_id } = await createAccount(api.app, { name: 'Before', email: 'before@acme.test' });
    const [first_at, last_at] = [Date.UTC(2024, 1, 1), Date.UTC(2025, 1, 1)];
    await api.app.storage.write(account_id, async (db) => {
      for (const id of ['a', 'b']) {
        const profile = { account_id, id, updated_at: 1, uid: id, percent: 1, custom: '{}', delivery_ids: '[]' };
        await db.insertInto('profiles').values(profile).execute();
        for (const name of ['opened', 'closed']) {
          const times = { first_at: id === 'a' ? first_at : last_at, last_at };
          await db
            .insertInto('profile_events')
            .values({ account_id, profile_id: id, name, count: 1, ...times })
            .execute();
        }
      }
    });
    migrations['9999-again'] = migrations['0015-filter-operators'] as Migration;
    try {
      await api.app.storage.migrate();
    } finally {
      delete migrations['9999-again'];
    }
    const rows = await api.app.storage
      .reader(account_id)
      .selectFrom('properties')
      .selectAll()
      .where('account_id', '=', account_id)
      .execute();
    expect(rows.map(({ prop }) => prop).sort()).toEqual(['closed', 'opened']);
    for (const { id, last_seen_at } of rows) {
      expect(Number.parseInt(id.slice(0, 8), 16) * 1000).toBe(first_at);
      expect(last_seen_at).toBe(last_at);
    }
  });
});

describe('changing Event Names', () => {
  const remove = (id: string, as = api.account) => api.send('DELETE', `/v3/edit/event_names/${id}`, { as });
  const uids = async (query: string, as: typeof api.account) =>
    (await list(query, as)).event_names.map(({ uid }: { uid: string }) => uid);

  it('describes, hides and shows one again', async () => {
    const as = await createAccount(api.app, { name: 'Hides', email: 'hides@acme.test' });
    for (const name of ['Kept', 'Hidden']) await track(name, as);
    const [{ id }] = (await list('limit=1', as)).event_names;
    const params = { name: 'Seen rarely', description: 'By a test', hidden: true };
    const { status, body } = await api.patch(`/v3/edit/event_names/${id}`, params, { as });
    expect([status, body.event_name]).toMatchObject([200, { id, uid: 'hidden', ...params }]);
    expect([await uids('', as), await uids('hidden=true', as)]).toEqual([['kept'], ['hidden']]);
    await track('Hidden', as);
    expect(await uids('', as)).toEqual(['kept']);
    await api.patch(`/v3/edit/event_names/${id}`, { hidden: false }, { as });
    expect(await uids('', as)).toEqual(['hidden', 'kept']);
    expect((await api.patch(`/v3/edit/event_names/${id}`, { hidden: true })).status).toBe(404);
  });

  it('deletes one, and returns 409 while a Segment or a goal uses it', async () => {
    const as = await createAccount(api.app, { name: 'Deletes', email: 'deletes@acme.test' });
    for (const name of ['Free', 'Signed Up', 'Paid']) await track(name, as);
    const [paid, signedUp, free] = (await list('', as)).event_names;
    const items = [{ kind: 'event', op: 'ex', value: 'Signed Up' }];
    await api.post('/v3/edit/segments', { name: 'Signed', items }, { as });
    const { tour } = (await api.post('/v3/edit/tours', { name: 'Pay', goal: 'Paid' }, { as })).body;
    expect((await remove(signedUp.id, as)).body.messages).toEqual([expect.stringContaining('the Segment "Signed"')]);
    expect((await remove(paid.id, as)).body).toEqual({
      code: 409,
      messages: [expect.stringContaining('the tour "Pay"')],
    });
    const { status, body } = await remove(free.id, as);
    expect([status, body]).toEqual([200, { event_name: free }]);
    await api.patch(`/v3/edit/tours/${tour.id}`, { goal: null }, { as });
    expect((await remove(paid.id, as)).status).toBe(200);
    expect(await uids('', as)).toEqual(['signed_up']);
    expect((await remove(signedUp.id)).status).toBe(404);
    await track('Free', as);
    expect(await uids('', as)).toEqual(['free', 'signed_up']);
    const [property] = (await api.get('/v3/edit/properties', { query: 'kind=event', as })).body.properties;
    expect((await remove(property.id, as)).status).toBe(404);
  });
});

describe('help bar', () => {
  it.each(['searches', 'search_items'])('returns an empty list of %s', async (name) => {
    const { status, body } = await api.get(`/v3/edit/${name}`);
    expect([status, body]).toEqual([200, { [name]: [], cursor: { limit: 50, before: null } }]);
    expect(Object.keys(body)).toEqual([name, 'cursor']);
    expect((await api.get(`/v3/edit/${name}`, { query: 'limit=501' })).body.cursor.limit).toBe(500);
    expect((await api.get(`/v3/edit/${name}`, { query: 'limit=0' })).status).toBe(422);
  });
});
