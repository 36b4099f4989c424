import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const send = {
  create: async (goal: object) => (await api.post('/v3/edit/goals', { name: 'Paid', ...goal })).body.goal,
  tour: async (fields: object) => {
    const { body } = await api.post('/v3/edit/tours', { name: 'Hello', ...fields });
    expect(body.messages).toBeUndefined();
    return body.tour;
  },
};

describe('shared goals', () => {
  it('are created, listed, changed and deleted', async () => {
    const goal = await send.create({ kind: 'event', event_name: 'Order Paid', sum_property: 'Order.Amount' });
    expect(goal).toMatchObject({
      ...{ name: 'Paid', kind: 'event', event_name: 'order_paid', sum_property: 'order.amount', within_days: 30 },
      ...{ filters: [], segment_id: null, experience_id: null, experience_state: null, archived_at: null },
      dashboard_url: expect.stringContaining(`goals?goal=${goal.id}`),
    });
    const path = `/v3/edit/goals/${goal.id}`;
    expect((await api.get(path)).body.goal).toEqual(goal);
    const { body } = await api.patch(path, { within_days: null, archived_at: '$now', description: 'Money' });
    expect(body.goal).toMatchObject({ within_days: null, description: 'Money', event_name: 'order_paid' });
    expect(body.goal.archived_at).not.toBeNull();
    expect((await api.patch(path, { name: 'X', updated_at: goal.updated_at })).status).toBe(409);
    expect((await api.get('/v3/edit/goals')).body.goals.map(({ id }: { id: string }) => id)).toContain(goal.id);
    expect((await api.send('DELETE', path)).body.goal.id).toBe(goal.id);
    expect((await api.get(path)).status).toBe(404);
  });

  it('keep only the fields of their kind', async () => {
    const goal = await send.create({ kind: 'event', event_name: 'Paid', sum_property: 'amount' });
    const { body: segment } = await api.post('/v3/edit/segments', { name: 'Pro' });
    const segment_id = segment.segment.id;
    const { body } = await api.patch(`/v3/edit/goals/${goal.id}`, { kind: 'segment', segment_id });
    expect(body.goal).toMatchObject({ kind: 'segment', segment_id, event_name: null, sum_property: null });
  });

  it.each([
    [{ kind: 'event' }, '`event_name` must be the name of an event'],
    [{ kind: 'segment' }, '`segment_id` must be the ID of a Segment'],
    [{ kind: 'property' }, '`filters` must be a list with a filter at least'],
    [{ kind: 'experience' }, '`experience_id` must be the ID of an Experience'],
    [
      { event_name: 'a', filters: [{ kind: 'event', value: 'b' }] },
      '`filters[0].kind` must be one of `property` and `group`',
    ],
    [{ event_name: 'a', within_days: 0 }, 'within_days'],
  ])('rejects %j', async (goal, message) => {
    const { status, body } = await api.post('/v3/edit/goals', { name: 'Wrong', ...goal });
    expect(status).toBe(422);
    expect(body.messages.join()).toContain(message);
  });

  it('name only Segments and Experiences of the account', async () => {
    const id = 'f'.repeat(24);
    expect((await api.post('/v3/edit/goals', { name: 'A', kind: 'segment', segment_id: id })).status).toBe(404);
    expect((await api.post('/v3/edit/goals', { name: 'A', kind: 'experience', experience_id: id })).status).toBe(404);
  });

  it('cannot be deleted while an Experience has them, and say which', async () => {
    const goal = await send.create({ event_name: 'Paid' });
    const tour = await send.tour({ name: 'Buy', goals: [{ goal_id: goal.id }] });
    const { status, body } = await api.send('DELETE', `/v3/edit/goals/${goal.id}`);
    expect([status, body.messages.join()]).toEqual([409, expect.stringContaining('the tour "Buy"')]);
    const { uses } = (await api.get(`/v3/analyze/goals/${goal.id}/uses`)).body;
    expect(uses.experiences).toEqual([{ id: tour.id, kind: 'tour', name: 'Buy' }]);
    await api.patch(`/v3/edit/tours/${tour.id}`, { goals: [] });
    expect((await api.send('DELETE', `/v3/edit/goals/${goal.id}`)).status).toBe(200);
  });

  it('keep a Segment, an Experience and a name from being deleted', async () => {
    const { segment } = (await api.post('/v3/edit/segments', { name: 'Kept' })).body;
    const tour = await send.tour({ name: 'Kept tour' });
    const name = (await api.post('/v3/observe/hooks/events', { uid: 'u', name: 'Kept event' })).body;
    expect(name).toBeDefined();
    await send.create({ name: 'In it', kind: 'segment', segment_id: segment.id });
    await send.create({ name: 'Done it', kind: 'experience', experience_id: tour.id });
    await send.create({ name: 'Sent it', event_name: 'Kept event' });
    const other = await api.send('DELETE', `/v3/edit/segments/${segment.id}`);
    expect([other.status, other.body.messages.join()]).toEqual([409, expect.stringContaining('the goal "In it"')]);
    const used = await api.send('DELETE', `/v3/edit/tours/${tour.id}`);
    expect([used.status, used.body.messages.join()]).toEqual([409, expect.stringContaining('the goal "Done it"')]);
    const { event_names } = (await api.get('/v3/edit/event_names')).body;
    const { id } = event_names.find(({ uid }: { uid: string }) => uid === 'kept_event');
    const named = await api.send('DELETE', `/v3/edit/event_names/${id}`);
    expect([named.status, named.body.messages.join()]).toEqual([409, expect.stringContaining('the goal "Sent it"')]);
    const { uses } = (await api.get(`/v3/analyze/event_names/${id}`)).body.event_name;
    expect(uses.goals.map((one: { name: string }) => one.name)).toEqual(['Sent it']);
  });
});

describe('goals of an Experience', () => {
  it('are written with `goal`, which is the event of the primary goal', async () => {
    const tour = await send.tour({ goal: 'Project created' });
    expect(tour.goal).toBe('project_created');
    expect(tour.goals).toMatchObject([{ kind: 'event', event_name: 'project_created', primary: true }]);
    const path = `/v3/edit/tours/${tour.id}`;
    const { id } = tour.goals[0];
    const renamed = (await api.patch(path, { goal: 'Paid' })).body.tour;
    expect(renamed.goals).toMatchObject([{ id, event_name: 'paid', primary: true }]);
    const both = (
      await api.patch(path, { goals: [...renamed.goals, { kind: 'event', event_name: 'invited', name: 'Invited' }] })
    ).body.tour;
    expect([both.goal, both.goals.length]).toEqual(['paid', 2]);
    const [first, second] = both.goals;
    const swapped = (
      await api.patch(path, {
        goals: [
          { ...first, primary: false },
          { ...second, primary: true },
        ],
        goal: 'paid',
      })
    ).body.tour;
    expect(swapped.goal).toBe('invited');
    expect((await api.patch(path, { goal: null })).body.tour).toMatchObject({
      goal: 'paid',
      goals: [{ event_name: 'paid', primary: true }],
    });
    expect((await api.patch(path, { goal: null })).body.tour).toMatchObject({ goal: null, goals: [] });
  });

  it('change nothing when a whole record is sent back', async () => {
    const tour = await send.tour({
      goals: [
        {
          kind: 'event',
          event_name: 'Paid',
          filters: [{ prop: 'plan', op: 'eq', value: 'pro' }],
          sum_property: 'amount',
        },
        { kind: 'property', name: 'On pro', filters: [{ prop: 'plan', op: 'eq', value: 'pro' }] },
      ],
    });
    const again = (await api.patch(`/v3/edit/tours/${tour.id}`, tour)).body.tour;
    expect(again.updated_at).toBe(tour.updated_at);
    expect(again.goals).toEqual(tour.goals);
  });

  it('rejects wrong goals, and changes nothing', async () => {
    const tour = await send.tour({ goals: [{ event_name: 'Paid' }] });
    const path = `/v3/edit/tours/${tour.id}`;
    const wrong: [object, string][] = [
      [{ goals: [{ kind: 'segment' }] }, '`goals[0].segment_id` must be the ID of a Segment'],
      [{ goals: [{ id: 'a'.repeat(24), event_name: 'x' }] }, '`goals[0].id` is no goal of this Experience'],
      [
        {
          goals: [
            { event_name: 'a', primary: true },
            { event_name: 'b', primary: true },
          ],
        },
        '`primary`',
      ],
      [{ goals: [{ event_name: 'a' }], goal: 'b' }, '`goal` must be the event of the primary goal'],
      [{ goals: Array.from({ length: 11 }, (_, at) => ({ event_name: `e${at}` })) }, '`goals`'],
    ];
    for (const [change, message] of wrong) {
      const { status, body } = await api.patch(path, change);
      expect([status, body.messages?.join()]).toEqual([422, expect.stringContaining(message)]);
    }
    const unknown = await api.patch(path, { goals: [{ goal_id: 'f'.repeat(24) }] });
    expect([unknown.status, unknown.body.messages.join()]).toEqual([
      404,
      expect.stringContaining('`goals[0].goal_id`'),
    ]);
    expect((await api.get(path)).body.tour.goals).toEqual(tour.goals);
  });

  it('show the event of a shared primary goal as `goal`', async () => {
    const goal = await send.create({ event_name: 'Paid' });
    const tour = await send.tour({ goals: [{ goal_id: goal.id }] });
    expect(tour).toMatchObject({ goal: 'paid', goals: [{ goal_id: goal.id, primary: true }] });
    await api.patch(`/v3/edit/goals/${goal.id}`, { event_name: 'Bought' });
    const { body } = await api.get(`/v3/edit/tours/${tour.id}`);
    expect(body.tour.goal).toBe('bought');
    // The whole record keeps the shared goal.
    const again = (await api.patch(`/v3/edit/tours/${tour.id}`, body.tour)).body.tour;
    expect(again.goals).toEqual(body.tour.goals);
  });

  it('are in Changes, and in a duplicate, and are no unpublished change', async () => {
    const tour = await send.tour({ published_at: '$now', steps: [{ title: 'Hi' }] });
    const path = `/v3/edit/tours/${tour.id}`;
    const goals = [{ kind: 'property', name: 'On pro', filters: [{ prop: 'plan', op: 'eq', value: 'pro' }] }];
    const changed = (await api.patch(path, { goals })).body.tour;
    expect(changed.has_unpublished_changes).toBe(false);
    const { changes } = (await api.get(`${path}/changes`)).body;
    expect(JSON.stringify(changes)).toContain('On pro');
    const copy = (await api.post(`${path}/duplicate`, {})).body.tour;
    expect(copy.goals).toEqual(changed.goals);
  });
});
