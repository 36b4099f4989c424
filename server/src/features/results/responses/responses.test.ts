import { isId } from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { loadPage } from '../../../../test/open-page.ts';
import { addResponse } from '../../../../test/use-rows.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const path = '/v3/analyze/responses';
const unknownId = 'f'.repeat(24);
const START = Date.UTC(2029, 3, 7, 12, 18);
let count = 0;

interface Survey {
  id: string;
  steps: { id: string; buttons: { id: string }[] }[];
}

async function addSurvey(as = api.account): Promise<Survey> {
  const buttons = [{ text: 'Good' }, { text: 'Bad' }];
  const steps = [
    { title: 'How was it?', preset: 'survey_two', buttons },
    { title: 'Would you recommend it?', preset: 'survey_nps' },
  ];
  const { status, body } = await api.post('/v3/edit/surveys', { name: 'Asks', steps, published_at: '$now' }, { as });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.survey;
}

async function addProfile(params: object = {}): Promise<string> {
  const { body } = await api.post('/v3/observe/hooks/profiles', { uid: `user ${++count}`, ...params });
  return body.profile.id;
}

async function add(experience_id: string, params: Parameters<typeof addResponse>[2] = {}, profile?: string) {
  const profile_id = profile ?? (await addProfile());
  return addResponse(api.app, { account_id: api.account.account_id, experience_id, profile_id }, params);
}

const fetchResponses = (id: string, query = '') => api.get(path, { query: `id=${id}${query && `&${query}`}` });
const list = async (id: string, query = '') => {
  const { status, body } = await fetchResponses(id, query);
  expect([status, body.messages]).toEqual([200, undefined]);
  return body;
};
const remove = (id: string, as = api.account) => api.send('DELETE', `/v3/edit/responses/${id}`, { as });
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);

describe('list', () => {
  it('shows one Response with an answer for each step, and nothing else', async () => {
    const survey = await addSurvey();
    const [two, nps] = survey.steps;
    const profile = await addProfile();
    const of = { account_id: api.account.account_id, experience_id: survey.id, profile_id: profile };
    const button_id = two?.buttons[1]?.id ?? '';
    const chosen = { step_id: two?.id ?? '', button_id, button_index: 1, button_text: 'Bad' };
    const id = await addResponse(
      api.app,
      of,
      { ...chosen, updated_at: START, finished_at: START, href: 'https://app.example.com/' },
      { step_id: nps?.id ?? '', value: '9', button_index: 9, button_text: '9', input: 'Because it is.' },
    );
    const { body } = await fetchResponses(survey.id);
    expect(Object.keys(body)).toEqual(['responses', 'cursor']);
    expect(body.responses).toHaveLength(1);
    expect(body.responses[0]).toMatchObject({
      ...{ id, updated_at: '2029-04-07T12:18:00.000Z', finished_at: '2029-04-07T12:18:00.000Z' },
      ...{ survey_id: survey.id, profile_id: profile, href: 'https://app.example.com/' },
      ...{ button_id, button_text: 'Bad', button_order: 1, input_text: 'Because it is.' },
      comment_step_buttons_selected: ['9'],
      answers: [
        { step_id: two?.id, button_id, button_text: 'Bad', button_order: 1, input_text: null },
        { step_id: nps?.id, button_id: null, button_text: '9', button_order: 9, input_text: 'Because it is.' },
      ],
      profile: { id: profile, created_at: expect.any(String), updated_at: expect.any(String), uid: `user ${count}` },
    });
  });

  it('requires the ID of a survey', async () => {
    const { body } = await api.post('/v3/edit/tours', { name: 'Asks nothing' });
    const foreign = await addSurvey(api.other);
    const unknown = await fetchResponses(unknownId);
    expect(unknown.status).toBe(404);
    for (const id of [body.tour.id, foreign.id]) expect((await fetchResponses(id)).text).toBe(unknown.text);
    expect((await api.get(path)).body.messages).toEqual([expect.stringMatching(/^`id` is required/)]);
    expect((await fetchResponses('x')).status).toBe(422);
  });

  it('lists newest first, page by page', async () => {
    const [{ id }, other] = [await addSurvey(), await addSurvey()];
    const made: string[] = [];
    for (let n = 0; n < 5; n++) made.unshift(await add(id, { updated_at: START + (n % 2) }));
    await add(other.id);
    const first = await list(id, 'limit=3');
    expect(idsOf(first.responses)).toEqual(made.slice(0, 3));
    expect(first.cursor).toEqual({ limit: 3, before: made[2] });
    const second = await list(id, `limit=3&before=${first.cursor.before}`);
    expect(idsOf(second.responses)).toEqual(made.slice(3));
    expect(second.cursor.before).toBeNull();
    expect(idsOf((await list(id, `after=${made[3]}&before=${made[0]}`)).responses)).toEqual(made.slice(1, 3));
  });

  it('lists by update with an opaque cursor', async () => {
    const { id } = await addSurvey();
    const made: string[] = [];
    for (const at of [2, 1, 1, 3]) made.push(await add(id, { updated_at: START + at }));
    const [a, b, c, d] = made;
    const first = await list(id, 'order=updated_at&limit=3');
    expect(idsOf(first.responses)).toEqual([d, a, c]);
    expect(isId(first.cursor.before)).toBe(false);
    const second = await list(id, `order=updated_at&before=${first.cursor.before}`);
    expect([idsOf(second.responses), second.cursor.before]).toEqual([[b], null]);
    expect((await fetchResponses(id, 'order=input')).status).toBe(422);
  });

  it('expands the profile and its Company as requested', async () => {
    const { id } = await addSurvey();
    const profile = await addProfile({ plan: 'pro', company: { uid: 'acme', name: 'Acme' } });
    await add(id, {}, profile);
    const show = async (query: string) => (await list(id, query)).responses[0].profile;
    expect(await show('')).toMatchObject({ id: profile, company: { uid: 'acme' } });
    expect(await show('')).not.toHaveProperty('plan');
    expect(await show('expand[profile]=all&expand[company]=all')).toMatchObject({
      plan: 'pro',
      company: { name: 'Acme' },
    });
    expect(await show('expand[profile]=skip')).toEqual({ id: profile });
    const { body } = await api.post(path, { id, expand: { profile: 'all', company: 'skip' } });
    expect(body.responses[0].profile).toMatchObject({ plan: 'pro' });
    expect(body.responses[0].profile).not.toHaveProperty('company');
  });
});

describe('delete', () => {
  it('deletes and returns a Response', async () => {
    const { id } = await addSurvey();
    const [kept, gone] = [await add(id), await add(id, { input: 'Never mind' })];
    const [shown] = (await list(id)).responses;
    const { status, body } = await remove(gone);
    expect([status, body]).toEqual([200, { response: shown }]);
    expect(idsOf((await list(id)).responses)).toEqual([kept]);
    expect((await remove(gone)).status).toBe(404);
  });

  it('removes the Response from the counts, and its user from Segments', async () => {
    const { id, steps } = await addSurvey();
    const [two, nps] = steps;
    const [button_id, step_id] = [two?.buttons[0]?.id ?? '', two?.id ?? ''];
    const [one, other] = [await addProfile(), await addProfile()];
    const gone = await add(id, { step_id, button_id, button_index: 0 }, one);
    await add(id, { step_id, button_id, button_index: 0 }, other);
    const score = await add(id, { step_id: nps?.id ?? '', value: '10' }, one);
    const stats = async () => (await api.get(`/v3/analyze/surveys/${id}/stats`)).body.stats;
    const answered = async () => {
      const filters = [{ kind: 'survey', value: id, op: 'ex', mod: 'eq', range: 0 }];
      const { body } = await api.post('/v3/analyze/profiles', { filters });
      return idsOf(body.profiles);
    };
    expect((await stats()).answers[0]).toEqual({ step_id, button_id, value: null, count: 2 });
    expect((await stats()).nps).toMatchObject({ score: 100, count: 1 });
    expect(await answered()).toEqual([other, one]);
    await remove(gone);
    await remove(score);
    expect((await stats()).answers).toEqual([{ step_id, button_id, value: null, count: 1 }]);
    expect((await stats()).nps).toBeNull();
    expect(await answered()).toEqual([other]);
  });

  it('succeeds for one of several requests at the same time', async () => {
    const { id } = await addSurvey();
    const gone = await add(id);
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove(gone)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
  });

  it('leaves no answer that is added at the same time', async () => {
    const { id: experience_id, steps } = await addSurvey();
    const [two, nps] = steps.map((step) => step.id);
    for (let n = 0; n < 10; n++) {
      const page = await loadPage(api, `answers ${n}`);
      await page.report({ experience_id, step_id: two, response: { button_id: steps[0]?.buttons[0]?.id } });
      const [response] = (await list(experience_id)).responses;
      const [late, removed] = await Promise.all([
        page.report({ experience_id, step_id: nps, response: { value: 9 } }),
        remove(response.id),
      ]);
      expect([late.status, removed.status]).toEqual([200, 200]);
    }
    const { answers = [], responses = [] } = await accountRows(api.app, api.account.account_id);
    const there = new Set(responses.map((row) => JSON.parse(row).id));
    expect(answers.filter((row) => !there.has(JSON.parse(row).response_id))).toEqual([]);
  });

  it('returns 404 for a Response of another account', async () => {
    const { id } = await addSurvey();
    const mine = await add(id);
    const before = await accountRows(api.app, api.account.account_id);
    const [unknown, foreign] = [await remove(unknownId, api.other), await remove(mine, api.other)];
    expect(unknown.status).toBe(404);
    expect(foreign.text).toBe(unknown.text);
    expect(await accountRows(api.app, api.account.account_id)).toEqual(before);
  });
});
