import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { newUid, openDomain, visit } from '../../../../test/visiting.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
let now = Date.parse('2029-04-07T12:18:00.000Z');
let api: Api;
let uid: string;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
});
afterAll(() => api.stop());
beforeEach(async () => {
  now += HOUR;
  await api.replaceAccounts();
  await openDomain(api);
  uid = newUid();
});

const event = (value: string) => [{ kind: 'event', op: 'ex', value }];
const plan = (value: string) => [{ kind: 'property', prop: 'plan', op: 'eq', value }];
const item = (title: string, fields: object = {}) => ({ kind: 'url', title, url: '/docs', ...fields });

async function add(items: object[], fields: object = {}) {
  const params = {
    name: 'Steps',
    title: 'First steps',
    list_type: 'checklist',
    items,
    published_at: '$now',
    ...fields,
  };
  const { status, body } = await api.post('/v3/edit/launchers', params);
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.launcher;
}

const track = (name: string) => api.post('/v3/observe/hooks/events', { uid, name });
const say = (properties: object) => api.post('/v3/observe/hooks/profiles', { uid, ...properties });

/** The state of each item that the page gets, by its title. */
async function seen(id: string) {
  const { body } = await visit(api, { uid });
  const launcher = body.experiences.find((one: { id: string }) => one.id === id);
  type Item = { title: string[]; completed?: boolean; locked?: boolean };
  return (
    launcher &&
    Object.fromEntries(
      launcher.items.map(({ title, completed, locked }: Item) => [
        title[0],
        `${completed === undefined ? 'link' : completed ? 'done' : 'open'}${locked ? ' locked' : ''}`,
      ]),
    )
  );
}

const interactionsOf = async (id: string) =>
  (await api.get('/v3/analyze/interactions', { query: new URLSearchParams({ id }).toString() })).body.interactions;

async function countsOf(id: string) {
  const { body } = await api.get(`/v3/analyze/launchers/${id}/stats`);
  return body.stats.steps[0].buttons.map(({ completed }: { completed: number }) => completed);
}

describe('a checklist', () => {
  it('ticks off items by an event, by a property and by an Experience, and tells pages nothing about the conditions', async () => {
    const steps = [{ title: 'Hello' }];
    const { body } = await api.post('/v3/edit/tours', { name: 'Tour', style: 'manual', steps, published_at: '$now' });
    const { id, items } = await add([
      item('Export', { completed_when: event('Report Exported') }),
      item('Plan', { completed_when: plan('pro') }),
      item('Tour', { completed_when: [{ kind: 'tour', op: 'ex', value: body.tour.id, range: 'completed' }] }),
      item('Docs'),
    ]);
    expect(await seen(id)).toEqual({ Export: 'open', Plan: 'open', Tour: 'open', Docs: 'link' });
    await track('report exported');
    await say({ plan: 'pro' });
    now += HOUR;
    expect(await seen(id)).toEqual({ Export: 'done', Plan: 'done', Tour: 'open', Docs: 'link' });
    const at = new Date(now).toISOString();
    now += HOUR;
    const page = await visit(api, { uid });
    expect(JSON.stringify(page.body)).not.toMatch(/completed_when|report_exported|visible_when|hasState|"pro"/);
    const token = page.body.visit.token;
    for (const state of ['started', 'completed'])
      await api.post(
        '/v3/observe/interactions',
        { visit_token: token, experience_id: body.tour.id, state },
        { as: null },
      );
    expect(await seen(id)).toMatchObject({ Tour: 'done' });
    const [interaction] = await interactionsOf(id);
    expect(interaction).toMatchObject({
      state: 'completed',
      items: [
        { id: items[0].id, completed_at: at },
        { id: items[1].id, completed_at: at },
        { id: items[2].id, completed_at: new Date(now).toISOString() },
      ],
    });
    expect(await countsOf(id)).toEqual([1, 1, 1, 0]);
  });

  it('tells the page that tracks an event whether an item waits for it, until the item is completed', async () => {
    const { id } = await add([
      item('Invite', { completed_when: event('invited') }),
      item('Plan', { completed_when: plan('pro') }),
    ]);
    const { visit: made } = (await visit(api, { uid })).body;
    const send = async (name: string) =>
      (await api.post('/v3/observe/events', { visit_token: made.token, name }, { as: null })).body.starts;
    expect(await send('invited')).toBeUndefined();
    const launcher = { experience_id: id, state: 'displayed' };
    await api.post('/v3/observe/interactions', { visit_token: made.token, ...launcher }, { as: null });
    expect([await send('other'), await send('invited')]).toEqual([undefined, true]);
    expect(await seen(id)).toMatchObject({ Invite: 'done', Plan: 'open' });
    expect(await send('invited')).toBeUndefined();
  });

  it('keeps an item completed when its condition is false later, and writes nothing on further page loads', async () => {
    const { id } = await add([
      item('Plan', { completed_when: plan('pro') }),
      item('Invite', { completed_when: event('invited') }),
    ]);
    await say({ plan: 'pro' });
    expect(await seen(id)).toEqual({ Plan: 'done', Invite: 'open' });
    await say({ plan: 'free' });
    now += 60_000;
    expect(await seen(id)).toEqual({ Plan: 'done', Invite: 'open' });
    const stored = async () => {
      const { interactions, activities, activity_counts } = (await accountRows(
        api.app,
        api.account.account_id,
      )) as Record<string, unknown>;
      return { interactions, activities, activity_counts };
    };
    const before = await stored();
    now += 60_000;
    await seen(id);
    expect(await stored()).toEqual(before);
    // A further item changes the Interaction, so clients that ask for changes get it.
    await track('invited');
    await seen(id);
    expect((await interactionsOf(id))[0].updated_at).toBe(new Date(now).toISOString());
  });

  it('locks items in their order, and completes a locked one when the one before is', async () => {
    const { id } = await add(
      [
        item('One', { completed_when: event('one') }),
        item('Two', { completed_when: event('two') }),
        item('Three', { completed_when: event('three') }),
      ],
      { in_order: true },
    );
    await track('two');
    expect(await seen(id)).toEqual({ One: 'open', Two: 'open locked', Three: 'open locked' });
    await track('one');
    expect(await seen(id)).toEqual({ One: 'done', Two: 'done', Three: 'open' });
  });

  it('shows an item only to those whom its condition is for', async () => {
    const { id } = await add([
      item('Pro', { visible_when: plan('pro'), completed_when: event('one') }),
      item('Either', { visible_when: [...plan('pro'), ...plan('free')], visible_when_op: 'or' }),
    ]);
    await say({ plan: 'free' });
    expect(await seen(id)).toEqual({ Either: 'link' });
    await say({ plan: 'pro' });
    expect(await seen(id)).toEqual({ Pro: 'open', Either: 'link' });
  });

  it('celebrates once, and leaves the page some days after it is completed', async () => {
    const { id } = await add([item('One', { completed_when: event('one') })], {
      celebration: true,
      hide_after_completed_days: 3,
    });
    await seen(id);
    await track('one');
    const celebrates = async () =>
      (await visit(api, { uid })).body.experiences.map(({ celebrate }: { celebrate?: boolean }) => celebrate);
    expect(await celebrates()).toEqual([true]);
    expect(await celebrates()).toEqual([undefined]);
    now += 3 * DAY - 1;
    expect(await celebrates()).toEqual([undefined]);
    now += 1;
    expect(await celebrates()).toEqual([]);
  });

  it('is in the timeline, and is forgotten with clear and forget, and so are its counts', async () => {
    const { id, items } = await add([item('One', { completed_when: event('one') })]);
    await track('one');
    await seen(id);
    const profile = (await visit(api, { uid })).body.profile.id;
    const timeline = async () => (await api.get(`/v3/edit/profiles/${profile}/timeline`)).body.entries;
    expect((await timeline()).filter(({ kind }: { kind: string }) => kind === 'item_completed')).toMatchObject([
      { item: { id: items[0].id, title: 'One' }, experience: { id } },
    ]);
    expect(await countsOf(id)).toEqual([1]);
    expect((await api.send('DELETE', `/v3/edit/profiles/${profile}`)).status).toBe(200);
    expect(await interactionsOf(id)).toEqual([]);
    expect(await countsOf(id)).toEqual([0]);
  });

  it('does not count test users', async () => {
    await api.patch('/v3/edit/account', { test_emails: ['*@example.com'] });
    const { id } = await add([item('One', { completed_when: event('one') })]);
    await say({ test: true, email: 'a@example.com' });
    await track('one');
    expect(await seen(id)).toEqual({ One: 'done' });
    const [interaction] = await interactionsOf(id);
    expect(interaction.items).toHaveLength(1);
  });

  it('warns before publishing of an item that most people have completed already', async () => {
    for (const [at, value] of ['pro', 'pro', 'pro', 'free'].entries())
      await api.post('/v3/observe/hooks/profiles', { uid: `person ${at}`, plan: value });
    const { id } = await add([
      item('Plan', { completed_when: plan('pro') }),
      item('Free', { completed_when: plan('free') }),
    ]);
    const { body } = await api.get(`/v3/edit/launchers/${id}/publish_check`);
    const found = body.publish_check.warnings.filter(({ code }: { code: string }) => code === 'already_completed');
    expect(found).toEqual([
      {
        code: 'already_completed',
        message: 'Item 1 (“Plan”) is completed already for 75% of the people that the list is for',
        path: 'items.0.completed_when',
        experience_ids: [],
      },
    ]);
  });

  it('warns before publishing of an item that waits for an event that no one has sent', async () => {
    const completed_when = [{ kind: 'group', filters_op: 'or', filters: [...event('sent'), ...event('never sent')] }];
    const { id } = await add([item('Plan', { completed_when: plan('pro') }), item('Send', { completed_when })]);
    await track('sent');
    await api.app.propertyRegistry.flush(api.account.account_id);
    const { body } = await api.get(`/v3/edit/launchers/${id}/publish_check`);
    const found = body.publish_check.warnings.filter(({ code }: { code: string }) => code.startsWith('event'));
    expect(found).toEqual([
      {
        code: 'event_unknown',
        message: 'Item 2 waits for the event “never_sent”, which no one has ever sent',
        path: 'items.1.completed_when',
        experience_ids: [],
      },
    ]);
  });

  it('names unknown records, and keeps what its conditions name', async () => {
    const segment = (await api.post('/v3/edit/segments', { name: 'Pro', items: plan('pro') })).body.segment.id;
    const { body } = await api.post('/v3/edit/tours', { name: 'Tour', steps: [{ title: 'Hello' }] });
    const tour = body.tour.id;
    const { id } = await add([
      item('Both', {
        visible_when: [{ kind: 'segment', op: 'ex', value: segment }],
        completed_when: [
          { kind: 'group', filters_op: 'or', filters: [{ kind: 'tour', op: 'ex', value: tour }, ...event('exported')] },
        ],
      }),
    ]);
    for (const path of [`/v3/edit/segments/${segment}`, `/v3/edit/tours/${tour}`]) {
      const { status, body } = await api.send('DELETE', path);
      expect([path, status, body.messages[0]]).toEqual([path, 409, expect.stringContaining('Steps')]);
    }
    const { body: unknown } = await api.patch(`/v3/edit/launchers/${id}`, {
      items: [item('Both', { completed_when: [{ kind: 'segment', op: 'ex', value: 'f'.repeat(24) }] })],
    });
    expect(unknown).toMatchObject({
      code: 404,
      messages: ['`items[0].completed_when[0].value` is the ID of no Segment in this account'],
    });
    const { status, body: bad } = await api.patch(`/v3/edit/launchers/${id}`, {
      items: [item('Both', { completed_when: [{ kind: 'intercom' }] })],
    });
    expect([status, bad.messages]).toEqual([422, [expect.stringContaining('items[0].completed_when')]]);
    await track('exported');
    const { body: names } = await api.get('/v3/edit/event_names');
    const { id: name } = names.event_names.find(({ uid }: { uid: string }) => uid === 'exported');
    const { status: inUse } = await api.send('DELETE', `/v3/edit/event_names/${name}`);
    expect(inUse).toBe(409);
  });
});
