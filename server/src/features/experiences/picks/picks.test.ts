import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { makeExperienceFor } from '../../../../test/experience-path.ts';
import { askAsPage, exchange, makePick, openPick, RESULT } from '../../../../test/picking.ts';
import { addSignedIn } from '../../../../test/sign-in.ts';
import { HOST, openDomain, PAGE } from '../../../../test/visiting.ts';
import { sweepPicks } from './sweep-picks.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
let now = Date.parse('2029-04-07T12:18:00.000Z');
let api: Api;
let experience_id: string;
let step_id: string;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
});
afterAll(() => api.stop());
beforeEach(async () => {
  now += DAY;
  await api.replaceAccounts();
  await openDomain(api);
  const made = await makeExperienceFor(api, '', api.account);
  experience_id = made.id ?? '';
  step_id = made.step_id ?? '';
});

const create = (params: object = {}) => api.post('/v3/edit/picks', { experience_id, href: PAGE, ...params });
const show = async (id: string) => (await api.get(`/v3/edit/picks/${id}`)).body.pick;
const rows = () =>
  api.app.storage
    .reader(api.account.account_id)
    .selectFrom('picks')
    .selectAll()
    .where('account_id', '=', api.account.account_id)
    .orderBy('id')
    .execute();
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

describe('POST /v3/edit/picks', () => {
  it('returns an address and a code that are valid for ten minutes', async () => {
    const { status, body } = await create({ step_id, purpose: 'pick' });
    expect([status, body]).toEqual([
      201,
      {
        pick: {
          id: expect.any(String),
          created_at: new Date(now).toISOString(),
          ...{ purpose: 'pick', state: 'waiting', experience_id, theme_id: null, event_name_id: null },
          ...{ step_id, href: PAGE },
          ...{ page: null, result: null, looks: null },
          expires_at: new Date(now + 10 * MINUTE).toISOString(),
          address: expect.stringMatching(/^https:\/\/app\.example\.com\/dashboard#usher-pick=[\w-]{22}$/),
          code: expect.stringMatching(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/),
        },
      },
    ]);
    const { address: _, code: __, ...pick } = body.pick;
    expect(await show(pick.id)).toEqual(pick);
  });

  it('keeps the fragment of the page behind the key', async () => {
    const { pick } = (await create({ href: `${PAGE}#/inbox` })).body;
    expect([pick.href, pick.address]).toEqual([
      `${PAGE}#/inbox`,
      expect.stringMatching(/#usher-pick=[\w-]{22}&\/inbox$/),
    ]);
  });

  it('stores only hashes of the key, the code and the token', async () => {
    const pick = await makePick(api, api.account, { experience_id });
    const token = await openPick(api, api.account, pick);
    const [row] = await rows();
    expect(row).toMatchObject({ key_hash: hash(pick.key), code_hash: hash(pick.code), token_hash: hash(token) });
    for (const secret of [pick.key, pick.code, token]) expect(JSON.stringify(row)).not.toContain(secret);
  });

  it('rejects a page on a domain that is not enabled', async () => {
    await api.post('/v3/edit/urls', { host: 'off.example.com', enabled: 'off' });
    for (const host of ['off.example.com', 'unknown.example.org']) {
      const { status, body } = await create({ href: `https://${host}/` });
      expect([status, body.messages]).toEqual([422, [expect.stringContaining(`${host} is not`)]]);
    }
    expect((await create({ href: 'https://off.example.com/' })).body.messages[0]).toContain(
      'turn it on among your domains',
    );
    expect(await rows()).toEqual([]);
  });

  it.each([
    `//${HOST}/`,
    HOST,
    `javascript://${HOST}/%0aalert(1)`,
    `https://ann:pw@${HOST}/`,
    'https://',
    `${PAGE}/${'x'.repeat(2000)}`,
  ])('rejects the address %s', async (href) => {
    const { status, body } = await create({ href });
    expect([status, body.messages]).toEqual([422, [expect.stringContaining('`href`')]]);
  });

  it('returns 404 for an unknown Experience, step or user', async () => {
    const unknown = 'f'.repeat(24);
    const another = await makeExperienceFor(api, '', api.account);
    for (const params of [
      { experience_id: unknown },
      { step_id: unknown },
      { step_id: another.step_id },
      { purpose: 'try', profile_id: unknown },
      { purpose: 'try', uid: 'unknown' },
    ])
      expect([params, (await create(params)).status]).toEqual([params, 404]);
  });

  it('takes a user only for trying a draft', async () => {
    await api.post('/v3/observe/hooks/profiles', { uid: 'ann' });
    expect((await create({ uid: 'ann', purpose: 'try' })).status).toBe(201);
    expect((await create({ uid: 'ann' })).status).toBe(422);
  });

  it('ends the oldest of more than 20 open picks', async () => {
    const picks = [];
    for (let count = 0; count < 21; count++) {
      now += 1;
      picks.push(await makePick(api, api.account, { experience_id }));
    }
    const states = (await rows()).map(({ ended_at }) => ended_at === null);
    expect(states).toEqual([false, ...Array.from({ length: 20 }, () => true)]);
    expect((await exchange(api, api.account, { key: picks[0]?.key })).status).toBe(403);
    expect((await exchange(api, api.account, { key: picks[1]?.key })).status).toBe(200);
  });

  it('is recorded in the audit log, and so is opening it', async () => {
    const pick = await makePick(api, api.account, { experience_id });
    await openPick(api, api.account, pick);
    const { audit_entries } = (await api.get('/v3/analyze/audit_entries', { query: 'limit=2' })).body;
    const common = { target_type: 'tour', target_id: experience_id, details: { purpose: 'pick', host: HOST } };
    expect(audit_entries).toMatchObject([
      { action: 'pick.open', ...common, secret_id: null, user: { id: api.account.user_id } },
      { action: 'pick.create', ...common, user: { id: api.account.user_id } },
    ]);
    expect(JSON.stringify(audit_entries)).not.toContain(pick.key);
  });

  it('works with the cookie of an editor, without the password', async () => {
    const { browser } = await addSignedIn(api, 'editor');
    const { status, body } = await browser.post('/v3/edit/picks', { experience_id, href: PAGE });
    expect(status).toBe(201);
    expect((await browser.get(`/v3/edit/picks/${body.pick.id}`)).status).toBe(200);
  });
});

describe('GET /v3/edit/picks/:id', () => {
  it('shows who opened it and what was picked, step by step', async () => {
    const pick = await makePick(api, api.account, { experience_id, step_id });
    expect(await show(pick.id)).toMatchObject({ state: 'waiting', page: null });
    now += MINUTE;
    const pick_token = await openPick(api, api.account, pick);
    expect(await show(pick.id)).toMatchObject({
      ...{ state: 'opened', page: { href: PAGE, title: null }, result: null },
      expires_at: new Date(now + 60 * MINUTE).toISOString(),
    });
    const sent = { pick_token, href: `${PAGE}/2`, title: 'Dashboard', result: RESULT };
    expect((await askAsPage(api, '/result', sent)).body).toEqual({ pick: { state: 'picked' } });
    const picked = { state: 'picked', page: { href: `${PAGE}/2`, title: 'Dashboard' }, result: RESULT };
    expect(await show(pick.id)).toMatchObject(picked);
    const again = { ...RESULT, elements: [{ text: 'Other' }] };
    await askAsPage(api, '/result', { ...sent, result: again });
    expect((await show(pick.id)).result).toEqual(again);
    expect((await askAsPage(api, '/end', { pick_token })).body).toEqual({ pick: { state: 'ended' } });
    expect(await show(pick.id)).toMatchObject({ state: 'ended', result: again });
  });

  it('expires after ten minutes if nobody opens it, and an hour after it was opened', async () => {
    const [left, opened] = [
      await makePick(api, api.account, { experience_id }),
      await makePick(api, api.account, { experience_id }),
    ];
    await openPick(api, api.account, opened);
    now += 10 * MINUTE - 1;
    expect((await show(left.id)).state).toBe('waiting');
    now += 1;
    expect([(await show(left.id)).state, (await show(opened.id)).state]).toEqual(['expired', 'opened']);
    now += 50 * MINUTE;
    expect((await show(opened.id)).state).toBe('expired');
  });

  it('returns 404 to every other administrator', async () => {
    const { id } = await makePick(api, api.account, { experience_id });
    const { browser } = await addSignedIn(api, 'owner');
    for (const path of [`/v3/edit/picks/${id}`, `/v3/edit/picks/${id}/events`])
      expect([path, (await browser.get(path)).status]).toEqual([path, 404]);
    expect((await browser.delete(`/v3/edit/picks/${id}`)).status).toBe(404);
    expect((await show(id)).state).toBe('waiting');
  });
});

describe('DELETE /v3/edit/picks/:id', () => {
  it('ends the pick, and its key and token with it', async () => {
    const [waiting, opened] = [
      await makePick(api, api.account, { experience_id }),
      await makePick(api, api.account, { experience_id }),
    ];
    const pick_token = await openPick(api, api.account, opened);
    for (const { id } of [waiting, opened]) {
      const { status, body } = await api.send('DELETE', `/v3/edit/picks/${id}`);
      expect([status, body.pick.state]).toEqual([200, 'ended']);
    }
    expect((await exchange(api, api.account, { key: waiting.key })).body.messages[0]).toContain('has ended');
    expect((await askAsPage(api, '/current', { pick_token })).body.messages[0]).toContain('has ended');
  });
});

describe('sweepPicks', () => {
  it('deletes a pick a day after it has expired', async () => {
    await makePick(api, api.account, { experience_id });
    now += DAY + 10 * MINUTE;
    await sweepPicks(api.app);
    expect(await rows()).toHaveLength(1);
    now += 1;
    await sweepPicks(api.app);
    expect(await rows()).toEqual([]);
  });
});

describe('forgetting a user', () => {
  it('deletes the picks that try a draft as that user', async () => {
    const { profile } = (await api.post('/v3/observe/hooks/profiles', { uid: 'ann' })).body;
    await makePick(api, api.account, { experience_id, purpose: 'try', uid: 'ann' });
    await makePick(api, api.account, { experience_id });
    await api.send('DELETE', `/v3/edit/profiles/${profile.id}/forget`);
    expect((await rows()).map(({ profile_id }) => profile_id)).toEqual([null]);
  });
});
