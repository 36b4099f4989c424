import { dayOf, toDate } from '@usher/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { recountUse } from '../../../../test/use-rows.ts';
import { newUid, openDomain, visit } from '../../../../test/visiting.ts';

/*
 * Pages report how users go through steps, days pass, users are cleared, forgotten, merged and marked: the numbers and their lists of people
 * must be those of the rows at any time.
 */

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
/** Clocks go forward on March 25 in Berlin. */
const START = Date.parse('2029-03-23T10:00:00.000Z');
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
  await api.patch('/v3/edit/account', { time_zone: 'Europe/Berlin' });
});

interface Tour {
  id: string;
  steps: { id: string }[];
}

async function addTour(): Promise<Tour> {
  const steps = [{ title: 'One' }, { title: 'Two' }, { title: 'Three' }];
  const { status, body } = await api.post('/v3/edit/tours', { name: 'Tour', steps, published_at: '$now' });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.tour;
}

const open = async (uid: string, params: object = {}) => (await visit(api, { uid, ...params })).body.visit.token;

async function report(visit_token: string, { id }: Tour, params: object): Promise<void> {
  const { status, body } = await api.post(
    '/v3/observe/interactions',
    { visit_token, experience_id: id, href: 'https://app.example.com/dashboard', ...params },
    { as: null },
  );
  expect([status, body.messages]).toEqual([200, undefined]);
}

/** Shows steps on one page, each for some seconds, and then ends. Steps are given by their position. */
async function walk(tour: Tour, uid: string, at: readonly number[], end?: string, seconds = 10): Promise<void> {
  const token = await open(uid);
  let elapsed = 1000;
  for (const [n, position] of at.entries()) {
    now += seconds * 1000;
    await report(token, tour, { ...(n === 0 && { state: 'started' }), step_id: tour.steps[position]?.id, elapsed });
    elapsed += seconds * 1000;
  }
  now += seconds * 1000;
  if (end) await report(token, tour, { state: end, elapsed });
}

const ok = async (path: string, query = '') => {
  const { status, body } = await api.get(path, { query });
  expect([status, body.messages]).toEqual([200, undefined]);
  return body;
};
const statsOf = async ({ id }: Tour, query = '') => (await ok(`/v3/analyze/tours/${id}/stats`, query)).stats;
const flowOf = async (tour: Tour, query = '') =>
  (await statsOf(tour, query)).steps.map(
    ({ flow }: { flow: Record<string, number> }) =>
      `${flow.reached} ${flow.left} ${flow.exited} ${flow.snoozed} ${flow.back} ${flow.seconds}`,
  );
const uidsOf = async ({ id }: Tour, query: string): Promise<string[]> =>
  (await ok(`/v3/analyze/tours/${id}/people`, query)).people.map(({ uid }: { uid: string }) => uid).sort();

const tables = ['activity_counts', 'version_counts', 'step_times'] as const;
async function rowsOf() {
  const { account_id } = api.account;
  const all = await Promise.all(
    tables.map((table) =>
      api.app.storage.reader(account_id).selectFrom(table).selectAll().where('account_id', '=', account_id).execute(),
    ),
  );
  return all
    .flat()
    .map((row) => JSON.stringify(Object.entries(row).sort()))
    .sort();
}

/** The kept counts equal those of the rows, and every number has as many people as it says. */
async function check(tour: Tour): Promise<void> {
  const kept = await rowsOf();
  await recountUse(api.app, api.account.account_id);
  expect(kept).toEqual(await rowsOf());
  const today = dayOf(now, 'Europe/Berlin');
  for (const days of [1, 2, 30]) {
    const range = `from=${toDate(today - days + 1)}&until=${toDate(today)}`;
    const stats = await statsOf(tour, range);
    for (const what of ['started', 'completed', 'exited', 'snoozed'])
      expect([days, what, (await uidsOf(tour, `what=${what}&${range}`)).length]).toEqual([
        days,
        what,
        stats.totals[what],
      ]);
    for (const { id, seen, flow } of stats.steps) {
      const numbers = { step: seen, reached: flow.reached, left: flow.left, back: flow.back, exited: flow.exited };
      for (const [what, count] of Object.entries(numbers))
        expect([days, what, (await uidsOf(tour, `what=${what}&part_id=${id}&${range}`)).length]).toEqual([
          days,
          what,
          count,
        ]);
    }
  }
}

describe('the flow through steps', () => {
  it('counts who went on, left, closed, snoozed and went back, with the median time', async () => {
    const tour = await addTour();
    await walk(tour, newUid(), [0, 1, 2], 'completed');
    await walk(tour, newUid(), [0, 1, 0, 1, 2], 'completed', 20);
    await walk(tour, newUid(), [0, 1], 'exited', 30);
    await walk(tour, newUid(), [0], 'snoozed');
    await walk(tour, newUid(), [0]);
    // Reached, left, closed, snoozed, went back, and the median seconds.
    expect(await flowOf(tour)).toEqual(['5 2 0 1 0 20', '3 1 1 0 1 10', '2 0 0 0 0 10']);
    await check(tour);
  });

  it('ignores reports that come again or without a time', async () => {
    const tour = await addTour();
    const uid = newUid();
    const token = await open(uid);
    const [one, two] = tour.steps.map(({ id }) => id);
    now += 60_000;
    const first = { state: 'started', step_id: one, elapsed: 1000 };
    const second = { step_id: two, elapsed: 9000 };
    for (const params of [first, second, first, second, { step_id: one }]) await report(token, tour, params);
    expect(await flowOf(tour)).toEqual(['1 0 0 0 0 8', '1 1 0 0 0 null', '0 0 0 0 0 null']);
    await check(tour);
  });

  it('counts for the day on which the step was seen, also in another time zone and when clocks change', async () => {
    const tour = await addTour();
    const [ann, bob] = [newUid(), newUid()];
    // The last minutes before the clocks go forward.
    now = Date.parse('2029-03-24T22:50:00.000Z');
    for (const uid of [ann, bob]) await walk(tour, uid, [0]);
    // A tour goes on with the next page, on the next day.
    now = Date.parse('2029-03-25T08:00:00.000Z');
    const token = await open(ann);
    now += 5000;
    await report(token, tour, { step_id: tour.steps[1]?.id, elapsed: 4000 });
    const left = (flow: string[]) => flow.map((line) => line.split(' ').slice(0, 2).join(' '));
    expect(left(await flowOf(tour, 'from=2029-03-24&until=2029-03-24'))).toEqual(['2 1', '0 0', '0 0']);
    expect(left(await flowOf(tour, 'from=2029-03-25&until=2029-03-25'))).toEqual(['0 0', '1 1', '0 0']);
    await check(tour);
    await api.patch('/v3/edit/account', { time_zone: 'Pacific/Pago_Pago' });
    expect(left(await flowOf(tour, 'from=2029-03-24&until=2029-03-25'))).toEqual(['2 1', '1 1', '0 0']);
  });

  it('stays right when users are cleared, forgotten, merged and marked, and when the tour is deleted', async () => {
    const tour = await addTour();
    const uids = Array.from({ length: 6 }, newUid);
    for (const [n, uid] of uids.entries()) {
      await walk(tour, uid, [0, 1, 2].slice(0, 1 + (n % 3)), n % 2 === 0 ? 'exited' : undefined, 5 + n);
      now += DAY / 2;
    }
    for (const uid of uids.slice(0, 3)) await walk(tour, uid, [0, 1, 2], 'completed');
    await check(tour);
    const idOf = async (uid: string) => (await api.post('/v3/observe/hooks/profiles', { uid })).body.profile.id;
    const [ann = '', bob = '', cat = ''] = uids;
    await api.send('DELETE', `/v3/edit/profiles/${await idOf(ann)}`);
    await check(tour);
    await api.send('DELETE', `/v3/edit/profiles/${await idOf(bob)}/forget`);
    await check(tour);
    for (const test of [true, false]) {
      await api.patch(`/v3/edit/profiles/${await idOf(cat)}`, { test });
      await check(tour);
    }
    // Somebody who has not signed in goes on from the first step, and then signs in as somebody known.
    await api.patch('/v3/edit/account', { anonymous_users: true, trust_pages: true });
    const { profile, visit: anonymous } = (await visit(api, {})).body;
    for (const [n, step] of tour.steps.slice(0, 2).entries()) {
      now += 7000;
      const params = { ...(n === 0 && { state: 'started' }), step_id: step.id, elapsed: 7000 * (n + 1) };
      await report(anonymous.token, tour, params);
    }
    await check(tour);
    await open(uids[5] ?? '', { anonymous_uid: profile.uid });
    await check(tour);
    await api.send('DELETE', `/v3/edit/tours/${tour.id}`);
    await expect.poll(rowsOf).toEqual([]);
  });

  it('is not known of days before it was recorded', async () => {
    const tour = await addTour();
    await walk(tour, newUid(), [0, 1]);
    const today = dayOf(now, 'Europe/Berlin');
    const knownFrom = (flow_from: number) =>
      api.app.storage.write(null, (db) =>
        db.updateTable('accounts').set({ flow_from }).where('id', '=', api.account.account_id).execute(),
      );
    await knownFrom(today);
    expect([(await statsOf(tour)).flow_from, (await flowOf(tour))[0]]).toEqual(['2029-03-23', '1 0 0 0 0 10']);
    await knownFrom(today + 1);
    expect((await statsOf(tour)).steps[0]).toMatchObject({ seen: 1, flow: null });
    expect(await uidsOf(tour, `what=left&part_id=${tour.steps[1]?.id}`)).toEqual([]);
  });
});

describe('the period', () => {
  it('can be counted by week, once for each user, and ends with the range', async () => {
    const tour = await addTour();
    const ann = newUid();
    for (const days of [0, 3, 4, 8]) {
      now = START + days * DAY;
      await walk(tour, ann, [0]);
      await walk(tour, newUid(), [0]);
    }
    const stats = await statsOf(tour, 'by=week&from=2029-03-20&until=2029-03-31');
    expect(stats.days.map(({ day, started }: { day: string; started: number }) => `${day} ${started}`)).toEqual([
      '2029-03-20 2',
      '2029-03-25 4',
    ]);
    expect(stats.totals.started).toBe(5);
  });

  it('is beside the days before it', async () => {
    const tour = await addTour();
    await walk(tour, newUid(), [0]);
    now = START + 2 * DAY;
    await walk(tour, newUid(), [0]);
    await walk(tour, newUid(), [0]);
    const { from, totals, before } = await statsOf(tour, 'from=2029-03-24&until=2029-03-25');
    expect([from, totals.started]).toEqual(['2029-03-24', 2]);
    expect([before.from, before.until, before.totals.started]).toEqual(['2029-03-22', '2029-03-23', 1]);
    expect(before.days.map(({ started }: { started: number }) => started)).toEqual([0, 1]);
  });

  it('has marks for what decides who sees it', async () => {
    const { id } = await addTour();
    for (const change of [{ published_at: null }, { published_at: '$now' }, { archived_at: '$now' }]) {
      now += DAY;
      expect((await api.patch(`/v3/edit/tours/${id}`, change)).status).toBe(200);
    }
    const { marks } = await statsOf({ id, steps: [] });
    expect(marks.map(({ what, day }: { what: string; day: string }) => `${day} ${what}`)).toEqual([
      '2029-03-23 published',
      '2029-03-24 paused',
      '2029-03-25 published',
      '2029-03-26 archived',
    ]);
  });
});

describe('split numbers', () => {
  const splitsOf = async ({ id }: Tour, query: string) =>
    (await ok(`/v3/analyze/tours/${id}/splits`, query)).splits.map(
      ({ value, totals }: { value: string; totals: Record<string, number> }) => `${value} ${totals.started}`,
    );

  it('add up by version and Segment, and have their people', async () => {
    const tour = await addTour();
    const [ann, bob] = [newUid(), newUid()];
    await walk(tour, ann, [0]);
    await api.patch(`/v3/edit/tours/${tour.id}`, { name: 'Again', published_at: '$now' });
    await walk(tour, bob, [0]);
    const versions = (await ok(`/v3/edit/tours/${tour.id}/versions`)).versions.map(({ id }: { id: string }) => id);
    expect(await splitsOf(tour, 'by=version')).toEqual(versions.sort().map((id: string) => `${id} 1`));
    expect(await uidsOf(tour, `what=started&version_id=${versions[0]}`)).toEqual([ann]);
    const segment = async (value: string) => {
      const items = [{ kind: 'property', prop: 'uid', op: 'eq', value }];
      return (await api.post('/v3/edit/segments', { name: value, items })).body.segment.id;
    };
    const [first, second] = [await segment(bob), await segment('nobody')];
    expect(await splitsOf(tour, `by=segment&segment_ids=${first},${second}`)).toEqual([`${first} 1`, `${second} 0`]);
    expect(await uidsOf(tour, `what=started&segment_id=${first}`)).toEqual([bob]);
    expect(await splitsOf(tour, 'by=device')).toEqual(['desktop 2']);
  });
});

describe('the people of a number', () => {
  it('can be downloaded, and saved as a Segment', async () => {
    const tour = await addTour();
    const [ann, bob] = ['=ann', newUid()];
    await walk(tour, ann, [0]);
    await walk(tour, bob, [0, 1]);
    const left = `what=left&part_id=${tour.steps[0]?.id}`;
    const { text } = await api.get(`/v3/analyze/tours/${tour.id}/people.csv`, { query: left });
    expect(text.split('\r\n')[1]).toContain("'=ann");
    const params = { name: 'Left first', what: 'left', part_id: tour.steps[0]?.id };
    const { status, body } = await api.post(`/v3/edit/tours/${tour.id}/people`, params);
    expect([status, body.messages, body.people_count]).toEqual([201, undefined, 1]);
    await expect
      .poll(async () =>
        (await api.post('/v3/analyze/profiles', { segment_id: body.segment.id })).body.profiles.map(
          ({ uid }: { uid: string }) => uid,
        ),
      )
      .toEqual([ann]);
    expect((await api.post(`/v3/edit/tours/${tour.id}/people`, params)).status).toBe(409);
    const nobody = await api.post(`/v3/edit/tours/${tour.id}/people`, { ...params, name: 'None', what: 'back' });
    expect([nobody.status, nobody.body.messages]).toEqual([422, [expect.stringContaining('No one')]]);
  });

  it('are those who gave an answer, wrote something or gave a score', async () => {
    const steps = [{ title: 'How likely?', preset: 'survey_nps' }];
    const { body } = await api.post('/v3/edit/surveys', { name: 'Survey', steps, published_at: '$now' });
    const { survey } = body;
    const part = `part_id=${survey.steps[0].id}`;
    const [ann, bob] = [newUid(), newUid()];
    for (const [uid, response] of [
      [ann, { value: '9' }],
      [bob, { value: '3', input: 'Too slow' }],
    ] as const)
      await report(await open(uid), survey, { state: 'started', step_id: survey.steps[0].id, response });
    const uids = async (query: string) =>
      (await ok(`/v3/analyze/surveys/${survey.id}/people`, `${part}&${query}`)).people.map(
        ({ uid }: { uid: string }) => uid,
      );
    expect(await uids('what=answer&options=9')).toEqual([ann]);
    expect(await uids(`what=answer&options=${encodeURIComponent("9' or 1=1,3")}`)).toEqual([bob]);
    expect(await uids('what=score&options=3,9')).toEqual([bob, ann]);
    expect(await uids('what=wrote')).toEqual([bob]);
  });

  it('saves exactly these people, whatever their IDs look like', async () => {
    const tour = await addTour();
    const saved = [' ann', 'bob\t', '"cem", "dan"', '=1+1', "'eve", 'fay\r\ngus'];
    for (const uid of ['ann', 'bob', 'cem', 'eve', 'fay', 'gus']) await open(uid);
    for (const uid of saved) await walk(tour, uid, [0]);
    const { body } = await api.post(`/v3/edit/tours/${tour.id}/people`, { name: 'Odd', what: 'started' });
    expect(body).toMatchObject({ people_count: saved.length });
    await expect
      .poll(async () =>
        (await api.post('/v3/analyze/profiles', { segment_id: body.segment.id })).body.profiles
          .map(({ uid }: { uid: string }) => uid)
          .sort(),
      )
      .toEqual([...saved].sort());
  });

  it.each([
    ['what=left', 'part_id'],
    [`what=answer&part_id=${'a'.repeat(24)}`, 'options'],
    ['what=started&options=9', 'options'],
    ['what=started&language=de&device=mobile', 'split by one'],
  ])('rejects %s', async (query, message) => {
    const tour = await addTour();
    const { status, body } = await api.get(`/v3/analyze/tours/${tour.id}/people`, { query });
    expect([status, body.messages]).toEqual([422, [expect.stringContaining(message)]]);
  });
});
