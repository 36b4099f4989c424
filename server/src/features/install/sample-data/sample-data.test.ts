import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { addSignedIn } from '../../../../test/sign-in.ts';
import { setUpDemo } from '../demo/set-up-demo.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
beforeEach(() => api.replaceAccounts());
afterAll(() => api.stop());

const path = '/v3/edit/sample_data';
const load = () => api.post(path);
const remove = () => api.send('DELETE', path);
const show = async () => (await api.get(path)).body.sample_data;
const list = async (noun: string) => (await api.get(`/v3/edit/${noun}?limit=500`)).body[noun];

/** All rows of the account, without the audit log and the published version. */
async function rowsOf(account: { account_id: string }) {
  const { audit_entries, published_versions, ...rows } = await accountRows(api.app, account.account_id);
  return rows;
}

describe('loading sample data', () => {
  it('creates people, Companies, Segments, Tags and one Experience of each kind', async () => {
    expect(await show()).toMatchObject({ loaded_at: null, can_load: true, is_account_empty: true });
    const { status, body } = await load();
    expect([status, body.messages]).toEqual([201, undefined]);
    const { counts, experience_ids, ...loaded } = body.sample_data;
    expect(experience_ids).toHaveLength(counts.experiences);
    expect(loaded).toEqual({ loaded_at: expect.any(String), can_load: false, is_account_empty: false });
    expect(counts).toMatchObject({ profiles: 40, companies: 6, segments: 3, experiences: 5, tags: 2, urls: 1 });
    expect(counts.properties).toBeGreaterThan(5);
    expect(await show()).toEqual(body.sample_data);
    expect((await api.post('/v3/analyze/profiles/count', {})).body.count).toBe(40);
    const experiences = await list('experiences');
    expect(experiences.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
      ...['embed', 'launcher', 'survey', 'tooltip', 'tour'],
    ]);
    for (const { state } of experiences) expect(state).toBe('live');
    const tags = JSON.stringify(experiences).match(/\{\{.*?\}\}/g) ?? [];
    expect(tags.length).toBeGreaterThan(1);
    for (const tag of tags) expect(tag).toContain('| fallback: ');
  });

  it('shows nothing outside of its own Environment, whose host has no pages', async () => {
    await load();
    const [environment] = await list('url_groups');
    expect(environment.name).toBe('Sample');
    expect(await list('urls')).toEqual([
      expect.objectContaining({ host: 'sample.example', url_group_id: environment.id }),
    ]);
    for (const { url_group_ids } of await list('experiences')) expect(url_group_ids).toEqual([environment.id]);
  });

  it('has plausible numbers of 30 days', async () => {
    await load();
    for (const { kind, id } of await list('experiences')) {
      const { stats } = (await api.get(`/v3/analyze/${kind}s/${id}/stats`)).body;
      const shown = Math.max(stats.totals.started, stats.totals.displayed);
      expect([kind, shown > 10 && shown <= 40]).toEqual([kind, true]);
      expect(stats.totals.completed + stats.totals.exited).toBeLessThanOrEqual(stats.totals.started);
      const days = stats.days.filter((day: { displayed: number; started: number }) => day.displayed + day.started > 0);
      expect(days.length).toBeGreaterThan(8);
      if (kind === 'survey') expect(stats.nps.count).toBeGreaterThan(10);
      if (kind === 'tour') expect(stats.totals.goal).toBeGreaterThan(5);
    }
  });

  it('is not in the audit log as if somebody had published', async () => {
    await load();
    await remove();
    const { body } = await api.get('/v3/analyze/audit_entries');
    const actions = body.audit_entries.map(({ action }: { action: string }) => action);
    expect(actions.slice(0, 2)).toEqual(['sample_data.remove', 'sample_data.load']);
    expect(actions).not.toContain('experience.publish');
  });

  it('sends nothing to webhooks', async () => {
    const webhook = { url: 'https://hooks.example.com/usher', topics: ['tour.*', 'survey.*'] };
    expect((await api.post('/v3/edit/webhooks', webhook)).status).toBe(201);
    await load();
    const { outbox, webhook_events } = await rowsOf(api.account);
    expect([outbox, webhook_events]).toEqual([[], []]);
  });

  it('is rejected while it is loaded, and one of two requests at the same time is', async () => {
    const statuses = (await Promise.all([load(), load()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 409]);
    expect((await load()).status).toBe(409);
    expect((await show()).counts.profiles).toBe(40);
  });

  it('works beside people, Companies, Segments and Experiences of the account, and is removed without a trace', async () => {
    for (const [at, params] of [
      ['/v3/observe/hooks/profiles', { uid: 'ann', role: 'member', company: { uid: 'acme' } }],
      ['/v3/edit/segments', { name: 'All' }],
      ['/v3/edit/tags', { name: 'Onboarding' }],
      ['/v3/edit/tours', { name: 'Welcome', steps: [{ title: 'Hi' }], published_at: '$now' }],
    ] as const)
      expect((await api.post(at, params)).status).toBeLessThan(300);
    const before = await rowsOf(api.account);
    expect(await show()).toMatchObject({ can_load: true, is_account_empty: false });
    const { status, body } = await load();
    expect([status, body.messages]).toEqual([201, undefined]);
    expect((await remove()).status).toBe(200);
    const after = await rowsOf(api.account);
    expect(after).toEqual(before);
  });

  it.each([
    ['a user', '/v3/observe/hooks/profiles', { uid: 'sample-fern-1' }],
    ['a Company', '/v3/observe/hooks/companies', { uid: 'sample-fern' }],
  ])('is rejected beside %s with a uid of the sample', async (_, at, params) => {
    expect((await api.post(at, params)).status).toBeLessThan(300);
    expect(await show()).toMatchObject({ can_load: false });
    const before = await rowsOf(api.account);
    const { status, body } = await load();
    expect([status, body.messages[0]]).toEqual([409, expect.stringContaining('uids of the sample')]);
    expect(await rowsOf(api.account)).toEqual(before);
  });

  it('works beside the demo, its users and domains', async () => {
    await setUpDemo(api.app, api.account, [
      { key: 'tour', path: 'tours', params: { name: 'Demo: welcome', steps: [{ title: 'Hi' }] } },
    ]);
    await api.post('/v3/observe/hooks/profiles', { uid: 'demo-x1', plan: 'trial', company: { uid: 'harbor-studio' } });
    const before = await rowsOf(api.account);
    expect(await show()).toMatchObject({ can_load: true });
    expect((await load()).status).toBe(201);
    expect((await remove()).status).toBe(200);
    expect(await rowsOf(api.account)).toEqual(before);
  });

  it('works after a page has said that it is on the host of the sample', async () => {
    await fetch(`${api.url}/script/${api.account.account_token}.js`, {
      headers: { Referer: 'https://sample.example/' },
    });
    expect(await list('urls')).toMatchObject([{ host: 'sample.example', enabled: 'off' }]);
    const { status, body } = await load();
    expect([status, body.messages]).toEqual([201, undefined]);
    expect(await list('urls')).toMatchObject([{ host: 'sample.example', enabled: 'on' }]);
    await remove();
    expect(await list('urls')).toEqual([]);
  });

  it('needs an editor', async () => {
    const { browser } = await addSignedIn(api, 'viewer');
    expect((await browser.post(path)).status).toBe(403);
    expect((await browser.get(path)).status).toBe(200);
  });
});

describe('removing sample data', () => {
  it('leaves the account as it was, and other accounts untouched', async () => {
    await api.post('/v3/edit/urls', { host: 'app.acme.test', enabled: 'on' });
    await api.post('/v3/edit/tags', { name: 'Mine' });
    const before = await rowsOf(api.account);
    await api.post(path, {}, { as: api.other });
    const other = await rowsOf(api.other);
    await load();
    expect((await rowsOf(api.account)).interactions?.length).toBeGreaterThan(50);
    const { status, body } = await remove();
    expect([status, body.sample_data]).toEqual([200, expect.objectContaining({ loaded_at: null, can_load: true })]);
    expect(await rowsOf(api.account)).toEqual(before);
    expect(await rowsOf(api.other)).toEqual(other);
    expect((await remove()).status).toBe(404);
  });

  it('works again after it, and once of two at the same time', async () => {
    await load();
    const statuses = (await Promise.all([remove(), remove()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 404]);
    expect((await load()).status).toBe(201);
  });

  it('takes what people changed in it, and keeps what they made', async () => {
    await load();
    const [tour] = (await list('experiences')).filter(({ kind }: { kind: string }) => kind === 'tour');
    await api.patch(`/v3/edit/tours/${tour.id}`, { name: 'Mine now', published_at: '$now' });
    await api.post('/v3/observe/hooks/profiles', { uid: 'ann', role: 'admin', company: { uid: 'sample-fern' } });
    await api.post('/v3/observe/hooks/events', { uid: 'ann', name: 'Report exported', format: 'csv' });
    const mine = (await api.post('/v3/edit/tours', { name: 'My own' })).body.tour;
    const { body } = await api.get('/v3/analyze/profile?uid=sample-fern-1');
    await api.post('/v3/edit/deliveries', { model_id: tour.id, model_kind: 'tour', profile_id: body.profile?.id });
    await api.post('/v3/edit/urls', { host: 'app.acme.test', enabled: 'on' });
    const pick = { purpose: 'try', href: 'https://app.acme.test/' };
    for (const params of [
      { experience_id: tour.id },
      { experience_id: mine.id, uid: 'sample-fern-1' },
      { experience_id: mine.id },
    ])
      expect((await api.post('/v3/edit/picks', { ...pick, ...params })).status).toBe(201);
    expect((await remove()).status).toBe(200);
    expect((await list('experiences')).map(({ id }: { id: string }) => id)).toEqual([mine.id]);
    const rows = await rowsOf(api.account);
    expect(rows.profiles).toEqual([expect.stringContaining('"company_id":null')]);
    expect(rows.deliveries).toEqual([]);
    expect(rows.picks).toEqual([expect.stringContaining(mine.id)]);
    // Properties that other people have had since stay, without values of the sample.
    const props = rows.properties?.map((row) => JSON.parse(row).prop);
    expect(props?.sort()).toEqual(['format', 'report_exported', 'role']);
    expect(JSON.stringify(rows.properties)).not.toContain('member');
  });

  it('is rejected while something of their own uses it, and says what', async () => {
    await load();
    const [environment] = await list('url_groups');
    const [segment] = await list('segments');
    const { tour } = (await api.post('/v3/edit/tours', { name: 'Copy', url_group_ids: [environment.id] })).body;
    await api.post('/v3/edit/segments', { name: 'Both', items: [{ kind: 'segment', value: segment.id }] });
    await api.post('/v3/edit/urls', { host: 'app.acme.test', url_group_id: environment.id });
    const before = await rowsOf(api.account);
    const { status, body } = await remove();
    expect(status).toBe(409);
    expect(body.messages[0]).toContain('The tour "Copy" is in the sample Environment');
    expect(body.messages[0]).toContain('the Segment "Both" names something of the sample');
    expect(body.messages[0]).toContain('app.acme.test is in the sample Environment');
    expect(await rowsOf(api.account)).toEqual(before);
    expect(tour.name).toBe('Copy');
  });

  it('is rejected while a published Experience leads to it, even if its draft no longer does', async () => {
    await load();
    const [tour] = (await list('experiences')).filter(({ kind }: { kind: string }) => kind === 'tour');
    const items = [{ kind: 'tour', title: 'Tour', campaign_id: tour.id }];
    const params = { name: 'My menu', items, published_at: '$now' };
    const { launcher } = (await api.post('/v3/edit/launchers', params)).body;
    expect((await api.patch(`/v3/edit/launchers/${launcher.id}`, { items: [] })).status).toBe(200);
    const { status, body } = await remove();
    expect([status, body.messages?.[0]]).toEqual([
      409,
      expect.stringContaining('"My menu" leads to a sample Experience'),
    ]);
    await api.patch(`/v3/edit/launchers/${launcher.id}`, { published_at: null });
    expect((await remove()).status).toBe(200);
  });

  it('is left to owners if only they publish', async () => {
    await load();
    const [tour] = (await list('experiences')).filter(({ kind }: { kind: string }) => kind === 'tour');
    await api.patch(`/v3/edit/tours/${tour.id}`, { url_group_ids: [], published_at: '$now' });
    await api.patch('/v3/edit/account', { who_may_publish: 'owners' });
    const { browser } = await addSignedIn(api, 'editor');
    const { status, body } = await browser.delete(path);
    expect([status, body.messages?.[0]]).toEqual([403, expect.stringContaining('only owners publish')]);
    expect((await api.get(`/v3/edit/tours/${tour.id}`)).body.tour.state).toBe('live');
    expect((await remove()).status).toBe(200);
    expect((await browser.post(path)).status).toBe(403);
    expect(await show()).toMatchObject({ loaded_at: null, can_load: true, is_account_empty: true });
  });
});
