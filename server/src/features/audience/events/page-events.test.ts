import { isId } from '@usher/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, type ApiResponse, startApi } from '../../../../test/api.ts';
import { loadPage, type OpenPage } from '../../../../test/open-page.ts';

const DAY = 24 * 60 * 60_000;
let clock = Date.UTC(2029, 3, 7, 12);
const pass = (time: number) => {
  clock += time;
  return clock;
};
let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => clock });
});
afterAll(() => api.stop());

let count = 0;
let uid = '';
let page: OpenPage;
beforeEach(async () => {
  pass(1000);
  uid = `user ${++count}`;
  page = await loadPage(api, uid);
});

async function rowsOf(table: 'events' | 'profile_events' | 'interactions' | 'activities') {
  const { account_id } = api.account;
  const query = api.app.storage.reader(account_id).selectFrom(table as 'events');
  const rows = await query
    .selectAll()
    .where('account_id', '=', account_id)
    .where('profile_id', '=', page.profile.id)
    .execute();
  // biome-ignore lint/suspicious/noExplicitAny: rows of whichever table
  return rows as any[];
}
async function expectNothingChanged(work: () => Promise<unknown>): Promise<void> {
  await api.app.propertyRegistry.flush(api.account.account_id);
  const before = await accountRows(api.app, api.account.account_id);
  await work();
  await api.app.propertyRegistry.flush(api.account.account_id);
  expect(await accountRows(api.app, api.account.account_id)).toEqual(before);
}

describe('page event', () => {
  it('tracks an event for the user of the visit', async () => {
    const { status, text, body } = await page.track({
      name: 'Report exported',
      properties: { Format: 'pdf', pages: '12' },
    });
    expect(status).toBe(200);
    expect(isId(body.event.id)).toBe(true);
    expect(text).toBe(`{"event":{"id":"${body.event.id}"}}`);
    expect(await rowsOf('events')).toEqual([
      expect.objectContaining({ id: body.event.id, name: 'report_exported', custom: { format: 'pdf', pages: 12 } }),
    ]);
    expect(await rowsOf('profile_events')).toEqual([
      expect.objectContaining({ name: 'report_exported', count: 1, first_at: clock, last_at: clock }),
    ]);
  });

  it('stores every other key as a property too, except those of the visit and the user', async () => {
    const params = { href: 'http://localhost:3000/a', uid: 'someone else', id: 'f'.repeat(24), account_token: 'x' };
    await page.track({
      ...params,
      name: 'opened',
      plan: 'pro',
      properties: { plan: 'basic', name: 'x' },
      where: 'menu',
    });
    expect((await rowsOf('events'))[0]).toMatchObject({ name: 'opened', custom: { plan: 'basic', where: 'menu' } });
  });

  it('belongs to the user of the visit, whatever `uid` or `id` its properties have', async () => {
    for (const properties of [{ uid: 'someone else' }, { id: 'f'.repeat(24) }, { uid: 7, id: 'x', plan: 'pro' }])
      expect((await page.track({ name: 'opened', properties })).status).toBe(200);
    expect((await rowsOf('events')).map(({ custom }) => custom)).toEqual([{}, {}, { plan: 'pro' }]);
  });

  it('accepts an event from sendBeacon as plain text', async () => {
    const body = JSON.stringify({ visit_token: page.token, name: 'left' });
    const headers = { 'Content-Type': 'text/plain;charset=UTF-8' };
    expect((await api.send('POST', '/v3/observe/events', { body, headers, as: null })).status).toBe(200);
    expect(await rowsOf('events')).toHaveLength(1);
  });

  it('registers Properties with the source browser', async () => {
    await page.track({ name: 'opened', properties: { [`key_${count}`]: 1 } });
    const { body } = await api.post('/v3/edit/properties', { name: `Key ${count}`, description: 'x', kind: 'event' });
    expect([body.property ?? body.messages]).toEqual([[expect.stringContaining('already')]]);
    const { account_id } = api.account;
    const found = await api.app.storage
      .reader(account_id)
      .selectFrom('properties')
      .select(['kind', 'integration'])
      .where('account_id', '=', account_id)
      .where('prop', '=', `key_${count}`)
      .execute();
    expect(found).toEqual([{ kind: 'event', integration: 'browser' }]);
  });

  it.each([
    ['no name', {}, '`name` is required'],
    ['a blank name', { name: ' ' }, '`name` must not be blank'],
    ['a name without a letter', { name: '!' }, '`name` must have a letter'],
    ['properties that are no object', { name: 'a', properties: 'x' }, '`properties` must be'],
    ['a NUL', { name: 'a', properties: { x: '\0' } }, '`x` must be valid Unicode'],
  ])('rejects an event with %s', async (_what, params, message) => {
    await expectNothingChanged(async () => {
      const { status, body } = await page.track(params);
      expect([status, body.messages]).toEqual([422, [expect.stringContaining(message)]]);
    });
  });

  it('requires the token of a visit', async () => {
    await expectNothingChanged(async () => {
      expect((await api.post('/v3/observe/events', { name: 'a' })).status).toBe(403);
      expect((await page.track({ visit_token: `${page.token}x`, name: 'a' })).status).toBe(403);
    });
  });
});

describe('event with an idempotency key', () => {
  const exported = { name: 'Report exported', idempotency_key: 'k1', properties: { format: 'pdf' } };
  const countOf = async () => (await rowsOf('profile_events')).map(({ name, count }) => [name, count]);

  it('stores an event once when it is sent again, and returns the same response', async () => {
    const { text } = await page.track(exported);
    await expectNothingChanged(async () => {
      pass(1000);
      for (const again of [exported, { ...exported, name: 'Other', properties: { other: 'x' } }]) {
        const response = await page.track(again);
        expect([response.status, response.text]).toEqual([200, text]);
      }
    });
    expect(await countOf()).toEqual([['report_exported', 1]]);
    expect(await rowsOf('events')).toMatchObject([
      { name: 'report_exported', idempotency_key: 'k1', custom: { format: 'pdf' } },
    ]);
  });

  it('stores an event once when another page or a beacon repeats its key', async () => {
    const { body } = await page.track(exported);
    pass(1000);
    const next = await loadPage(api, uid);
    await expectNothingChanged(async () => {
      expect((await next.track(exported)).body).toEqual(body);
      const beacon = JSON.stringify({ visit_token: page.token, ...exported });
      const headers = { 'Content-Type': 'text/plain;charset=UTF-8' };
      expect((await api.send('POST', '/v3/observe/events', { body: beacon, headers, as: null })).body).toEqual(body);
    });
  });

  it('stores one of twenty simultaneous events with the same key, and returns the same response to all', async () => {
    const many = Array.from({ length: 20 }, (_, index) =>
      page.track({ ...exported, idempotency_key: `k${index % 2}` }),
    );
    const responses = await Promise.all(many);
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    for (const parity of [0, 1])
      expect(new Set(responses.filter((_, index) => index % 2 === parity).map(({ text }) => text)).size).toBe(1);
    expect((await rowsOf('events')).map((row) => row.idempotency_key).sort()).toEqual(['k0', 'k1']);
    expect(await countOf()).toEqual([['report_exported', 2]]);
  });

  it('stores an event again with another key or without a key', async () => {
    for (const key of ['k1', 'k2', 'K1', undefined, undefined, 'x'.repeat(64)])
      expect((await page.track({ ...exported, idempotency_key: key })).status).toBe(200);
    expect(await rowsOf('events')).toHaveLength(6);
    expect(await countOf()).toEqual([['report_exported', 6]]);
  });

  it('stores an event again for another user or another account', async () => {
    const users = [page, await loadPage(api, `${uid} too`), await loadPage(api, uid, { as: api.other })];
    const ids = [];
    for (const user of users) ids.push((await user.track(exported)).body.event.id);
    expect(new Set(ids).size).toBe(3);
    for (const [index, user] of users.entries()) expect((await user.track(exported)).body.event.id).toBe(ids[index]);
    expect(await countOf()).toEqual([['report_exported', 1]]);
  });

  it('accepts a property with the name of the key', async () => {
    for (const key of ['Enter', 'Enter']) await page.track({ name: 'pressed', properties: { idempotency_key: key } });
    expect((await rowsOf('events')).map((row) => [row.idempotency_key, row.custom])).toEqual(
      Array(2).fill([null, { idempotency_key: 'Enter' }]),
    );
    await api.post('/v3/observe/hooks/events', { uid, name: 'pressed', idempotency_key: 'Enter' });
    expect(await countOf()).toEqual([['pressed', 3]]);
  });

  it('stores an event again after the user was cleared, and deletes it with the user', async () => {
    await page.track(exported);
    pass(1000);
    expect((await api.send('DELETE', `/v3/edit/profiles/${page.profile.id}`)).status).toBe(200);
    expect((await page.track(exported)).status).toBe(403);
    expect(await rowsOf('events')).toEqual([]);
    pass(1000);
    page = await loadPage(api, uid);
    await page.track(exported);
    expect(await countOf()).toEqual([['report_exported', 1]]);
    expect((await api.send('DELETE', `/v3/edit/profiles/${page.profile.id}/forget`)).status).toBe(200);
    expect(await rowsOf('events')).toEqual([]);
  });

  it.each([
    ['too long', 'x'.repeat(65), 'has 65 characters: 64 at most'],
    ['a number', 12, 'must be a text, not a number: give a key of your own'],
    ['a list', ['k1'], 'must be one value, not a list'],
    ['an object', { k: 1 }, 'must be a text, not an object: give a key of your own'],
    ['null', null, 'must be a text, not null: give a key of your own'],
    ['empty', '', 'must not be blank'],
    ['blank', ' ', 'must not be blank'],
    ['no text', '\0', 'must be valid Unicode'],
  ])('rejects an event when the key is %s', async (_what, key, message) => {
    await expectNothingChanged(async () => {
      const { status, body } = await page.track({ ...exported, idempotency_key: key });
      expect([status, body.messages]).toEqual([422, [expect.stringContaining(`\`idempotency_key\` ${message}`)]]);
    });
  });
});

describe('goal of an Experience', () => {
  let tour = '';
  beforeEach(async () => {
    tour = await makeTour('Report Exported');
  });
  async function makeTour(goal: string, published_at: string | null = '$now'): Promise<string> {
    const steps = [{ title: 'Hello', body: 'This is it.', buttons: [{ text: 'Next' }] }];
    const { status, body } = await api.post('/v3/edit/tours', { name: 'Tour', goal, steps, published_at });
    expect([status, body.messages]).toEqual([201, undefined]);
    return body.tour.id;
  }
  const interactionOf = async (id = tour) =>
    (await rowsOf('interactions')).find(({ experience_id }) => experience_id === id);
  const start = (experience_id = tour) => page.report({ experience_id, state: 'started' });
  const ways: [string, () => Promise<ApiResponse>][] = [
    ['a page', () => page.track({ name: 'reportExported' })],
    ['the API', () => api.post('/v3/observe/hooks/events', { uid, name: 'report-exported' })],
  ];

  it.each(ways)('meets a goal when its event is tracked by %s', async (_by, track) => {
    await start();
    const { updated_at } = await interactionOf();
    const at = pass(1000);
    expect((await track()).status).toBe(200);
    expect(await interactionOf()).toMatchObject({ state: 'started', goal_at: at, updated_at: at });
    expect(updated_at).toBeLessThan(at);
    const day = Math.floor(at / DAY);
    expect((await rowsOf('activities')).filter(({ what }) => what === 'goal')).toEqual([
      expect.objectContaining({ experience_id: tour, day, part_id: '' }),
    ]);
  });

  it('meets a goal also after the end of the Experience, and keeps it met', async () => {
    await page.report({ experience_id: tour, state: 'completed' });
    const at = pass(1000);
    await page.track({ name: 'report_exported' });
    expect(await interactionOf()).toMatchObject({ state: 'completed', goal_at: at });
    pass(1000);
    await page.track({ name: 'report_exported' });
    expect(await interactionOf()).toMatchObject({ goal_at: at, updated_at: at });
  });

  it('meets a goal once per showing, and keeps it met in the next', async () => {
    await page.report({ experience_id: tour, state: 'completed' });
    const first = pass(1000);
    await page.track({ name: 'report_exported' });
    pass(20_000);
    page = await loadPage(api, uid);
    await start();
    expect(await interactionOf()).toMatchObject({ state: 'started', goal_at: first });
    const second = pass(1000);
    await page.track({ name: 'report_exported' });
    expect((await interactionOf()).goal_at).toBe(second);
  });

  it('does not meet a goal by another event, without a start, or while it is not live', async () => {
    await page.report({ experience_id: tour, state: 'displayed' });
    await page.track({ name: 'report_exported' });
    expect((await interactionOf()).goal_at).toBe(null);
    await start();
    await page.track({ name: 'exported' });
    expect((await interactionOf()).goal_at).toBe(null);
    await api.patch(`/v3/edit/tours/${tour}`, { published_at: null });
    await page.track({ name: 'report_exported' });
    expect((await interactionOf()).goal_at).toBe(null);
  });

  it('meets the goal of every Experience with this goal in its published version', async () => {
    const [other, changed] = [await makeTour('report_exported'), await makeTour('Something else')];
    pass(1000);
    await api.patch(`/v3/edit/tours/${changed}`, { goal: 'Report exported', published_at: '$now' });
    for (const id of [tour, other, changed]) await start(id);
    await page.track({ name: 'report_exported' });
    expect((await rowsOf('interactions')).map(({ goal_at }) => goal_at)).toEqual([clock, clock, clock]);
  });

  it('meets a goal once by twenty events at the same time', async () => {
    await start();
    const at = pass(1000);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2
          ? page.track({ name: 'report_exported' })
          : api.post('/v3/observe/hooks/events', { uid, name: 'report_exported' }),
      ),
    );
    expect(await rowsOf('profile_events')).toEqual([expect.objectContaining({ count: 20 })]);
    expect((await interactionOf()).goal_at).toBe(at);
  });

  it('does not meet a goal again when an event is sent again in a later showing', async () => {
    await start();
    const event = { name: 'report_exported', idempotency_key: 'k1' };
    const at = pass(1000);
    await page.track(event);
    await page.report({ experience_id: tour, state: 'completed' });
    pass(20_000);
    page = await loadPage(api, uid);
    await start();
    pass(1000);
    await expectNothingChanged(() => page.track(event));
    expect(await interactionOf()).toMatchObject({ state: 'started', goal_at: at });
  });

  it('returns the met goal with the Interaction', async () => {
    await start();
    await page.track({ name: 'report_exported' });
    const { body } = await api.get('/v3/analyze/interactions', { query: `id=${tour}` });
    expect(body.interactions[0].goal_at).toBe(new Date(clock).toISOString());
  });
});
