import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { newUid, openDomain, visit } from '../../../../test/visiting.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
  await openDomain(api);
});
afterAll(() => api.stop());
/** Only one survey shows at a time. */
const published: string[] = [];
afterEach(async () => {
  for (const id of published.splice(0)) await api.send('DELETE', `/v3/edit/surveys/${id}`);
});

interface Step {
  id: string;
  next: unknown[];
  question: { options: unknown[] } | null;
}

const colors = [
  { id: 'red', text: 'Red' },
  { id: 'blue', text: 'Blue' },
];
const questions = [
  { title: 'Which one?', question: { kind: 'single', options: colors, other_text: 'Another', property: 'Color' } },
  { title: 'Which?', question: { kind: 'multiple', options: colors, other_text: 'Another', max_choices: 2 } },
  { title: 'Stars?', question: { kind: 'stars' } },
  { title: 'How much?', question: { kind: 'scale', min: 0, max: 10, look: 'numbers' } },
  { title: 'Name?', question: { kind: 'text', min_length: 2, max_length: 5 } },
  { title: 'Mail?', question: { kind: 'email' } },
  { title: 'When?', question: { kind: 'date' } },
  { title: 'May we?', question: { kind: 'consent', required: true, label: 'Yes, {{name}}' } },
];

async function addSurvey(steps: object[] = questions, more: object = { published_at: '$now' }) {
  const { status, body } = await api.post('/v3/edit/surveys', { name: 'Asks', steps, ...more });
  expect([status, body.messages]).toEqual([201, undefined]);
  published.push(body.survey.id);
  return body.survey as { id: string; steps: Step[] };
}

async function openPage() {
  const uid = newUid();
  const { body } = await visit(api, { uid });
  const report = (experience_id: string, step_id: string | undefined, response: object) =>
    api.post(
      '/v3/observe/interactions',
      { visit_token: body.visit.token, experience_id, step_id, state: 'started', response },
      { as: null },
    );
  return { experiences: body.experiences, report };
}

async function answersOf(id: string) {
  const { body } = await api.get('/v3/analyze/responses', { query: `id=${id}` });
  return body.responses[0];
}

describe('questions', () => {
  it('are stored with every field, and reach pages with the fields of their kind', async () => {
    const { id, steps } = await addSurvey();
    expect(steps[0]?.question).toEqual({
      ...{ kind: 'single', required: false, error_text: null, options: colors, other_text: 'Another' },
      ...{ random_order: false, min_choices: null, max_choices: null, min: null, max: null, look: null },
      ...{ min_length: null, max_length: null, label: null, property: 'Color' },
    });
    const { experiences } = await openPage();
    const shown = experiences.find((one: { id: string }) => one.id === id);
    expect(shown.steps[0].question).toEqual({
      kind: 'single',
      options: [
        { id: 'red', text: ['Red'] },
        { id: 'blue', text: ['Blue'] },
      ],
      other_text: ['Another'],
    });
    expect(shown.steps[7].question).toEqual({ kind: 'consent', required: true, label: ['Yes, '] });
  });

  it('store what was answered, and set a property', async () => {
    const { id, steps } = await addSurvey();
    const { report } = await openPage();
    const answers = [
      { value: 'other', input: 'Green' },
      { values: ['other', 'red'], input: 'Pink' },
      { value: '4' },
      { value: '0' },
      { input: 'Ann' },
      { input: 'ann@example.com' },
      { input: '2029-04-07' },
      { value: 'true' },
    ];
    for (const [at, answer] of answers.entries()) {
      const { status, body } = await report(id, steps[at]?.id, answer);
      expect([at, status, body.messages]).toEqual([at, 200, undefined]);
    }
    const response = await answersOf(id);
    const none = { button_id: null, button_text: null, button_order: null, input_text: null, dropdown_items: null };
    expect(response.answers.map(({ step_id: _, ...answer }: { step_id: string }) => answer)).toEqual([
      { ...none, button_text: 'Another', button_order: 2, option_ids: ['other'], other_text: 'Green' },
      { ...none, dropdown_items: ['Red'], option_ids: ['red', 'other'], other_text: 'Pink' },
      { ...none, button_text: '4', button_order: 3, other_text: null, option_ids: null },
      { ...none, button_text: '0', button_order: 0, other_text: null, option_ids: null },
      { ...none, input_text: 'Ann', other_text: null, option_ids: null },
      { ...none, input_text: 'ann@example.com', other_text: null, option_ids: null },
      { ...none, input_text: '2029-04-07', other_text: null, option_ids: null },
      { ...none, button_text: 'true', button_order: 1, other_text: null, option_ids: null },
    ]);
    expect(response).toMatchObject({ button_text: 'Another', comment_step_buttons_selected: ['Red'] });
    expect(response.comment_step_buttons_selected2).toEqual(['4']);
    const { body } = await api.get(`/v3/analyze/profiles/${response.profile_id}`);
    expect(body.profile.color).toBe('Green');
    const stats = await api.get(`/v3/analyze/surveys/${id}/stats`);
    const counted = stats.body.stats.answers.filter(({ step_id }: { step_id: string }) => step_id === steps[1]?.id);
    expect(counted.map(({ value, count }: { value: string; count: number }) => [value, count])).toEqual([
      ['other', 1],
      ['red', 1],
    ]);
    const csv = await api.get(`/v3/analyze/responses.csv`, { query: `id=${id}` });
    expect(csv.text).toContain('"Red, Another"');
  });

  it('replace an answer, also one with another form', async () => {
    const { id, steps } = await addSurvey();
    const { report } = await openPage();
    await report(id, steps[0]?.id, { value: 'other', input: 'Green' });
    await report(id, steps[0]?.id, { value: 'blue' });
    const [answer] = (await answersOf(id)).answers;
    expect(answer).toMatchObject({ button_text: 'Blue', button_order: 1, option_ids: ['blue'], other_text: null });
  });

  it('reject what does not fit', async () => {
    const { id, steps } = await addSurvey();
    const { report } = await openPage();
    const wrong: [number, object][] = [
      [0, { value: 'green' }],
      [0, { values: ['red'] }],
      [0, { input: 'Green' }],
      [1, { value: 'red' }],
      [1, { values: [] }],
      [1, { values: ['red', 'red'] }],
      [1, { values: ['red', 'blue', 'other'] }],
      [1, { values: ['nothing'] }],
      [2, { value: '6' }],
      [2, { value: '0' }],
      [3, { value: '11' }],
      [3, { value: '1.5' }],
      [4, { input: 'A' }],
      [4, { input: 'Annabel' }],
      [4, { value: 'Ann' }],
      [5, { input: 'ann' }],
      [6, { input: '2029-02-30' }],
      [6, { input: 'tomorrow' }],
      [7, { value: 'false' }],
      [7, { value: 'yes' }],
    ];
    for (const [at, answer] of wrong) {
      const { status } = await report(id, steps[at]?.id, answer);
      expect([at, answer, status]).toEqual([at, answer, 422]);
    }
    expect(await answersOf(id)).toBeUndefined();
  });
});

describe('rules', () => {
  const single = { title: 'Which one?', question: { kind: 'single', options: colors } };

  it('name steps of the request by their places, and are stored with IDs', async () => {
    const next = [
      { when: { step_id: 0, value: 'red' }, go: 2 },
      { when: { filters: [{ kind: 'property', prop: 'plan', op: 'eq', value: 'gold' }] }, go: 'end' },
    ];
    const steps = [
      { ...single, next },
      { title: 'Why blue, {{answer "0"}}?', question: { kind: 'text' } },
      { title: 'End' },
    ];
    const survey = await addSurvey(steps);
    const [first, second, third] = survey.steps;
    expect(first?.next).toEqual([
      { when: { step_id: first?.id, op: 'eq', value: 'red' }, go: third?.id },
      { when: { filters: [{ kind: 'property', prop: 'plan', op: 'eq', value: 'gold' }] }, go: 'end' },
    ]);
    expect(second).toMatchObject({ title: `Why blue, {{answer "${first?.id}"}}?` });
    const load = async (properties: object) =>
      (await visit(api, { uid: newUid(), properties })).body.experiences.find(
        (one: { id: string }) => one.id === survey.id,
      ).steps[0].next;
    const test = { when: { step_id: first?.id, op: 'eq', value: 'red' }, go: third?.id };
    expect(await load({ plan: 'gold' })).toEqual([test, { go: 'end' }]);
    expect(await load({ plan: 'free' })).toEqual([test]);
    const { body } = await api.post(`/v3/edit/surveys/${survey.id}/duplicate`, {});
    const [copy, , last] = body.survey.steps;
    expect(copy.next[0]).toEqual({ when: { step_id: copy.id, op: 'eq', value: 'red' }, go: last.id });
    expect(body.survey.steps[1].title).toBe(`Why blue, {{answer "${copy.id}"}}?`);
  });

  it('are stored in drafts however they are, and keep them from being published', async () => {
    const publish = async (steps: object[]) => {
      const { id } = await addSurvey(steps, {});
      const { status, body } = await api.patch(`/v3/edit/surveys/${id}`, { published_at: '$now' });
      expect(status).toBe(422);
      return body.messages as string[];
    };
    const always = (go: unknown) => [{ go }];
    const test = (step_id: unknown, value: unknown, op = 'eq') => [{ when: { step_id, op, value }, go: 'end' }];
    expect(await publish([{ ...single, next: always(0) }])).toEqual([
      expect.stringContaining('it leads back to itself'),
    ]);
    expect(await publish([{ ...single, next: always(2) }, single, single])).toEqual([
      'Step 2 ("Which one?"): no path leads to it: change the rules of a step before it, or remove it',
    ]);
    expect(await publish([{ ...single, next: test(1, 'red') }, single])).toEqual([
      expect.stringContaining('it tests the answer to step 2, which does not come before it'),
    ]);
    expect(await publish([{ ...single, next: test('f'.repeat(24), 'red') }])).toEqual([
      expect.stringContaining('it tests the answer to a step that is gone'),
    ]);
    expect(await publish([{ ...single, next: test(0, 'green') }])).toEqual([
      expect.stringContaining('"green" is none of the answers'),
    ]);
    expect(await publish([{ ...single, title: '{{answer "1"}}' }, single])).toEqual([
      expect.stringContaining('it shows the answer to step 2, which does not come before it'),
    ]);
  });

  it('reject a request that is no rule', async () => {
    const wrong = [
      [{ go: 'nowhere' }],
      [{ when: {}, go: 'end' }],
      [{ when: { step_id: 0, op: 'like', value: 'a' }, go: 'end' }],
      [{ when: { step_id: 0 }, go: 'end' }],
      [{ when: { step_id: 0, value: ['a'] }, go: 'end' }],
      Array.from({ length: 21 }, () => ({ go: 'end' })),
    ];
    for (const next of wrong) {
      const { status } = await api.post('/v3/edit/surveys', { name: 'Wrong', steps: [{ ...single, next }] });
      expect([next, status]).toEqual([next, 422]);
    }
  });
});

it('counts each option by its ID, with the text of an option that is gone', async () => {
  const survey = await addSurvey();
  const [single, multiple, stars, , name, , , consent] = survey.steps.map(({ id }) => id);
  const [one, two] = [await openPage(), await openPage()];
  await one.report(survey.id, single, { value: 'red' });
  await one.report(survey.id, multiple, { values: ['red', 'other'], input: 'Green' });
  await one.report(survey.id, stars, { value: 4 });
  await one.report(survey.id, name, { input: 'Ann' });
  await one.report(survey.id, consent, { value: 'true' });
  await two.report(survey.id, single, { value: 'blue' });
  await two.report(survey.id, multiple, { values: ['red'] });
  const steps = survey.steps.map((step, at) =>
    at === 0 ? { ...step, question: { ...step.question, options: [{ id: 'blue', text: 'Navy' }] } } : step,
  );
  const changed = await api.send('PATCH', `/v3/edit/surveys/${survey.id}`, { body: { steps, published_at: '$now' } });
  expect([changed.status, changed.body.messages]).toEqual([200, undefined]);
  const { body } = await api.get(`/v3/analyze/surveys/${survey.id}/stats`);
  const optionsOf = (stepId: string | undefined) =>
    body.stats.questions
      .find(({ step_id }: { step_id: string }) => step_id === stepId)
      .options.map(({ id, text, count, is_removed }: Record<string, unknown>) => [id, text, count, is_removed]);
  expect(optionsOf(single)).toEqual([
    ['blue', 'Navy', 1, false],
    ['other', 'Another', 0, false],
    ['red', 'Red', 1, true],
  ]);
  expect(optionsOf(multiple)).toEqual([
    ['red', 'Red', 2, false],
    ['blue', 'Blue', 0, false],
    ['other', 'Another', 1, false],
  ]);
  expect(optionsOf(stars).map(([id, , count]: [string, string, number]) => [id, count])).toEqual([
    ...[1, 2, 3].map((star) => [String(star), 0]),
    ...[
      ['4', 1],
      ['5', 0],
    ],
  ]);
  expect(optionsOf(consent)).toEqual([
    ['true', 'true', 1, false],
    ['false', 'false', 0, false],
  ]);
  const written = body.stats.questions.find(({ step_id }: { step_id: string }) => step_id === name);
  expect([written.kind, written.options, written.written]).toEqual(['text', [], 1]);
});
