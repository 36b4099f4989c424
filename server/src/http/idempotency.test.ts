import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountRows } from '../../test/account-rows.ts';
import { type Api, type ApiResponse, startApi } from '../../test/api.ts';
import { makeDelivery, makeLiveTour, makeSeenProfile } from '../../test/delivery-path.ts';
import { addSignedIn } from '../../test/sign-in.ts';
import { createSecret } from '../features/team/secrets/create-secret.ts';
import { sweepIdempotencyKeys } from './run-once.ts';

const HOUR_MS = 60 * 60_000;
const START = Date.UTC(2029, 3, 7);
let now = START;
let api: Api;
let count = 0;

beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
});
afterAll(() => api.stop());
beforeEach(async () => {
  now = Math.max(now, START);
  await api.replaceAccounts();
});

const newKey = () => `key ${++count}`;
const newTag = () => ({ name: `Tag ${++count}`, uid: `tag ${count}` });
const post = (path: string, body: object, key: string, as: { account_secret: string } = api.account) =>
  api.post(path, body, { headers: { 'Idempotency-Key': key }, as: { ...api.account, ...as } });
const postTag = (body: object, key: string, as?: { account_secret: string }) => post('/v3/edit/tags', body, key, as);
const isRepeat = ({ headers }: ApiResponse) => headers.get('Idempotency-Replayed') === 'true';
const listTags = async () => (await api.get('/v3/edit/tags')).body.tags as { id: string; name: string }[];
const storedKeys = async () => (await accountRows(api.app, api.account.account_id)).idempotency_keys ?? [];

describe('a repeat with the same key', () => {
  it('gets the same status, and the record as it is now', async () => {
    const [tag, key] = [newTag(), newKey()];
    const created = await postTag(tag, key);
    expect([created.status, isRepeat(created)]).toEqual([201, false]);
    await api.patch(`/v3/edit/tags/${created.body.tag.id}`, { name: 'Renamed' });
    const repeated = await postTag(tag, key);
    expect([repeated.status, isRepeat(repeated)]).toEqual([201, true]);
    expect(repeated.body.tag).toMatchObject({ id: created.body.tag.id, name: 'Renamed' });
    expect(await listTags()).toHaveLength(1);
  });

  it('may have its parameters in another order or place', async () => {
    const [{ name, uid }, key] = [newTag(), newKey()];
    await postTag({ name, uid }, key);
    expect(isRepeat(await postTag({ uid, name }, key))).toBe(true);
    const query = new URLSearchParams({ uid, account_secret: api.account.account_secret }).toString();
    const headers = { 'Idempotency-Key': key };
    expect(isRepeat(await api.post('/v3/edit/tags', { name }, { query, headers, as: null }))).toBe(true);
  });

  it('lists its unknown parameters again', async () => {
    const [tag, key] = [{ ...newTag(), nmae: 'x' }, newKey()];
    const { warnings } = (await postTag(tag, key)).body;
    expect(warnings).toEqual([expect.stringContaining('`nmae`')]);
    expect((await postTag(tag, key)).body.warnings).toEqual(warnings);
  });

  it('is 422 with other parameters, or for another endpoint', async () => {
    const [tag, key] = [newTag(), newKey()];
    await postTag(tag, key);
    for (const other of [
      await postTag({ ...tag, name: 'Other' }, key),
      await post('/v3/edit/segments', { ...tag, items: [] }, key),
    ]) {
      expect(other.status).toBe(422);
      expect(other.body.messages).toEqual([expect.stringContaining('was used for another request within 24 hours')]);
    }
    expect(await listTags()).toHaveLength(1);
  });

  it('is 404 when the record was deleted meanwhile, and creates nothing', async () => {
    const [tag, key] = [newTag(), newKey()];
    const { id } = (await postTag(tag, key)).body.tag;
    await api.send('DELETE', `/v3/edit/tags/${id}`);
    const repeated = await postTag(tag, key);
    expect([repeated.status, repeated.body.messages[0]]).toEqual([404, expect.stringContaining('is deleted')]);
    expect(await listTags()).toEqual([]);
  });

  it('waits for the first one when both come together, and creates one record', async () => {
    const [tag, key] = [newTag(), newKey()];
    const responses = await Promise.all(Array.from({ length: 5 }, () => postTag(tag, key)));
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(responses.filter(isRepeat)).toHaveLength(4);
    expect(new Set(responses.map(({ body }) => body.tag.id)).size).toBe(1);
  });

  it('runs again when the first one failed, which stores nothing', async () => {
    const [taken, key] = [newTag(), newKey()];
    const { id } = (await api.post('/v3/edit/tags', taken)).body.tag;
    expect((await postTag(taken, key)).status).toBe(409);
    expect(await storedKeys()).toEqual([]);
    await api.send('DELETE', `/v3/edit/tags/${id}`);
    const created = await postTag(taken, key);
    expect([created.status, isRepeat(created)]).toEqual([201, false]);
  });
});

describe('a key', () => {
  it('belongs to one secret', async () => {
    const { account_id: accountId } = api.account;
    const second = { account_secret: (await createSecret(api.app, { accountId, name: 'second' })).account_secret };
    const key = newKey();
    expect((await postTag(newTag(), key)).status).toBe(201);
    const other = await postTag(newTag(), key, second);
    expect([other.status, isRepeat(other)]).toEqual([201, false]);
    expect((await postTag(newTag(), key, api.other)).status).toBe(201);
  });

  it('is kept for 24 hours', async () => {
    const [tag, key] = [newTag(), newKey()];
    await postTag(tag, key);
    now += 24 * HOUR_MS - 1;
    await sweepIdempotencyKeys(api.app);
    expect(isRepeat(await postTag(tag, key))).toBe(true);
    now += 1;
    const other = newTag();
    const created = await postTag(other, key);
    expect([created.status, isRepeat(created)]).toEqual([201, false]);
    expect(isRepeat(await postTag(other, key))).toBe(true);
    now += 24 * HOUR_MS + 1;
    await sweepIdempotencyKeys(api.app);
    expect(await storedKeys()).toEqual([]);
  });

  it.each(['', 'x'.repeat(256), 'a\tb', 'é'])('is 422 unless it has 1 to 255 printable characters: %j', async (key) => {
    const { status, body } = await postTag(newTag(), key);
    expect([status, body.messages]).toEqual([422, [expect.stringContaining('`Idempotency-Key` must have 1 to 255')]]);
    expect(await listTags()).toEqual([]);
  });

  it('may have 255 characters', async () => {
    const [tag, key] = [newTag(), '~'.repeat(255)];
    await postTag(tag, key);
    expect(isRepeat(await postTag(tag, key))).toBe(true);
  });

  it('is ignored in searches, updates and deletions, and for people who have signed in', async () => {
    const key = newKey();
    for (const _ of [1, 2]) {
      const search = await post('/v3/analyze/profiles', {}, key);
      expect([search.status, isRepeat(search)]).toEqual([200, false]);
    }
    const { browser } = await addSignedIn(api, 'editor');
    const tag = newTag();
    const send = () => browser.send('POST', '/v3/edit/tags', { body: tag, headers: { 'Idempotency-Key': key } });
    expect([(await send()).status, (await send()).status]).toEqual([201, 409]);
    expect(await storedKeys()).toEqual([]);
  });

  it('is stored as a hash, like the request', async () => {
    await post('/v3/observe/hooks/profiles', { uid: 'canary-uid', email: 'canary@acme.test' }, 'canary key');
    const [row = ''] = await storedKeys();
    expect(row).not.toContain('canary');
  });
});

describe('users, events and Deliveries', () => {
  it('stores an event once, and counts it once', async () => {
    const [event, key] = [{ uid: 'ann', name: 'Exported' }, newKey()];
    const send = () => post('/v3/observe/hooks/events', event, key);
    const responses = [...(await Promise.all([send(), send()])), await send()];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(responses.map(({ body }) => body.event.id)).size).toBe(1);
    const filters = [{ kind: 'event', value: 'Exported', mod: 'eq', range: 1 }];
    expect((await api.post('/v3/analyze/profiles/count', { filters })).body.count).toBe(1);
    expect((await accountRows(api.app, api.account.account_id)).events).toHaveLength(1);
  });

  it('rejects an event as without a key', async () => {
    const { status } = await post('/v3/observe/hooks/events', { id: 'f'.repeat(24), name: 'Exported' }, newKey());
    expect(status).toBe(404);
    expect(await storedKeys()).toEqual([]);
  });

  it('does not undo what was written between a profile and its repeat', async () => {
    const [profile, key] = [{ uid: 'ann', plan: 'free' }, newKey()];
    const created = await post('/v3/observe/hooks/profiles', profile, key);
    await api.post('/v3/observe/hooks/profiles', { uid: 'ann', plan: 'pro' });
    const repeated = await post('/v3/observe/hooks/profiles', profile, key);
    expect([repeated.body, isRepeat(repeated)]).toEqual([created.body, true]);
    expect((await api.get('/v3/analyze/profile', { query: 'uid=ann' })).body.profile.plan).toBe('pro');
  });

  it('creates one Delivery of several requests that come together', async () => {
    const [model_id, profile_id] = [await makeLiveTour(api, api.account), await makeSeenProfile(api, api.account)];
    const [body, key] = [{ model_kind: 'tour', model_id, profile_id }, newKey()];
    const responses = await Promise.all(Array.from({ length: 4 }, () => post('/v3/edit/deliveries', body, key)));
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(responses.map((one) => one.body.delivery.id)).size).toBe(1);
    // Other keys wait for the lock of the profile.
    const others = await Promise.all(
      [1, 2].map((n) =>
        post('/v3/edit/deliveries', { ...body, delivery_ids_position: 'first', options: { n } }, newKey()),
      ),
    );
    expect(others.map(({ status }) => status)).toEqual([201, 201]);
  });

  it('shows a Delivery whose own idempotency key was used before with 200, also in a repeat', async () => {
    const { model_id, profile_id } = await makeDelivery(api, api.account);
    const body = {
      model_kind: 'tour',
      model_id,
      profile_id,
      idempotency_key: 'renewal',
      delivery_ids_position: 'last',
    };
    const { id } = (await api.post('/v3/edit/deliveries', body)).body.delivery;
    const key = newKey();
    for (const expected of [false, true]) {
      const response = await post('/v3/edit/deliveries', body, key);
      expect([response.status, response.body.delivery.id, isRepeat(response)]).toEqual([200, id, expected]);
    }
  });

  it('does not create a user again who was forgotten meanwhile', async () => {
    const [profile, event] = [{ uid: 'ann' }, { uid: 'ann', name: 'Exported' }];
    const [profileKey, eventKey] = [newKey(), newKey()];
    const { id } = (await post('/v3/observe/hooks/profiles', profile, profileKey)).body.profile;
    const eventId = (await post('/v3/observe/hooks/events', event, eventKey)).body.event.id;
    expect((await api.send('DELETE', `/v3/edit/profiles/${id}/forget`)).status).toBe(200);
    const rows = (await storedKeys()).join();
    expect([rows.includes(id), rows.includes(eventId), (await storedKeys()).length]).toEqual([false, false, 2]);
    expect((await post('/v3/observe/hooks/profiles', profile, profileKey)).status).toBe(404);
    expect((await post('/v3/observe/hooks/events', event, eventKey)).status).toBe(404);
    expect((await api.post('/v3/analyze/profiles/count', {})).body.count).toBe(0);
  });
});
