import { dayOf, toDate } from '@usher/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Batches are read by a thread, which has the clock of the machine. */
const now = Date.now();
let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
beforeEach(() => api.replaceAccounts());
afterAll(() => api.stop());

async function track(uid: string, daysAgo = 0, name = 'Paid'): Promise<void> {
  await api.post('/v3/observe/hooks/profiles', { uid });
  const occurred_at = new Date(now - daysAgo * DAY_MS).toISOString();
  const events = [{ uid, name, occurred_at }];
  const { status, body } = await api.post('/v3/observe/hooks/events/batch', { events });
  expect([status < 300, body.messages]).toEqual([true, undefined]);
}

async function adoption(query = '') {
  const { event_names } = (await api.get('/v3/analyze/event_names')).body;
  const [{ id }] = event_names;
  const { status, body } = await api.get(`/v3/analyze/event_names/${id}/adoption`, { query });
  expect([status, body.messages]).toEqual([200, undefined]);
  return body.adoption;
}

const today = () => Math.floor(now / DAY_MS);

describe('the adoption of an event', () => {
  it('counts by day who did it for the first time, who ever did, and how often it was tracked', async () => {
    await track('ann', 40);
    for (const uid of ['ann', 'bob', 'bob']) await track(uid, 2);
    for (const uid of ['ann', 'cid']) await track(uid);
    await api.post('/v3/observe/hooks/profiles', { uid: 'dan' });
    const found = await adoption();
    expect(found).toMatchObject({ count: 5, new_people: 2, adopters: 3, people: 4, counted_from: null, marks: [] });
    expect(found.days.slice(-3)).toEqual([
      { day: toDate(today() - 2), count: 3, new_people: 1, adopters: 2 },
      { day: toDate(today() - 1), count: 0, new_people: 0, adopters: 2 },
      { day: toDate(today()), count: 2, new_people: 1, adopters: 3 },
    ]);
    const weeks = await adoption('by=week');
    expect(weeks.days.at(-1)).toMatchObject({ count: 5, new_people: 2, adopters: 3 });
  });

  it('knows first times for good, and says since when events are counted', async () => {
    await track('ann', 120);
    const found = await adoption(`from=${toDate(today() - 150)}`);
    expect(found.counted_from).toBe(toDate(today() - 89));
    expect(found.days.find(({ day }: { day: string }) => day === toDate(today() - 120))).toMatchObject({
      count: null,
      new_people: 1,
    });
    expect(found.days.at(-1)).toMatchObject({ count: 0, adopters: 1 });
  });

  it('leaves out test users, and people who were forgotten', async () => {
    for (const uid of ['ann', 'bob', 'cid']) await track(uid);
    const { profile } = (await api.get('/v3/analyze/profile', { query: 'uid=ann' })).body;
    await api.patch(`/v3/edit/profiles/${profile.id}`, { test: true });
    await api.send('DELETE', '/v3/edit/profiles/forget', { query: 'uid=bob' });
    expect(await adoption()).toMatchObject({ count: 1, new_people: 1, adopters: 1, people: 1 });
    await api.patch(`/v3/edit/profiles/${profile.id}`, { test: false });
    expect(await adoption()).toMatchObject({ new_people: 2, people: 2 });
  });

  it('marks the launches of Experiences about it', async () => {
    await track('ann');
    const tour = { name: 'Pay', goal: 'Paid', steps: [{ title: 'Pay' }], published_at: '$now' };
    const { id } = (await api.post('/v3/edit/tours', tour)).body.tour;
    await api.post('/v3/edit/tours', { ...tour, name: 'Other', goal: 'Left' });
    expect((await adoption()).marks).toMatchObject([
      { what: 'published', experience_id: id, kind: 'tour', name: 'Pay', day: toDate(today()) },
    ]);
  });

  it('begins days in the time zone of the account', async () => {
    await track('ann');
    await api.patch('/v3/edit/account', { time_zone: 'Asia/Tokyo' });
    expect((await adoption()).days.at(-1)).toMatchObject({
      day: toDate(dayOf(now, 'Asia/Tokyo')),
      new_people: 1,
      count: 1,
    });
  });

  it('returns 404 for an event of another account', async () => {
    await track('ann');
    const [{ id }] = (await api.get('/v3/analyze/event_names')).body.event_names;
    const path = (id: string) => `/v3/analyze/event_names/${id}/adoption`;
    const [unknown, foreign] = [
      await api.get(path('f'.repeat(24)), { as: api.other }),
      await api.get(path(id), { as: api.other }),
    ];
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
  });
});
