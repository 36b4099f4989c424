import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, type ApiResponse, newEmail, startApi } from '../../../../test/api.ts';
import { newUid, openDomain, PAGE, visit } from '../../../../test/visiting.ts';
import { type CreatedAccount, createAccount } from '../../team/accounts/create-account.ts';

let now = Date.parse('2029-04-07T12:18:00.000Z');
let api: Api;
/** An account without a `uid_secret`, and one with it. */
let open: CreatedAccount;
let signing: CreatedAccount;
let secret: string;
let uid: string;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
  [open, signing] = [await newAccount(), await newAccount()];
  secret = (await api.post('/v3/edit/account/uid_secret', {}, { as: signing })).body.uid_secret;
});
afterAll(() => api.stop());
beforeEach(() => {
  now += 60_000;
  uid = newUid();
});

async function newAccount(): Promise<CreatedAccount> {
  const account = await createAccount(api.app, { name: 'Visited', email: newEmail() });
  await openDomain(api, account);
  return account;
}

async function load(params: object = {}, as = open): Promise<ApiResponse['body']> {
  const { status, body } = await visit(api, { uid, ...params }, { as });
  expect([status, body.messages]).toEqual([200, undefined]);
  return body;
}

const hook = (params: object, as = open) => api.post('/v3/observe/hooks/profiles', { uid, ...params }, { as });
const stored = async (of = uid, as = open) =>
  (await api.get('/v3/analyze/profile', { query: new URLSearchParams({ uid: of }).toString(), as })).body.profile;
const company = async (of: string, as = open) =>
  (await api.get('/v3/analyze/company', { query: new URLSearchParams({ uid: of }).toString(), as })).body.company;
const counts = async (as = open) => (await api.get('/v3/edit/account', { as })).body.account.ignored_page_writes;

const sign = (text: string, seconds: number, key = secret) =>
  `${createHmac('sha256', key).update(text).digest('hex')}-${seconds}`;
const seconds = () => Math.floor(now / 1000);
const uidHash = (of = uid, at = seconds()) => sign(`${of}-${at}`, at);
const identityHash = (email = '', companyUid = '', at = seconds()) =>
  sign(`${uid}\n${email}\n${companyUid}\n${at}`, at);

describe('a page without proof', () => {
  it('does not take an email that another profile holds, and the holder keeps it', async () => {
    const [victim, email] = [newUid(), `${newUid()}@example.com`];
    await hook({ uid: victim, email });
    const before = await counts();
    await load({ email: email.toUpperCase() });
    expect([(await stored(victim)).email, (await stored()).email]).toEqual([email, null]);
    expect(await counts()).toEqual({ ...before, email_taken: before.email_taken + 1 });
  });

  it('sets an email and a Company where there are none, and changes neither once they are set', async () => {
    const [email, companyUid] = [`${newUid()}@example.com`, newUid()];
    await load({ email, company: { uid: companyUid } });
    const before = await counts();
    for (const params of [{ email: 'other@example.com' }, { email: null }]) await load(params);
    for (const params of [{ company: { uid: newUid() } }, { company: null }]) await load(params);
    expect(await stored()).toMatchObject({ email, company: { uid: companyUid } });
    expect(await counts()).toEqual({
      ...before,
      email_set: before.email_set + 1,
      email_removed: before.email_removed + 1,
      company_set: before.company_set + 1,
      company_removed: before.company_removed + 1,
    });
  });

  it('adds properties and changes properties that pages wrote, but none that the backend wrote', async () => {
    await hook({ role: 'user', plan: 'free' });
    const before = await counts();
    await load({ properties: { role: 'admin', plan: null, theme: 'dark' } });
    expect(await stored()).toMatchObject({ role: 'user', plan: 'free', theme: 'dark' });
    await load({ properties: { theme: 'light' } });
    expect(await stored()).toMatchObject({ theme: 'light' });
    await load({ properties: { theme: null } });
    expect(await stored()).not.toHaveProperty('theme');
    expect(await counts()).toEqual({ ...before, property_set: before.property_set + 2 });
  });

  it('does not change a property after the backend has sent it, even with the same value', async () => {
    await load({ properties: { plan: 'free' } });
    await hook({ plan: 'free' });
    await load({ properties: { plan: 'pro' } });
    expect((await stored()).plan).toBe('free');
  });

  it('does not change properties that were stored before the rule existed', async () => {
    const { profile } = await load({ properties: { plan: 'free' } });
    await api.app.storage.write(open.account_id, (db) =>
      db
        .updateTable('profiles')
        .set({ page_keys: '[]' })
        .where('account_id', '=', open.account_id)
        .where('id', '=', profile.id)
        .execute(),
    );
    await load({ properties: { plan: 'pro' } });
    expect((await stored()).plan).toBe('free');
  });

  it.each(['new', 'known'])('does not set `disabled` of a %s user', async (which) => {
    if (which === 'known') await hook({ plan: 'pro' });
    await load({ properties: { disabled: true } });
    expect(await stored()).not.toHaveProperty('disabled');
    await hook({ disabled: true });
    await load({ properties: { disabled: null } });
    expect((await stored()).disabled).toBe(true);
  });

  it('does not change the properties of a Company, and creates a new Company without any', async () => {
    const known = newUid();
    await api.post('/v3/observe/hooks/companies', { uid: known, plan: 'enterprise' }, { as: open });
    const before = await counts();
    await load({ company: { uid: known, plan: 'free', motto: 'x' } });
    expect(await company(known)).toMatchObject({ plan: 'enterprise' });
    expect(await company(known)).not.toHaveProperty('motto');
    const fresh = newUid();
    await load({ uid: newUid(), company: { uid: fresh, plan: 'free' } });
    expect(await company(fresh)).not.toHaveProperty('plan');
    expect(await counts()).toMatchObject({ company_properties: before.company_properties + 3 });
  });

  it('returns only what the page sent, right or wrong, and nothing that is stored', async () => {
    const right = { properties: { role: 'user' }, email: `${newUid()}@example.com`, company: { uid: newUid() } };
    await hook({ role: 'user', salary: 10, email: right.email, company: right.company });
    const browser = { x: 1440, tz: -8, l: 'pt-BR', n: 'chrome', k: 'desktop' };
    await load({ browser });
    const wrong = { properties: { role: 'x' }, email: 'x@example.com', company: { uid: newUid() } };
    const responses = [];
    for (const sent of [right, wrong]) {
      const { profile } = await load({ ...sent, browser: { x: 800 } });
      const { email, company, role, ...rest } = profile;
      expect({ email, company, role }).toEqual({ email: sent.email, company: sent.company, ...sent.properties });
      responses.push(rest);
    }
    expect(responses[0]).toEqual(responses[1]);
    expect(responses[0]).toMatchObject({ browser_x: 800, browser_tz: null, browser_n: null, percent: null });
    expect(responses[0]).toMatchObject({ last_seen_session_count: null, delivery_ids: [] });
    expect(responses[0]).not.toHaveProperty('salary');
  });

  it('fills only its share of a profile and leaves the backend its full size', async () => {
    const large = (name: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`${name}_${n}`, 'x'.repeat(760)]));
    const before = await counts();
    for (const name of ['a', 'b']) await load({ properties: large(name, 100) });
    const kept = Object.keys(await stored()).filter((key) => /^[ab]_/.test(key));
    expect(kept).toHaveLength(21);
    expect((await counts()).page_share).toBe(before.page_share + 179);
    const { status } = await hook(large('own', 165));
    expect([status, (await hook(large('more', 10))).status]).toEqual([200, 422]);
    await load({ properties: { a_0: 'y', c: 'z'.repeat(700) } });
    expect(await stored()).toMatchObject({ a_0: 'y', c: expect.any(String), own_164: expect.any(String) });
  });

  it('adds 200 properties at most', async () => {
    const many = (name: string) => Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`${name}_${n}`, n]));
    for (const name of ['a', 'b']) await load({ properties: many(name) });
    expect(Object.keys(await stored()).filter((key) => /^[ab]_/.test(key))).toHaveLength(200);
  });

  it('keeps `updated_at` when everything it sends is ignored', async () => {
    await hook({ role: 'user' });
    const { updated_at } = await stored();
    now += 60_000;
    await load({ properties: { role: 'admin' } });
    expect((await stored()).updated_at).toBe(updated_at);
  });

  it('returns no Delivery options and no personal texts once the account has a `uid_secret`', async () => {
    for (const [as, withheld] of [
      [open, false],
      [signing, true],
    ] as const) {
      await hook({ first_name: 'Ann', company: { uid: newUid(), name: 'Acme' } }, as);
      await load({}, as);
      const title = 'Hi {{first_name | fallback: "there"}} of {{company.name | fallback: "yours"}}';
      const steps = [{ title, quantifier_urls: [{ url: '/dashboard', match_type: 'simple' }] }];
      const { tour } = (await api.post('/v3/edit/tours', { name: 'Hi', steps, published_at: '$now' }, { as })).body;
      const delivery = { model_kind: 'tour', model_id: tour.id, uid, options: { manager: 'Bob' } };
      await api.post('/v3/edit/deliveries', delivery, { as });
      const titles = [withheld ? 'Hi there of yours' : 'Hi Ann of Acme', 'Hi Ann of Acme'];
      const options = [withheld ? null : { manager: 'Bob' }, { manager: 'Bob' }];
      const found = [];
      for (const params of as === signing ? [{}, { uid_hash: uidHash() }] : [{}, {}]) {
        const { visit, deliveries, experiences } = await load(params, as);
        const show = { visit_token: visit.token, experience_id: tour.id, href: PAGE };
        const shown = (await api.post('/v3/observe/shows', show, { as: null })).body.experience;
        found.push([deliveries[0].options, experiences[0].steps[0].title, shown.steps[0].title]);
      }
      expect(found).toEqual([0, 1].map((n) => [options[n], [titles[n]], [titles[n]]]));
    }
  });
});

describe('a page with `uid_hash`', () => {
  it('changes properties, but neither email nor Company', async () => {
    const [email, companyUid] = [`${newUid()}@example.com`, newUid()];
    await hook({ role: 'user', email, company: { uid: companyUid, plan: 'pro' } }, signing);
    const params = {
      properties: { role: 'admin', disabled: true },
      email: 'x@example.com',
      company: { uid: newUid() },
    };
    await load({ ...params, uid_hash: uidHash() }, signing);
    const profile = await stored(uid, signing);
    expect(profile).toMatchObject({ role: 'admin', disabled: true, email, company: { uid: companyUid } });
    await load({ company: { uid: companyUid, plan: 'free' }, uid_hash: uidHash() }, signing);
    expect((await company(companyUid, signing)).plan).toBe('pro');
  });

  it('does not set a first email or Company, and neither does a page without proof', async () => {
    const [email, companyUid] = [`${newUid()}@example.com`, newUid()];
    const before = await counts(signing);
    for (const proof of [{}, { uid_hash: uidHash() }])
      await load({ email, company: { uid: companyUid }, ...proof }, signing);
    expect(await stored(uid, signing)).toMatchObject({ email: null });
    expect(await stored(uid, signing)).not.toHaveProperty('company.uid');
    expect(await counts(signing)).toMatchObject({
      email_unproven: before.email_unproven + 2,
      company_unproven: before.company_unproven + 2,
    });
  });

  it('protects what it writes from pages without a hash', async () => {
    await load({ properties: { role: 'user' }, uid_hash: uidHash() }, signing);
    await load({ properties: { role: 'admin' } }, signing);
    expect((await stored(uid, signing)).role).toBe('user');
  });
});

describe('a page with `identity_hash`', () => {
  const loadProven = (email: string, companyUid: string, params: object = {}) =>
    load({ email, company: { uid: companyUid }, identity_hash: identityHash(email, companyUid), ...params }, signing);

  it('changes the email, the Company and the properties of that Company', async () => {
    await hook({ email: `${newUid()}@example.com`, company: { uid: newUid() }, role: 'user' }, signing);
    const [email, companyUid] = [`${newUid()}@example.com`, newUid()];
    const response = await loadProven(email, companyUid, {
      company: { uid: companyUid, plan: 'pro' },
      properties: { role: 'admin' },
    });
    expect(response.profile).toMatchObject({ email, role: 'admin', company: { uid: companyUid } });
    expect(await stored(uid, signing)).toMatchObject({ email, role: 'admin', company: { uid: companyUid } });
    expect(await company(companyUid, signing)).toMatchObject({ plan: 'pro' });
  });

  it('does not remove the email or the Company', async () => {
    const [email, companyUid] = [`${newUid()}@example.com`, newUid()];
    await hook({ email, company: { uid: companyUid } }, signing);
    await load({ email: null, company: null, identity_hash: identityHash() }, signing);
    expect(await stored(uid, signing)).toMatchObject({ email, company: { uid: companyUid } });
  });

  it('does not take an email that another profile holds either', async () => {
    const [victim, email] = [newUid(), `${newUid()}@example.com`];
    await hook({ uid: victim, email }, signing);
    await loadProven(email, 'c');
    expect([(await stored(victim, signing)).email, (await stored(uid, signing)).email]).toEqual([email, null]);
  });

  it('proves nothing when a value differs from what was signed, or when it is older than a day', async () => {
    const email = `${newUid()}@example.com`;
    await hook({ email, company: { uid: 'c' } }, signing);
    const changed = { email: 'x@example.com', company: { uid: 'd' } };
    const day = 24 * 60 * 60;
    for (const identity_hash of [
      identityHash(email, 'c'),
      identityHash('x@example.com', 'c'),
      identityHash('x@example.com', 'd', seconds() - day - 1),
      sign(`${uid}\nx@example.com\nd\n${seconds()}`, seconds(), 'wrong'),
      uidHash(),
      'x',
    ])
      await load({ ...changed, identity_hash }, signing);
    expect(await stored(uid, signing)).toMatchObject({ email, company: { uid: 'c' } });
  });

  it('returns 422 for a line break in one of the values', async () => {
    for (const params of [
      { uid: 'a\nb' },
      { email: 'a\n@b.c' },
      { company: { uid: 'a\rb' } },
      { company_uid: 'a\n' },
    ]) {
      const { status, body } = await visit(api, { uid, identity_hash: 'x', ...params }, { as: signing });
      expect([status, body.messages.join()]).toEqual([422, expect.stringContaining('line break')]);
    }
    expect((await visit(api, { uid: 'a\nb' }, { as: signing })).status).toBe(200);
  });

  it('satisfies `require_uid_hash`', async () => {
    const strict = await newAccount();
    const key = (await api.post('/v3/edit/account/uid_secret', {}, { as: strict })).body.uid_secret;
    await api.patch('/v3/edit/account', { require_uid_hash: true }, { as: strict });
    const identity_hash = sign(`${uid}\n\n\n${seconds()}`, seconds(), key);
    const statuses = [];
    for (const params of [{}, { identity_hash: 'wrong' }, { identity_hash }])
      statuses.push((await visit(api, { uid, ...params }, { as: strict })).status);
    expect(statuses).toEqual([403, 403, 200]);
  });
});

describe('`require_uid_hash`', () => {
  it('ends unproven visits when it is turned on', async () => {
    const strict = await newAccount();
    const key = (await api.post('/v3/edit/account/uid_secret', {}, { as: strict })).body.uid_secret;
    const made = { name: 'Hi', steps: [{ title: 'Hi' }], published_at: '$now' };
    const { tour } = (await api.post('/v3/edit/tours', made, { as: strict })).body;
    const unproven = (await load({}, strict)).visit.token;
    const proven = (await load({ uid_hash: sign(`${uid}-${seconds()}`, seconds(), key) }, strict)).visit.token;
    const report = async (visit_token: string) => {
      const about = { visit_token, experience_id: tour.id, href: PAGE };
      return Promise.all([
        api.post('/v3/observe/shows', about, { as: null }),
        api.post('/v3/observe/events', { visit_token, name: 'opened' }, { as: null }),
        api.post('/v3/observe/interactions', { ...about, step_id: tour.steps[0].id, state: 'started' }, { as: null }),
      ]);
    };
    const statuses = async (token: string) => (await report(token)).map(({ status }) => status);
    expect(await statuses(unproven)).toEqual([200, 200, 200]);
    await api.patch('/v3/edit/account', { require_uid_hash: true }, { as: strict });
    for (const { status, body } of await report(unproven))
      expect([status, body.messages.join()]).toEqual([403, expect.stringContaining('`uid_hash` must prove the `uid`')]);
    expect(await statuses(proven)).toEqual([200, 200, 200]);
  });
});

describe('`trust_pages`', () => {
  it('lets pages change everything of their user, but not take an email', async () => {
    const trusting = await newAccount();
    await api.patch('/v3/edit/account', { trust_pages: true }, { as: trusting });
    await api.post('/v3/edit/account/uid_secret', {}, { as: trusting });
    const [victim, email] = [newUid(), `${newUid()}@example.com`];
    await hook({ uid: victim, email }, trusting);
    await hook({ email: `${newUid()}@example.com`, role: 'user', company: { uid: 'c', plan: 'pro' } }, trusting);
    const own = `${newUid()}@example.com`;
    await load({ email: own, properties: { role: 'admin' }, company: { uid: 'c', plan: 'free' } }, trusting);
    expect(await stored(uid, trusting)).toMatchObject({ email: own, role: 'admin' });
    expect(await company('c', trusting)).toMatchObject({ plan: 'free' });
    await load({ email }, trusting);
    expect((await stored(victim, trusting)).email).toBe(email);
  });
});

describe('an explanation', () => {
  it('explains what the page load would ignore, and why', async () => {
    const [victim, email] = [newUid(), `${newUid()}@example.com`];
    await hook({ uid: victim, email }, signing);
    await hook({ role: 'user', company: { uid: 'c' } }, signing);
    const sent = { uid, href: PAGE, email, properties: { role: 'x', plan: 'y' }, company: { uid: 'd' }, explain: true };
    const { body } = await api.post('/v3/observe/visits', sent, { as: signing });
    expect(body.ignored).toEqual([
      { name: 'properties.role', reason: expect.stringContaining('`uid_hash`') },
      { name: 'email', reason: expect.stringContaining('`identity_hash`') },
      { name: 'company', reason: expect.stringContaining('`identity_hash`') },
    ]);
    expect([body.withheld, body.profile.plan]).toEqual([true, 'y']);
    const proven = { ...sent, uid_hash: uidHash() };
    const response = (await api.post('/v3/observe/visits', proven, { as: signing })).body;
    expect([response.ignored.length, response.withheld]).toEqual([2, false]);
  });
});

describe('a clicked button', () => {
  it('sets the properties of the published button, also over what the backend wrote', async () => {
    await hook({ likes: 'coffee' });
    const buttons = [
      {
        text: 'Tea',
        additional_actions: ['property', 'tag_user'],
        action_property: 'Likes',
        action_value: 'tea',
        action_tag: 'VIP',
      },
    ];
    const made = { name: 'Tea', steps: [{ title: 'Tea?', buttons }], published_at: '$now' };
    const { tour } = (await api.post('/v3/edit/tours', made, { as: open })).body;
    const { visit, experiences } = await load();
    expect(JSON.stringify(experiences)).not.toMatch(/action_(property|value|tag)/);
    const [step] = tour.steps;
    const click = { visit_token: visit.token, experience_id: tour.id, step_id: step.id, button_id: step.buttons[0].id };
    const { status } = await api.post('/v3/observe/interactions', { ...click, state: 'started' }, { as: null });
    expect(status).toBe(200);
    expect(await stored()).toMatchObject({ likes: 'tea', tag_vip: true });
    await load({ properties: { likes: 'milk', tag_vip: null } });
    expect(await stored()).toMatchObject({ likes: 'tea', tag_vip: true });
    // A repeated report is not another click, so what the backend wrote since stays.
    await hook({ likes: 'water' });
    await api.post('/v3/observe/interactions', { ...click, state: 'started' }, { as: null });
    expect(await stored()).toMatchObject({ likes: 'water', tag_vip: true });
  });
});
