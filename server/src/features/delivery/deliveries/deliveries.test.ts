import { isId } from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { engine } from '../../../../test/engine.ts';
import { createAccount } from '../../team/accounts/create-account.ts';

let api: Api;
let tour: string;
let survey: string;
beforeAll(async () => {
  api = await startApi({ inTest: false });
  tour = await addExperience('tours');
  survey = await addExperience('surveys');
});
afterAll(() => api.stop());

const path = '/v3/edit/deliveries';
const unknownId = 'f'.repeat(24);
const DAY_MS = 24 * 60 * 60_000;
let count = 0;

/** Creates an Experience through the API, live by default. */
async function addExperience(kind: 'tours' | 'surveys', published_at: string | null = '$now', as = api.account) {
  const question = kind === 'surveys' ? { preset: 'survey_nps' } : {};
  const steps = [{ title: 'Hello', body: 'This is it.', buttons: [{ text: 'Next' }], ...question }];
  const { status, body } = await api.post(`/v3/edit/${kind}`, { name: 'One', steps, published_at }, { as });
  expect([status, body.messages]).toEqual([201, undefined]);
  const [made] = Object.values(body) as { id: string }[];
  return made?.id ?? '';
}

const { stringify } = JSON;
async function changeProfile(id: string, values: { last_seen_at?: number }, { account_id } = api.account) {
  await api.app.storage.write(account_id, (db) =>
    db.updateTable('profiles').set(values).where('account_id', '=', account_id).where('id', '=', id).execute(),
  );
}

/** A user who was seen on a page. */
async function addProfile(params: object = {}, as = api.account): Promise<string> {
  const { body } = await api.post('/v3/observe/hooks/profiles', { uid: `user ${++count}`, ...params }, { as });
  await changeProfile(body.profile.id, { last_seen_at: 1000 }, as);
  return body.profile.id;
}

const create = (params: object, as = api.account) =>
  api.post(path, { model_kind: 'tour', model_id: tour, ...params }, { as });
async function add(profile_id: string, params: object = {}) {
  const { status, body } = await create({ profile_id, ...params });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.delivery;
}
const show = async (id: string) => (await api.get(`${path}/${id}`)).body.delivery;
const update = (id: string, params: object) => api.patch(`${path}/${id}`, params);
const cancel = (id: string) => api.send('DELETE', `${path}/${id}`);
const list = async (query = '') => (await api.get(path, { query })).body;
const pendingOf = async (id: string): Promise<string[]> =>
  (await api.get(`/v3/analyze/profiles/${id}`)).body.profile.delivery_ids;

/** A profile with pending Deliveries, the first of them first. */
async function withPending(many: number) {
  const profile = await addProfile();
  const ids: string[] = [];
  for (let n = 0; n < many; n++) ids.push((await add(profile, { delivery_ids_position: 'last' })).id);
  return { profile, ids };
}

/** As a page load will leave it. */
async function trigger(id: string, profile: string, { account_id } = api.account): Promise<void> {
  const left = (await pendingOf(profile)).filter((one) => one !== id);
  const at = { at: 2000, at_href: 'https://app.example.com/', interaction_id: 'a'.repeat(24) };
  await api.app.storage.write(account_id, async (db) => {
    await db.updateTable('deliveries').set(at).where('account_id', '=', account_id).where('id', '=', id).execute();
    await db
      .updateTable('profiles')
      .set({ delivery_ids: stringify(left) })
      .where('account_id', '=', account_id)
      .where('id', '=', profile)
      .execute();
  });
}

/** What a request changes in the account. */
async function expectNothingChanged(work: () => Promise<unknown>, { account_id } = api.account): Promise<void> {
  const before = await accountRows(api.app, account_id);
  await work();
  expect(await accountRows(api.app, account_id)).toEqual(before);
}

describe('create', () => {
  it('creates a pending Delivery with every field', async () => {
    const profile_id = await addProfile();
    const { status, body } = await create({ profile_id });
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(['delivery']);
    const { id, created_at, updated_at, ...rest } = body.delivery;
    expect(isId(id)).toBe(true);
    expect(updated_at).toBe(created_at);
    expect(rest).toEqual({
      model_id: tour,
      model_kind: 'tour',
      profile_id,
      idempotency_key: null,
      options: null,
      from: null,
      until: null,
      use_segmentation: false,
      once: false,
      skip_triggers: true,
      skip_url_match: true,
      at: null,
      at_href: null,
      interaction_id: null,
      group_kind: 'delivery',
      removed_at: null,
      removed_reason: null,
    });
    expect(await show(id)).toEqual(body.delivery);
    expect(await pendingOf(profile_id)).toEqual([id]);
  });

  it('accepts every parameter', async () => {
    const params = {
      model_kind: 'survey',
      model_id: survey,
      profile_id: await addProfile(),
      idempotency_key: 'Renewal 2029',
      options: { manager: { name: 'Ann', likes: ['tea', 1, null, true] }, 'Full Name': '{{x}}', constructor: 1 },
      from: '2029-04-07T12:18:00.000Z',
      until: '2029-05-07T12:18:00.000Z',
      use_segmentation: true,
      once: true,
      skip_triggers: false,
      skip_url_match: false,
    };
    const delivery = await add(params.profile_id, params);
    expect(delivery).toMatchObject(params);
    expect(await show(delivery.id)).toEqual(delivery);
  });

  it('accepts a form too', async () => {
    const profile_id = await addProfile();
    const form = `model_kind=tour&model_id=${tour}&profile_id=${profile_id}&options[name]=Ann&once=true&delivery_ids_position=0&delivery_ids_limit=2`;
    const { status, body } = await api.send('POST', path, { body: form });
    expect(status).toBe(201);
    expect(body.delivery).toMatchObject({ options: { name: 'Ann' }, once: true });
  });

  it('finds the user by profile_id, uid or email', async () => {
    const uid = 'found';
    const id = await addProfile({ uid, email: 'Found@Acme.test' });
    for (const target of [{ profile_id: id }, { uid }, { email: 'found@acme.test' }]) {
      const { status, body } = await create({ ...target, delivery_ids_position: 'last' });
      expect([status, body.delivery?.profile_id]).toEqual([201, id]);
    }
  });

  it('rejects a request that names no user or more than one', async () => {
    const profile_id = await addProfile({ uid: 'named', email: 'named@acme.test' });
    for (const target of [
      {},
      { profile_id: null },
      { profile_id, uid: 'named' },
      { uid: 'named', email: 'named@acme.test' },
      { profile_id, uid: 'named', email: 'named@acme.test' },
    ])
      expect([target, (await create(target)).status]).toEqual([target, 422]);
    expect(await pendingOf(profile_id)).toEqual([]);
  });

  it('returns 404 for an unknown user', async () => {
    const strange = await addProfile({ uid: 'strange', email: 'strange@other.test' }, api.other);
    for (const target of [
      { profile_id: unknownId },
      { profile_id: strange },
      { uid: 'strange' },
      { email: 'strange@other.test' },
    ])
      expect([target, (await create(target)).status]).toEqual([target, 404]);
  });

  it('returns 404 for an unknown tour', async () => {
    const profile_id = await addProfile();
    const strange = await addExperience('tours', '$now', api.other);
    for (const model_id of [unknownId, strange, survey]) {
      const { status, body } = await create({ profile_id, model_id });
      expect([status, body.messages]).toEqual([404, ['There is no tour with this ID in this account']]);
    }
  });

  it('returns 404 for an unknown survey', async () => {
    const profile_id = await addProfile();
    for (const model_id of [unknownId, tour]) {
      const { status, body } = await create({ profile_id, model_kind: 'survey', model_id });
      expect([status, body.messages]).toEqual([404, ['There is no survey with this ID in this account']]);
    }
  });

  it('returns 409 for an Experience that is not live', async () => {
    const profile_id = await addProfile();
    const later = '+1d';
    const unpublished = await addExperience('tours');
    await api.patch(`/v3/edit/tours/${unpublished}`, { published_at: null });
    const archived = await addExperience('tours');
    await api.patch(`/v3/edit/tours/${archived}`, { archived_at: '$now' });
    const models = [await addExperience('tours', null), await addExperience('tours', later), unpublished, archived];
    for (const model_id of models) {
      const { status, body } = await create({ profile_id, model_id });
      expect([status, body.messages]).toEqual([409, ['The tour is not live: publish it first']]);
    }
  });

  it('returns 422 for a user who was never seen on a page', async () => {
    const uid = `unseen ${++count}`;
    await api.post('/v3/observe/hooks/profiles', { uid });
    expect((await create({ uid })).status).toBe(422);
  });

  it('rejects a missing model, and a kind that cannot be delivered', async () => {
    const profile_id = await addProfile();
    for (const params of [{ model_kind: undefined }, { model_kind: 'launcher' }, { model_kind: null }])
      expect((await create({ profile_id, ...params })).body.messages).toEqual([
        expect.stringMatching(/^`model_kind` .*`tour`, `survey`/),
      ]);
    for (const model_id of [undefined, 'x', null, 12])
      expect((await create({ profile_id, model_id })).body).toMatchObject({
        code: 422,
        messages: [expect.stringContaining('`model_id`')],
      });
  });

  it('reads from and until in every form', async () => {
    const forms = {
      '2029-04-07T12:18:00.000Z': '2029-04-07T12:18:00.000Z',
      '2029-04-07T14:18:00+02:00': '2029-04-07T12:18:00.000Z',
      '2029-04-07 12:18:00': '2029-04-07T12:18:00.000Z',
      '2029-04-07': '2029-04-07T00:00:00.000Z',
      '1870258680': '2029-04-07T12:18:00.000Z',
    };
    for (const [params, read] of Object.entries(forms))
      expect(await add(await addProfile(), { from: params, until: params })).toMatchObject({ from: read, until: read });
  });

  it('reads until as an interval from now', async () => {
    const before = Date.now();
    const { until, created_at } = await add(await addProfile(), { from: '$now', until: '+30d' });
    expect(Date.parse(until)).toBeGreaterThanOrEqual(before + 30 * DAY_MS);
    expect(Date.parse(until)).toBeLessThanOrEqual(Date.parse(created_at) + 30 * DAY_MS);
  });

  it.each(['from', 'until'])('rejects %s in an unknown format', async (name) => {
    const profile_id = await addProfile();
    for (const params of ['soon', '2029-02-30', '30d', '+30y', true, {}, [], -1]) {
      const { status, body } = await create({ profile_id, [name]: params });
      expect([params, status]).toEqual([params, 422]);
      expect(body.messages).toEqual([expect.stringContaining(`\`${name}\` must be`)]);
    }
  });

  it('rejects from after until, and accepts equal times', async () => {
    const profile_id = await addProfile();
    const { status, body } = await create({ profile_id, from: '2029-04-08', until: '2029-04-07' });
    expect([status, body.messages]).toEqual([422, ['`from` must not be after `until`']]);
    await add(profile_id, { from: '2029-04-07', until: '2029-04-07' });
  });

  it('keeps future and expired Deliveries in the list', async () => {
    const profile = await addProfile();
    const over = await add(profile, { until: '2020-01-01' });
    const later = await add(profile, { from: '+1d', delivery_ids_position: 'last' });
    expect(await pendingOf(profile)).toEqual([over.id, later.id]);
  });

  it('rejects options that are not an object, too long, or cannot be stored', async () => {
    const profile_id = await addProfile();
    for (const options of ['x', 12, [1], { a: 'x'.repeat(20_000) }, { a: '\0' }, { '\0': 1 }, { a: '\ud800' }])
      expect((await create({ profile_id, options })).body).toMatchObject({
        code: 422,
        messages: [expect.stringMatching(/^`options`/)],
      });
    const deep = `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
    expect((await create({ profile_id, options: deep })).status).toBe(422);
    expect(await pendingOf(profile_id)).toEqual([]);
  });
});

describe('list of pending Deliveries', () => {
  it('starts with the newest by default', async () => {
    const profile = await addProfile();
    const first = await add(profile);
    const second = await add(profile);
    expect(await pendingOf(profile)).toEqual([second.id, first.id]);
  });

  it('adds a Delivery first, last, or at an index, and at the end for an index beyond it', async () => {
    const { profile, ids } = await withPending(1);
    const last = (await add(profile, { delivery_ids_position: 'last' })).id;
    expect(await pendingOf(profile)).toEqual([...ids, last]);
    const middle = (await add(profile, { delivery_ids_position: 1 })).id;
    expect(await pendingOf(profile)).toEqual([...ids, middle, last]);
    await cancel(middle);
    const beyond = (await add(profile, { delivery_ids_position: 99 })).id;
    expect(await pendingOf(profile)).toEqual([...ids, last, beyond]);
    await cancel(beyond);
    const first = (await add(profile, { delivery_ids_position: 'first' })).id;
    expect(await pendingOf(profile)).toEqual([first, ...ids, last]);
  });

  it('rejects an index below 0 and an unknown position', async () => {
    const profile_id = await addProfile();
    for (const delivery_ids_position of [-1, '-1', 1.5, 'middle', '', null])
      expect((await create({ profile_id, delivery_ids_position })).status).toBe(422);
    expect(await pendingOf(profile_id)).toEqual([]);
  });

  it('requires a position when two are pending', async () => {
    const { profile, ids } = await withPending(2);
    const { status, body } = await create({ profile_id: profile });
    expect([status, body.messages]).toEqual([422, [expect.stringContaining('`delivery_ids_position` is required')]]);
    expect(await pendingOf(profile)).toEqual(ids);
  });

  it('has at most three, and the error says how to add another', async () => {
    const { profile, ids } = await withPending(3);
    await expectNothingChanged(async () => {
      for (const params of [{}, { delivery_ids_at_limit: 'error' }, { delivery_ids_limit: 3 }]) {
        const { status, body } = await create({ profile_id: profile, delivery_ids_position: 'first', ...params });
        expect(status).toBe(409);
        expect(body.messages[0]).toMatch(/use `delivery_ids_at_limit=drop`, or remove Deliveries first/);
      }
    });
    expect(await pendingOf(profile)).toEqual(ids);
  });

  it('lists the pending ones in the 409 at the limit, and which of them have expired', async () => {
    const profile = await addProfile();
    const ids: string[] = [];
    for (const until of [null, '2001-01-01', '+30d'])
      ids.push((await add(profile, { until, delivery_ids_position: 'last' })).id);
    const { status, body } = await create({ profile_id: profile, delivery_ids_position: 'first' });
    expect([status, body.messages[1]]).toEqual([409, `Pending are ${ids[0]}, ${ids[1]} (expired), ${ids[2]}`]);
  });

  it('drops and removes Deliveries at its end that are too many', async () => {
    const { profile, ids } = await withPending(3);
    const drop = { delivery_ids_position: 'first', delivery_ids_at_limit: 'drop' };
    const first = await add(profile, drop);
    expect(await pendingOf(profile)).toEqual([first.id, ids[0], ids[1]]);
    expect((await api.get(`${path}/${ids[2]}`)).status).toBe(404);
    const second = await add(profile, { ...drop, delivery_ids_position: 1, delivery_ids_limit: 2 });
    expect(await pendingOf(profile)).toEqual([first.id, second.id]);
    expect((await list(`profile_id=${profile}`)).deliveries).toEqual([second, first]);
  });

  it('rejects a request that would drop its own Delivery', async () => {
    const { profile } = await withPending(3);
    await expectNothingChanged(async () => {
      for (const delivery_ids_position of ['last', 3, 99]) {
        const drop = { delivery_ids_position, delivery_ids_at_limit: 'drop' };
        expect((await create({ profile_id: profile, ...drop })).status).toBe(422);
      }
    });
  });

  it('keeps only the new one with a limit of one and dropping', async () => {
    const { profile } = await withPending(2);
    const only = await add(profile, { delivery_ids_limit: 1, delivery_ids_at_limit: 'drop' });
    expect(await pendingOf(profile)).toEqual([only.id]);
  });

  it('accepts a lower limit in the request', async () => {
    const { profile } = await withPending(1);
    expect((await create({ profile_id: profile, delivery_ids_limit: 1 })).status).toBe(409);
    await add(profile, { delivery_ids_limit: 2 });
  });

  it.each([0, -1, 4, 1.5, 'many', null, 1e308])('rejects %j for delivery_ids_limit', async (delivery_ids_limit) => {
    const { status, body } = await create({ profile_id: await addProfile(), delivery_ids_limit });
    expect([status, body.messages]).toEqual([422, [expect.stringContaining('`delivery_ids_limit` must be')]]);
  });

  it('has the limit of the account', async () => {
    const as = await createAccount(api.app, { name: 'More', email: 'ann@more.test' });
    const model_id = await addExperience('tours', '$now', as);
    const profile_id = await addProfile({}, as);
    const params = { model_id, profile_id, delivery_ids_position: 'last' };
    const allow = (delivery_ids_limit: number) =>
      api.app.storage.write(null, (db) =>
        db.updateTable('accounts').set({ delivery_ids_limit }).where('id', '=', as.account_id).execute(),
      );
    await allow(5);
    for (const limit of [undefined, undefined, undefined, 4, 5])
      expect((await create({ ...params, delivery_ids_limit: limit }, as)).status).toBe(201);
    expect((await create(params, as)).status).toBe(409);
    expect((await create({ ...params, delivery_ids_limit: 6 }, as)).status).toBe(422);
    await allow(1);
    expect((await create({ ...params, delivery_ids_limit: 2 }, as)).status).toBe(422);
  });

  it('matches the pending Deliveries after concurrent writes', async () => {
    const profile = await addProfile();
    const params = { profile_id: profile, delivery_ids_position: 'first', delivery_ids_at_limit: 'drop' };
    const responses = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const response = await create(params);
        if (n % 3 === 0) await cancel(response.body.delivery.id);
        return response;
      }),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(12).fill(201));
    const pending = (await list(`profile_id=${profile}`)).deliveries.map(({ id }: { id: string }) => id);
    expect(pending.length).toBeLessThanOrEqual(3);
    expect((await pendingOf(profile)).sort()).toEqual(pending.sort());
  });
});

describe('idempotency key', () => {
  it('creates one Delivery for a profile, and returns that one with 200 later', async () => {
    const profile_id = await addProfile();
    const first = await add(profile_id, { idempotency_key: 'once' });
    await expectNothingChanged(async () => {
      const again = await create({ profile_id, idempotency_key: 'once', once: true, options: { a: 1 } });
      expect([again.status, again.body]).toEqual([200, { delivery: first }]);
    });
    await add(profile_id, { idempotency_key: 'other' });
    await add(await addProfile(), { idempotency_key: 'once' });
  });

  it('counts as used when its Delivery was canceled', async () => {
    const profile_id = await addProfile();
    const { id } = await add(profile_id, { idempotency_key: 'gone' });
    const cancelled = (await cancel(id)).body;
    const again = await create({ profile_id, idempotency_key: 'gone' });
    expect([again.status, again.body]).toEqual([200, cancelled]);
    expect(await pendingOf(profile_id)).toEqual([]);
  });

  it('counts as used when its Delivery was dropped, or the profile cleared', async () => {
    const profile_id = await addProfile();
    const drop = { delivery_ids_limit: 1, delivery_ids_at_limit: 'drop' };
    const dropped = await add(profile_id, { idempotency_key: 'dropped' });
    await add(profile_id, drop);
    await api.send('DELETE', `/v3/edit/profiles/${profile_id}`);
    const again = await create({ profile_id, idempotency_key: 'dropped' });
    expect([again.status, again.body.delivery.id]).toEqual([200, dropped.id]);
  });

  it('counts as used when its Delivery was triggered', async () => {
    const profile_id = await addProfile();
    const { id } = await add(profile_id, { idempotency_key: 'shown' });
    await trigger(id, profile_id);
    const again = await create({ profile_id, idempotency_key: 'shown' });
    expect([again.status, again.body]).toEqual([200, { delivery: await show(id) }]);
    expect(again.body.delivery.at).toBe('1970-01-01T00:00:02.000Z');
  });

  it('returns its Delivery even if the Experience is no longer live', async () => {
    const model_id = await addExperience('tours');
    const profile_id = await addProfile();
    const delivery = await add(profile_id, { model_id, idempotency_key: 'late' });
    await api.patch(`/v3/edit/tours/${model_id}`, { published_at: null });
    const again = await create({ profile_id, model_id, idempotency_key: 'late' });
    expect([again.status, again.body]).toEqual([200, { delivery }]);
  });

  it('creates one Delivery for many requests at the same time', async () => {
    const profile_id = await addProfile();
    const racing = Array.from({ length: 10 }, () => create({ profile_id, idempotency_key: 'raced' }));
    const responses = await Promise.all(racing);
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(responses.map(({ body }) => body.delivery.id)).size).toBe(1);
    expect((await pendingOf(profile_id)).length).toBe(1);
    expect((await list(`profile_id=${profile_id}`)).deliveries.length).toBe(1);
  });

  it('can be a number, and is otherwise stored unchanged', async () => {
    const profile_id = await addProfile();
    expect((await add(profile_id, { idempotency_key: 12 })).idempotency_key).toBe('12');
    expect((await add(profile_id, { idempotency_key: ' A b ' })).idempotency_key).toBe(' A b ');
    expect((await create({ profile_id, idempotency_key: ' a b ', delivery_ids_position: 0 })).status).toBe(201);
    for (const idempotency_key of ['x'.repeat(256), '  ', {}, ['a']])
      expect((await create({ profile_id, idempotency_key })).status).toBe(422);
  });
});

describe.runIf(engine === 'postgres')('profile that another server has locked', () => {
  /** Holds the row of a profile from another connection, as another server would. */
  async function lock(id: string): Promise<() => Promise<void>> {
    const { storage } = api.app;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { account_id } = api.account;
    let locked = () => {};
    const holding = new Promise<void>((resolve) => {
      locked = resolve;
    });
    const done = storage.write(account_id, async (db) => {
      const query = db.selectFrom('profiles').select('id').where('account_id', '=', account_id).where('id', '=', id);
      await storage.dialect.lockRows(query).execute();
      locked();
      await released;
    });
    await holding;
    return async () => {
      release();
      await done;
    };
  }

  it('makes the request wait', async () => {
    const profile_id = await addProfile();
    const release = await lock(profile_id);
    const creating = create({ profile_id });
    // Many round trips: the request has long met the lock by then.
    for (let n = 0; n < 50; n++) await api.get('/v3/edit/urls');
    expect(await pendingOf(profile_id)).toEqual([]);
    await release();
    const { status, body } = await creating;
    expect(status).toBe(201);
    expect(await pendingOf(profile_id)).toEqual([body.delivery.id]);
  });

  it('returns 429 after 4 seconds, with the reason', async () => {
    const profile_id = await addProfile();
    const release = await lock(profile_id);
    try {
      const { status, headers, body } = await create({ profile_id });
      expect(status).toBe(429);
      expect(headers.get('X-Ratelimit-Limit')).toBe('1');
      expect(body).toEqual({
        code: 429,
        messages: [expect.stringMatching(/^Only one Delivery at a time can be created/)],
        limit: 1,
      });
      expect((await create({ profile_id: await addProfile() })).status).toBe(201);
    } finally {
      await release();
    }
    expect((await list(`profile_id=${profile_id}`)).deliveries).toEqual([]);
  });
});

describe('list', () => {
  it('lists pending and triggered Deliveries, newest first, without removed ones', async () => {
    const { profile, ids } = await withPending(3);
    const [triggered = '', cancelled = '', pending = ''] = ids;
    await trigger(triggered, profile);
    await cancel(cancelled);
    const { deliveries, cursor } = await list(`profile_id=${profile}`);
    expect(deliveries).toEqual([await show(pending), await show(triggered)]);
    expect(cursor).toEqual({ limit: 50, before: null });
  });

  it('filters by Experience and by profile', async () => {
    const model_id = await addExperience('tours');
    const [one, other] = [await addProfile(), await addProfile()];
    const first = await add(one, { model_id });
    const second = await add(other, { model_id });
    await add(one);
    expect((await list(`model_id=${model_id}`)).deliveries).toEqual([second, first]);
    expect((await list(`model_id=${model_id}&profile_id=${one}`)).deliveries).toEqual([first]);
    expect((await list(`profile_id=${one}`)).deliveries.length).toBe(2);
    expect((await list(`model_id=${await addExperience('tours')}`)).deliveries).toEqual([]);
  });

  it('returns all pages when Deliveries are removed in between', async () => {
    const model_id = await addExperience('tours');
    const kept: string[] = [];
    for (let n = 0; n < 9; n++) {
      const { id } = await add(await addProfile(), { model_id });
      if (n % 3 === 1) await cancel(id);
      else kept.unshift(id);
    }
    const seen: string[] = [];
    let before = '';
    do {
      const { deliveries, cursor } = await list(`model_id=${model_id}&limit=2${before && `&before=${before}`}`);
      seen.push(...deliveries.map(({ id }: { id: string }) => id));
      before = cursor.before;
    } while (before !== null);
    expect(seen).toEqual(kept);
    const after = await list(`model_id=${model_id}&after=${kept[2]}`);
    expect(after.deliveries.map(({ id }: { id: string }) => id)).toEqual(kept.slice(0, 2));
    expect((await list('limit=1')).deliveries.length).toBe(1);
    expect((await api.get(path, { query: 'limit=0' })).status).toBe(422);
  });
});

describe('update', () => {
  it('changes every parameter of a pending Delivery', async () => {
    const { profile, ids } = await withPending(2);
    const [id = ''] = ids;
    const before = await show(id);
    const params = {
      model_kind: 'survey',
      model_id: survey,
      idempotency_key: 'given later',
      options: { a: { b: 1 } },
      from: '2029-04-07T00:00:00.000Z',
      until: '2029-04-08T00:00:00.000Z',
      use_segmentation: true,
      once: true,
      skip_triggers: false,
      skip_url_match: false,
    };
    const { status, body } = await update(id, { ...params, profile_id: profile });
    expect(status).toBe(200);
    expect(body.delivery).toEqual({ ...before, ...params, updated_at: body.delivery.updated_at });
    expect(await show(id)).toEqual(body.delivery);
    expect(await pendingOf(profile)).toEqual(ids);
    const cleared = (await update(id, { options: null, from: null, until: null })).body.delivery;
    expect(cleared).toMatchObject({ ...params, options: null, from: null, until: null });
    expect((await api.send('PUT', `${path}/${id}`, { body: { once: false } })).body.delivery.once).toBe(false);
  });

  it('keeps fields that are not given, and changes nothing without a difference', async () => {
    const profile = await addProfile();
    const params = { options: { b: 1, a: { d: 2, c: [3] } }, until: '2029-04-08T00:00:00.000Z' };
    const delivery = await add(profile, params);
    await expectNothingChanged(async () => {
      for (const same of [{}, params, { delivery_ids_position: 'first' }, { profile_id: profile }, { once: false }])
        expect((await update(delivery.id, same)).body).toEqual({ delivery });
    });
  });

  it('checks the changed fields', async () => {
    const profile = await addProfile();
    const model_id = await addExperience('tours');
    const { id } = await add(profile, { model_id, from: '2029-04-07', until: '2029-04-08' });
    const draft = await addExperience('tours', null);
    const cases: [object, number][] = [
      [{ model_id: unknownId }, 404],
      [{ model_id: survey }, 404],
      [{ model_kind: 'survey' }, 404],
      [{ model_id: draft }, 409],
      [{ model_kind: 'launcher' }, 422],
      [{ from: '2029-04-09' }, 422],
      [{ until: '2029-04-06' }, 422],
      [{ from: 'soon' }, 422],
      [{ options: { a: '\0' } }, 422],
      [{ delivery_ids_limit: 0 }, 422],
      [{ delivery_ids_limit: 4 }, 422],
      [{ delivery_ids_position: -1 }, 422],
      [{ once: 'maybe' }, 422],
      [{ profile_id: profile, uid: 'x' }, 422],
    ];
    await expectNothingChanged(async () => {
      for (const [params, status] of cases)
        expect([params, (await update(id, params)).status]).toEqual([params, status]);
    });
    // What is not touched is not checked.
    await api.patch(`/v3/edit/tours/${model_id}`, { published_at: null });
    expect((await update(id, { until: '2029-04-09' })).status).toBe(200);
    expect((await update(id, { model_id })).status).toBe(409);
  });

  it('cannot move a Delivery to another profile', async () => {
    const { id } = await add(await addProfile());
    const other = await addProfile({ uid: 'mover', email: 'mover@acme.test' });
    await expectNothingChanged(async () => {
      for (const target of [{ profile_id: other }, { uid: 'mover' }, { email: 'mover@acme.test' }])
        expect((await update(id, target)).status).toBe(422);
    });
    expect((await update(id, { uid: 'nobody' })).status).toBe(404);
  });

  it('moves a Delivery within the list', async () => {
    const { profile, ids } = await withPending(3);
    const [a = '', b, c = ''] = ids;
    await update(c, { delivery_ids_position: 'first' });
    expect(await pendingOf(profile)).toEqual([c, a, b]);
    await update(c, { delivery_ids_position: 1 });
    expect(await pendingOf(profile)).toEqual([a, c, b]);
    await update(a, { delivery_ids_position: 'last' });
    expect(await pendingOf(profile)).toEqual([c, b, a]);
    await update(a, { delivery_ids_position: 99 });
    expect(await pendingOf(profile)).toEqual([c, b, a]);
  });

  it('can make the list shorter, but not by the Delivery itself', async () => {
    const { profile, ids } = await withPending(3);
    const [a, b = '', c = ''] = ids;
    const drop = { delivery_ids_at_limit: 'drop' };
    expect((await update(b, { delivery_ids_limit: 2 })).status).toBe(409);
    expect((await update(c, { ...drop, delivery_ids_limit: 2 })).status).toBe(422);
    expect((await update(b, { ...drop, delivery_ids_limit: 2 })).status).toBe(200);
    expect(await pendingOf(profile)).toEqual([a, b]);
    expect((await api.get(`${path}/${c}`)).status).toBe(404);
  });

  it('sets a key once, and rejects a used one', async () => {
    const profile = await addProfile();
    await add(profile, { idempotency_key: 'taken' });
    const { id } = await add(profile);
    expect((await update(id, { idempotency_key: 'taken' })).status).toBe(409);
    expect((await update(id, { idempotency_key: 'own' })).status).toBe(200);
    expect((await update(id, { idempotency_key: 'own' })).status).toBe(200);
    for (const idempotency_key of ['new', null]) expect((await update(id, { idempotency_key })).status).toBe(422);
    expect((await create({ profile_id: profile, idempotency_key: 'own' })).body.delivery.id).toBe(id);
  });

  it('returns 409 when the Delivery was triggered', async () => {
    const { profile, ids } = await withPending(1);
    const [id = ''] = ids;
    await trigger(id, profile);
    await expectNothingChanged(async () => {
      for (const params of [{ once: true }, { delivery_ids_position: 'first' }, {}]) {
        const { status, body } = await update(id, params);
        expect([status, body.messages]).toEqual([409, [expect.stringContaining('triggered already')]]);
      }
    });
  });

  it('returns 404 when the Delivery was removed', async () => {
    const { id } = await add(await addProfile());
    await cancel(id);
    expect((await update(id, { once: true })).status).toBe(404);
    expect((await update(unknownId, { once: true })).status).toBe(404);
  });
});

describe('cancel', () => {
  it('removes and returns a pending Delivery', async () => {
    const { profile, ids } = await withPending(3);
    const [a, b = '', c] = ids;
    const before = await show(b);
    const { status, body } = await cancel(b);
    expect(status).toBe(200);
    const { updated_at } = body.delivery;
    expect(body).toEqual({ delivery: { ...before, updated_at, removed_at: updated_at } });
    expect(await pendingOf(profile)).toEqual([a, c]);
    expect((await api.get(`${path}/${b}`)).status).toBe(404);
    expect((await cancel(b)).status).toBe(404);
    expect((await cancel(unknownId)).status).toBe(404);
  });

  it('returns 409 for a triggered Delivery', async () => {
    const { profile, ids } = await withPending(2);
    const [id = '', pending] = ids;
    await trigger(id, profile);
    await expectNothingChanged(async () => expect((await cancel(id)).status).toBe(409));
    expect((await show(id)).at).toBe('1970-01-01T00:00:02.000Z');
    expect(await pendingOf(profile)).toEqual([pending]);
  });

  it('deletes canceled Deliveries when the user is forgotten', async () => {
    const { profile, ids } = await withPending(2);
    await cancel(ids[0] ?? '');
    expect((await api.send('DELETE', `/v3/edit/profiles/${profile}/forget`)).status).toBe(200);
    for (const id of ids) expect((await api.get(`${path}/${id}`)).status).toBe(404);
    expect(stringify(await accountRows(api.app, api.account.account_id))).not.toContain(profile);
  });
});

describe('empty text', () => {
  it.each(['idempotency_key', 'from', 'until', 'uid', 'email', 'options'])(
    'returns 422 for an empty %s in JSON',
    async (name) => {
      const profile_id = await addProfile();
      const { status, body } = await create({ profile_id, [name]: '' });
      expect([status, body.messages]).toEqual([422, [expect.stringMatching(`^\`${name}\` must `)]]);
      expect(await pendingOf(profile_id)).toEqual([]);
    },
  );

  it('means null in a form', async () => {
    const profile_id = await addProfile();
    const form = `model_kind=tour&model_id=${tour}&profile_id=${profile_id}&idempotency_key=&from=`;
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const { status, body } = await api.post('/v3/edit/deliveries', form, { headers });
    expect([status, body.delivery.idempotency_key, body.delivery.from]).toEqual([201, null, null]);
  });
});
