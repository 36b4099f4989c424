import { createPastIds } from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { createApp } from '../../../app.ts';
import { createLog } from '../../../log/log.ts';
import { readSettings } from '../../../settings/settings.ts';
import { createAccount } from '../../team/accounts/create-account.ts';

const DAY = 86_400_000;
const idAt = createPastIds();
let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

let made = 0;
type As = Api['account'];
const newAccount = () => createAccount(api.app, { name: 'Goals', email: `goals-${made++}@acme.test` });
const ago = (days: number) => Date.now() - days * DAY;

/** A tour that these users first saw so many days ago. */
async function seen(as: As, goals: object[], people: Record<string, number>, fields: object = {}, on = api) {
  const { tour } = (await on.post('/v3/edit/tours', { name: 'Hello', goals, ...fields }, { as })).body;
  const profiles: Record<string, string> = {};
  for (const [uid, days] of Object.entries(people)) {
    const { body } = await on.post('/v3/observe/hooks/profiles', { uid }, { as });
    profiles[uid] = body.profile.id;
    await on.app.storage.write(as.account_id, (db) =>
      db
        .insertInto('interactions')
        .values({
          ...{ account_id: as.account_id, id: idAt(ago(days)), profile_id: body.profile.id, experience_id: tour.id },
          ...{ updated_at: ago(days), state: 'completed', started_at: ago(days), completed_at: ago(days - 0.5) },
        })
        .execute(),
    );
  }
  return { tour, profiles };
}

const track = async (as: As, uid: string, name: string, days: number, more: object = {}) =>
  api.post(
    '/v3/observe/hooks/events/batch',
    { events: [{ uid, name, occurred_at: new Date(ago(days)).toISOString(), ...more }] },
    { as },
  );
const results = async (as: As, id: string, query = '') =>
  (await api.get(`/v3/analyze/tours/${id}/goals`, { as, query })).body.results;
const people = async (as: As, id: string, query = '') =>
  (await api.get(`/v3/analyze/tours/${id}/goals/people`, { as, query })).body;
const uids = ({ people }: { people: { profile: { uid: string } }[] }) => people.map(({ profile }) => profile.uid);

describe('results of goals', () => {
  it('count who met each goal in time after they first saw it, and sum a number', async () => {
    const as = await newAccount();
    const goals = [
      { name: 'Paid', event_name: 'Paid', sum_property: 'amount', within_days: 3 },
      { name: 'Paid as pro', event_name: 'Paid', filters: [{ prop: 'plan', op: 'eq', value: 'pro' }], within_days: 30 },
    ];
    const { tour } = await seen(as, goals, { ann: 10, bob: 9, cem: 8, dan: 40 });
    await track(as, 'ann', 'Paid', 9, { amount: 5, plan: 'pro' });
    await track(as, 'ann', 'Paid', 8, { amount: 2.5 });
    await track(as, 'bob', 'Paid', 2, { amount: 100, plan: 'pro' });
    await track(as, 'cem', 'Paid', 9, { amount: 100, plan: 'pro' });
    await track(as, 'dan', 'Paid', 39, { amount: 1 });
    const found = await results(as, tour.id);
    expect(found).toMatchObject({ people: 3, counting: null });
    expect(found.counted_at).not.toBeNull();
    expect(found.goals).toMatchObject([
      { name: 'Paid', primary: true, people: 1, sum: 7.5, is_partial: false },
      { name: 'Paid as pro', primary: false, people: 2, sum: null },
    ]);
    const from = new Date(ago(60)).toISOString();
    expect((await results(as, tour.id, `from=${from}`)).goals[0]).toMatchObject({ people: 2, sum: 8.5 });
    const [first] = tour.goals;
    expect(uids(await people(as, tour.id))).toEqual(['cem', 'bob', 'ann']);
    const met = await people(as, tour.id, `goal_id=${first.id}&from=${from}`);
    expect(uids(met)).toEqual(['ann', 'dan']);
    expect(met.people[0]).toMatchObject({ value: 7.5 });
    const page = await people(as, tour.id, `limit=2`);
    expect(uids(page)).toEqual(['cem', 'bob']);
    expect(uids(await people(as, tour.id, `limit=2&before=${page.cursor.before}`))).toEqual(['ann']);
  });

  it('leave numbers out of a sum that would make it infinite', async () => {
    const as = await newAccount();
    const goals = [{ name: 'Paid', event_name: 'Paid', sum_property: 'amount', within_days: null }];
    const { tour } = await seen(as, goals, { ann: 10, bob: 9, cem: 8 });
    for (const amount of [1e308, 1e308, 7]) await track(as, 'ann', 'Paid', 5, { amount });
    for (const amount of [-1e308, -1e308, -2, 'NaN']) await track(as, 'bob', 'Paid', 5, { amount });
    await track(as, 'cem', 'Paid', 5, { amount: 1e308 });
    expect((await results(as, tour.id)).goals).toMatchObject([{ people: 3, sum: 5 }]);
    const met = await people(as, tour.id, `goal_id=${tour.goals[0].id}`);
    expect(met.people.map(({ value }: { value: number }) => value)).toEqual([0, -2, 7]);
  });

  it('count Segments, properties and states of Experiences', async () => {
    const as = await newAccount();
    const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
    const { segment } = (await api.post('/v3/edit/segments', { name: 'Pro', items }, { as })).body;
    const other = await seen(as, [], { ann: 1 }, { name: 'Other' });
    const goals = [
      { kind: 'segment', segment_id: segment.id },
      { kind: 'property', filters: items },
      { kind: 'experience', experience_id: other.tour.id, experience_state: 'started' },
      { kind: 'experience', experience_id: other.tour.id },
    ];
    const { tour } = await seen(as, goals, { ann: 10, bob: 9 });
    await api.post('/v3/observe/hooks/profiles', { uid: 'bob', plan: 'pro' }, { as });
    const count = async () => (await results(as, tour.id)).goals.map((goal: { people: number }) => goal.people);
    expect(await count()).toEqual([1, 1, 1, 1]);
    // A changed Segment is counted again.
    await api.patch(`/v3/edit/segments/${segment.id}`, { items: [] }, { as });
    expect(await count()).toEqual([2, 1, 1, 1]);
  });

  it('count with every operator, and with a Segment of alternatives', async () => {
    const as = await newAccount();
    const items = ['pro', 'team'].map((value) => ({ kind: 'property', prop: 'plan', op: 'eq', value }));
    const { segment } = (await api.post('/v3/edit/segments', { name: 'Paying', items, items_op: 'or' }, { as })).body;
    const tests = [
      { op: 'ne', value: 'free' },
      { op: 'in', value: ['pr', 'team'] },
      { op: 'nin', value: ['free', 'old'] },
      { op: 'in-v', value: ['pro', 'team'] },
      { op: 'nin-v', value: ['free', 'old'] },
      { op: 'in-vi', value: ['PRO', 'team'] },
    ].map((test) => ({ kind: 'property', prop: 'plan', ...test }));
    const filters = [...tests, { kind: 'group', filters: items, filters_op: 'or' }];
    const goals = [
      { kind: 'segment', segment_id: segment.id },
      ...filters.flatMap((filter) => [
        { event_name: 'Paid', filters: [filter] },
        { kind: 'property', filters: [filter] },
      ]),
    ];
    for (const [at, goal] of goals.entries()) {
      const { tour } = await seen(as, [goal], { ann: 10, bob: 9 });
      if (at === 0)
        for (const [uid, plan] of Object.entries({ ann: 'pro', bob: 'free' })) {
          await api.post('/v3/observe/hooks/profiles', { uid, plan }, { as });
          await track(as, uid, 'Paid', 5, { plan });
        }
      const { people: all, goals: counted } = await results(as, tour.id);
      expect([goal, all, counted[0].people]).toEqual([goal, 2, 1]);
    }
  });

  it('follow a changed goal, a forgotten user, a cleared user and a test user', async () => {
    const as = await newAccount();
    const { goal } = (await api.post('/v3/edit/goals', { name: 'Paid', event_name: 'Paid' }, { as })).body;
    const { tour } = await seen(as, [{ goal_id: goal.id }], { ann: 5, bob: 5, cem: 5, dan: 5 });
    for (const uid of ['ann', 'bob', 'cem', 'dan']) await track(as, uid, 'Paid', 3);
    const count = async () => {
      const { people, goals } = await results(as, tour.id);
      return [people, goals[0].people];
    };
    expect(await count()).toEqual([4, 4]);
    await api.send('DELETE', '/v3/edit/profiles/forget', { query: 'uid=ann', as });
    expect(await count()).toEqual([3, 3]);
    expect((await api.send('DELETE', '/v3/edit/profiles', { query: 'uid=bob', as })).status).toBe(200);
    expect(await count()).toEqual([2, 2]);
    await api.patch('/v3/edit/account', { test_emails: ['*@test.test'] }, { as });
    await api.post('/v3/observe/hooks/profiles', { uid: 'cem', email: 'cem@test.test' }, { as });
    expect(await count()).toEqual([1, 1]);
    await api.patch(`/v3/edit/goals/${goal.id}`, { within_days: 1 }, { as });
    expect(await count()).toEqual([1, 0]);
  });

  it('say that events may be missing before they are kept', async () => {
    const as = await newAccount();
    const { tour } = await seen(as, [{ event_name: 'Paid' }], { ann: 5 });
    const query = `from=${new Date(ago(500)).toISOString()}&until=${new Date(ago(300)).toISOString()}`;
    const found = await results(as, tour.id, query);
    expect(found).toMatchObject({ people: 0, goals: [{ people: 0, is_partial: true }] });
    expect(Date.parse(found.events_since)).toBeCloseTo(ago(365), -5);
    expect((await results(as, tour.id)).goals[0].is_partial).toBe(false);
  });

  it('are counted again after an error, which the log has', async () => {
    const own = await startApi();
    const lines: string[] = [];
    const httpApp = createApp(own.app, readSettings({}), createLog('info', { write: (line) => void lines.push(line) }));
    onTestFinished(() => httpApp.close());
    const goals = [{ name: 'Paid', event_name: 'Paid' }];
    const { tour } = await seen(own.account, goals, { ann: 3 }, {}, own);
    const { account_id } = own.account;
    const setTimeZone = (time_zone: string) =>
      own.app.storage.write(account_id, (db) =>
        db.updateTable('accounts').set({ time_zone }).where('id', '=', account_id).execute(),
      );
    await setTimeZone('Nowhere');
    await own.app.goalCounter.start(own.app, account_id, tour.id);
    await expect
      .poll(() => lines.map((line) => JSON.parse(line)))
      .toMatchObject([
        { level: 40, err: { message: expect.stringContaining('Nowhere') }, msg: expect.stringContaining('goals') },
      ]);
    await setTimeZone('UTC');
    await expect
      .poll(async () => (await own.get(`/v3/analyze/tours/${tour.id}/goals`)).body.results.counted_at)
      .not.toBe(null);
    expect(lines).toHaveLength(1);
  });

  it('are empty without goals, and unknown for another account', async () => {
    const as = await newAccount();
    const { tour } = await seen(as, [], { ann: 5 });
    expect(await results(as, tour.id)).toMatchObject({ people: null, goals: [] });
    expect((await api.get(`/v3/analyze/tours/${tour.id}/goals`, { as: await newAccount() })).status).toBe(404);
    expect(
      (await api.get(`/v3/analyze/tours/${tour.id}/goals/people`, { as, query: `goal_id=${tour.id}` })).status,
    ).toBe(404);
  });
});
