import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { moveFrom, ownerOf } from '../../../../test/moving.ts';
import { openDomain, visit } from '../../../../test/visiting.ts';
import { findUncounted } from '../../results/counts/find-uncounted.ts';
import { runMove, tryMove } from './run-move.ts';

/* What pages, backends and public pages have stored there is the same here. */

let source: Api;
let target: Api;
const env = { USHER_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8' };
beforeAll(async () => {
  source = await startApi({ inTest: false, env });
  target = await startApi({ inTest: false, env });
});
afterAll(async () => {
  await source.stop();
  await target.stop();
});

async function send(
  api: Api,
  method: 'POST' | 'PATCH',
  path: string,
  params: object,
  as: null | undefined = undefined,
) {
  const response = await (method === 'POST'
    ? api.post(path, params, as === null ? { as } : {})
    : api.patch(path, params));
  expect([path, response.status < 300 || response.body]).toEqual([path, true]);
  return response.body;
}
const create = async (path: string, key: string, params: object) => (await send(source, 'POST', path, params))[key];
const say = (params: object) => send(source, 'POST', '/v3/observe/hooks/profiles', params);
const track = (uid: string, name: string) => send(source, 'POST', '/v3/observe/hooks/events', { uid, name });

const options = [
  { id: 'red', text: 'Red' },
  { id: 'blue', text: 'Blue' },
];
const questions = [
  { title: 'Which one?', question: { kind: 'single', options, other_text: 'Another' } },
  { title: 'Which?', question: { kind: 'multiple', options, other_text: 'Another' } },
  { title: 'Stars?', question: { kind: 'stars' } },
  { title: 'Why?', question: { kind: 'text' } },
  { title: 'When?', question: { kind: 'date' } },
  { title: 'May we?', question: { kind: 'consent', label: 'Yes' } },
];
const answers = [
  { value: 'red' },
  { values: ['blue', 'other'], input: 'Green' },
  { value: '4' },
  { input: 'Because' },
  { input: '2029-04-07' },
  { value: 'true' },
];

interface Step {
  id: string;
}

async function load(api: Api, params: object): Promise<{ token: string; uid: string; experiences: { id: string }[] }> {
  const { status, body } = await visit(api, params);
  expect([status, body.messages]).toEqual([200, undefined]);
  return { token: body.visit.token, uid: body.profile.uid, experiences: body.experiences };
}

async function answer(visit_token: string, survey: { id: string; steps: Step[] }, given: object[] = answers) {
  const of = { visit_token, experience_id: survey.id };
  for (const [at, response] of given.entries())
    await send(
      source,
      'POST',
      '/v3/observe/interactions',
      { ...of, step_id: survey.steps[at]?.id, state: 'started', response },
      null,
    );
  await send(source, 'POST', '/v3/observe/interactions', { ...of, state: 'completed' }, null);
}

/** An account with events, a checklist and a survey, which three users have used, and one without a name. */
async function fill() {
  await openDomain(source);
  await send(source, 'PATCH', '/v3/edit/account', { anonymous_users: true, trust_pages: true });
  const environment = await create('/v3/edit/url_groups', 'url_group', { name: 'Staging', short_name: 'STG' });
  const pro = await create('/v3/edit/segments', 'segment', {
    name: 'Pro',
    items: [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }],
  });
  await say({ uid: 'ann', plan: 'pro' });
  for (const name of ['Report Exported', 'Noise']) await track('ann', name);
  const { event_names } = (await source.get('/v3/edit/event_names')).body;
  const [noise, exported] = event_names;
  await send(source, 'PATCH', `/v3/edit/event_names/${exported.id}`, { name: 'Export', description: 'A report' });
  await send(source, 'PATCH', `/v3/edit/event_names/${noise.id}`, { hidden: true });
  const definition = { kind: 'click', elements: [{ selector: '#pay' }], url_group_ids: [environment.id] };
  const events = [
    await create('/v3/edit/event_names', 'event_name', { name: 'Paid', definition, published_at: '$now' }),
    await create('/v3/edit/event_names', 'event_name', {
      ...{ name: 'Settings', definition: { kind: 'page', quantifier_urls: [{ url: '/settings/*' }] } },
    }),
  ];
  // Its uid stays when it gets another name.
  await send(source, 'PATCH', `/v3/edit/event_names/${events[1].id}`, { name: 'Settings opened' });
  const tour = await create('/v3/edit/tours', 'tour', {
    name: 'Welcome',
    goal: 'Report Exported',
    steps: [{ title: 'Hi', step_trigger: 'event', trigger_event: { name: 'Report Exported', within_seconds: 600 } }],
    published_at: '$now',
  });
  const survey = await create('/v3/edit/surveys', 'survey', {
    name: 'Asks',
    segment_ids: [pro.id],
    ...{ public_page: true, stop_after_responses: 50, stop_after_responses_per_segment: 20 },
    steps: [
      {
        ...questions[0],
        next: [
          { when: { step_id: '0', op: 'eq', value: 'blue' }, go: '2' },
          { when: { filters: [{ kind: 'tour', value: tour.id, op: 'ex', range: 'completed' }] }, go: 'end' },
        ],
      },
      ...questions.slice(1),
    ],
    published_at: '$now',
  });
  const checklist = await create('/v3/edit/launchers', 'launcher', {
    ...{ name: 'First steps', title: 'First steps', list_type: 'checklist', published_at: '$now' },
    items: [
      { title: 'Export', url: '/', completed_when: [{ kind: 'event', op: 'ex', value: 'Report Exported' }] },
      {
        title: 'Answer',
        url: '/',
        completed_when: [{ kind: 'survey', op: 'ex', value: survey.id }],
      },
      { title: 'Pay', url: '/', completed_when: [{ kind: 'event', op: 'ex', value: 'Paid' }] },
    ],
  });
  const ann = await load(source, { uid: 'ann', browser: { l: 'de' } });
  await answer(ann.token, survey);
  await load(source, { uid: 'ann' });
  const anonymous = await load(source, { properties: { plan: 'pro' } });
  await answer(anonymous.token, survey, [{ value: 'other', input: 'Pink' }]);
  await say({ uid: 'bob' });
  expect(await answerLink(source, survey, 'bob', 'q2')).toBe(200);
  // The option got another text since.
  const changed = [{ id: 'red', text: 'Dark red' }, options[1]];
  await send(source, 'PATCH', `/v3/edit/surveys/${survey.id}`, {
    steps: survey.steps.map((step: Step, at: number) =>
      at === 0 ? { ...step, question: { ...questions[0]?.question, options: changed } } : step,
    ),
  });
  await send(source, 'PATCH', `/v3/edit/surveys/${survey.id}`, { published_at: '$now' });
  const { responses } = (await source.get(`/v3/analyze/responses?id=${survey.id}`)).body;
  const of = (uid: string) => responses.find(({ profile }: { profile: { uid: string } }) => profile.uid === uid).id;
  await send(source, 'PATCH', '/v3/edit/responses', { ids: [of('ann')], add_tags: ['pricing', 'call back'] });
  return { survey, checklist, tour, anonymous: anonymous.uid, ann: of('ann'), bob: of('bob') };
}

/** Opens a link with this ID, and answers unless it has been answered. */
async function answerLink(api: Api, { id }: { id: string }, uid: string, link_id: string): Promise<number | 'before'> {
  const { survey } = (await api.get(`/v3/edit/surveys/${id}`)).body;
  const made = await send(api, 'POST', '/v3/edit/survey_links', { survey_id: id, uids: [uid], link_id });
  const link = new URL(made.survey_links[0].url).searchParams.get('link');
  const path = new URL(survey.public_page_url).pathname;
  const html = await (await fetch(`${api.url}${path}?link=${link}`)).text();
  const data = /id="survey">(.*)<\/script>/.exec(html)?.[1];
  if (data === undefined) {
    expect(html).toContain('You have already answered this survey.');
    return 'before';
  }
  const { page } = JSON.parse(data);
  const items = [{ step_id: survey.steps[0].id, response: { value: 'blue' } }, { state: 'completed' }];
  return (await api.post(path, { page, link, items }, { as: null })).status;
}

async function recordsOf(
  api: Api,
  { survey, checklist, tour }: Record<'survey' | 'checklist' | 'tour', { id: string }>,
) {
  const get = async (path: string) => {
    const { status, body } = await api.get(path);
    expect([path, status]).toEqual([path, 200]);
    return body;
  };
  const { account_id } = api.account;
  const counts = await api.app.storage
    .reader(account_id)
    .selectFrom('response_counts')
    .select(['experience_id', 'segment_id', 'count'])
    .where('account_id', '=', account_id)
    .orderBy('segment_id')
    .execute();
  const results = async (path: string) => (await get(`/v3/analyze/${path}/stats`)).stats;
  const documents = await Promise.all(
    [`surveys/${survey.id}`, `launchers/${checklist.id}`, `tours/${tour.id}`].map((path) => get(`/v3/edit/${path}`)),
  );
  const text = JSON.stringify({
    names: [await get('/v3/edit/event_names'), await get('/v3/edit/event_names?hidden=true')],
    responses: await get(`/v3/analyze/responses?id=${survey.id}&details=true&properties[]=plan`),
    tags: await get(`/v3/analyze/responses/tags?id=${survey.id}`),
    items: await get(`/v3/analyze/interactions?id=${checklist.id}`),
    profiles: await get('/v3/analyze/profiles'),
    documents: documents.map((body) => {
      const [document] = Object.values(body) as [Record<string, unknown>];
      const { stats: _, public_page_url, ...own } = document;
      return { ...own, hasPage: typeof public_page_url };
    }),
    counts: counts.map(({ count, ...row }) => ({ ...row, count: Number(count) })),
    answers: (await results(`surveys/${survey.id}`)).questions,
    completed: (await results(`launchers/${checklist.id}`)).steps[0].buttons.map(
      (button: { id: string; completed: number }) => [button.id, button.completed],
    ),
    seen: (await results(`launchers/${checklist.id}`)).steps[0].seen,
  });
  // The address where it was answered is that of the server there.
  return JSON.parse(text.replace(/"href":"[^"]*\/s\/[^"]*"/g, '"href":"<page>"').replaceAll(api.url, '<url>'));
}

const expectExactCounts = async ({ app, account }: Api) =>
  expect(
    await findUncounted({
      account: { id: account.account_id },
      db: app.storage.reader(account.account_id),
      dialect: app.storage.dialect,
    }),
  ).toEqual([]);

describe('a move', () => {
  it('brings answers, Tags, items, events and their definitions, anonymous users and counts as they are', async () => {
    const made = await fill();
    expect((await tryMove(ownerOf(target), moveFrom(source, target))).problems).toEqual([]);
    const move = await runMove(ownerOf(target), moveFrom(source, target));
    expect([move.state, (await target.get('/v3/edit/move/problems')).body.problems]).toEqual(['finished', []]);
    const expected = await recordsOf(source, made);
    expect(await recordsOf(target, made)).toEqual(expected);
    expect(expected.counts).toEqual([
      { experience_id: made.survey.id, segment_id: '', count: 3 },
      { experience_id: made.survey.id, segment_id: expect.any(String), count: 2 },
    ]);
    expect(expected.completed.map(([, count]: [string, number]) => count)).toEqual([1, 1, 0]);
    const { responses } = expected.responses;
    expect(responses.map(({ source }: { source: string }) => source)).toEqual(['link', 'page', 'page']);
    const { choices } = await target.app.storage
      .reader(target.account.account_id)
      .selectFrom('answers')
      .select('choices')
      .where('account_id', '=', target.account.account_id)
      .where('response_id', '=', made.ann)
      .where('question_order', '=', 0)
      .executeTakeFirstOrThrow();
    expect(choices).toBe('[{"id":"red","text":"Red"}]');
    await expectExactCounts(target);

    // Everything goes on here: the tick stays, the link has answered, the anonymous user is known.
    await send(target, 'PATCH', '/v3/edit/account', { anonymous_users: true });
    expect(await answerLink(target, made.survey, 'bob', 'q2')).toBe('before');
    expect(await answerLink(target, made.survey, 'bob', 'q3')).toBe(200);
    expect((await load(target, { anonymous_uid: made.anonymous })).uid).toBe(made.anonymous);
    const page = await visit(target, { uid: 'ann' });
    const shown = page.body.experiences.find(({ id }: { id: string }) => id === made.checklist.id);
    expect(shown.items.map(({ completed }: { completed: boolean }) => completed)).toEqual([true, true, false]);
    expect(page.body.events).toMatchObject([{ name: 'paid', elements: [{ selector: '#pay' }] }]);
    expect(page.body.events).toEqual((await visit(source, { uid: 'ann' })).body.events);
    await expectExactCounts(target);
  }, 120_000);

  it('brings later Tags, items and definitions, unless they were edited here', async () => {
    await source.replaceAccounts();
    await target.replaceAccounts();
    const made = await fill();
    await runMove(ownerOf(target), moveFrom(source, target));
    await send(source, 'PATCH', '/v3/edit/responses', { ids: [made.bob], add_tags: ['done'] });
    await send(source, 'PATCH', '/v3/edit/responses', { ids: [made.ann], remove_tags: ['pricing'] });
    await track('ann', 'Paid');
    await load(source, { uid: 'ann' });
    const { event_names } = (await source.get('/v3/edit/event_names?kind=custom')).body;
    const [settings, paid] = event_names;
    await send(source, 'PATCH', `/v3/edit/event_names/${settings.id}`, { published_at: '$now' });
    await send(source, 'PATCH', `/v3/edit/event_names/${paid.id}`, { description: 'Theirs' });
    await send(target, 'PATCH', `/v3/edit/event_names/${paid.id}`, { description: 'Mine' });
    await runMove(ownerOf(target), moveFrom(source, target));
    const [there, here] = [await recordsOf(source, made), await recordsOf(target, made)];
    for (const one of ['responses', 'tags', 'items', 'completed']) expect([one, here[one]]).toEqual([one, there[one]]);
    const names = (await target.get('/v3/edit/event_names?kind=custom')).body.event_names;
    expect(names).toMatchObject([
      { id: settings.id, published_at: expect.any(String) },
      { id: paid.id, description: 'Mine' },
    ]);
    expect((await target.get('/v3/edit/move/problems')).body.problems).toEqual([
      { stage: 'event_names', record_id: paid.id, message: expect.stringContaining('changed there and here') },
    ]);
    await expectExactCounts(target);
  }, 120_000);
});
