import { dayOf, type NewsEntry, toDate } from '@usher/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { addSignedIn } from '../../../../test/sign-in.ts';
import { addResponse } from '../../../../test/use-rows.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

let now = Date.UTC(2029, 3, 7, 12);
let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
});
beforeEach(async () => {
  now = Date.UTC(2029, 3, 7, 12);
  await api.replaceAccounts();
});
afterAll(() => api.stop());

const today = () => dayOf(now);
const ago = (days: number) => `since=${new Date(now - days * DAY_MS).toISOString()}`;

async function fetchNews(query = '', as = api.account): Promise<{ since: string; news: NewsEntry[] }> {
  const { status, body } = await api.get('/v3/analyze/news', { query, as });
  expect([status, body.messages]).toEqual([200, undefined]);
  return body;
}

/** Publishes an Experience some days ago. */
async function add(kind: string, daysAgo: number, params: object = {}) {
  const noon = now;
  now = noon - daysAgo * DAY_MS;
  const steps = [{ title: 'Hi' }];
  const { status, body } = await api.post(`/v3/edit/${kind}s`, {
    ...{ name: 'Welcome', steps, published_at: '$now' },
    ...params,
  });
  now = noon;
  expect([status, body.messages]).toEqual([201, undefined]);
  return body[kind] as { id: string; steps: { id: string }[] };
}

type What = 'shown' | 'displayed' | 'started' | 'completed' | 'goal';

/** Counts so many people on one day, none of whom did it before. */
async function count(id: string, daysAgo: number, counts: Partial<Record<What, number>>) {
  const { account_id } = api.account;
  const none = {
    part_id: '',
    previous_day: -1,
    language: '',
    device: 'desktop',
    url_group_id: '',
    variant: '',
  } as const;
  const rows = Object.entries(counts).map(([what, count]) => ({
    ...{ account_id, experience_id: id, day: today() - daysAgo, what: what as What, ...none, count },
  }));
  await api.app.storage.write(account_id, async (db) => {
    await db.insertInto('activity_counts').values(rows).execute();
    const { started = 0, shown = 0 } = counts;
    await db
      .insertInto('experience_counts')
      .values({
        ...{ account_id, experience_id: id, started_count: started, displayed_count: shown },
        ...{ completed_count: 0, exited_count: 0 },
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

const changed = async (query = '') => (await fetchNews(query)).news.filter(({ type }) => type === 'changed');

describe('a changed number', () => {
  it('is compared before and after the last time that the Experience was published', async () => {
    const tour = await add('tour', 60);
    for (let day = 13; day >= 0; day--)
      await count(tour.id, day, { shown: 50, started: 50, completed: day > 3 ? 31 : 15 });
    expect(await changed(ago(5))).toMatchObject([{ measure: 'completion', moment: null }]);
    const noon = now;
    now = noon - 4 * DAY_MS;
    await api.patch(`/v3/edit/tours/${tour.id}`, { name: 'Welcome 2', published_at: '$now' });
    now = noon;
    const [entry, ...others] = await changed(ago(5));
    expect(others).toEqual([]);
    expect(entry).toEqual({
      type: 'changed',
      target: { type: 'tour', id: tour.id, name: 'Welcome 2' },
      from: toDate(today() - 3),
      until: toDate(today()),
      measure: 'completion',
      before: { from: toDate(today() - 11), until: toDate(today() - 5), value: 31 / 50, people: 350 },
      after: { from: toDate(today() - 3), until: toDate(today()), value: 15 / 50, people: 200 },
      moment: { what: 'published', at: new Date(noon - 4 * DAY_MS).toISOString(), change_id: expect.any(String) },
      ...{ since: null, count: null, comments_count: null, step: null },
    });
    expect(await fetchNews(ago(5), api.other)).toMatchObject({ news: [] });
  });

  it('is the start rate, the rate of the goal, or the number of people', async () => {
    const [started, goal, people] = [
      await add('tour', 90),
      await add('tour', 90, { name: 'Goal' }),
      await add('tour', 90, { name: 'People' }),
    ];
    for (let day = 70; day >= 0; day--) {
      const isAfter = day <= 3;
      await count(started.id, day, { shown: 100, displayed: 100, started: isAfter ? 80 : 40 });
      await count(goal.id, day, { shown: 100, goal: isAfter ? 10 : 30 });
      await count(people.id, day, { shown: isAfter ? 300 : 100 + (day % 5) });
    }
    const found = new Map((await changed(ago(3))).map((entry) => [entry.target.id, entry]));
    expect(found.get(started.id)).toMatchObject({ measure: 'start', before: { value: 0.4 }, after: { value: 0.8 } });
    expect(found.get(goal.id)).toMatchObject({ measure: 'goal', before: { value: 0.3 }, after: { value: 0.1 } });
    expect(found.get(people.id)).toMatchObject({
      measure: 'people',
      after: { value: 900, from: toDate(today() - 3), until: toDate(today() - 1) },
    });
  });

  it('is the NPS', async () => {
    const survey = await add('survey', 30, { steps: [{ title: 'How likely?', preset: 'survey_nps' }] });
    const { account_id } = api.account;
    const step_id = survey.steps[0]?.id ?? '';
    const rows = Array.from({ length: 20 }, (_, day) => [
      { day, value: day > 4 ? '10' : '2', count: 30 },
      { day, value: '7', count: 10 },
    ]).flat();
    await api.app.storage.write(account_id, (db) =>
      db
        .insertInto('score_counts')
        .values(
          rows.map(({ day, ...row }) => ({
            ...{ account_id, experience_id: survey.id, step_id, next_day: 2 ** 31 - 1, day: today() - day },
            ...row,
          })),
        )
        .execute(),
    );
    await count(survey.id, 0, { shown: 1 });
    expect(await changed(ago(4))).toMatchObject([
      { measure: 'nps', before: { value: 75, people: 200 }, after: { value: -75, people: 200 } },
    ]);
  });

  it('names the Segment or the Environment that changed before it', async () => {
    // The clock of an account never goes back, so everything is made in the order of time.
    now -= 60 * DAY_MS;
    const { segment } = (await api.post('/v3/edit/segments', { name: 'Pro', items: [] })).body;
    const tour = await add('tour', 0, { segment_ids: [segment.id] });
    now += 60 * DAY_MS;
    for (let day = 13; day >= 0; day--)
      await count(tour.id, day, { shown: 50, started: 50, completed: day > 3 ? 31 : 15 });
    now -= 4 * DAY_MS;
    const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
    await api.patch(`/v3/edit/segments/${segment.id}`, { items });
    now += 4 * DAY_MS;
    expect(await changed(ago(5))).toMatchObject([{ moment: { what: 'segment', change_id: expect.any(String) } }]);
  });

  it('is left out when it can be chance, when users do not see the Experience any more, and without people', async () => {
    const [same, paused] = [await add('tour', 60), await add('tour', 60, { name: 'Paused' })];
    await add('tour', 60, { name: 'Unused' });
    for (let day = 13; day >= 0; day--) {
      await count(same.id, day, { shown: 50, started: 50, completed: 25 + (day % 3) });
      await count(paused.id, day, { shown: 50, started: 50, completed: day > 3 ? 40 : 10 });
    }
    await api.patch(`/v3/edit/tours/${paused.id}`, { published_at: null });
    expect(await fetchNews(ago(4))).toMatchObject({ news: [] });
  });
});

describe('facts', () => {
  it('lists what went live, with how many people have seen it', async () => {
    const [many, few] = [
      await add('launcher', 2, { steps: undefined, items: [{ title: 'Help', url: '/help' }] }),
      await add('tour', 3),
    ];
    await add('tour', 20, { name: 'Old' });
    await add('tour', 1, { name: 'Demo: welcome to Harbor' });
    await count(many.id, 1, { shown: 1204 });
    const { news } = await fetchNews(ago(5));
    expect(news.map(({ type, target, count, from }) => [type, target.id, count, from])).toEqual([
      ['went_live', many.id, 1204, toDate(today() - 2)],
      ['went_live', few.id, 0, toDate(today() - 3)],
    ]);
  });

  it('counts new Responses and those with a comment, without test users', async () => {
    const survey = await add('survey', 40, { steps: [{ title: 'How likely?', preset: 'survey_nps' }] });
    const { account_id } = api.account;
    const respond = async (uid: string, params: object, custom: object = {}) => {
      const { profile } = (await api.post('/v3/observe/hooks/profiles', { uid, ...custom })).body;
      await addResponse(api.app, { account_id, experience_id: survey.id, profile_id: profile.id }, params);
    };
    now -= 9 * DAY_MS;
    await respond('old', { value: '9' });
    now += 9 * DAY_MS;
    await respond('ann', { value: '9', button_index: 9 });
    await respond('bob', { input: 'Too slow' });
    await respond('test', { input: 'Try' });
    await api.app.storage.write(account_id, (db) =>
      db
        .updateTable('profiles')
        .set({ is_test: true })
        .where('account_id', '=', account_id)
        .where('uid', '=', 'test')
        .execute(),
    );
    expect((await fetchNews(ago(2))).news).toMatchObject([
      { type: 'responses', target: { id: survey.id, type: 'survey' }, count: 2, comments_count: 1 },
    ]);
  });

  it('puts a step that began to fail first, and lists 5 at most', async () => {
    // One after the other: each sets the clock.
    const tours: Awaited<ReturnType<typeof add>>[] = [];
    for (let at = 0; at < 6; at++) tours.push(await add('tour', 2, { name: `Tour ${at}` }));
    const { account_id } = api.account;
    const step = { ...{ account_id, part_id: tours[3]?.steps[0]?.id ?? '', path: '/', browser: 'chrome' as const } };
    await api.app.storage.write(account_id, (db) =>
      db
        .insertInto('failing_steps')
        .values({
          ...{ ...step, experience_id: tours[3]?.id ?? '', is_failing: true, since: now - DAY_MS },
          ...{ users_count: 20, total_users_count: 40, checked_at: now },
        })
        .execute(),
    );
    const { news } = await fetchNews(ago(5));
    expect(news).toHaveLength(5);
    expect(news[0]).toMatchObject({
      ...{ type: 'step_failing', target: { id: tours[3]?.id }, count: 20 },
      ...{ step: { index: 0 }, since: new Date(now - DAY_MS).toISOString() },
    });
    expect((await fetchNews(ago(1))).news.filter(({ type }) => type === 'step_failing')).toEqual([]);
  });
});

describe('since', () => {
  it('is the last visit of each administrator to Home, and stays when Home is loaded again', async () => {
    const [{ browser: ann }, { browser: bob }] = [await addSignedIn(api, 'viewer'), await addSignedIn(api, 'viewer')];
    const sinceOf = async (browser: typeof ann) => Date.parse((await browser.get('/v3/analyze/news')).body.since);
    const leave = async () => expect((await ann.post('/v3/session/home_visits')).status).toBe(200);
    expect(await sinceOf(ann)).toBe(now - 7 * DAY_MS);
    const first = now;
    await leave();
    now += 3 * DAY_MS;
    expect([await sinceOf(ann), await sinceOf(bob)]).toEqual([first, now - 7 * DAY_MS]);
    await leave();
    expect(await sinceOf(ann)).toBe(first);
    now += 2 * HOUR_MS;
    expect(await sinceOf(ann)).toBe(now - DAY_MS);
  });

  it('begins a day ago at least and 30 days ago at most, and must be a time', async () => {
    expect((await fetchNews('since=$now')).since).toBe(new Date(now - DAY_MS).toISOString());
    expect((await fetchNews('since=2000-01-01')).since).toBe(new Date(now - 30 * DAY_MS).toISOString());
    expect((await fetchNews('since=2029-04-04')).since).toBe('2029-04-04T00:00:00.000Z');
    const { status, body } = await api.get('/v3/analyze/news', { query: 'since=soon' });
    expect([status, body.messages]).toEqual([422, [expect.stringContaining('`since`')]]);
  });
});
