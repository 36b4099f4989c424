import { firstIdAt } from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { engine } from '../../../../test/engine.ts';
import { explain } from '../../../../test/explain.ts';
import { addResponse } from '../../../../test/use-rows.ts';

let api: Api;
let survey: { id: string; steps: { id: string; buttons: { id: string }[] }[] };
beforeAll(async () => {
  api = await startApi({ inTest: false });
  const { status, body } = await api.post('/v3/edit/surveys', { name: 'Asks', steps });
  expect([status, body.messages]).toEqual([201, undefined]);
  survey = body.survey;
  await addAll();
});
afterAll(() => api.stop());

const path = '/v3/analyze/responses';
const START = Date.UTC(2029, 3, 7, 12, 18);
const DAY_MS = 24 * 60 * 60_000;
const options = [
  { id: 'fast', text: 'It is fast' },
  { id: 'cheap', text: 'It is cheap' },
];
const steps = [
  { title: 'Score?', preset: 'survey_nps' },
  { title: 'Why?', question: { kind: 'multiple', options, other_text: 'Else' } },
  { title: 'Which?', preset: 'survey_dropdown', dropdown_items: ['7', '8'], other_text: 'Else' },
  { title: 'How?', preset: 'survey_two', buttons: [{ text: 'Good' }, { text: 'Bad' }] },
  { title: 'More?', preset: 'survey_input' },
];
const stepOf = (index: number) => survey.steps[index]?.id ?? '';
const idOf: Record<string, string> = {};
const uidOf = new Map<string, string>();

/** Each user answers one Response, on a day of their own. */
async function addAll(): Promise<void> {
  const chosen = (...ids: string[]) => JSON.stringify(options.filter(({ id }) => ids.includes(id)));
  const score = (value: number) => ({
    step_id: stepOf(0),
    value: String(value),
    button_index: value,
    button_text: String(value),
  });
  const other = JSON.stringify([{ id: 'other', text: 'Else' }]);
  await add('ann', { language: 'de' }, { plan: 'pro' }, score(9), {
    step_id: stepOf(1),
    choices: chosen('fast', 'cheap'),
  });
  await add('bea', { language: '', finished_at: START }, { plan: 'free' }, score(3), {
    step_id: stepOf(4),
    input: 'Too SLOW, für mich',
  });
  await add('cem', {}, { plan: 'pro' }, { step_id: stepOf(2), value: '7', button_index: 0 });
  await add('dan', { language: '' }, { plan: 'pro' }, { step_id: stepOf(2), value: 'Slow support' });
  const button = survey.steps[3]?.buttons[1]?.id ?? '';
  await add(
    'eve',
    { finished_at: START },
    {},
    { ...score(9), input: 'ÜBER' },
    { step_id: stepOf(3), button_id: button, button_index: 1, button_text: 'Bad' },
  );
  await add('fay', {}, {}, score(0), { step_id: stepOf(1), choices: other, input: 'Colors' });
}

type Answer = Parameters<typeof addResponse>[2];
async function add(uid: string, row: object, custom: object, ...answers: object[]): Promise<void> {
  const { body } = await api.post('/v3/observe/hooks/profiles', { uid, ...custom });
  const of = { account_id: api.account.account_id, experience_id: survey.id, profile_id: body.profile.id };
  const id = firstIdAt(START + uidOf.size * DAY_MS);
  const [first, ...more] = answers as NonNullable<Answer>[];
  await addResponse(api.app, of, { id, ...row, ...first }, ...more);
  idOf[uid] = id;
  uidOf.set(id, uid);
}

async function find(params: object): Promise<string> {
  const { status, body } = await api.post(path, { id: survey.id, ...params });
  expect([status, body.messages]).toEqual([200, undefined]);
  expect(body.cursor.before).toBeNull();
  return body.responses.map(({ id }: { id: string }) => uidOf.get(id)).join(' ');
}

/** Follows the cursor to the end, with pages of one Response. */
async function findOneByOne(params: object): Promise<string> {
  const found: string[] = [];
  for (let before: string | undefined | null; before !== null; ) {
    const { status, body } = await api.post(path, { id: survey.id, ...params, limit: 1, ...(before && { before }) });
    expect([status, body.messages]).toEqual([200, undefined]);
    found.push(...body.responses.map(({ id }: { id: string }) => uidOf.get(id)));
    before = body.cursor.before;
  }
  return found.join(' ');
}

describe('filters', () => {
  it.each<[string, () => object, string]>([
    ['none', () => ({}), 'fay eve dan cem bea ann'],
    ['scores', () => ({ min_score: 3 }), 'eve bea ann'],
    ['a range of scores', () => ({ min_score: 0, max_score: 3 }), 'fay bea'],
    ['an answered step', () => ({ step_id: stepOf(1) }), 'fay ann'],
    ['one of several options', () => ({ step_id: stepOf(1), options: ['cheap', 'x'] }), 'ann'],
    ['the other option', () => ({ step_id: stepOf(1), options: ['other'] }), 'fay'],
    ['an item of a list', () => ({ step_id: stepOf(2), options: ['7'] }), 'cem'],
    ['the other answer of a list', () => ({ step_id: stepOf(2), options: ['other'] }), 'dan'],
    ['a number', () => ({ step_id: stepOf(0), options: ['0', '3'] }), 'fay bea'],
    ['a button', () => ({ step_id: stepOf(3), options: [survey.steps[3]?.buttons[1]?.id] }), 'eve'],
    ['comments', () => ({ has_comment: true }), 'fay eve dan bea'],
    ['no comment', () => ({ has_comment: false }), 'cem ann'],
    ['a part of a comment', () => ({ search: 'slow' }), 'dan bea'],
    ['letters beyond A to Z, in any case', () => ({ search: 'über' }), 'eve'],
    ['no wildcards', () => ({ search: '%' }), ''],
    ['a language', () => ({ language: 'de' }), 'ann'],
    ['the own language', () => ({ language: 'default' }), 'dan bea'],
    ['finished', () => ({ finished: true }), 'eve bea'],
    ['open', () => ({ finished: false }), 'fay dan cem ann'],
    ['days', () => ({ from: '2029-04-08', until: '2029-04-09' }), 'cem bea'],
    ['moments', () => ({ from: '2029-04-08T12:18:00.001Z', until: '2029-04-10T12:18:00.000Z' }), 'dan cem'],
    ['several filters', () => ({ max_score: 9, has_comment: true, finished: true, search: 'für' }), 'bea'],
  ])('by %s', async (_, params, expected) => {
    expect(await find(params())).toBe(expected);
    expect(await findOneByOne(params())).toBe(expected);
  });

  it('by Segment, as its users are now', async () => {
    const filters = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
    const { body } = await api.post('/v3/edit/segments', { name: 'Pro', items: filters });
    expect(await find({ segment_id: body.segment.id })).toBe('dan cem ann');
    expect(await findOneByOne({ segment_id: body.segment.id, min_score: 1 })).toBe('ann');
    expect((await api.post(path, { id: survey.id, segment_id: 'f'.repeat(24) })).status).toBe(404);
  });

  it('by score, with all Responses on some page', async () => {
    const highest = 'eve ann bea fay dan cem';
    const lowest = 'fay bea eve ann dan cem';
    expect(await find({ order: 'highest_score' })).toBe(highest);
    expect(await findOneByOne({ order: 'highest_score' })).toBe(highest);
    expect(await findOneByOne({ order: 'lowest_score' })).toBe(lowest);
    expect(await findOneByOne({ order: 'lowest_score', has_comment: true })).toBe('fay bea eve dan');
    const { body } = await api.post(path, { id: survey.id, order: 'highest_score', limit: 6 });
    expect(body.cursor).toEqual({ limit: 6, before: null });
  });

  it.each<[object, RegExp]>([
    [{ options: ['fast'] }, /`step_id` is required/],
    [{ order: 'updated_at', has_comment: true }, /`order` cannot be `updated_at` with filters/],
    [{ order: 'highest_score', before: '2029-04-07' }, /`before` must be/],
    [{ order: 'highest_score', after: '2029-04-07' }, /`after` is for lists/],
    [{ min_score: 12 }, /`min_score`/],
    [{ step_id: 'x' }, /`step_id`/],
    [{ search: ' ' }, /`search`/],
    [{ has_comment: 'maybe' }, /`has_comment`/],
    [{ has_comment: true, before: 't1-ffffffffffffffffffffffff' }, /another order/],
  ])('are rejected as in %j', async (params, message) => {
    const { status, body } = await api.post(path, { id: survey.id, ...params });
    expect(status).toBe(422);
    expect(body.messages).toEqual([expect.stringMatching(message)]);
  });
});

it('shows details only on request', async () => {
  const plain = await api.post(path, { id: survey.id, search: 'too slow' });
  expect(plain.body.responses[0]).not.toHaveProperty('details');
  const { body } = await api.get(path, { query: `id=${survey.id}&search=too+slow&details=true&properties=plan,none` });
  expect(body.responses[0].details).toEqual({
    ...{ score: 3, comment: 'Too SLOW, für mich', language: 'default', tags: [], properties: { plan: 'free' } },
    ...{ link_id: null, segment_ids: [] },
  });
});

describe('Tags', () => {
  const update = (params: object, as = api.account) => api.send('PATCH', '/v3/edit/responses', { body: params, as });
  const tags = async () => (await api.get(`${path}/tags`, { query: `id=${survey.id}` })).body.tags;

  it('are added to several Responses, and removed', async () => {
    const ids = ['ann', 'bea', 'dan'].map((uid) => idOf[uid]);
    const { status, body } = await update({ ids, add_tags: ['pricing ', 'Übersicht'] });
    expect([status, body.messages]).toEqual([200, undefined]);
    expect(
      body.responses.map(({ id, details }: never) => [uidOf.get(id), (details as { tags: string[] }).tags]),
    ).toEqual(['dan', 'bea', 'ann'].map((uid) => [uid, ['pricing', 'Übersicht']]));
    await update({ ids: ids.slice(0, 1), add_tags: ['pricing'], remove_tags: ['Übersicht'] });
    const latest = await api.get(path, { query: `id=${survey.id}&order=updated_at&limit=1` });
    expect(latest.body.responses[0].id).toBe(idOf.ann);
    expect(await tags()).toEqual([
      { name: 'pricing', count: 3 },
      { name: 'Übersicht', count: 2 },
    ]);
    expect(await find({ tag: 'Übersicht' })).toBe('dan bea');
    expect(await findOneByOne({ tag: 'pricing', has_comment: true })).toBe('dan bea');
    expect(await findOneByOne({ tag: 'pricing', order: 'lowest_score' })).toBe('bea ann dan');
  });

  it('change nothing if a Response is not there, or belongs to another account', async () => {
    const before = await accountRows(api.app, api.account.account_id);
    const ids = [idOf.ann, 'f'.repeat(24)];
    expect((await update({ ids, add_tags: ['x'] })).status).toBe(404);
    expect((await update({ ids: [idOf.ann], add_tags: ['x'] }, api.other)).status).toBe(404);
    expect((await update({ ids: [], add_tags: ['x'] })).status).toBe(422);
    expect((await update({ ids: [idOf.ann], add_tags: ['x'], remove_tags: ['x'] })).status).toBe(422);
    const many = Array.from({ length: 20 }, (_, at) => `tag ${at}`);
    expect((await update({ ids: [idOf.ann], add_tags: many })).body.messages).toEqual([
      expect.stringContaining('20 at most'),
    ]);
    expect(await accountRows(api.app, api.account.account_id)).toEqual(before);
  });

  it('are gone with the Response, and with its user', async () => {
    const { body } = await api.post('/v3/observe/hooks/profiles', { uid: 'gone' });
    const of = { account_id: api.account.account_id, experience_id: survey.id, profile_id: body.profile.id };
    const ids = [await addResponse(api.app, of), await addResponse(api.app, of)];
    await update({ ids, add_tags: ['temporary'] });
    await api.send('DELETE', `/v3/edit/responses/${ids[0]}`);
    expect(await tags()).toContainEqual({ name: 'temporary', count: 1 });
    expect((await api.send('DELETE', `/v3/edit/profiles/${of.profile_id}`)).status).toBe(200);
    const { response_tags = [] } = await accountRows(api.app, api.account.account_id);
    expect(response_tags.filter((row) => row.includes('temporary'))).toEqual([]);
  });
});

it('downloads what the list shows with the same filters', async () => {
  const query = `id=${survey.id}&from=2029-04-01&until=2029-04-30&max_score=3&details=true&properties=plan`;
  const { status, text } = await api.get(`${path}.csv`, { query });
  expect(status).toBe(200);
  const [head, ...lines] = text.trim().split('\r\n');
  expect(head).toMatch(/^id,created_at,.*,score,language,tags,plan$/);
  expect(lines.map((line) => [uidOf.get(line.slice(0, 24)), line.split(',').slice(-4).join(',')])).toEqual([
    ['fay', '0,,,'],
    ['bea', 'default,"pricing, Übersicht",free'],
  ]);
  expect((await api.get(`${path}.csv`, { query: `id=${survey.id}&options=fast` })).status).toBe(422);
});

/** A list that sorts would read all Responses for each page. */
it.each(['created_at', 'highest_score'])('reads a page by %s as a range of an index', async (order) => {
  if (engine === 'postgres') return;
  const filter = order === 'created_at' ? "and id < 'g' order by id desc" : 'and score = 9 order by id desc';
  const plan = await explain(
    api,
    `select * from responses where account_id = '${api.account.account_id}' and experience_id = '${survey.id}' ${filter} limit 51`,
  );
  expect(plan).toContain(order === 'created_at' ? 'responses_by_experience' : 'responses_by_score');
  expect(plan).not.toMatch(/temp b-tree/i);
});
