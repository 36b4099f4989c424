import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { askAsPage, makePick, openPick } from '../../../../test/picking.ts';
import { newUid, openDomain, visit } from '../../../../test/visiting.ts';

let api: Api;
let experience_id: string;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());
beforeEach(async () => {
  await api.replaceAccounts();
  await openDomain(api);
  const steps = [{ title: 'Hi {{first_name | fallback: "there"}}', body: 'Published' }];
  const { tour } = (await api.post('/v3/edit/tours', { name: 'Tour', steps, published_at: '$now' })).body;
  experience_id = tour.id;
  const step = `/v3/edit/tours/${tour.id}/steps/${tour.steps[0].id}`;
  expect((await api.patch(step, { body: 'Draft' })).status).toBe(200);
});

const tokenFor = async (params: object = {}) =>
  openPick(api, api.account, await makePick(api, api.account, { experience_id, purpose: 'try', ...params }));
const contentOf = async (pick_token: string, params: object = {}) => {
  const { status, body } = await askAsPage(api, '/content', { pick_token, ...params });
  expect([status, body.messages]).toEqual([200, undefined]);
  return body;
};
const addPerson = async (first_name: string) => {
  const uid = newUid();
  await api.post('/v3/observe/hooks/profiles', { uid, first_name });
  return uid;
};

describe('POST /v3/observe/picks/content', () => {
  it('returns the draft, as a page load returns what is published', async () => {
    const { experience, labels } = await contentOf(await tokenFor());
    const published = (await visit(api, { uid: newUid() })).body.experiences[0];
    expect([experience.id, experience.kind, labels]).toEqual([experience_id, 'tour', undefined]);
    expect(JSON.stringify(published.steps[0].body)).toContain('Published');
    expect(JSON.stringify(experience.steps[0].body)).toContain('Draft');
    expect(experience.steps[0].title).toEqual(['Hi there']);
  });

  it('fills texts for the user whom the administrator chose, and names the user', async () => {
    const uid = await addPerson('Ann');
    const { experience, user } = await contentOf(await tokenFor({ uid }));
    expect(experience.steps[0].title).toEqual(['Hi Ann']);
    expect(user).toEqual({ name: 'Ann', is_chosen: true });
  });

  it.each([
    [{ name: 'Ann Lee', first_name: 'Other' }, 'Ann Lee'],
    [{ first_name: 'Ann', last_name: 'Lee' }, 'Ann Lee'],
    [{ first_name: 5, email: 'ann@acme.test' }, 'ann@acme.test'],
    [{}, 'ann'],
  ])('names a user with %j %s', async (properties, name) => {
    await api.post('/v3/observe/hooks/profiles', { uid: 'ann', ...properties });
    expect((await contentOf(await tokenFor({ uid: 'ann' }))).user.name).toBe(name);
  });

  it('names the tours and surveys that the draft leads to', async () => {
    const { body } = await api.post('/v3/edit/surveys', { name: 'Happy?', steps: [{ title: 'Are you?' }] });
    const { id } = body.survey;
    const buttons = [{ text: 'Ask', additional_actions: ['survey'], action_campaign_id: id }];
    const steps = [{ title: 'One', buttons }];
    const { tour } = (await api.post('/v3/edit/tours', { name: 'Linking', steps })).body;
    expect((await contentOf(await tokenFor({ experience_id: tour.id }))).names).toEqual({ [id]: 'Happy?' });
    expect((await contentOf(await tokenFor())).names).toEqual({});
  });

  it('uses the language of the browser where the user is unknown', async () => {
    const { labels, user } = await contentOf(await tokenFor(), { language: 'de-DE' });
    expect([labels.next, user]).toEqual(['Weiter', null]);
  });

  it('says what to do if the Experience was deleted', async () => {
    const pick_token = await tokenFor();
    expect((await api.send('DELETE', `/v3/edit/tours/${experience_id}`)).status).toBeLessThan(300);
    const { status, body } = await askAsPage(api, '/content', { pick_token });
    expect([status, body.messages]).toEqual([
      403,
      ['The Experience of this pick was deleted: go back to Usher and choose another one'],
    ]);
  });

  it('fills texts for the user of the page, if nobody was chosen', async () => {
    const uid = await addPerson('Bob');
    const visit_token = (await visit(api, { uid })).body.visit.token;
    const { experience, user } = await contentOf(await tokenFor(), { visit_token });
    expect(experience.steps[0].title).toEqual(['Hi Bob']);
    expect(user).toEqual({ name: 'Bob', is_chosen: false });
  });

  it('rejects the visit of another account', async () => {
    await openDomain(api, api.other);
    const visit_token = (await visit(api, { uid: newUid() }, { as: api.other })).body.visit.token;
    const pick_token = await tokenFor();
    expect((await askAsPage(api, '/content', { pick_token, visit_token })).status).toBe(403);
  });

  it('records nothing', async () => {
    const pick_token = await tokenFor({ uid: await addPerson('Ann') });
    const before = await accountRows(api.app, api.account.account_id);
    await contentOf(pick_token);
    expect(await accountRows(api.app, api.account.account_id)).toEqual(before);
  });
});
