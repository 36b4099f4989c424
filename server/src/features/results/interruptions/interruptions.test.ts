import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { recountUse } from '../../../../test/use-rows.ts';
import { newUid, openDomain, visit } from '../../../../test/visiting.ts';
import { sweepActivities } from '../../experiences/sweep-activities.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
/** A Wednesday. */
const START = Date.parse('2029-04-11T10:00:00.000Z');
let now = START;
let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
});
afterAll(() => api.stop());
beforeEach(async () => {
  now = START;
  await api.replaceAccounts();
  await openDomain(api);
});

interface Made {
  id: string;
  steps: { id: string }[];
}

async function make(kind = 'tour', params: object = {}): Promise<Made> {
  const asks = kind === 'survey' ? { preset: 'survey_nps' } : {};
  const steps = [{ title: 'One', ...asks }, { title: 'Two' }];
  const { status, body } = await api.post(`/v3/edit/${kind}s`, { name: 'One', steps, published_at: '$now', ...params });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body[kind];
}

const open = async (uid: string, params: object = {}) => (await visit(api, { uid, ...params })).body;

async function report(visit_token: string, { id }: Made, params: object): Promise<void> {
  const { status, body } = await api.post(
    '/v3/observe/interactions',
    { visit_token, experience_id: id, href: 'https://app.example.com/dashboard', ...params },
    { as: null },
  );
  expect([status, body.messages]).toEqual([200, undefined]);
}

/** Shows both steps for 20 seconds each. Each report comes twice, as from a page that has lost the response. */
async function see(made: Made, uid: string, params: object = {}): Promise<void> {
  const token = (await open(uid)).visit.token;
  const twice = async (what: object) => {
    await report(token, made, what);
    await report(token, made, what);
  };
  await twice({ state: 'started', step_id: made.steps[0]?.id, elapsed: 1000, ...params });
  now += 20_000;
  await twice({ step_id: made.steps[1]?.id, elapsed: 21_000 });
  now += 20_000;
  await twice({ state: 'completed', elapsed: 41_000 });
}

async function ok(path: string, query = '') {
  const { status, body } = await api.get(path, { query });
  expect([status, body.messages]).toEqual([200, undefined]);
  return body;
}
const weeksOf = async (weeks = 1) => (await ok('/v3/analyze/interruptions', `weeks=${weeks}`)).interruptions;
const peopleOf = async (query: string): Promise<string[]> =>
  (await ok('/v3/analyze/interruptions/people', query)).people.map(({ uid }: { uid: string }) => uid).sort();
const short = ({ people, median, p90, max }: Record<string, number>) => [people, median, p90, max];
const thisWeek = async () => (await weeksOf()).weeks[0];

async function readCounts() {
  const rows = (await accountRows(api.app, api.account.account_id)).interruption_counts ?? [];
  return rows.filter((row) => JSON.parse(row).count !== 0);
}
const rowsOf = async () => (await accountRows(api.app, api.account.account_id)).interruption_days ?? [];

async function expectExact(): Promise<void> {
  const kept = await readCounts();
  await recountUse(api.app, api.account.account_id);
  expect(kept).toEqual(await readCounts());
}

describe('the interruptions of a week', () => {
  it('counts showings that started automatically, their steps and their seconds, however often pages report', async () => {
    const [ann, ben, cem] = [newUid(), newUid(), newUid()];
    const [first, second] = [await make(), await make()];
    await see(first, ann);
    await see(second, ann);
    await see(first, ben);
    await open(cem);
    const { known_people, known_from, weeks } = await weeksOf();
    expect([known_people, known_from, weeks[0].week]).toEqual([3, null, '2029-04-09']);
    expect(short(weeks[0].interruptions)).toEqual([2, 1, 2, 2]);
    expect(short(weeks[0].steps)).toEqual([2, 2, 4, 4]);
    expect(short(weeks[0].seconds)).toEqual([2, 40, 80, 80]);
    expect(weeks[0].interruptions.buckets.slice(0, 4)).toEqual([
      { least: 0, most: 0, people: 1 },
      { least: 1, most: 1, people: 1 },
      { least: 2, most: 2, people: 1 },
      { least: 3, most: 3, people: 0 },
    ]);
    await expectExact();
  });

  it.each([
    ['a launcher that opened a tour', 'tour', { group_kind: 'launcher' }],
    ['a link that opened a survey', 'survey', { group_kind: 'link' }],
    ['an embed', 'embed', {}],
  ])('does not count %s', async (_, kind, params) => {
    const steps = kind === 'embed' ? [{ title: 'Hi', elements: [{ selector: 'main' }], position_type: 'inline' }] : [];
    const made = await make(kind, steps.length > 0 ? { steps: [...steps, ...steps] } : {});
    await see(made, newUid(), params);
    expect(short((await thisWeek()).interruptions)).toEqual([0, null, null, null]);
    expect(await readCounts()).toEqual([]);
  });

  it('begins weeks on Monday in the time zone of the account', async () => {
    await api.patch('/v3/edit/account', { time_zone: 'Asia/Tokyo' });
    const made = await make();
    const [ann, ben] = [newUid(), newUid()];
    now = Date.parse('2029-04-15T14:00:00.000Z');
    await see(made, ann);
    now = Date.parse('2029-04-15T16:00:00.000Z');
    await see(made, ben);
    const { weeks } = await weeksOf(2);
    expect(weeks.map(({ week, interruptions }: never) => [week, (interruptions as { people: number }).people])).toEqual(
      [
        ['2029-04-09', 1],
        ['2029-04-16', 1],
      ],
    );
    expect(await peopleOf('week=2029-04-15&least=1')).toEqual([ann]);
    expect(await peopleOf('week=2029-04-18&least=1')).toEqual([ben]);
  });

  it('shows a week that began before the time zone was moved west when it begins there', async () => {
    await api.patch('/v3/edit/account', { time_zone: 'Asia/Tokyo' });
    const [first, second] = [await make(), await make()];
    const ann = newUid();
    now = Date.parse('2029-04-15T14:00:00.000Z');
    await see(first, ann);
    now = Date.parse('2029-04-15T16:00:00.000Z');
    await see(second, ann);
    await api.patch('/v3/edit/account', { time_zone: 'UTC' });
    expect(short((await thisWeek()).interruptions)).toEqual([1, 1, 1, 1]);
    expect(await peopleOf('week=2029-04-15&least=1&most=1')).toEqual([ann]);
    now = Date.parse('2029-04-16T01:00:00.000Z');
    expect(short((await thisWeek()).interruptions)).toEqual([1, 1, 1, 1]);
  });

  it('is exact when users are cleared, forgotten, merged and marked, and when an Experience is deleted', async () => {
    const uids = Array.from({ length: 5 }, newUid);
    const [ann = '', bob = '', cat = '', dan = ''] = uids;
    const [first, second] = [await make(), await make('survey')];
    for (const uid of uids) {
      await see(first, uid);
      await see(second, uid);
      now += DAY;
    }
    now = START + 3 * DAY;
    const idOf = async (uid: string) => (await api.post('/v3/observe/hooks/profiles', { uid })).body.profile.id;
    const peopleIn = async () => (await weeksOf(2)).weeks.map((week: Record<string, never>) => week.interruptions);
    const sumOf = async () =>
      (await peopleIn()).reduce((sum: number, { people }: { people: number }) => sum + people, 0);
    expect(await sumOf()).toBe(5);
    await api.send('DELETE', `/v3/edit/profiles/${await idOf(ann)}`);
    await expectExact();
    expect(await sumOf()).toBe(4);
    await api.send('DELETE', `/v3/edit/profiles/${await idOf(bob)}/forget`);
    await expectExact();
    expect(await sumOf()).toBe(3);
    for (const test of [true, false]) {
      await api.patch(`/v3/edit/profiles/${await idOf(cat)}`, { test });
      await expectExact();
      expect(await sumOf()).toBe(test ? 2 : 3);
    }
    await api.patch('/v3/edit/account', { anonymous_users: true, trust_pages: true });
    const { profile, visit: anonymous } = (await visit(api, {})).body;
    await report(anonymous.token, first, { state: 'started', step_id: first.steps[0]?.id, elapsed: 1000 });
    await expectExact();
    const before = (await thisWeek()).interruptions.people;
    await open(dan, { anonymous_uid: profile.uid });
    await expectExact();
    expect((await thisWeek()).interruptions).toMatchObject({ people: before - 1, max: 3 });
    await api.send('DELETE', `/v3/edit/surveys/${second.id}`);
    await expect.poll(async () => (await thisWeek()).interruptions.max).toBe(2);
    await expectExact();
  });

  it('keeps the counts of whole weeks whose rows were deleted because of their age', async () => {
    const made = await make();
    await see(made, newUid());
    const before = await readCounts();
    now += 10 * DAY;
    await sweepActivities(api.app, 12);
    expect(await rowsOf()).toHaveLength(1);
    now += 7 * DAY;
    await sweepActivities(api.app, 7);
    expect(await rowsOf()).toEqual([]);
    expect(await readCounts()).toEqual(before);
  });

  it('rejects wrong params, and shows nothing of another account', async () => {
    await see(await make(), newUid());
    for (const query of ['weeks=0', 'weeks=54', 'weeks=x']) {
      const { status, body } = await api.get('/v3/analyze/interruptions', { query });
      expect([status, body.messages]).toEqual([422, [expect.stringContaining('`weeks`')]]);
    }
    const { status, body } = await api.get('/v3/analyze/interruptions/people', {
      query: 'week=2029-04-09&least=3&most=2',
    });
    expect([status, body.messages]).toEqual([422, ['`least` must not be greater than `most`']]);
    const other = (await api.get('/v3/analyze/interruptions', { as: api.other })).body.interruptions;
    expect(other.weeks.at(-1).interruptions.people).toBe(0);
  });
});

describe('the people of a bucket', () => {
  it('are listed, downloaded and saved as a Segment', async () => {
    const [ann, ben, cem] = [newUid(), newUid(), newUid()];
    const [first, second] = [await make(), await make()];
    await see(first, ann);
    await see(second, ann);
    await see(first, ben);
    await open(cem);
    const week = 'week=2029-04-09';
    expect(await peopleOf(`${week}&least=2`)).toEqual([ann]);
    expect(await peopleOf(`${week}&least=1&most=1`)).toEqual([ben]);
    expect(await peopleOf(`${week}&least=0&most=0`)).toEqual([cem]);
    expect(await peopleOf(`${week}&measure=seconds&least=61`)).toEqual([ann]);
    expect(await peopleOf('week=2029-04-02&least=1')).toEqual([]);
    const file = await api.get('/v3/analyze/interruptions/people.csv', { query: `${week}&least=2` });
    expect(file.status).toBe(200);
    const saved = await api.post('/v3/edit/interruptions/people', {
      week: '2029-04-09',
      least: 1,
      name: 'Interrupted',
    });
    expect([saved.status, saved.body.people_count, saved.body.segment.name]).toEqual([201, 2, 'Interrupted']);
  });
});

describe('a limit group with steps and seconds', () => {
  const shows = async (uid: string) => (await open(uid)).experiences.map(({ id }: { id: string }) => id);
  const limit = (params: object) =>
    api.post('/v3/edit/limit_groups', { name: 'Calm', max_count: 9, period_hours: 24, ...params });

  it.each([
    ['steps', { max_steps: 2 }, 'the user had 2 steps today, and 2 steps are the most'],
    ['seconds', { max_seconds: 40 }, 'the user had 40 seconds today, and 40 seconds are the most'],
  ])('stops others after as many %s, until the next day, and says so', async (_, params, words) => {
    const [first, second] = [await make(), await make()];
    expect((await limit(params)).status).toBe(201);
    const uid = newUid();
    expect(await shows(uid)).toContain(first.id);
    await see(first, uid);
    expect(await shows(uid)).toEqual([]);
    const { body } = await api.post(`/v3/edit/tours/${second.id}/explanations`, {
      uid,
      href: 'https://app.example.com/dashboard',
    });
    expect(JSON.stringify(body)).toContain(words);
    now += DAY;
    expect(await shows(uid)).toEqual([second.id]);
  });

  it('needs a period of whole days, which is explained', async () => {
    const { status, body } = await limit({ max_steps: 5, period_hours: 2 });
    expect([status, body.messages]).toEqual([
      422,
      [expect.stringContaining('`max_steps` needs a period of whole days')],
    ]);
    const made = (await limit({ max_steps: 5 })).body.limit_group;
    expect(made).toMatchObject({ max_steps: 5, max_seconds: null });
    const changed = await api.patch(`/v3/edit/limit_groups/${made.id}`, { max_steps: null, period_hours: 2 });
    expect(changed.body.limit_group).toMatchObject({ max_steps: null, period_hours: 2 });
  });
});

describe('the check before publishing', () => {
  it('says what publishing adds, for the people of the audience, and warns if many had many', async () => {
    const busy = newUid();
    await api.post('/v3/observe/hooks/profiles', { uid: busy, plan: 'pro' });
    await api.post('/v3/observe/hooks/profiles', { uid: newUid(), plan: 'free' });
    const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
    const segment = async (value: string) =>
      (await api.post('/v3/edit/segments', { name: value, items: [{ ...items[0], value }] })).body.segment.id;
    for (let n = 0; n < 4; n++) await see(await make(), busy);
    const check = async (params: object, kind = 'tour') => {
      const { id } = await make(kind, { published_at: null, ...params });
      return (await ok(`/v3/edit/${kind}s/${id}/publish_check`)).publish_check;
    };
    const warned = ({ warnings }: { warnings: { code: string }[] }) =>
      warnings.some(({ code }) => code === 'many_interruptions');
    const pro = await check({ segment_ids: [await segment('pro')], repeat_days: 3 });
    expect(pro.interruptions).toEqual({
      ...{ adds: 3, weeks: 4, people: 1, median: 4, max: 4, busy_people: 1, many: 3, is_complete: true },
    });
    expect(warned(pro)).toBe(true);
    const free = await check({ segment_ids: [await segment('free')] });
    expect(free.interruptions).toMatchObject({ adds: 1, people: 0, median: null, max: null, busy_people: 0 });
    expect(warned(free)).toBe(false);
    expect((await check({ style: 'manual' })).interruptions).toBe(null);
  });
});
