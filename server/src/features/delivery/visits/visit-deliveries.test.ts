import { type RichText, resolve, valueAt } from '@usher/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, type ApiResponse, startApi } from '../../../../test/api.ts';
import { newUid, openDomain, PAGE, visit } from '../../../../test/visiting.ts';

const HOUR = 60 * 60_000;
let now = Date.parse('2029-04-07T12:18:00.000Z');
let api: Api;
let segment: string;
let tour: string;
let uid: string;
let profile: string;

beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
  await openDomain(api);
  const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
  segment = (await api.post('/v3/edit/segments', { name: 'Pro', items })).body.segment.id;
});
afterAll(() => api.stop());
beforeEach(async () => {
  now += HOUR;
  tour = await addTour();
  uid = newUid();
  profile = (await loaded()).profile.id;
});

/** Creates an Experience that does not begin automatically on any page of these tests. */
async function addTour(params: object = {}, step: object = {}): Promise<string> {
  const quantifier_urls = [{ url: '/start', match_type: 'simple' }];
  const steps = [{ title: 'Hello', buttons: [{ text: 'Next' }], quantifier_urls, ...step }];
  const { status, body } = await api.post('/v3/edit/tours', { name: 'One', steps, published_at: '$now', ...params });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.tour.id;
}

async function loaded(params: object = {}): Promise<ApiResponse['body']> {
  const { status, body } = await visit(api, { uid, ...params });
  expect([status, body.messages]).toEqual([200, undefined]);
  return body;
}

async function deliver(params: object = {}) {
  const { status, body } = await api.post('/v3/edit/deliveries', {
    model_kind: 'tour',
    model_id: tour,
    profile_id: profile,
    delivery_ids_position: 'last',
    ...params,
  });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.delivery;
}

const later = (ms: number) => new Date(now + ms).toISOString();
const readiness = async (params: object = {}): Promise<boolean[]> =>
  (await loaded(params)).deliveries.map(({ ready }: { ready: boolean }) => ready);
const contents = ({ experiences }: ApiResponse['body']): string[] => experiences.map(({ id }: { id: string }) => id);
const storedDelivery = async (id: string) => (await api.get(`/v3/edit/deliveries/${id}`)).body.delivery;
const pendingIds = async () => (await api.get(`/v3/analyze/profiles/${profile}`)).body.profile.delivery_ids;
const inTour = { href: 'https://app.example.com/start' };

/** Stores how far the user got with an Experience, as reports of a page do. */
async function addInteraction(experience_id: string, params: object): Promise<void> {
  const { account_id } = api.account;
  const row = { account_id, id: api.app.newId(), updated_at: now, experience_id, profile_id: profile };
  await api.app.storage.write(account_id, (db) =>
    db
      .insertInto('interactions')
      .values({ ...row, state: 'started', ...params })
      .execute(),
  );
}

describe('a pending Delivery', () => {
  it('returns a pending Delivery with its content', async () => {
    const options = { manager: { name: 'Kim' }, list: [1, 2] };
    const { id } = await deliver({ options, until: later(HOUR), once: true, skip_triggers: false });
    const response = await loaded();
    expect(await pendingIds()).toEqual([id]);
    expect(response.deliveries).toEqual([
      {
        id,
        model_id: tour,
        model_kind: 'tour',
        options,
        from: null,
        until: later(HOUR),
        use_segmentation: false,
        once: true,
        skip_triggers: false,
        skip_url_match: true,
        ready: true,
      },
    ]);
    expect(response.experiences).toMatchObject([{ id: tour, kind: 'tour', steps: [{ title: ['Hello'] }] }]);
  });

  it('returns a pending Delivery of a survey', async () => {
    const quantifier_urls = [{ url: '/asked', match_type: 'simple' }];
    const steps = [{ title: 'How is it?', preset: 'survey_nps', quantifier_urls }];
    const { body } = await api.post('/v3/edit/surveys', { name: 'Ask', steps, published_at: '$now' });
    await deliver({ model_kind: 'survey', model_id: body.survey.id });
    const response = await loaded();
    expect(response.deliveries).toMatchObject([{ model_kind: 'survey', ready: true }]);
    expect(contents(response)).toEqual([body.survey.id]);
  });

  it('keeps the merge tags of Delivery options for the page to fill', async () => {
    tour = await addTour({}, { title: 'Ask {{delivery "manager.name" | fallback: "us"}}, {{plan}}' });
    await deliver({ options: { manager: { name: 'Kim' } } });
    const { deliveries, experiences } = await loaded({ properties: { plan: 'pro' } });
    const { title } = experiences[0].steps[0];
    expect(title).toEqual(['Ask ', { option: 'manager.name', or: 'us' }, ', pro']);
    const shown = resolve(title as RichText, (_, path) => valueAt(deliveries[0].options, path));
    expect(shown).toEqual(['Ask Kim, pro']);
  });

  it('keeps a Delivery pending until a page claims it', async () => {
    const { id } = await deliver();
    expect(await storedDelivery(id)).toMatchObject({ at: null, at_href: null, interaction_id: null });
    expect(await readiness()).toEqual([true]);
    expect(await readiness()).toEqual([true]);
    expect(await storedDelivery(id)).toMatchObject({ at: null, at_href: null, interaction_id: null });
    expect(await pendingIds()).toEqual([id]);
  });

  it('triggers a Delivery for the page that claims it and for no other', async () => {
    const { id } = await deliver();
    const pages = [await loaded(), await loaded()];
    const claims = await Promise.all(
      pages.map(({ visit }, n) =>
        api.post(
          '/v3/observe/interactions',
          { visit_token: visit.token, experience_id: tour, state: 'started', delivery_id: id, href: `${PAGE}/${n}` },
          { as: null },
        ),
      ),
    );
    const won = claims.map(({ body }) => body.delivery.triggered);
    expect(won.sort()).toEqual([false, true]);
    expect(await storedDelivery(id)).toMatchObject({ at: later(0), at_href: expect.stringContaining(PAGE) });
    expect(await loaded()).toMatchObject({ deliveries: [] });
    expect(await pendingIds()).toEqual([]);
  });

  it('leaves a Delivery unchanged while its user loads no page', async () => {
    const { id } = await deliver({ use_segmentation: true });
    const other = newUid();
    expect((await loaded({ uid: other })).deliveries).toEqual([]);
    expect(await storedDelivery(id)).toMatchObject({ at: null });
    expect(await pendingIds()).toEqual([id]);
  });

  it('returns Deliveries in the order of the list', async () => {
    const [second, third] = [await deliver(), await deliver()];
    const first = await deliver({ delivery_ids_position: 'first' });
    const { deliveries } = await loaded();
    const ids = [first.id, second.id, third.id];
    expect(deliveries.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(await pendingIds()).toEqual(ids);
  });

  it('does not return a canceled Delivery', async () => {
    const { id } = await deliver();
    await api.send('DELETE', `/v3/edit/deliveries/${id}`);
    expect(await loaded()).toMatchObject({ deliveries: [], experiences: [] });
  });

  it('does not return Deliveries of another user', async () => {
    await deliver();
    expect(await loaded({ uid: newUid() })).toMatchObject({ deliveries: [], experiences: [] });
  });
});

describe('a Delivery with times', () => {
  it('returns a Delivery before `from` as not ready', async () => {
    await deliver({ from: later(HOUR) });
    const early = await loaded();
    expect(early.deliveries).toMatchObject([{ from: later(HOUR), ready: false }]);
    now += HOUR;
    expect(await readiness()).toEqual([true]);
  });

  it('returns the content before `from` only when the page may still be open then', async () => {
    await deliver({ from: later(HOUR) });
    expect(contents(await loaded())).toEqual([tour]);
    await api.post('/v3/edit/deliveries', {
      model_kind: 'tour',
      model_id: await addTour(),
      uid,
      from: later(13 * HOUR),
      delivery_ids_position: 'last',
    });
    expect(contents(await loaded())).toEqual([tour]);
  });

  it('returns a Delivery as ready until `until`, and not after', async () => {
    const { id } = await deliver({ until: later(HOUR) });
    now += HOUR;
    expect(await readiness()).toEqual([true]);
    now += 1;
    const late = await loaded();
    expect(late).toMatchObject({ deliveries: [], experiences: [] });
    expect(await pendingIds()).toEqual([id]);
    expect(await storedDelivery(id)).toMatchObject({ at: null });
  });

  it('does not block later Deliveries', async () => {
    await deliver({ from: later(HOUR) });
    await deliver({ until: later(1) });
    await deliver();
    now += 2;
    expect(await readiness()).toEqual([false, true]);
  });
});

describe('readiness of a Delivery', () => {
  it('is not ready when the Experience is not live', async () => {
    const { id } = await deliver();
    await api.patch(`/v3/edit/tours/${tour}`, { published_at: null });
    const response = await loaded();
    expect(response.deliveries).toMatchObject([{ id, ready: false }]);
    expect(response.experiences).toEqual([]);
    await api.patch(`/v3/edit/tours/${tour}`, { published_at: '$now' });
    expect(await readiness()).toEqual([true]);
  });

  it('is not ready with `once` when the user has seen the Experience', async () => {
    const once = await deliver({ once: true });
    const again = await deliver({ once: false });
    expect(await readiness()).toEqual([true, true]);
    await addInteraction(tour, { state: 'exited', started_at: now - HOUR, exited_at: now - HOUR });
    const { deliveries } = await loaded();
    expect(deliveries).toMatchObject([
      { id: once.id, ready: false },
      { id: again.id, ready: true },
    ]);
  });

  it('is not ready without `skip_url_match` on pages that the first step does not match', async () => {
    await deliver({ skip_url_match: false });
    await deliver({ skip_url_match: true });
    expect(await readiness()).toEqual([false, true]);
    expect(await readiness(inTour)).toEqual([true, true]);
  });

  it('is not ready on a host of another Environment, stays pending, and cannot be claimed there', async () => {
    const add = async (path: string, key: string, params: object) => {
      const { status, body } = await api.post(`/v3/edit/${path}`, params);
      expect([status, body.messages]).toEqual([201, undefined]);
      return body[key].id;
    };
    const staging = await add('url_groups', 'url_group', { name: 'Staging' });
    const production = await add('url_groups', 'url_group', { name: 'Production' });
    for (const [host, url_group_id] of [
      ['staging.example.org', staging],
      ['www.example.org', production],
      ['free.example.org', null],
    ])
      await add('urls', 'url', { host, enabled: 'on', url_group_id });
    const at = (name: string) => ({ href: `https://${name}.example.org/` });
    tour = await addTour({ url_group_ids: [staging] });
    const { id } = await deliver({ skip_url_match: true, use_segmentation: true, options: { manager: 'Bob' } });
    expect(await readiness(at('www'))).toEqual([false]);
    const elsewhere = await loaded(at('www'));
    expect(contents(elsewhere)).not.toContain(tour);
    expect(elsewhere.deliveries).toMatchObject([{ id, options: null }]);
    expect((await loaded(at('staging'))).deliveries).toMatchObject([{ id, options: { manager: 'Bob' } }]);
    // Administrators see the same as the page loads.
    const { profile } = (await api.get('/v3/analyze/profile', { query: `uid=${encodeURIComponent(uid)}` })).body;
    const queued = async (name: string) => {
      const { body } = await api.post(`/v3/edit/profiles/${profile.id}/queue`, at(name));
      const shows = body.queue.next.some((one: { delivery_id: string }) => one.delivery_id === id);
      const kept = body.queue.rest.find((one: { delivery_id: string }) => one.delivery_id === id);
      return [shows, kept?.reasons.map(({ rule }: { rule: string }) => rule)];
    };
    const explained = async (name: string) => {
      const params = { account_token: api.account.account_token, uid, explain: true, ...at(name) };
      const { body } = await api.post('/v3/observe/visits', params);
      const [one] = body.deliveries;
      return [one.ready, one.reasons.length];
    };
    expect([await queued('www'), await explained('www')]).toEqual([
      [false, ['environment']],
      [false, 1],
    ]);
    expect([await queued('staging'), await explained('staging')]).toEqual([
      [true, undefined],
      [true, 0],
    ]);
    expect(await readiness(at('free'))).toEqual([true]);
    expect(await readiness(at('staging'))).toEqual([true]);
    expect(await pendingIds()).toEqual([id]);

    const claim = async (name: string) => {
      const { token } = (await loaded(at(name))).visit;
      const report = { visit_token: token, experience_id: tour, state: 'started', delivery_id: id, ...at(name) };
      const { body } = await api.post('/v3/observe/interactions', report, { as: null });
      return body.delivery.triggered;
    };
    expect(await claim('www')).toBe(false);
    // Neither can it be requested there, nor claimed by a page that does not say on which host it is.
    const { token } = (await loaded(at('www'))).visit;
    const show = { visit_token: token, experience_id: tour, ...at('www') };
    expect((await api.post('/v3/observe/shows', show, { as: null })).body.experience).toBe(null);
    for (const sent of [{ href: 'about:blank' }, {}, { href: at('www').href }]) {
      const item = { experience_id: tour, state: 'started', delivery_id: id, ...sent };
      const report = { visit_token: token, items: [item] };
      const { body } = await api.post('/v3/observe/interactions', report, { as: null, headers: { Origin: 'null' } });
      expect([sent, body.items[0].delivery]).toEqual([sent, { id, triggered: false }]);
    }
    expect(await pendingIds()).toEqual([id]);
    expect(await claim('staging')).toBe(true);
    // It has started, and goes on only inside of its Environment.
    expect(contents(await loaded(at('www')))).not.toContain(tour);
    expect(contents(await loaded({ href: 'https://staging.example.org/start' }))).toContain(tour);
  });

  it('is not ready for a disabled user, and stays pending', async () => {
    const { id } = await deliver({ use_segmentation: true });
    await api.post('/v3/observe/hooks/profiles', { uid, disabled: true });
    const off = await loaded();
    expect(off.deliveries).toMatchObject([{ id, ready: false }]);
    expect(off.experiences).toEqual([]);
    expect(await pendingIds()).toEqual([id]);
    await api.post('/v3/observe/hooks/profiles', { uid, disabled: false });
    expect(await readiness()).toEqual([true]);
  });
});

describe('a Delivery with `use_segmentation`', () => {
  beforeEach(async () => {
    tour = await addTour({ segment_ids: [segment] });
  });

  it('removes a Delivery whose Segment does not match and shows the reason', async () => {
    const { id } = await deliver({ use_segmentation: true });
    const response = await loaded({ properties: { plan: 'free' } });
    expect(response).toMatchObject({ deliveries: [], experiences: [] });
    expect(await pendingIds()).toEqual([]);
    expect(await pendingIds()).toEqual([]);
    const { body } = await api.get(`/v3/edit/deliveries/${id}`);
    expect(body.delivery).toMatchObject({ id, at: null, removed_reason: 'segment_mismatch' });
    expect(body.delivery.removed_at).toBe(body.delivery.updated_at);
    const { deliveries } = (await api.get('/v3/edit/deliveries', { query: 'limit=500' })).body;
    expect(deliveries.map((one: { id: string }) => one.id)).not.toContain(id);
    for (const method of ['PATCH', 'DELETE'])
      expect((await api.send(method, `/v3/edit/deliveries/${id}`, { body: {} })).status).toBe(404);
    const matching = await loaded({ properties: { plan: 'pro' } });
    expect(matching).toMatchObject({ deliveries: [], experiences: [] });
  });

  it('is ready when the Segment matches by what this page load sends', async () => {
    await deliver({ use_segmentation: true });
    expect(await readiness({ properties: { plan: 'pro' } })).toEqual([true]);
  });

  it('does not remove a Delivery by its Segment while another reason applies', async () => {
    const { id } = await deliver({ use_segmentation: true, from: later(HOUR) });
    const elsewhere = await deliver({ use_segmentation: true, skip_url_match: false });
    expect(await readiness({ properties: { plan: 'free' } })).toEqual([false, false]);
    expect(await pendingIds()).toEqual([id, elsewhere.id]);
  });

  it('keeps the other Deliveries in the list', async () => {
    const kept = await deliver();
    await deliver({ use_segmentation: true });
    const last = await deliver();
    const { deliveries } = await loaded();
    expect(deliveries.map(({ id }: { id: string }) => id)).toEqual([kept.id, last.id]);
    expect(await pendingIds()).toEqual([kept.id, last.id]);
  });

  it('removes a Delivery once for simultaneous page loads', async () => {
    const kept = await deliver();
    await deliver({ use_segmentation: true });
    await Promise.all(Array.from({ length: 10 }, () => loaded()));
    expect(await pendingIds()).toEqual([kept.id]);
  });

  it('ignores Segments without `use_segmentation`', async () => {
    await deliver({ use_segmentation: false });
    expect(await readiness({ properties: { plan: 'free' } })).toEqual([true]);
  });
});

describe('automatic Experiences', () => {
  it('shows a ready Delivery before automatic Experiences', async () => {
    const own = await addTour({ name: 'Automatic' }, { quantifier_urls: [{ url: '/mine', match_type: 'simple' }] });
    const href = 'https://app.example.com/mine';
    expect(contents(await loaded({ href }))).toEqual([own]);
    const { id } = await deliver();
    expect(contents(await loaded({ href }))).toEqual([tour]);
    await api.patch(`/v3/edit/deliveries/${id}`, { skip_url_match: false });
    expect(contents(await loaded({ href }))).toEqual([own]);
  });
});
