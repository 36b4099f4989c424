import { toDate } from '@usher/domain';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomRuns } from '../../../../../domain/test/random-runs.ts';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { loadPage, type OpenPage } from '../../../../test/open-page.ts';
import { recountUse } from '../../../../test/use-rows.ts';
import { sweepActivities } from '../../experiences/sweep-activities.ts';

/*
 * The counts that requests keep, compared with counts that are made again from the rows of all users. `results.test.ts` compares those with
 * SQL over the rows.
 */

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.UTC(2029, 3, 7, 20);
const USERS = 4;
const GOAL = 'Signed up';
let api: Api;
let now = START;
let run = 0;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
});
afterAll(() => api.stop());

interface Made {
  id: string;
  steps: { id: string; buttons: { id: string }[] }[];
}

async function make(kind: string, params: object): Promise<Made> {
  const { status, body } = await api.post(`/v3/edit/${kind}`, { name: kind, published_at: '$now', ...params });
  expect([status, body.messages]).toEqual([201, undefined]);
  return Object.values(body)[0] as Made;
}

const makeTour = () =>
  make('tours', { goal: GOAL, steps: [{ title: 'One', buttons: [{ text: 'Next' }] }, { title: 'Two' }] });
const makeSurvey = () =>
  make('surveys', {
    steps: [
      { title: 'How likely?', preset: 'survey_nps' },
      { title: 'How was it?', preset: 'survey_two', buttons: [{ text: 'Good' }, { text: 'Bad' }] },
      { title: 'Which plan?', preset: 'survey_dropdown', dropdown_items: ['Free', 'Pro'], other_text: 'Another' },
    ],
  });

const countTables = ['activity_counts', 'answer_counts', 'score_counts', 'experience_counts'];

/** The rows of all counts. Reading the Experiences first brings their last times up to date. */
async function readCounts(): Promise<Record<string, string[]>> {
  await api.get('/v3/edit/experiences', { query: 'limit=500' });
  const rows = await accountRows(api.app, api.account.account_id);
  const parsed = countTables.map((table) => [
    table,
    // The row of an Experience stays when it has no users any more.
    (rows[table] ?? []).map((row) => JSON.parse(row)).filter((row) => row.count ?? sumOf(row)),
  ]);
  return Object.fromEntries(parsed);
}

const sumOf = (row: Record<string, number>) =>
  ['started', 'completed', 'exited', 'displayed'].reduce((sum, state) => sum + (row[`${state}_count`] ?? 0), 0);

async function expectExact(): Promise<void> {
  const kept = await readCounts();
  await recountUse(api.app, api.account.account_id);
  expect(kept).toEqual(await readCounts());
}

const user = fc.nat(USERS - 1);
const value = fc.constantFrom('0', '7', '10');
const item = fc.constantFrom('Free', 'Pro', 'My own');
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ op: fc.constant('load' as const), user }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('wait' as const), hours: fc.constantFrom(1, 5, 24) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      op: fc.constant('tour' as const),
      page: fc.nat(5),
      report: fc.constantFrom('displayed', 'started', 'completed', 'exited', 'snoozed', 'step', 'button'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ op: fc.constant('answer' as const), page: fc.nat(2), part: fc.nat(2), value, item }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('track' as const), page: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('clear' as const), user }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('forget' as const), user }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('mark' as const), user, test: fc.option(fc.boolean()) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('email' as const), user, test: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('patterns' as const), test: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('unanswer' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('zone' as const),
      time_zone: fc.constantFrom('Asia/Tokyo', 'UTC', 'America/Lima'),
    }),
  },
);

const sweep = fc.record({ op: fc.constant('sweep' as const) });
/** A user loads a page and does something, and some time passes. */
const visit = fc.tuple(
  fc.record({ op: fc.constant('load' as const), user: fc.nat(1) }),
  fc.record({
    op: fc.constant('tour' as const),
    page: fc.constant(0),
    report: fc.constantFrom('displayed', 'started', 'step', 'button'),
  }),
  fc.record({ op: fc.constant('wait' as const), hours: fc.constantFrom(5, 24) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function take(one: Step, tour: Made, survey: Made, pages: OpenPage[]): Promise<void> {
  const uidOf = (n: number) => `run ${run} user ${n}`;
  const save = (n: number, params = {}) => api.post('/v3/observe/hooks/profiles', { uid: uidOf(n), ...params });
  const idOf = async (n: number): Promise<string> => (await save(n)).body.profile.id;
  // Pages that were opened last come first. Reports of pages that were open for too long are rejected.
  const pageAt = (n: number) => pages.at(-1 - (n % Math.max(pages.length, 1)));
  switch (one.op) {
    case 'load':
      pages.push(await loadPage(api, uidOf(one.user)));
      break;
    case 'wait':
      now += one.hours * HOUR_MS;
      break;
    case 'tour': {
      const [first] = tour.steps;
      const report =
        one.report === 'step'
          ? { step_id: first?.id }
          : one.report === 'button'
            ? { step_id: first?.id, button_id: first?.buttons[0]?.id }
            : { state: one.report };
      now += 11_000;
      await pageAt(one.page)?.report({ experience_id: tour.id, showing: 1, ...report });
      break;
    }
    case 'answer': {
      const part = survey.steps[one.part];
      const response = [
        { value: one.value },
        { button_id: part?.buttons[Number(one.value) % 2]?.id },
        { value: one.item },
      ][one.part];
      await pageAt(one.page)?.report({ experience_id: survey.id, step_id: part?.id, response });
      break;
    }
    case 'track':
      await pageAt(one.page)?.track({ name: GOAL });
      break;
    case 'clear':
      expect((await api.send('DELETE', `/v3/edit/profiles/${await idOf(one.user)}`)).status).toBe(200);
      break;
    case 'forget':
      expect((await api.send('DELETE', `/v3/edit/profiles/${await idOf(one.user)}/forget`)).status).toBe(200);
      break;
    case 'mark':
      expect((await api.patch(`/v3/edit/profiles/${await idOf(one.user)}`, { test: one.test })).status).toBe(200);
      break;
    case 'email':
      await save(one.user, { email: `${run}-${one.user}@${one.test ? 'test' : 'acme'}.example` });
      break;
    case 'patterns':
      await api.patch('/v3/edit/account', { test_emails: one.test ? ['*@test.example'] : [] });
      await api.app.testUserMarker.resume();
      break;
    case 'zone':
      expect((await api.patch('/v3/edit/account', { time_zone: one.time_zone })).status).toBe(200);
      break;
    case 'unanswer': {
      const [response] = (await api.get('/v3/analyze/responses', { query: `id=${survey.id}` })).body.responses;
      if (response) expect((await api.send('DELETE', `/v3/edit/responses/${response.id}`)).status).toBe(200);
      break;
    }
  }
}

describe('counts', () => {
  it('are those of the rows, whatever users and administrators do', async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60 }), async (steps) => {
      run += 1;
      const [tour, survey] = [await makeTour(), await makeSurvey()];
      const pages: OpenPage[] = [];
      for (const one of steps) await take(one, tour, survey, pages);
      await expectExact();
      await api.patch('/v3/edit/account', { time_zone: 'UTC' });
    });
    // With fewer runs, some tables could stay empty, and empty counts would be equal, too.
    await fc.assert(property, { numRuns: Math.max(12, randomRuns(12)) });
    for (const [table, rows] of Object.entries(await readCounts()))
      expect([table, rows.length > 1]).toEqual([table, true]);
  }, 300_000);

  it('are corrected by a report that arrives after one of the next day', async () => {
    const tour = await makeTour();
    now = Math.floor(now / DAY_MS + 1) * DAY_MS - HOUR_MS;
    const evening = await loadPage(api, 'late');
    now += 2 * HOUR_MS;
    const morning = await loadPage(api, 'late');
    for (const page of [morning, evening]) {
      now += 11_000;
      expect((await page.report({ experience_id: tour.id, state: 'displayed', showing: 1 })).status).toBe(200);
      expect((await page.report({ experience_id: tour.id, button_id: tour.steps[0]?.buttons[0]?.id })).status).toBe(
        200,
      );
    }
    const query = `from=${toDate(Math.floor(now / DAY_MS) - 1)}`;
    const { stats } = (await api.get(`/v3/analyze/tours/${tour.id}/stats`, { query })).body;
    expect(stats.steps[0].buttons[0].clicked).toBe(1);
    expect(stats.days.map(({ started }: { started: number }) => started)).toEqual([0, 1]);
    await expectExact();
  });

  it('have the days of the time zone of the account', async () => {
    const tour = await makeTour();
    now = Math.floor(now / DAY_MS + 2) * DAY_MS - HOUR_MS;
    const today = Math.floor(now / DAY_MS);
    const daysOf = async (query = '') => {
      const { stats } = (await api.get(`/v3/analyze/tours/${tour.id}/stats`, { query })).body;
      return stats.days
        .filter(({ started }: { started: number }) => started > 0)
        .map(({ day }: { day: string }) => day);
    };
    const start = async (uid: string) =>
      (await loadPage(api, uid)).report({ experience_id: tour.id, state: 'started' });
    await start('in utc');
    expect((await api.patch('/v3/edit/account', { time_zone: 'Mars/Olympus' })).status).toBe(422);
    const { account } = (await api.patch('/v3/edit/account', { time_zone: 'Asia/Tokyo' })).body;
    expect(account).toMatchObject({ time_zone: 'Asia/Tokyo', time_zone_changed_at: new Date(now).toISOString() });
    await start('in tokyo');
    expect(await daysOf()).toEqual([toDate(today), toDate(today + 1)]);
    expect(await daysOf(`until=${toDate(today)}`)).toEqual([toDate(today)]);
    const { live, until } = (await api.get('/v3/analyze/live')).body;
    const { people } = live.find(({ id }: { id: string }) => id === tour.id);
    expect([people.shown, until]).toEqual([2, toDate(today + 1)]);
    await expectExact();
    await api.patch('/v3/edit/account', { time_zone: 'UTC' });
  });

  it('of a day that is tomorrow, after the time zone was moved west, are shown today', async () => {
    // Nothing of the tests before is in the days that are read.
    now = Math.floor(now / DAY_MS + 20) * DAY_MS - HOUR_MS;
    const [tour, survey] = [await makeTour(), await makeSurvey()];
    const today = Math.floor(now / DAY_MS);
    const answer = async (uid: string, value: string) => {
      const page = await loadPage(api, uid);
      now += 11_000;
      await page.report({ experience_id: tour.id, state: 'started' });
      await page.report({ experience_id: survey.id, step_id: survey.steps[0]?.id, response: { value } });
    };
    const read = async (query = '') => {
      const { totals, days } = (await api.get(`/v3/analyze/tours/${tour.id}/stats`, { query })).body.stats;
      const { answers, nps } = (await api.get(`/v3/analyze/surveys/${survey.id}/stats`, { query })).body.stats;
      const started = days.flatMap((day: { day: string; started: number }) =>
        day.started > 0 ? [[day.day, day.started]] : [],
      );
      return { total: totals.started, started, answers: answers.length, nps };
    };
    const [first, second] = [toDate(today), toDate(today + 1)];
    await answer('stays', '0');
    await answer('changes', '0');
    await api.patch('/v3/edit/account', { time_zone: 'Asia/Tokyo' });
    await answer('changes', '10');
    await answer('comes late', '10');
    const before = await read();
    expect(before).toMatchObject({
      total: 3,
      started: [
        [first, 2],
        [second, 2],
      ],
      answers: 2,
      nps: { count: 3, promoters: 2, detractors: 1 },
    });
    await api.patch('/v3/edit/account', { time_zone: 'UTC' });
    expect(await read()).toEqual({ ...before, started: [[first, 3]] });
    expect(await read(`until=${second}`)).toEqual(before);
    expect(await read(`until=${toDate(today - 1)}`)).toMatchObject({ total: 0, started: [], answers: 0 });
    const { live, days, people } = (await api.get('/v3/analyze/live')).body;
    expect(live.find(({ id }: { id: string }) => id === tour.id).people.shown).toBe(3);
    // Each of them counts for the tour and for the survey.
    expect([days.at(-1).shown, people.shown]).toEqual([6, 6]);
    const { experiences } = (await api.get('/v3/edit/experiences', { query: 'limit=500&fields=list&trend=true' })).body;
    expect(experiences.find(({ id }: { id: string }) => id === tour.id).trend.at(-1)).toBe(3);
    await expectExact();
    now += 2 * HOUR_MS;
  });

  it('tell languages, devices and Environments apart', async () => {
    // Another account, because pages of other hosts are rejected when one is listed.
    const as = api.other;
    const { body } = await api.post('/v3/edit/tours', { name: 'Tour', steps: [{ title: 'One' }] }, { as });
    const { tour } = body;
    await api.post('/v3/edit/languages', { code: 'de' }, { as });
    const texts = [{ model_id: tour.steps[0]?.id, field: 'title', text: 'Eins' }];
    expect((await api.patch(`/v3/edit/tours/${tour.id}/translations`, { language: 'de', texts }, { as })).status).toBe(
      200,
    );
    expect((await api.patch(`/v3/edit/tours/${tour.id}`, { published_at: '$now' }, { as })).status).toBe(200);
    const { url_group } = (await api.post('/v3/edit/url_groups', { name: 'Staging' }, { as })).body;
    const [staging, live] = ['https://staging.example.com', 'https://app.example.com'];
    await api.post('/v3/edit/urls', { host: new URL(staging).host, url_group_id: url_group.id, enabled: 'on' }, { as });
    await api.post('/v3/edit/urls', { host: new URL(live).host, enabled: 'on' }, { as });
    const [phone, computer] = ['Mozilla/5.0 (iPhone) Mobile', 'Mozilla/5.0 (X11; Linux x86_64)'];
    const start = async (uid: string, Origin: string, userAgent: string, l: string) => {
      const headers = { Origin, 'User-Agent': userAgent };
      const sent = { account_token: as.account_token, uid, href: `${Origin}/home`, browser: { l } };
      const visit = await api.post('/v3/observe/visits', sent, { as: null, headers });
      expect([visit.status, visit.body.messages]).toEqual([200, undefined]);
      const report = { visit_token: visit.body.visit.token, experience_id: tour.id, state: 'started' };
      expect((await api.post('/v3/observe/interactions', report, { as: null, headers })).status).toBe(200);
    };
    await start('dimensions 1', live, computer, 'de');
    await start('dimensions 2', staging, phone, 'de-AT');
    await start('dimensions 3', staging, phone, 'de');
    await start('dimensions 4', staging, computer, 'fr');
    const read = async () => (await accountRows(api.app, as.account_id)).activity_counts ?? [];
    const rows = await read();
    const counts = rows
      .map((row): Record<string, unknown> => JSON.parse(row))
      .filter(({ experience_id, what }) => experience_id === tour.id && what === 'started')
      .map(({ language, device, url_group_id, count }) => [language, device, url_group_id === url_group.id, count]);
    expect(counts.sort()).toEqual([
      ['de', 'desktop', false, 1],
      ['de', 'mobile', true, 2],
      ['default', 'desktop', true, 1],
    ]);
    await recountUse(api.app, as.account_id);
    expect(await read()).toEqual(rows);
  });

  it('of an Experience are deleted with it', async () => {
    const tour = await makeTour();
    await (await loadPage(api, 'another')).report({ experience_id: tour.id, state: 'started' });
    expect(JSON.stringify(await readCounts())).toContain(tour.id);
    await api.send('DELETE', `/v3/edit/tours/${tour.id}`);
    expect(JSON.stringify(await readCounts())).not.toContain(tour.id);
    await expectExact();
  });

  it('of sample data are those of its rows, and go with it', async () => {
    expect((await api.post('/v3/edit/sample_data', {})).status).toBeLessThan(300);
    await expectExact();
    expect((await api.send('DELETE', '/v3/edit/sample_data')).status).toBe(200);
    await expectExact();
  });

  // The last tests: counts of deleted rows cannot be made again.
  it('are exact after a late report when the row of the previous day is deleted', async () => {
    const tour = await makeTour();
    const button_id = tour.steps[0]?.buttons[0]?.id;
    const click = async (page: OpenPage) => {
      now += 11_000;
      expect((await page.report({ experience_id: tour.id, button_id })).status).toBe(200);
    };
    now = Math.floor(now / DAY_MS + 1) * DAY_MS - HOUR_MS;
    const first = Math.floor(now / DAY_MS);
    await click(await loadPage(api, 'comes back'));
    now += DAY_MS;
    const evening = await loadPage(api, 'comes back');
    now += 2 * HOUR_MS;
    await click(await loadPage(api, 'comes back'));
    await sweepActivities(api.app, 1);
    const clicks = (await readDid(tour)).filter(({ what }) => what === 'button');
    expect(clicks.map(({ day }) => day - first)).toEqual([2]);
    await click(evening);
    const counts = await readActivityCounts(tour);
    for (const from of [0, 1, 2])
      for (const until of [0, 1, 2].filter((day) => day >= from))
        expect(countedUsers(counts, first + from, first + until)).toMatchObject({ [`button ${button_id}`]: 1 });
    await sweepActivities(api.app, 0);
    // The day of this report is known, although its row is deleted.
    await click(evening);
    expect(await readActivityCounts(tour)).toEqual(counts);
  });

  it('stay exact over any days when old rows are deleted', async () => {
    let swept = 0;
    const part = fc.oneof(
      { weight: 4, arbitrary: visit },
      { weight: 6, arbitrary: fc.tuple(step) },
      { weight: 1, arbitrary: fc.tuple(sweep) },
    );
    const property = fc.asyncProperty(fc.array(part, { minLength: 30, maxLength: 50 }), async (parts) => {
      run += 1;
      const [tour, survey] = [await makeTour(), await makeSurvey()];
      const pages: OpenPage[] = [];
      const first = Math.floor(now / DAY_MS);
      // What the sweeps have deleted. It counts for good, also when the user is cleared or becomes a test user.
      let deleted: Did[] = [];
      for (const one of parts.flat()) {
        if (one.op === 'sweep') {
          const before = await readDid(tour);
          await sweepActivities(api.app, 1);
          const kept = new Set((await readDid(tour)).map(nameOf));
          deleted.push(...before.filter((row) => !kept.has(nameOf(row))));
          continue;
        }
        await take(one, tour, survey, pages);
        if (one.op !== 'clear' && one.op !== 'forget') continue;
        // Who comes back after that is somebody new.
        const ids = new Set((await readDid(tour)).map(({ profile_id }) => profile_id));
        deleted = deleted.map((row) =>
          ids.has(row.profile_id) ? row : { ...row, profile_id: `old ${row.profile_id}` },
        );
      }
      swept += deleted.length;
      const counted = [...deleted, ...(await readDid(tour)).filter(({ is_test }) => !is_test)];
      // In another time zone, the day can be the next one or the one before.
      const [counts, last] = [await readActivityCounts(tour), Math.floor(now / DAY_MS) + 1];
      for (let from = first - 1; from <= last; from++)
        for (let until = from; until <= last; until++)
          expect(countedUsers(counts, from, until)).toEqual(usersOf(counted, from, until));
      await api.patch('/v3/edit/account', { time_zone: 'UTC' });
    });
    await fc.assert(property, { numRuns: randomRuns(5) });
    expect(swept).toBeGreaterThan(0);
  }, 300_000);
});

interface Did {
  profile_id: string;
  what: string;
  part_id: string;
  day: number;
  is_test: boolean;
}
const nameOf = ({ profile_id, what, part_id, day }: Did) => [profile_id, what, part_id, day].join(' ');

async function readDid({ id }: Made): Promise<Did[]> {
  const { account_id } = api.account;
  return api.app.storage
    .reader(account_id)
    .selectFrom('activities')
    .innerJoin('profiles', (join) =>
      join.on('profiles.account_id', '=', account_id).onRef('profiles.id', '=', 'activities.profile_id'),
    )
    .select(['profile_id', 'what', 'part_id', 'day', 'is_test'])
    .where('activities.account_id', '=', account_id)
    .where('experience_id', '=', id)
    .execute();
}

async function readActivityCounts({ id }: Made) {
  const { account_id } = api.account;
  return api.app.storage
    .reader(account_id)
    .selectFrom('activity_counts')
    .select(['what', 'part_id', 'day', 'previous_day', 'count'])
    .where('account_id', '=', account_id)
    .where('experience_id', '=', id)
    .execute();
}
type ActivityCount = Awaited<ReturnType<typeof readActivityCounts>>[number];

/** The users of each activity in these days, by the counts. */
function countedUsers(counts: readonly ActivityCount[], from: number, until: number): Record<string, number> {
  const users: Record<string, number> = {};
  for (const { what, part_id, day, previous_day, count } of counts) {
    const name = `${what} ${part_id}`;
    if (day >= from && day <= until && previous_day < from) users[name] = (users[name] ?? 0) + count;
  }
  return users;
}

/** The same, by what each user did. */
function usersOf(rows: readonly Did[], from: number, until: number) {
  const users = new Map<string, Set<string>>();
  for (const { what, part_id, profile_id, day } of rows) {
    if (day < from || day > until) continue;
    const name = `${what} ${part_id}`;
    users.set(name, (users.get(name) ?? new Set()).add(profile_id));
  }
  return Object.fromEntries([...users].map(([name, ids]) => [name, ids.size]));
}
