import { MAX_OPEN_PROPOSALS, type Scope } from '@usher/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { addSignedIn, type Browser } from '../../../../test/sign-in.ts';

let api: Api;
let owner: Browser;
let as: { account_secret: string };
let secretId: string;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
beforeEach(async () => {
  await api.replaceAccounts();
  owner = (await addSignedIn(api, 'owner')).browser;
  ({ as, id: secretId } = await makeSecret('propose'));
});
afterAll(() => api.stop());

async function makeSecret(scope: Scope, people = false) {
  const { status, body } = await api.post('/v3/edit/secrets', { name: 'Assistant', scope, people });
  expect([status, body.messages]).toEqual([201, undefined]);
  return { as: { account_secret: body.secret.secret as string }, id: body.secret.id as string };
}

const steps = [{ title: 'Hello', body: 'Here it is', buttons: [{ text: 'Next' }] }];
const makeTour = async (params: object = {}) =>
  (await api.post('/v3/edit/tours', { name: 'Welcome', steps, ...params })).body.tour;
const propose = async (path: string, params: object, by = as) => {
  const { status, body } = await api.post(`/v3/edit/${path}/proposals`, params, { as: by });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.proposal;
};
const approve = ({ id, updated_at }: { id: string; updated_at: string }, params: object = {}, by = owner) =>
  by.post(`/v3/edit/proposals/${id}/approve`, { updated_at, ...params });
const show = async (id: string) => (await api.get(`/v3/edit/proposals/${id}`, { as })).body.proposal;
const showTour = async (id: string) => (await api.get(`/v3/edit/tours/${id}`)).body.tour;

describe('a proposal of a new Experience', () => {
  it('waits, and becomes a live Experience when a person approves it', async () => {
    const proposal = await propose('tours', { name: 'Reports', note: 'People look for them', steps });
    expect(proposal).toMatchObject({
      ...{ state: 'open', kind: 'tour', is_new: true, experience_id: null, is_outdated: false },
      ...{ name: 'Reports', note: 'People look for them', secret: { id: secretId, name: 'Assistant' } },
      experience: { name: 'Reports', published_at: null, steps: [{ title: 'Hello' }] },
    });
    expect((await api.get('/v3/edit/experiences')).body.experiences).toEqual([]);
    const { status, body } = await approve(proposal);
    expect([status, body.messages]).toEqual([200, undefined]);
    expect(body.proposal).toMatchObject({ state: 'approved', decided_by: { name: 'Kim owner' } });
    expect(await showTour(body.proposal.experience_id)).toMatchObject({ name: 'Reports', state: 'live' });
  });

  it('becomes a draft if it is not to be published', async () => {
    const { body } = await approve(await propose('tours', { name: 'Reports', steps }), { publish: false });
    expect(await showTour(body.proposal.experience_id)).toMatchObject({ state: 'draft', published_at: null });
  });

  it('is checked like a draft: its problems are those of publishing', async () => {
    const proposal = await propose('tours', { name: 'Empty' });
    const { body } = await api.get(`/v3/edit/proposals/${proposal.id}/publish_check`, { as });
    expect(body.publish_check.problems).toHaveLength(1);
    expect(body.publish_check.summary.kind).toBe('create');
    expect(body.draft_changes).toBeNull();
    const { status, body: answer } = await approve(proposal);
    expect([status, answer.messages.length]).toEqual([422, 1]);
    expect((await show(proposal.id)).state).toBe('open');
  });

  it('cannot say when users see it', async () => {
    const sent = { name: 'Now', steps, published_at: '$now', archived_at: null, position: 0, template_id: 'welcome' };
    const { body } = await api.post('/v3/edit/tours/proposals', sent, { as });
    expect(body.proposal.experience.published_at).toBeNull();
    expect(body.warnings).toHaveLength(4);
    const strict = await api.post('/v3/edit/tours/proposals', sent, { as, query: 'strict=true' });
    expect(strict.status).toBe(422);
  });
});

describe('a proposal of a change', () => {
  it('leaves the draft and what users see as they are, until a person approves it', async () => {
    const tour = await makeTour({ published_at: '$now' });
    const proposal = await propose(`tours/${tour.id}`, { name: 'Better' });
    expect(proposal).toMatchObject({ is_new: false, experience_id: tour.id, name: 'Better' });
    expect(await showTour(tour.id)).toEqual(tour);
    const { body: check } = await owner.get(`/v3/edit/proposals/${proposal.id}/publish_check`);
    expect(check.draft_changes.object).toMatchObject({ name: 'name', value: ['Welcome', 'Better'] });
    expect(check.publish_check.summary.object).toEqual(check.draft_changes.object);
    expect((await approve(proposal)).status).toBe(200);
    expect(await showTour(tour.id)).toMatchObject({ name: 'Better', state: 'live', has_unpublished_changes: false });
  });

  it('is named by its Changes, with who proposed and who approved', async () => {
    const tour = await makeTour();
    const [step] = tour.steps;
    const proposal = await propose(`tours/${tour.id}`, { steps: [{ id: step.id, title: 'Other' }] });
    await approve(proposal, { publish: false });
    const { changes } = (await api.get(`/v3/edit/tours/${tour.id}/changes`, { query: 'limit=1' })).body;
    expect(changes[0]).toMatchObject({
      kind: 'apply',
      user: { name: 'Kim owner' },
      options: { proposal_id: [null, proposal.id], proposed_by: [null, 'Assistant'] },
    });
  });

  it('does not overwrite the draft of a colleague', async () => {
    const tour = await makeTour();
    const proposal = await propose(`tours/${tour.id}`, { name: 'Better' });
    await api.patch(`/v3/edit/tours/${tour.id}`, { name: 'Mine' });
    expect((await show(proposal.id)).is_outdated).toBe(true);
    const { status, body } = await approve(proposal);
    expect([status, body.messages]).toEqual([409, [expect.stringContaining('has changed since')]]);
    expect((await showTour(tour.id)).name).toBe('Mine');
  });

  it('can be changed by who made it, and by no one else', async () => {
    const tour = await makeTour();
    const proposal = await propose(`tours/${tour.id}`, { name: 'Better' });
    const path = `/v3/edit/proposals/${proposal.id}`;
    const { body } = await api.patch(path, { name: 'Best', note: 'Third try' }, { as });
    expect(body.proposal).toMatchObject({ name: 'Best', note: 'Third try' });
    const other = (await makeSecret('propose')).as;
    expect((await api.patch(path, { name: 'Theirs' }, { as: other })).status).toBe(403);
    expect((await owner.patch(path, { name: 'Theirs' })).status).toBe(403);
    const { status, body: rejected } = await approve(proposal);
    expect([status, rejected.messages]).toEqual([409, [expect.stringContaining('since you saw it')]]);
    expect((await approve(body.proposal)).status).toBe(200);
    expect((await api.patch(path, { name: 'Later' }, { as })).status).toBe(409);
  });

  it('is rejected with a reason that its secret can read', async () => {
    const tour = await makeTour();
    const proposal = await propose(`tours/${tour.id}`, { name: 'Better' });
    const path = `/v3/edit/proposals/${proposal.id}/reject`;
    expect((await owner.post(path, {})).status).toBe(422);
    expect((await owner.post(path, { reason: 'Too loud' })).status).toBe(200);
    expect(await show(proposal.id)).toMatchObject({ state: 'rejected', reason: 'Too loud' });
    expect((await owner.post(path, { reason: 'Twice' })).status).toBe(409);
    expect((await approve(await show(proposal.id))).status).toBe(409);
  });

  it('cannot be approved by a secret, by a viewer, or by an editor who may not publish', async () => {
    const tour = await makeTour();
    const proposal = await propose(`tours/${tour.id}`, { name: 'Better' });
    const path = `/v3/edit/proposals/${proposal.id}/approve`;
    const params = { updated_at: proposal.updated_at };
    for (const secret of [as, api.account]) expect((await api.post(path, params, { as: secret })).status).toBe(403);
    const viewer = (await addSignedIn(api, 'viewer')).browser;
    expect((await approve(proposal, {}, viewer)).status).toBe(403);
    await api.patch('/v3/edit/account', { who_may_publish: 'owners' });
    const editor = (await addSignedIn(api, 'editor')).browser;
    expect((await approve(proposal, {}, editor)).status).toBe(403);
    expect((await approve(proposal, { publish: false }, editor)).status).toBe(200);
    expect(await showTour(tour.id)).toMatchObject({ name: 'Better', state: 'draft' });
  });

  it('of another account is unknown', async () => {
    const proposal = await propose('tours', { name: 'Reports', steps });
    const sent = { as: api.other };
    expect((await api.get(`/v3/edit/proposals/${proposal.id}`, sent)).status).toBe(404);
    expect((await api.get('/v3/edit/proposals', sent)).body.proposals).toEqual([]);
    const tour = await makeTour();
    expect((await api.post(`/v3/edit/tours/${tour.id}/proposals`, { name: 'X' }, sent)).status).toBe(404);
  });

  it('must not name a record of another account, and must not contain code', async () => {
    const { segment } = (await api.post('/v3/edit/segments', { name: 'Theirs', items: [] }, { as: api.other })).body;
    const named = await api.post('/v3/edit/tours/proposals', { name: 'X', segment_ids: [segment.id] }, { as });
    expect(named.status).toBe(404);
    const buttons = [{ text: 'Run', action_script: 'alert(1)' }];
    const code = await api.post('/v3/edit/tours/proposals', { name: 'X', steps: [{ buttons }] }, { as });
    expect(code.status).toBe(403);
  });
});

describe('proposals', () => {
  it('are listed newest first, by state, and need attention', async () => {
    const first = await propose('tours', { name: 'First', steps });
    const second = await propose('tours', { name: 'Second', steps });
    const list = async (query = '') =>
      (await api.get('/v3/edit/proposals', { query })).body.proposals.map(({ id }: { id: string }) => id);
    expect(await list()).toEqual([second.id, first.id]);
    const waiting = async () =>
      (await api.get('/v3/analyze/attention')).body.attention.map(
        ({ type, count, target }: { type: string; count: number; target: object }) => [type, count, target],
      );
    expect(await waiting()).toEqual([['proposal_waiting', 2, { type: 'proposal', id: null, name: 'First' }]]);
    await owner.post(`/v3/edit/proposals/${first.id}/reject`, { reason: 'No' });
    expect(await list('state=open')).toEqual([second.id]);
    expect(await waiting()).toEqual([['proposal_waiting', 1, { type: 'proposal', id: second.id, name: 'Second' }]]);
    await approve(second);
    expect(await waiting()).toEqual([]);
  });

  it('are in the audit log', async () => {
    const proposal = await propose('tours', { name: 'Reports', steps });
    await approve(proposal);
    const { audit_entries } = (await api.get('/v3/analyze/audit_entries')).body;
    const said = audit_entries.map(({ action, secret_id }: Record<string, unknown>) => [action, secret_id]);
    expect(said.slice(0, 3)).toEqual([
      ['proposal.approve', null],
      ['experience.publish', null],
      ['proposal.create', secretId],
    ]);
  });

  it('are limited in number while they wait', async () => {
    const { account_id, user_id } = api.account;
    const proposal = await propose('tours', { name: 'One of many', steps });
    const row = { ...{ account_id, updated_at: 1, state: 'open' as const, kind: 'tour' as const, is_new: true } };
    const rows = Array.from({ length: MAX_OPEN_PROPOSALS - 1 }, () => ({
      ...{ ...row, id: api.app.newId(), admin_id: user_id },
      document: JSON.stringify(proposal.experience),
    }));
    await api.app.storage.write(account_id, (db) => db.insertInto('proposals').values(rows).execute());
    const { status, body } = await api.post('/v3/edit/tours/proposals', { name: 'Too many', steps }, { as });
    expect([status, body.messages[0]]).toEqual([409, expect.stringContaining('200 proposals wait')]);
  });
});

describe('publishing with a hash', () => {
  it('publishes the draft of the diff, and no later one', async () => {
    const tour = await makeTour();
    const path = `/v3/edit/tours/${tour.id}`;
    const { hash, summary } = (await api.get(`${path}/diff`)).body.diff;
    expect([hash, summary.kind]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), 'create']);
    expect((await api.get(`${path}/diff`)).body.diff.hash).toBe(hash);
    await api.patch(path, { name: 'Later' });
    const { status, body } = await api.post(`${path}/publish`, { hash });
    expect([status, body.messages]).toEqual([409, [expect.stringContaining('nothing was published')]]);
    const current = (await api.get(`${path}/diff`)).body.diff.hash;
    expect((await api.post(`${path}/publish`, { hash: current })).body.tour).toMatchObject({ state: 'live' });
    expect((await api.post(`${path}/publish`, { hash: current })).status).toBe(409);
  });

  it('needs another hash after a translation has changed', async () => {
    const tour = await makeTour();
    await api.post('/v3/edit/languages', { code: 'de' });
    const path = `/v3/edit/tours/${tour.id}`;
    const { hash } = (await api.get(`${path}/diff`)).body.diff;
    const texts = [{ model_id: tour.steps[0].id, field: 'title', text: 'Hallo' }];
    const written = await api.patch(`${path}/translations`, { language: 'de', texts });
    expect([written.status, written.body.messages]).toEqual([200, undefined]);
    expect((await api.post(`${path}/publish`, { hash })).status).toBe(409);
  });

  it('is rejected in an account where only owners publish', async () => {
    const tour = await makeTour();
    const { hash } = (await api.get(`/v3/edit/tours/${tour.id}/diff`)).body.diff;
    await api.patch('/v3/edit/account', { who_may_publish: 'owners' });
    const editor = (await addSignedIn(api, 'editor')).browser;
    expect((await editor.post(`/v3/edit/tours/${tour.id}/publish`, { hash })).status).toBe(403);
  });
});

it('describes for each kind how to write one', async () => {
  for (const kind of ['tour', 'survey', 'launcher', 'tooltip', 'embed']) {
    const { body } = await api.get('/v3/edit/authoring_guide', { query: `kind=${kind}`, as });
    expect(body.authoring_guide.text).toContain(`The content of a ${kind}`);
    expect(Object.keys(body.authoring_guide.fields)).toEqual(expect.arrayContaining(['name', 'segment_ids']));
  }
});
