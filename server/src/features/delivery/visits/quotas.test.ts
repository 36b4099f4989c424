import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, newEmail, startApi } from '../../../../test/api.ts';
import { newUid, openDomain, PAGE, visit } from '../../../../test/visiting.ts';
import { type CreatedAccount, createAccount } from '../../team/accounts/create-account.ts';

const DAY = 24 * 60 * 60_000;
let now = Date.parse('2029-04-07T12:18:00.000Z');
let api: Api;
let account: CreatedAccount;
beforeAll(async () => {
  const counted = ['PROFILES', 'EVENTS', 'HOSTS', 'PROBLEMS', 'RESPONSES'];
  const env = Object.fromEntries(counted.map((name) => [`USHER_PAGE_${name}_PER_DAY`, '2']));
  api = await startApi({ inTest: false, now: () => now, env });
});
afterAll(() => api.stop());
beforeEach(async () => {
  account = await createAccount(api.app, { name: 'Visited', email: newEmail() });
  await openDomain(api, account);
});

const load = (params: object = {}) => visit(api, { uid: newUid(), ...params }, { as: account });
const counts = async () => (await api.get('/v3/edit/account', { as: account })).body.account.ignored_page_writes;
const profiles = async () => (await accountRows(api.app, account.account_id)).profiles ?? [];

describe('new users over the daily quota', () => {
  it.each([
    ['alone', {}],
    ['with an email', { email: 'new@example.com' }],
    ['with a new property', { properties: { plan: 'pro' } }],
  ])('responds to new users over the quota, %s, stores nothing and counts them', async (_, params) => {
    await api.post('/v3/edit/tours', { name: 'Hi', steps: [{ title: 'Hi' }], published_at: '$now' }, { as: account });
    await load();
    const known = newUid();
    expect((await load({ uid: known })).body.experiences).toHaveLength(1);
    const { status, body } = await load(params);
    expect([status, body.profile.last_seen_at, body.deliveries, body.experiences]).toEqual([200, null, [], []]);
    expect(await profiles()).toHaveLength(2);
    expect(await counts()).toMatchObject({ profiles_quota: 1 });
    const report = { visit_token: body.visit.token, name: 'Late' };
    expect((await api.post('/v3/observe/events', report, { as: null })).status).toBe(403);
    // Known users are not limited.
    expect((await load({ uid: known, properties: { plan: 'pro' } })).body.experiences).toHaveLength(1);
  });

  it('stores new users again on the next day', async () => {
    for (let n = 0; n < 3; n++) await load();
    now += DAY;
    await load();
    expect(await profiles()).toHaveLength(3);
  });

  it('counts over all nodes and across restarts', async () => {
    await load();
    await api.app.pageCounts.flush(account.account_id);
    await api.app.storage.write(account.account_id, (db) =>
      db
        .updateTable('page_counts')
        .set({ count: 7 })
        .where('account_id', '=', account.account_id)
        .where('what', '=', 'profiles')
        .execute(),
    );
    // This node has counted one user. It reads the counts of the other nodes with its next write.
    await load();
    await api.app.pageCounts.flush(account.account_id);
    await load();
    expect(await profiles()).toHaveLength(2);
  });

  it('counts what is being written at the moment', async () => {
    const { pageCounts } = api.app;
    await load();
    await load();
    let isWritten = false;
    const writing = pageCounts.flush(account.account_id).finally(() => {
      isWritten = true;
    });
    const room = new Set<boolean>();
    while (!isWritten) {
      room.add(pageCounts.hasRoom(account.account_id, 'profiles'));
      await nextTurn();
    }
    await writing;
    expect(room).toEqual(new Set([false]));
  });

  it('does not limit users that the backend sends or has signed', async () => {
    for (let n = 0; n < 3; n++) await load();
    for (let n = 0; n < 3; n++) await api.post('/v3/observe/hooks/profiles', { uid: newUid() }, { as: account });
    expect(await profiles()).toHaveLength(5);
  });
});

describe('events of pages over the daily quota', () => {
  it('returns null for events over the quota and stores nothing', async () => {
    const { body } = await load();
    const responses = [];
    for (let n = 0; n < 3; n++)
      responses.push(
        await api.post('/v3/observe/events', { visit_token: body.visit.token, name: 'Did' }, { as: null }),
      );
    expect(responses.map(({ status, body }) => [status, body.event === null])).toEqual([
      [200, false],
      [200, false],
      [200, true],
    ]);
    expect((await accountRows(api.app, account.account_id)).events).toHaveLength(2);
    expect(await counts()).toMatchObject({ events_quota: 1 });
  });
});

describe('hosts over the daily quota', () => {
  const at = async (host: string) => (await load({ href: `https://${host}/` })).status;

  it('does not record hosts over the quota and counts them', async () => {
    for (const host of ['a.example.org', 'b.example.org', 'c.example.org']) expect(await at(host)).toBe(403);
    const { urls } = (await api.get('/v3/edit/urls', { as: account })).body;
    expect(urls.map(({ host }: { host: string }) => host).sort()).toEqual([
      'a.example.org',
      'app.example.com',
      'b.example.org',
    ]);
    expect(await counts()).toMatchObject({ hosts_quota: 1 });
  });

  it('allows unrecorded hosts below a domain that includes subdomains', async () => {
    await api.post('/v3/edit/urls', { host: 'example.net', enabled: 'subdomain' }, { as: account });
    for (const host of ['a.example.net', 'b.example.net', 'c.example.net']) expect(await at(host)).not.toBe(403);
  });
});

describe('reports over the daily quota', () => {
  const makeSurvey = async () => {
    const steps = [
      { title: 'Why?', preset: 'survey_input' },
      { title: 'Here', elements: [{ selector: '#new' }], position_type: 'snap_to_element' },
    ];
    const params = { name: 'Asks', steps, published_at: '$now' };
    return (await api.post('/v3/edit/surveys', params, { as: account })).body.survey;
  };
  const known = async () => {
    const uid = newUid();
    await api.post('/v3/observe/hooks/profiles', { uid }, { as: account });
    return (await load({ uid })).body.visit.token as string;
  };
  const report = (visit_token: string, params: object) =>
    api.post('/v3/observe/interactions', { visit_token, href: PAGE, ...params }, { as: null });
  const rowsOf = async (table: string) => (await accountRows(api.app, account.account_id))[table] ?? [];

  it('stores no Responses over the quota, but what else is reported, and counts them', async () => {
    const { id: experience_id, steps } = await makeSurvey();
    const answer = { experience_id, step_id: steps[0].id, state: 'completed', response: { input: 'Because' } };
    for (let n = 0; n < 3; n++) {
      const { status, body } = await report(await known(), answer);
      expect([status, body.interaction.state]).toEqual([200, 'completed']);
    }
    expect(await rowsOf('responses')).toHaveLength(2);
    expect(await rowsOf('answers')).toHaveLength(2);
    expect(await rowsOf('interactions')).toHaveLength(3);
    expect(await counts()).toMatchObject({ responses_quota: 1, reports_quota: 0 });
  });

  it('stores no problems over the quota, and counts them; one that is reported again counts once', async () => {
    const { id: experience_id, steps } = await makeSurvey();
    const problem = { experience_id, step_id: steps[1].id, problem: { reason: 'not_found' } };
    const token = await known();
    for (let n = 0; n < 3; n++) expect((await report(token, problem)).status).toBe(200);
    for (let n = 0; n < 3; n++) expect((await report(await known(), problem)).status).toBe(200);
    expect(await rowsOf('findings')).toHaveLength(2);
    expect(await counts()).toMatchObject({ problems_quota: 2 });
  });

  it('limits what one request stores, too', async () => {
    const { id: experience_id, steps } = await makeSurvey();
    const items = Array.from({ length: 5 }, (_, n) => ({
      ...{ experience_id, step_id: steps[1].id, problem: { reason: 'not_found' } },
      href: `https://app.example.com/page-${n}-x`,
    }));
    expect((await report(await known(), { items })).status).toBe(200);
    expect(await rowsOf('findings')).toHaveLength(2);
  });

  it('cuts what a user writes to 16 KB, on a character boundary', async () => {
    const { id: experience_id, steps } = await makeSurvey();
    const response = { input: `a${'漢'.repeat(9_999)}` };
    expect((await report(await known(), { experience_id, step_id: steps[0].id, response })).status).toBe(200);
    const [answer = ''] = await rowsOf('answers');
    const { input } = JSON.parse(answer);
    expect(Buffer.byteLength(input)).toBe(1 + 3 * Math.floor((16 * 1024 - 1) / 3));
    expect(response.input.startsWith(input)).toBe(true);
  });
});

describe('the bytes that pages store in a day', () => {
  let small: Api;
  beforeAll(async () => {
    small = await startApi({ inTest: false, now: () => now, env: { USHER_PAGE_MEGABYTES_PER_DAY: '1' } });
  });
  afterAll(() => small.stop());
  beforeEach(async () => {
    account = await createAccount(small.app, { name: 'Filled', email: newEmail() });
    await openDomain(small, account);
  });
  const open = (params: object = {}) => visit(small, { uid: newUid(), ...params }, { as: account });
  const ignored = async () => (await small.get('/v3/edit/account', { as: account })).body.account.ignored_page_writes;
  const rowsOf = async (table: string) => (await accountRows(small.app, account.account_id))[table] ?? [];
  /** 15 KB of properties. */
  const large = () => Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`large_${n}`, 'x'.repeat(750)]));
  const sizeOf = (rows: readonly string[]) => rows.reduce((sum, row) => sum + row.length, 0);
  const addTour = async () => {
    const params = { name: 'Hi', steps: [{ title: 'Hi' }], published_at: '$now' };
    return (await small.post('/v3/edit/tours', params, { as: account })).body.tour.id as string;
  };

  it('are limited for new users, and for what is added to known ones', async () => {
    const known = newUid();
    await open({ uid: known });
    for (let n = 0; n < 30; n++) expect((await open({ properties: large() })).status).toBe(200);
    const stored = await rowsOf('profiles');
    expect(stored.length).toBeGreaterThan(5);
    expect(sizeOf(stored)).toBeLessThan(300_000);
    expect((await open({ uid: known, properties: large() })).status).toBe(200);
    expect((await rowsOf('profiles')).filter((row) => row.includes('large_7'))).toHaveLength(stored.length - 1);
    expect((await ignored()).profiles_quota).toBe(30 - (stored.length - 1) + 1);
    // The backend is not limited.
    await small.post('/v3/observe/hooks/profiles', { uid: known, ...large() }, { as: account });
    expect((await rowsOf('profiles')).filter((row) => row.includes('large_7'))).toHaveLength(stored.length);
  });

  it('are limited for Companies, if the account trusts its pages', async () => {
    await small.patch('/v3/edit/account', { trust_pages: true }, { as: account });
    const [known, user] = ['known', newUid()];
    await small.post('/v3/observe/hooks/companies', { uid: known }, { as: account });
    for (let n = 0; n < 30; n++) {
      const uid = n % 2 === 0 ? known : `new ${n}`;
      const properties = Object.fromEntries(Array.from({ length: 4 }, (_, key) => [`of_${n}_${key}`, 'x'.repeat(750)]));
      const company = { uid, ...(uid === known ? properties : large()) };
      expect((await open({ uid: user, company })).status).toBe(200);
    }
    expect((await rowsOf('companies')).length).toBeGreaterThan(5);
    expect(sizeOf(await rowsOf('companies'))).toBeLessThan(300_000);
    expect((await ignored()).profiles_quota).toBeGreaterThan(5);
  });

  it('are limited for events', async () => {
    const { token } = (await open()).body.visit;
    const track = () =>
      small.post('/v3/observe/events', { visit_token: token, name: 'Did', properties: large() }, { as: null });
    for (let n = 0; n < 20; n++) expect((await track()).status).toBe(200);
    const stored = await rowsOf('events');
    expect(stored.length).toBeGreaterThan(3);
    expect(sizeOf(stored)).toBeLessThan(200_000);
    expect((await ignored()).events_quota).toBe(20 - stored.length);
  });

  it('are limited for reports: an Interaction that exists still changes, and Deliveries still show', async () => {
    const experience_id = await addTour();
    const page = (await open()).body.visit.token;
    const send = (visit_token: string, params: object) =>
      small.post('/v3/observe/interactions', { visit_token, experience_id, ...params }, { as: null });
    expect((await send(page, { state: 'started' })).status).toBe(200);
    small.app.pageCounts.add(account.account_id, 'reports_bytes', 1_000_000);
    const before = await rowsOf('activities');
    expect((await send(page, { state: 'completed' })).body.interaction.state).toBe('completed');
    const other = newUid();
    const { visit: late } = (await open({ uid: other })).body;
    expect((await send(late.token, { state: 'started' })).body).toEqual({ interaction: null });
    expect(await rowsOf('activities')).toEqual(before);
    expect(await rowsOf('interactions')).toHaveLength(1);
    expect(await ignored()).toMatchObject({ reports_quota: 2 });

    const delivery = { model_id: experience_id, model_kind: 'tour', uid: other };
    const { body } = await small.post('/v3/edit/deliveries', delivery, { as: account });
    const claimed = await send(late.token, { state: 'started', delivery_id: body.delivery.id });
    expect(claimed.body.delivery).toEqual({ id: body.delivery.id, triggered: true });
    expect(await rowsOf('interactions')).toHaveLength(2);
  });

  it('are limited for Responses', async () => {
    const steps = [{ title: 'Why?', preset: 'survey_input' }];
    const made = await small.post('/v3/edit/surveys', { name: 'Asks', steps, published_at: '$now' }, { as: account });
    const { survey } = made.body;
    const response = { input: 'x'.repeat(10_000) };
    for (let n = 0; n < 12; n++) {
      const visit_token = (await open()).body.visit.token;
      const sent = { visit_token, experience_id: survey.id, step_id: survey.steps[0].id, response };
      expect((await small.post('/v3/observe/interactions', sent, { as: null })).status).toBe(200);
    }
    const stored = await rowsOf('answers');
    expect(stored.length).toBeGreaterThan(2);
    expect(sizeOf(stored)).toBeLessThan(100_000);
    expect((await ignored()).responses_quota).toBe(12 - stored.length);
  });
});
