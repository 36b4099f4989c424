import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { addSignedIn } from '../../../../test/sign-in.ts';
import { visit } from '../../../../test/visiting.ts';

let api: Api;
let staging: string;
let production: string;
let beta: { id: string; updated_at: string };
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
beforeEach(async () => {
  await api.replaceAccounts();
  [staging, production] = [await addEnvironment('Staging'), await addEnvironment('Production')];
  beta = await addUrl('beta.example.com', staging);
});
afterAll(() => api.stop());

const unknownId = 'f'.repeat(24);
const steps = [{ title: 'Welcome', buttons: [{ text: 'Next' }] }];

async function addEnvironment(name: string, as = api.account): Promise<string> {
  return (await api.post('/v3/edit/url_groups', { name }, { as })).body.url_group.id;
}
async function addUrl(host: string, url_group_id: string | null = null) {
  return (await api.post('/v3/edit/urls', { host, url_group_id })).body.url;
}
async function addTour(url_group_ids: string[], params: object = { published_at: '$now' }, as = api.account) {
  const { body } = await api.post('/v3/edit/tours', { name: 'Welcome', steps, url_group_ids, ...params }, { as });
  expect(body.messages).toBeUndefined();
  return body.tour;
}
const move = (params: object, id = beta.id) => api.post(`/v3/edit/urls/${id}/move`, params);
const show = async (id: string) => (await api.get(`/v3/edit/tours/${id}`)).body.tour;
const versions = async (id: string) => (await api.get(`/v3/edit/tours/${id}/versions`)).body.versions;
const version = async (id: string, versionId: string) =>
  (await api.get(`/v3/edit/tours/${id}/versions/${versionId}`)).body.version;
/** The titles that a page on the host shows. */
async function shownOn(host: string): Promise<string[]> {
  const { body } = await visit(api, { uid: 'ann', href: `https://${host}/` }, { as: api.account });
  return body.experiences.flatMap(({ steps }: { steps: { title: string[] }[] }) => steps[0]?.title);
}
const audit = async (action: string) =>
  (await api.get('/v3/analyze/audit_entries', { query: `action=${action}` })).body.audit_entries;

describe('moving a domain', () => {
  it('takes Experiences to the new Environment, for its users and in the draft', async () => {
    const [follows, stays] = [
      await addTour([staging], { steps: [{ ...steps[0], title: 'Follows' }], published_at: '$now' }),
      await addTour([staging]),
    ];
    const { status, body } = await move({ url_group_id: production, experience_ids: [follows.id] });
    expect(status).toBe(200);
    expect(body).toEqual({
      url: expect.objectContaining({ id: beta.id, url_group_id: production }),
      experience_ids: [follows.id],
      removed_experience_ids: [],
    });
    expect(await shownOn('beta.example.com')).toEqual(['Follows']);
    expect((await show(follows.id)).url_group_ids).toEqual([staging, production]);
    expect((await show(stays.id)).url_group_ids).toEqual([staging]);
  });

  it('does not publish other changes of a draft', async () => {
    const { id, published_at } = await addTour([staging]);
    await api.patch(`/v3/edit/tours/${id}`, { name: 'Not ready', steps: [{ ...steps[0], title: 'Not ready' }] });
    await move({ url_group_id: production, experience_ids: [id] });
    expect(await shownOn('beta.example.com')).toEqual(['Welcome']);
    expect(await show(id)).toMatchObject({ name: 'Not ready', state: 'live', published_at });
    const [latest, first] = await versions(id);
    expect([latest.live, first.live]).toEqual([true, false]);
    expect((await version(id, latest.id)).document.url_group_ids).toEqual([staging, production]);
    expect((await version(id, first.id)).document.url_group_ids).toEqual([staging]);
    const changes = (await api.get('/v3/edit/changes')).body.changes;
    expect(changes[0]).toMatchObject({ id: latest.change_id, user: { name: 'ann' } });
  });

  it('takes a draft and a scheduled version along without showing them', async () => {
    const draft = await addTour([staging], {});
    const scheduled = await addTour([staging]);
    await api.patch(`/v3/edit/tours/${scheduled.id}`, {
      name: 'Next',
      steps: [{ ...steps[0], title: 'Next' }],
      published_at: '2031-01-01T00:00:00.000Z',
    });
    await move({ url_group_id: production, experience_ids: [draft.id, scheduled.id] });
    expect(await shownOn('beta.example.com')).toEqual(['Welcome']);
    expect(await show(draft.id)).toMatchObject({ state: 'draft', url_group_ids: [staging, production] });
    expect(await versions(draft.id)).toEqual([]);
    const documents = await Promise.all(
      (await versions(scheduled.id)).map(async ({ id }: { id: string }) => (await version(scheduled.id, id)).document),
    );
    expect(documents.map(({ name, url_group_ids }) => [name, url_group_ids.length])).toEqual(
      expect.arrayContaining([
        ['Next', 2],
        ['Welcome', 2],
      ]),
    );
    expect((await show(scheduled.id)).published_at).toBe('2031-01-01T00:00:00.000Z');
  });

  it('is undone by moving it back with what it took along', async () => {
    const { id } = await addTour([staging]);
    const there = (await move({ url_group_id: production, experience_ids: [id] })).body;
    const { body } = await move({
      url_group_id: staging,
      removed_experience_ids: there.experience_ids,
      updated_at: there.url.updated_at,
    });
    expect(body).toMatchObject({ url: { url_group_id: staging }, removed_experience_ids: [id] });
    expect((await show(id)).url_group_ids).toEqual([staging]);
    expect(await shownOn('beta.example.com')).toEqual(['Welcome']);
    await addUrl('app.example.com', production);
    expect(await shownOn('app.example.com')).toEqual([]);
  });

  it('leaves Experiences as they are that show in the new Environment already', async () => {
    const [everywhere, both] = [await addTour([]), await addTour([staging, production])];
    const { body } = await move({ url_group_id: production, experience_ids: [everywhere.id, both.id] });
    expect(body.experience_ids).toEqual([]);
    expect((await show(everywhere.id)).url_group_ids).toEqual([]);
    expect(await versions(both.id)).toHaveLength(1);
  });

  it('never takes the only Environment from an Experience, which would then show everywhere', async () => {
    const { id } = await addTour([staging]);
    const { status, body } = await move({ url_group_id: production, removed_experience_ids: [id] });
    expect([status, body.messages]).toEqual([409, [expect.stringContaining('“Welcome” is in no other Environment')]]);
    expect((await show(id)).url_group_ids).toEqual([staging]);
  });

  it('takes an Experience along and out of the old Environment immediately', async () => {
    const tour = await addTour([staging]);
    const ids = [tour.id];
    const { status, body } = await move({ url_group_id: production, experience_ids: ids, removed_experience_ids: ids });
    expect([status, body]).toMatchObject([200, { experience_ids: ids, removed_experience_ids: ids }]);
    expect((await show(tour.id)).url_group_ids).toEqual([production]);
    expect(await versions(tour.id)).toHaveLength(2);
    expect(await shownOn('beta.example.com')).toEqual(['Welcome']);
  });

  it('moves a domain to no Environment', async () => {
    await addTour([production]);
    expect(await shownOn('beta.example.com')).toEqual([]);
    expect((await move({ url_group_id: null })).body.url.url_group_id).toBeNull();
    expect(await shownOn('beta.example.com')).toEqual(['Welcome']);
  });

  it('rejects somebody who has seen an older state, and changes nothing', async () => {
    const { id } = await addTour([staging]);
    await api.patch(`/v3/edit/urls/${beta.id}`, { enabled: 'off', updated_at: beta.updated_at });
    const before = await accountRows(api.app, api.account.account_id);
    const seen = { updated_at: beta.updated_at };
    const moved = await move({ url_group_id: production, experience_ids: [id], ...seen });
    expect([moved.status, moved.body.messages]).toEqual([
      409,
      [expect.stringMatching(/^Somebody changed beta\.example\.com at .*: load it again/)],
    ]);
    expect((await api.patch(`/v3/edit/urls/${beta.id}`, { enabled: 'on', ...seen })).status).toBe(409);
    expect(await accountRows(api.app, api.account.account_id)).toEqual(before);
  });

  it.each<[string, () => Promise<{ url_group_id: string; experience_ids?: string[] }>]>([
    ['Environment', async () => ({ url_group_id: unknownId })],
    ['Environment of another account', async () => ({ url_group_id: await addEnvironment('Other', api.other) })],
    ['Experience', async () => ({ url_group_id: production, experience_ids: [unknownId] })],
    [
      'Experience of another account',
      async () => ({ url_group_id: production, experience_ids: [(await addTour([], {}, api.other)).id] }),
    ],
  ])('changes nothing for an unknown %s', async (_, params) => {
    const wanted = await params();
    const { id } = await addTour([staging]);
    const before = await accountRows(api.app, api.account.account_id);
    const experience_ids = [id, ...(wanted.experience_ids ?? [])];
    expect((await move({ ...wanted, experience_ids })).status).toBe(404);
    expect(await accountRows(api.app, api.account.account_id)).toEqual(before);
  });

  it('needs the permission to publish only if users see another version', async () => {
    const [live, draft] = [await addTour([staging]), await addTour([staging], {})];
    await api.patch('/v3/edit/account', { who_may_publish: 'owners' });
    const { browser } = await addSignedIn(api, 'editor');
    const path = `/v3/edit/urls/${beta.id}/move`;
    const rejected = await browser.post(path, { url_group_id: production, experience_ids: [draft.id, live.id] });
    expect([rejected.status, rejected.body.messages]).toEqual([403, [expect.stringContaining('only owners publish')]]);
    expect((await show(draft.id)).url_group_ids).toEqual([staging]);
    expect((await browser.post(path, { url_group_id: production, experience_ids: [draft.id] })).status).toBe(200);
  });

  it('is in the audit log, with each Experience that users see elsewhere now', async () => {
    const { id } = await addTour([staging]);
    await move({ url_group_id: production, experience_ids: [id] });
    const [moved] = await audit('url.move');
    expect(moved).toMatchObject({
      target_type: 'url',
      target_id: beta.id,
      details: { host: 'beta.example.com', url_group_id: [staging, production] },
    });
    const [published] = await audit('experience.publish');
    expect(published).toMatchObject({
      target_id: id,
      details: { url_group_ids: [[staging], [staging, production]] },
    });
  });

  it('succeeds for several domains with the same Experiences at the same time', async () => {
    const { id } = await addTour([staging]);
    const hosts = ['a.example.com', 'b.example.com', 'c.example.com', 'd.example.com'];
    const urls = await Promise.all(hosts.map((host) => addUrl(host, staging)));
    const moved = await Promise.all(
      urls.flatMap((url) => [
        move({ url_group_id: production, experience_ids: [id] }, url.id),
        api.patch(`/v3/edit/tours/${id}`, { url_group_id: `+${production}` }),
      ]),
    );
    expect(moved.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect((await show(id)).url_group_ids).toEqual([staging, production]);
    expect(await shownOn('c.example.com')).toEqual(['Welcome']);
  });
});

describe('where Experiences show', () => {
  const places = async () => (await api.get('/v3/analyze/urls')).body;

  it('is listed with Environments and hosts, live ones first', async () => {
    const onHost = [{ ...steps[0], quantifier_urls: [{ url: 'https://beta.example.com/*', match_type: 'simple' }] }];
    const everywhere = await addTour([]);
    const limited = await addTour([staging], { steps: onHost, published_at: '$now', position: 5 });
    const draft = await addTour([production], { steps: onHost });
    await addTour([], { name: 'A draft without Environments' });
    await addTour([staging], { name: 'Archived', archived_at: '$now' });
    await api.patch(`/v3/edit/tours/${limited.id}`, { url_group_ids: [] });
    const { experiences } = await places();
    const common = { kind: 'tour', name: 'Welcome' };
    expect(experiences).toHaveLength(3);
    expect(experiences).toEqual(
      expect.arrayContaining([
        { ...common, id: everywhere.id, state: 'live', url_group_ids: [], hosts: null },
        { ...common, id: limited.id, state: 'live', url_group_ids: [staging], hosts: ['beta.example.com'] },
        { ...common, id: draft.id, state: 'draft', url_group_ids: [production], hosts: ['beta.example.com'] },
      ]),
    );
    expect(experiences[2].id).toBe(draft.id);
  });

  it('is listed in an account with very many Environments', async () => {
    const { account_id } = api.account;
    const rows = Array.from({ length: 1200 }, (_, index) => {
      return { account_id, id: api.app.newId(), updated_at: 0, name: `Environment ${index}` };
    });
    await api.app.storage.write(account_id, (db) => db.insertInto('url_groups').values(rows).execute());
    const tour = await addTour([staging], {});
    const { status, body } = await api.get('/v3/analyze/urls');
    expect([status, body.experiences]).toMatchObject([200, [{ id: tour.id, state: 'draft' }]]);
  });

  it('says who changed a domain and an Environment last, and nothing about what a page recorded', async () => {
    await visit(api, { uid: 'ann', href: 'https://new.example.com/' }, { as: api.account });
    const { browser, id } = await addSignedIn(api, 'editor');
    await browser.post('/v3/edit/urls/batch', { ids: [beta.id], enabled: 'off' });
    await browser.patch(`/v3/edit/url_groups/${staging}`, { name: 'Stage' });
    const { urls, url_groups } = await places();
    expect(urls).toEqual([{ id: beta.id, updated_at: expect.any(String), user: { id, name: 'Kim editor' } }]);
    expect(url_groups).toEqual(
      expect.arrayContaining([
        { id: staging, updated_at: expect.any(String), user: { id, name: 'Kim editor' } },
        { id: production, updated_at: expect.any(String), user: { id: api.account.user_id, name: 'ann' } },
      ]),
    );
    const [entry] = await audit('url.update');
    expect(entry.details).toEqual({ host: 'beta.example.com', enabled: ['on', 'off'] });
    expect((await audit('url_group.update'))[0].details).toMatchObject({ name: ['Staging', 'Stage'] });
  });

  it('records each domain that was archived with its Environment', async () => {
    await api.patch(`/v3/edit/url_groups/${staging}`, { archived_at: '$now', urls_action_on_archive: 'archive' });
    expect(await audit('url.update')).toMatchObject([{ target_id: beta.id, details: { host: 'beta.example.com' } }]);
  });
});

it('rejects a change of an Environment by somebody who has seen an older state', async () => {
  const { url_group } = (await api.get(`/v3/edit/url_groups/${staging}`)).body;
  const change = (name: string) =>
    api.patch(`/v3/edit/url_groups/${staging}`, { name, updated_at: url_group.updated_at });
  expect((await change('Stage')).status).toBe(200);
  const { status, body } = await change('Test');
  expect([status, body.messages]).toEqual([409, [expect.stringContaining('Somebody changed this Environment')]]);
});
