import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { loadPage } from '../../../../test/open-page.ts';
import { composeItem } from '../../../webhooks/events/compose-item.ts';
import type { ItemRow } from '../../../webhooks/queries.ts';
import { checkAlerts } from './check-alerts.ts';

const DAY = 24 * 60 * 60_000;
let clock = Date.UTC(2029, 3, 7, 12);
let api: Api;
/** Another node with the same database. */
let node: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => clock });
  node = await startApi({ inTest: false, now: () => clock, beside: api });
});
afterAll(async () => {
  await node.stop();
  await api.stop();
});
beforeEach(async () => {
  clock += 40 * DAY;
  await api.replaceAccounts();
});

async function make(kind: string, params: object): Promise<{ id: string; published_at: string }> {
  const { status, body } = await api.post(`/v3/edit/${kind}`, { name: 'Welcome', ...params });
  expect([status, body.messages]).toEqual([201, undefined]);
  return Object.values(body)[0] as { id: string; published_at: string };
}
const steps = [{ title: 'Hello' }];
const inline = { position_type: 'inline', elements: [{ selector: '#banner' }] };
const addTour = (params: object = {}) => make('tours', { steps, published_at: '$now', ...params });
const addGroup = (params: object = {}) =>
  make('alert_groups', { name: 'Quiet', interval: 7, published_at: '$now', ...params });
const addWebhook = (params: object = {}) =>
  make('webhooks', { url: 'https://example.com/hooks', topics: ['alert.triggered'], ...params });
async function report(id: string, ...states: string[]) {
  const page = await loadPage(api, `user ${states.join(' ')}`);
  for (const state of states) {
    const { status, body } = await page.report({ experience_id: id, state });
    expect([status, body.messages]).toEqual([200, undefined]);
  }
}
const items = async (): Promise<ItemRow[]> =>
  ((await accountRows(api.app, api.account.account_id)).outbox ?? []).map((row) => JSON.parse(row));
const dataOf = async (item: ItemRow) => JSON.parse((await composeItem(api.app, item)) ?? 'null');
/** The IDs of the Experiences in the items that a check stores. */
async function check(): Promise<string[][]> {
  const before = (await items()).length;
  await checkAlerts(api.app);
  const data = await Promise.all((await items()).slice(before).map(dataOf));
  return data.map(({ experiences }) => experiences.map(({ id }: { id: string }) => id));
}
const attention = async (as = api.account) => (await api.get('/v3/analyze/attention', { as })).body.attention;
const typesAtHome = async () => (await attention()).map(({ type }: { type: string }) => type);
const lastNotified = async (id: string) =>
  (await api.get(`/v3/edit/alert_groups/${id}`)).body.alert_group.last_notified_at;
const now = () => new Date(clock).toISOString();

describe('unseen', () => {
  it('alerts once to a live Experience that no one has seen since its publication, and names the group', async () => {
    await addWebhook();
    const segment = await make('segments', { items: [{ prop: 'plan', op: 'eq', value: 'pro' }] });
    const tour = await addTour({ segment_ids: [segment.id] });
    const group = await addGroup();
    clock += 7 * DAY - 1;
    expect(await check()).toEqual([]);
    expect(await attention()).toEqual([]);
    expect(await lastNotified(group.id)).toBe(null);
    clock += 1;
    let woken = '';
    api.app.webhooks.wake = (accountId) => {
      woken = accountId;
    };
    expect(await check()).toEqual([[tour.id]]);
    expect(woken).toBe(api.account.account_id);
    const [item] = (await items()) as [ItemRow];
    expect(item).toMatchObject({ kind: 'alert.triggered', profile_id: null, state: 'pending', next_at: clock });
    expect(await dataOf(item)).toEqual({
      alert_group: { id: group.id, name: 'Quiet', kind: 'all', style: 'unseen', interval: 7 },
      experiences: [
        {
          ...{ id: tour.id, created_at: tour.published_at, kind: 'tour', name: 'Welcome' },
          ...{ published_at: tour.published_at, segment_id: segment.id, since: tour.published_at },
        },
      ],
      experiences_count: 1,
    });
    expect(await lastNotified(group.id)).toBe(now());
    expect(await attention()).toEqual([
      {
        ...{ type: 'experience_unseen', severity: 'warning', since: tour.published_at, count: 7, step: null },
        target: { type: 'tour', id: tour.id, name: 'Welcome' },
      },
    ]);
    expect(await attention(api.other)).toEqual([]);
  });

  it.each(['displayed', 'started'])('counts from when it was last %s', async (state) => {
    await addWebhook();
    const tour = await addTour();
    await addGroup();
    clock += 6 * DAY;
    await report(tour.id, state);
    const seenAt = now();
    clock += 7 * DAY - 1000;
    expect(await check()).toEqual([]);
    clock += 1000;
    expect(await check()).toEqual([[tour.id]]);
    expect(await attention()).toMatchObject([{ type: 'experience_unseen', since: seenAt }]);
    // Somebody sees it, and nothing needs attention any more.
    await report(tour.id, 'displayed', 'started');
    expect(await attention()).toEqual([]);
    clock += 6 * DAY;
    expect(await check()).toEqual([]);
  });

  it('counts from the last publication', async () => {
    const tour = await addTour();
    await addGroup();
    clock += 6 * DAY;
    await api.patch(`/v3/edit/tours/${tour.id}`, { name: 'Changed' });
    await api.patch(`/v3/edit/tours/${tour.id}`, { published_at: '$now' });
    clock += 6 * DAY;
    expect(await attention()).toEqual([]);
    clock += DAY;
    expect(await attention()).toMatchObject([{ count: 7, target: { name: 'Changed' } }]);
  });

  it('alerts to no Experience that users cannot see', async () => {
    await addWebhook();
    const stopped = await addTour();
    const archived = await addTour();
    await addTour({ published_at: null });
    await addTour({ published_at: '+20d' });
    await addGroup();
    await api.patch(`/v3/edit/tours/${stopped.id}`, { published_at: null });
    await api.patch(`/v3/edit/tours/${archived.id}`, { archived_at: '$now' });
    clock += 10 * DAY;
    expect(await check()).toEqual([]);
    expect(await typesAtHome()).toEqual([]);
  });
});

describe('uncompleted', () => {
  it('alerts to an Experience that was started and that no one has completed', async () => {
    await addWebhook();
    const [tour, never] = [await addTour(), await addTour()];
    await addGroup({ style: 'uncompleted' });
    await report(tour.id, 'started');
    await report(never.id, 'displayed');
    clock += 7 * DAY - 1000;
    expect(await check()).toEqual([]);
    clock += 1000;
    expect(await check()).toEqual([[tour.id]]);
    expect(await attention()).toMatchObject([
      { type: 'experience_uncompleted', since: tour.published_at, count: 7, target: { id: tour.id } },
    ]);
  });

  it('counts from when it was last completed', async () => {
    await addWebhook();
    const tour = await addTour();
    await addGroup({ style: 'uncompleted' });
    clock += 5 * DAY;
    await report(tour.id, 'started', 'completed');
    clock += 6 * DAY;
    await report(tour.id, 'started');
    expect(await check()).toEqual([]);
    clock += DAY;
    expect(await check()).toEqual([[tour.id]]);
  });
});

describe('a group', () => {
  it.each([
    ['all', 2],
    ['tour', 1],
    ['survey', 1],
    ['tags', 1],
    ['campaigns', 1],
  ] as const)('of the kind %s watches what belongs to it', async (kind, count) => {
    await addWebhook();
    const tag = await make('tags', {});
    const tour = await addTour({ tag_ids: [tag.id] });
    const survey = await make('surveys', { steps: [{ title: 'Why?', preset: 'survey_input' }], published_at: '$now' });
    await make('embeds', { steps: [{ ...steps[0], ...inline }], published_at: '$now', tag_ids: [tag.id] });
    const lists = { tags: { tag_ids: [tag.id] }, campaigns: { campaign_ids: [survey.id] } };
    await addGroup({ kind, ...(kind in lists && lists[kind as keyof typeof lists]) });
    clock += 8 * DAY;
    const expected = { tour: [tour.id], tags: [tour.id], survey: [survey.id], campaigns: [survey.id] };
    expect(await check()).toEqual([kind === 'all' ? [tour.id, survey.id] : expected[kind]]);
    expect(await attention()).toHaveLength(count);
  });

  it('watches nothing until it is published', async () => {
    await addWebhook();
    await addTour();
    const { id } = await addGroup({ published_at: null });
    await addGroup({ published_at: '+30d' });
    clock += 10 * DAY;
    expect(await check()).toEqual([]);
    expect(await attention()).toEqual([]);
    await api.patch(`/v3/edit/alert_groups/${id}`, { published_at: '$now' });
    expect(await check()).toHaveLength(1);
    expect(await typesAtHome()).toEqual(['experience_unseen']);
  });

  it('notifies again after its interval, while it is still triggered', async () => {
    await addWebhook();
    const tour = await addTour();
    await addGroup({ interval: 2 });
    clock += 2 * DAY;
    expect(await check()).toEqual([[tour.id]]);
    expect(await check()).toEqual([]);
    clock += 2 * DAY - 1;
    expect(await check()).toEqual([]);
    clock += 1;
    expect(await check()).toEqual([[tour.id]]);
    await report(tour.id, 'displayed');
    clock += DAY;
    expect(await check()).toEqual([]);
  });

  it('notifies only webhooks that subscribe, and waits until there is one', async () => {
    await addTour();
    const survey = await make('surveys', { steps: [{ title: 'Why?', preset: 'survey_input' }], published_at: '$now' });
    const { id } = await addGroup({ kind: 'tour' });
    await addWebhook({ topics: ['tour.*', 'experience.target_missing'] });
    await addWebhook({ url: 'https://example.com/other', experience_ids: [survey.id] });
    clock += 8 * DAY;
    expect(await check()).toEqual([]);
    expect(await lastNotified(id)).toBe(null);
    const [first, second] = [
      await addWebhook({ url: 'https://example.com/first' }),
      await addWebhook({ url: 'https://example.com/second' }),
    ];
    expect(await check()).toHaveLength(2);
    const stored = await items();
    expect(stored.map(({ webhook_id }) => webhook_id).sort()).toEqual([first.id, second.id].sort());
    expect(new Set(stored.map(({ id }) => id)).size).toBe(1);
  });

  it('lists the first 100 of its Experiences, the longest quiet ones first', async () => {
    await addWebhook();
    const ids: string[] = [];
    for (let n = 0; n < 101; n++) {
      ids.push((await addTour()).id);
      clock += 1000;
    }
    await addGroup();
    clock += 8 * DAY;
    expect(await check()).toEqual([ids.slice(0, 100)]);
    const [item] = (await items()) as [ItemRow];
    expect((await dataOf(item)).experiences_count).toBe(101);
    expect(await attention()).toHaveLength(20);
  }, 60_000);
});

describe('several nodes', () => {
  it('notify once together, however often they check', async () => {
    await addWebhook();
    await addTour();
    await addGroup();
    await addGroup({ name: 'Second' });
    for (let round = 1; round <= 3; round++) {
      clock += 7 * DAY;
      await Promise.all([api, node, api, node].map(({ app }) => checkAlerts(app)));
      expect(await items()).toHaveLength(2 * round);
    }
  });

  it('store the time and the items together, or neither', async () => {
    await addWebhook();
    await addTour();
    const { id } = await addGroup();
    clock += 8 * DAY;
    const { storage } = api.app;
    const { write } = storage;
    onTestFinished(() => void Object.assign(storage, { write }));
    Object.assign(storage, {
      write: (...[accountId, work]: Parameters<typeof write>) =>
        write(accountId, async (db) => {
          await work(db);
          throw new Error('the last moment before the commit');
        }),
    });
    await expect(checkAlerts(api.app)).rejects.toThrow('the last moment');
    Object.assign(storage, { write });
    expect([await items(), await lastNotified(id)]).toEqual([[], null]);
    expect(await check()).toHaveLength(1);
    expect(await lastNotified(id)).toBe(now());
  });

  it('send nothing for a group that was changed or deleted while it was checked', async () => {
    await addWebhook();
    await addTour();
    const [changed, deleted] = [await addGroup(), await addGroup()];
    clock += 8 * DAY;
    const { storage } = api.app;
    const { write } = storage;
    onTestFinished(() => void Object.assign(storage, { write }));
    Object.assign(storage, {
      write: async (...args: Parameters<typeof write>) => {
        Object.assign(storage, { write });
        await api.patch(`/v3/edit/alert_groups/${changed.id}`, { published_at: null });
        await api.send('DELETE', `/v3/edit/alert_groups/${deleted.id}`);
        return write(...args);
      },
    });
    await checkAlerts(api.app);
    expect(await items()).toEqual([]);
  });
});
