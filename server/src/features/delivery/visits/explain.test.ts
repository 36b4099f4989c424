import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, type ApiResponse, newEmail, startApi } from '../../../../test/api.ts';
import { newUid, openDomain, PAGE, visit } from '../../../../test/visiting.ts';
import { type CreatedAccount, createAccount } from '../../team/accounts/create-account.ts';

const HOUR = 60 * 60_000;
let now = Date.parse('2029-04-07T12:18:00.000Z');
let api: Api;
let account: CreatedAccount;
let uid: string;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
});
afterAll(() => api.stop());
beforeEach(async () => {
  now += HOUR;
  account = await createAccount(api.app, { name: 'Explained', email: newEmail() });
  await openDomain(api, account);
  uid = newUid();
  await visit(api, { uid }, { as: account });
});

async function add(kind: string, params: object = {}): Promise<string> {
  const step = { title: 'Hello', ...(kind === 'survey' && { preset: 'survey_nps' }) };
  const items = [{ kind: 'url', title: 'Docs', url: '/docs' }];
  const content = kind === 'launcher' ? { title: 'Help', items } : { steps: [step] };
  const made = { name: 'One', ...content, published_at: '$now', ...params };
  const { status, body } = await api.post(`/v3/edit/${kind}s`, made, { as: account });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body[kind].id;
}

const requestExplanation = (params: object = {}, as: Pick<CreatedAccount, 'account_secret'> | null = account) =>
  api.post('/v3/observe/visits', { uid, href: PAGE, explain: true, ...params }, { as });

async function explained(params: object = {}): Promise<ApiResponse['body']> {
  const { status, body } = await requestExplanation(params);
  expect([status, body.messages]).toEqual([200, undefined]);
  return body;
}

/** The reasons why an Experience does not show. */
async function reasonsOf(id: string, params: object = {}): Promise<string[]> {
  const { explanations } = await explained(params);
  return explanations.find((one: { id: string }) => one.id === id).reasons;
}

describe('an explanation', () => {
  it('explains for every Experience whether it shows, and why not', async () => {
    const shows = await add('tour', { name: 'Shows' });
    const behind = await add('survey', { name: 'Behind' });
    const draft = await add('tour', { name: 'Draft', published_at: null });
    const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
    const { body } = await api.post('/v3/edit/segments', { name: 'Trial users', items }, { as: account });
    const segmented = await add('launcher', { name: 'Segmented', segment_ids: [body.segment.id] });
    const { explanations, experiences } = await explained();
    expect(explanations).toEqual([
      { id: shows, kind: 'tour', name: 'Shows', shows: true, reasons: [] },
      { id: behind, kind: 'survey', name: 'Behind', shows: false, reasons: [expect.stringContaining('“Shows”')] },
      { id: draft, kind: 'tour', name: 'Draft', shows: false, reasons: [expect.stringContaining('not live')] },
      {
        id: segmented,
        kind: 'launcher',
        name: 'Segmented',
        shows: false,
        reasons: ['The user is not in the Segment “Trial users”'],
      },
    ]);
    expect(experiences.map(({ id }: { id: string }) => id)).toEqual([shows]);
  });

  it('leaves out archived Experiences', async () => {
    await add('tour', { published_at: null, archived_at: '$now' });
    expect((await explained()).explanations).toEqual([]);
  });

  it('lists all reasons against an Experience', async () => {
    const quantifier_urls = [{ url: '/elsewhere', match_type: 'simple' }];
    const id = await add('tour', { steps: [{ title: 'Hello', quantifier_urls }], style: 'manual' });
    await api.post('/v3/observe/hooks/profiles', { uid, disabled: true }, { as: account });
    expect(await reasonsOf(id)).toHaveLength(3);
  });

  it('agrees with what the page load returns', async () => {
    const quantifier_urls = [{ url: '/elsewhere', match_type: 'simple' }];
    await add('tour', { steps: [{ title: 'There', quantifier_urls }] });
    await add('tour');
    await add('launcher');
    for (const href of [PAGE, 'https://app.example.com/elsewhere']) {
      const { explanations, experiences } = await explained({ href });
      const shown = explanations.filter(({ shows }: { shows: boolean }) => shows);
      expect(shown.map(({ id }: { id: string }) => id).sort()).toEqual(
        experiences.map(({ id }: { id: string }) => id).sort(),
      );
      const page = await visit(api, { uid, href }, { as: account });
      expect(page.body.experiences).toEqual(experiences);
    }
  });

  it('considers what the page would send', async () => {
    const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
    const { body } = await api.post('/v3/edit/segments', { name: 'Pro', items }, { as: account });
    const id = await add('tour', { segment_ids: [body.segment.id] });
    expect(await reasonsOf(id)).toHaveLength(1);
    expect(await reasonsOf(id, { properties: { plan: 'pro' } })).toEqual([]);
    expect(await reasonsOf(id)).toHaveLength(1);
  });

  it('explains for every Delivery why it is not ready', async () => {
    const model_id = await add('tour', { published_at: '$now', style: 'manual' });
    const deliver = async (params: object) => {
      const all = { model_kind: 'tour', model_id, uid, delivery_ids_position: 'last', ...params };
      return (await api.post('/v3/edit/deliveries', all, { as: account })).body.delivery.id;
    };
    const early = await deliver({ from: new Date(now + HOUR).toISOString() });
    const over = await deliver({ until: new Date(now + 1).toISOString() });
    const ready = await deliver({});
    now += 2;
    expect((await explained()).deliveries).toMatchObject([
      { id: early, ready: false, reasons: [expect.stringContaining('has not come')] },
      { id: over, ready: false, reasons: [expect.stringContaining('is over')] },
      { id: ready, ready: true, reasons: [] },
    ]);
  });

  it('shows the profile in full', async () => {
    const email = `${newUid()}@example.com`;
    await api.post('/v3/observe/hooks/profiles', { uid, email, plan: 'pro', company: { uid: 'c' } }, { as: account });
    const { body } = await api.get('/v3/analyze/profile', {
      as: account,
      query: new URLSearchParams({ uid }).toString(),
    });
    expect((await explained()).profile).toEqual(body.profile);
  });

  it('uses the language of the user, not of the administrator', async () => {
    await visit(api, { uid, browser: { l: 'pt' } }, { as: account });
    const headers = { 'Accept-Language': 'de' };
    const { body } = await api.post('/v3/observe/visits', { uid, href: PAGE, explain: true }, { as: account, headers });
    expect(body.profile.browser_l).toBe('pt');
    expect((await explained({ browser: { l: 'es' } })).profile.browser_l).toBe('es');
  });

  it('explains a host that is not enabled instead of rejecting the request', async () => {
    const id = await add('tour');
    expect(await reasonsOf(id, { href: 'https://new.example.com/' })).toEqual([
      expect.stringMatching(/^new\.example\.com /),
    ]);
    expect(await reasonsOf(id, { href: 'about:blank' })).toEqual([expect.stringContaining('`href`')]);
    expect((await api.get('/v3/edit/urls', { as: account })).body.urls).toHaveLength(1);
  });
});

describe('requesting an explanation', () => {
  it('records nothing', async () => {
    const model_id = await add('tour');
    await add('launcher');
    const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
    const { body } = await api.post('/v3/edit/segments', { name: 'Pro', items }, { as: account });
    await api.patch(`/v3/edit/tours/${model_id}`, { segment_ids: [body.segment.id] }, { as: account });
    now += 1;
    await api.patch(`/v3/edit/tours/${model_id}`, { published_at: '$now' }, { as: account });
    const delivery = { model_kind: 'tour', model_id, uid, use_segmentation: true };
    await api.post('/v3/edit/deliveries', delivery, { as: account });
    const before = await accountRows(api.app, account.account_id);
    now += 5 * HOUR;
    const sent = { properties: { plan: 'free' }, company: { uid: 'new' }, email: 'new@example.com', browser: { x: 7 } };
    const { deliveries } = await explained(sent);
    expect(deliveries).toMatchObject([{ ready: false, reasons: [expect.stringContaining('“Pro”')] }]);
    await explained({ href: 'https://new.example.com/' });
    await api.app.propertyRegistry.flush(account.account_id);
    expect(await accountRows(api.app, account.account_id)).toEqual(before);
  });

  it('returns no visit token', async () => {
    expect(await explained()).not.toHaveProperty('visit');
  });

  it('accepts a secret of the account as a header or as a param', async () => {
    expect((await requestExplanation()).status).toBe(200);
    expect((await requestExplanation({ account_secret: account.account_secret }, null)).status).toBe(200);
    expect((await requestExplanation({ account_token: account.account_token })).status).toBe(200);
  });

  it('returns 403 without a secret of the account', async () => {
    const { account_token } = account;
    const rejected = [
      await requestExplanation({ account_token }, null),
      await requestExplanation({ account_token }, { account_secret: 'wrong' }),
      await requestExplanation({ account_token }, api.other),
      await requestExplanation({ account_token: api.other.account_token }),
      await requestExplanation({ account_token: 'wrong' }),
    ];
    expect(rejected.map(({ status }) => status)).toEqual(Array(5).fill(403));
  });

  it('explains what an unknown user would see and creates no profile', async () => {
    const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
    const { body } = await api.post('/v3/edit/segments', { name: 'Pro', items }, { as: account });
    const id = await add('tour', { segment_ids: [body.segment.id] });
    const before = await accountRows(api.app, account.account_id);
    const stranger = newUid();
    expect(await explained({ uid: stranger })).toMatchObject({
      known: false,
      profile: { uid: stranger, last_seen_at: null, delivery_ids: [] },
      deliveries: [],
      explanations: [{ id, shows: false }],
    });
    expect(await reasonsOf(id, { uid: stranger, properties: { plan: 'pro' } })).toEqual([]);
    expect(await accountRows(api.app, account.account_id)).toEqual(before);
    expect((await explained()).known).toBe(true);
    expect((await requestExplanation({}, api.other)).body.known).toBe(false);
  });
});

describe('a pattern that is too slow', () => {
  const costly = (times: number) => ({ url: `(?:.*a){${times}}Q`, match_type: 'regex' });
  const long = `${PAGE}/${'a'.repeat(8000)}`;

  it('rejects publishing a pattern that is too slow and names the step', async () => {
    const steps = [{ title: 'Hello', quantifier_urls: [costly(480)] }];
    const params = { name: 'Costly', steps, published_at: '$now' };
    const { status, body } = await api.post('/v3/edit/tours', params, { as: account });
    expect(status).toBe(422);
    expect(body.messages).toEqual([
      expect.stringMatching(/^Step 1 \("Hello"\): the URL pattern .* too many parts: 1921/),
    ]);
  });

  it('treats a pattern that is too slow as not matching and explains it', async () => {
    const quantifier_urls = Array.from({ length: 50 }, (_, at) => costly(200 - at));
    const id = await add('tour', { steps: [{ title: 'Hello', quantifier_urls }] });
    const other = await add('launcher', {
      quantifier_urls: [{ url: '^https://[^/]+/dashboard', match_type: 'regex' }],
    });
    const { experiences } = (await visit(api, { uid, href: long }, { as: account })).body;
    expect(experiences.map((one: { id: string }) => one.id)).toEqual([other]);
    expect(await reasonsOf(id, { href: long })).toEqual([
      expect.stringMatching(
        /none of those on which it begins\. Not tested to the end: the patterns “\(\?:\.\*a\)\{200\}Q”, /,
      ),
    ]);
    expect(await reasonsOf(id, { href: PAGE })).toEqual(['This page is none of those on which it begins']);
    expect(await reasonsOf(other, { href: PAGE })).toEqual([]);
  });

  it('loads an account that published such a pattern before the limit existed', async () => {
    const tooLarge = await add('tour', { steps: [{ title: 'Hello', quantifier_urls: [costly(200)] }] });
    const fine = await add('launcher');
    const { account_id } = account;
    await api.app.storage.write(account_id, async (db) => {
      const whose = db.selectFrom('versions').select(['id', 'content']).where('account_id', '=', account_id);
      const row = await whose.where('experience_id', '=', tooLarge).executeTakeFirstOrThrow();
      const content = JSON.stringify(row.content).replace('{200}', '{999999}');
      const update = db.updateTable('versions').set({ content }).where('account_id', '=', account_id);
      await update.where('id', '=', row.id).execute();
    });
    const { explanations } = await explained({ href: `${PAGE}/aaaQ` });
    expect(explanations.map(({ id, shows }: { id: string; shows: boolean }) => [id, shows])).toEqual([
      [tooLarge, false],
      [fine, true],
    ]);
  });
});
