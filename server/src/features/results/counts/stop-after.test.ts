import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { newUid, openDomain, PAGE, visit } from '../../../../test/visiting.ts';

let api: Api;
let survey: { id: string; steps: { id: string }[] };
beforeAll(async () => {
  api = await startApi({ inTest: false });
  await openDomain(api);
});
afterAll(() => api.stop());

const steps = [{ title: 'How?', preset: 'survey_nps' }];
const add = async (more: object) => {
  const { status, body } = await api.post('/v3/edit/surveys', { name: 'Asks', steps, ...more });
  expect([status, body.messages]).toEqual([201, undefined]);
  survey = body.survey;
};
afterEach(() => api.send('DELETE', `/v3/edit/surveys/${survey.id}`));

interface Page {
  uid: string;
  id: string;
  shows: boolean;
  answer(value?: number): Promise<number>;
}

async function open(uid = newUid(), profile: object = {}): Promise<Page> {
  if (Object.keys(profile).length > 0) await api.post('/v3/observe/hooks/profiles', { uid, ...profile });
  const { body } = await visit(api, { uid });
  const shows = body.experiences.some(({ id }: { id: string }) => id === survey.id);
  const answer = async (value = 9) => {
    const [step] = survey.steps;
    const report = { experience_id: survey.id, step_id: step?.id, state: 'started', response: { value }, href: PAGE };
    const { status } = await api.post(
      '/v3/observe/interactions',
      { visit_token: body.visit.token, ...report },
      { as: null },
    );
    return status;
  };
  return { uid, id: body.profile.id, shows, answer };
}

const shows = async (uid?: string, profile?: object) => (await open(uid, profile)).shows;
const publish = (more: object) => add({ ...more, published_at: '$now' });
async function counts(): Promise<Record<string, number>> {
  const rows = await api.app.storage
    .reader(api.account.account_id)
    .selectFrom('response_counts')
    .select(['segment_id', 'count'])
    .where('account_id', '=', api.account.account_id)
    .where('experience_id', '=', survey.id)
    .execute();
  return Object.fromEntries(rows.map(({ segment_id, count }) => [segment_id, Number(count)]));
}

describe('a survey with stop_after_responses', () => {
  beforeEach(() => publish({ stop_after_responses: 2 }));

  it('stops with the last answer, and still takes answers of open pages', async () => {
    const [one, two, late] = [await open(), await open(), await open()];
    expect([one.shows, two.shows, late.shows]).toEqual([true, true, true]);
    await one.answer();
    // A second answer to the same showing is the same Response.
    await one.answer(8);
    expect([await shows(), await counts()]).toEqual([true, { '': 1 }]);
    await two.answer();
    expect(await shows()).toBe(false);
    expect(await shows(two.uid)).toBe(true);
    expect([await late.answer(), await counts()]).toEqual([200, { '': 3 }]);
    const profile_id = (await open()).id;
    const { body } = await api.post(`/v3/edit/surveys/${survey.id}/explanations`, { profile_id, href: PAGE });
    expect(body.explanation.live).toMatchObject({
      shows: false,
      reasons: [
        {
          ...{ rule: 'responses', field: 'stop_after_responses' },
          message: 'The survey has its 2 answers, so it does not start any more',
        },
      ],
    });
  });

  it.each<[string, (page: Page) => Promise<unknown>]>([
    [
      'a Response is deleted',
      async () => {
        const { body } = await api.get('/v3/analyze/responses', { query: `id=${survey.id}` });
        await api.send('DELETE', `/v3/edit/responses/${body.responses[0].id}`);
      },
    ],
    ['a user is cleared', ({ id }) => api.send('DELETE', `/v3/edit/profiles/${id}`)],
    ['a user is forgotten', ({ id }) => api.send('DELETE', `/v3/edit/profiles/${id}/forget`)],
    ['a user becomes a test user', ({ id }) => api.send('PATCH', `/v3/edit/profiles/${id}`, { body: { test: true } })],
  ])('starts again when %s', async (_, change) => {
    const [one, two] = [await open(), await open()];
    await one.answer();
    await two.answer();
    expect([await shows(), await counts()]).toEqual([false, { '': 2 }]);
    await change(one);
    expect([await shows(), await counts()]).toEqual([true, { '': 1 }]);
  });

  it('does not count test users until they are none any more', async () => {
    const [one, two] = [await open(), await open()];
    await api.send('PATCH', `/v3/edit/profiles/${one.id}`, { body: { test: true } });
    await one.answer();
    await two.answer();
    expect([await shows(), await counts()]).toEqual([true, { '': 1 }]);
    await api.send('PATCH', `/v3/edit/profiles/${one.id}`, { body: { test: false } });
    expect([await shows(), await counts()]).toEqual([false, { '': 2 }]);
  });

  it('follows a number that is published later', async () => {
    const page = await open();
    await page.answer();
    await api.send('PATCH', `/v3/edit/surveys/${survey.id}`, {
      body: { stop_after_responses: 1, published_at: '$now' },
    });
    expect(await shows()).toBe(false);
    await api.send('PATCH', `/v3/edit/surveys/${survey.id}`, {
      body: { stop_after_responses: null, published_at: '$now' },
    });
    expect(await shows()).toBe(true);
  });

  it('counts exactly when many answer at the same time', async () => {
    const pages = await Promise.all(Array.from({ length: 8 }, () => open()));
    expect(await Promise.all(pages.map((page) => page.answer()))).toEqual(pages.map(() => 200));
    expect([await shows(), await counts()]).toEqual([false, { '': 8 }]);
  });
});

it('stops for the users of a Segment when it has the answers of those', async () => {
  const segments = await Promise.all(
    ['free', 'pro'].map(async (plan) => {
      const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: plan }];
      return (await api.post('/v3/edit/segments', { name: plan, items })).body.segment.id as string;
    }),
  );
  await publish({ segment_ids: segments, segments_op: 'or', stop_after_responses_per_segment: 1 });
  const [free = '', pro = ''] = segments;
  const page = await open(undefined, { plan: 'free' });
  expect(page.shows).toBe(true);
  await page.answer();
  expect(await counts()).toEqual({ '': 1, [free]: 1 });
  expect([await shows(undefined, { plan: 'free' }), await shows(undefined, { plan: 'pro' })]).toEqual([false, true]);
  const other = await open(undefined, { plan: 'pro' });
  await other.answer();
  expect(await counts()).toEqual({ '': 2, [free]: 1, [pro]: 1 });
  // The Segment at the time of the answer counts.
  await api.post('/v3/observe/hooks/profiles', { uid: page.uid, plan: 'pro' });
  await api.send('DELETE', `/v3/edit/profiles/${page.id}`);
  expect(await counts()).toEqual({ '': 1, [pro]: 1 });
  expect([await shows(undefined, { plan: 'free' }), await shows(undefined, { plan: 'pro' })]).toEqual([true, false]);
});

it.each([0, -1, 1_000_001, 'many'])('rejects %j as a number of Responses', async (value) => {
  await add({});
  const { status, body } = await api.send('PATCH', `/v3/edit/surveys/${survey.id}`, {
    body: { stop_after_responses: value },
  });
  expect([status, body.messages]).toEqual([422, [expect.stringContaining('stop_after_responses')]]);
});

it('belongs to surveys only', async () => {
  await add({});
  const { status } = await api.post('/v3/edit/tours?strict=true', {
    name: 'T',
    steps: [{ title: 'x' }],
    stop_after_responses: 3,
  });
  expect(status).toBe(422);
});
