import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { loadPage } from '../../../../test/open-page.ts';
import { newUid, openDomain, PAGE } from '../../../../test/visiting.ts';

const HOUR = 60 * 60_000;
let now = Date.parse('2029-04-07T12:00:00.000Z');
let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
});
beforeEach(async () => {
  await api.replaceAccounts();
  await openDomain(api);
});
afterAll(() => api.stop());

async function queueOf(id: string, href = PAGE) {
  const { status, body } = await api.post(`/v3/edit/profiles/${id}/queue`, { href });
  expect([status, body.messages]).toEqual([200, undefined]);
  return body.queue;
}

async function add(kind: string, params: object): Promise<{ id: string; kind: string; name: string }> {
  const whole = { steps: [{ title: 'Hello' }], published_at: '$now', ...params };
  const { status, body } = await api.post(`/v3/edit/${kind}s`, whole);
  expect([status, body.messages]).toEqual([201, undefined]);
  const { id, name } = body[kind];
  return { id, kind, name };
}

async function deliver(model_id: string, uid: string, params: object = {}): Promise<string> {
  const whole = { model_kind: 'tour', model_id, uid, delivery_ids_position: 'last', ...params };
  const { status, body } = await api.post('/v3/edit/deliveries', whole);
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.delivery.id;
}

const timeIn = (hours: number) => new Date(now + hours * HOUR).toISOString();
const namesOf = (items: { experience: { name: string } }[]) => items.map(({ experience }) => experience.name);

describe('the queue of a user', () => {
  it('is what a page would show in order, and why not the rest', async () => {
    const hidden = await add('tour', { name: 'By hand', position: 0, style: 'manual' });
    const second = await add('tour', { name: 'Second', position: 2 });
    const first = await add('tour', { name: 'First', position: 1 });
    await add('tour', { name: 'Draft', published_at: null });
    const { profile } = await loadPage(api, newUid(), { href: PAGE });
    expect(await queueOf(profile.id)).toEqual({
      href: PAGE,
      problem: null,
      next: [{ experience: first, delivery_id: null, why: 'automatic' }],
      rest: [
        {
          experience: second,
          delivery_id: null,
          reasons: [{ rule: 'another', message: 'Another one comes first: “First”', field: 'position' }],
        },
        {
          experience: hidden,
          delivery_id: null,
          reasons: [{ rule: 'manual', message: expect.stringContaining('manual'), field: 'style' }],
        },
      ],
      limits: [],
      snoozes: [],
    });
  });

  it('begins with the Deliveries that are ready, and has the times of the others', async () => {
    const [one, two, three] = [
      await add('tour', { name: 'One', style: 'manual' }),
      await add('tour', { name: 'Two', style: 'manual' }),
      await add('tour', { name: 'Three', style: 'manual' }),
    ];
    const uid = newUid();
    const { profile } = await loadPage(api, uid, { href: PAGE });
    const later = await deliver(three.id, uid, { from: timeIn(2) });
    const ready = await deliver(two.id, uid, { until: timeIn(1) });
    const again = await deliver(one.id, uid);
    const queue = await queueOf(profile.id);
    expect(queue.next).toEqual([
      { experience: two, delivery_id: ready, why: 'delivery' },
      { experience: one, delivery_id: again, why: 'delivery' },
    ]);
    expect(queue.rest[0]).toMatchObject({ experience: three, delivery_id: later, reasons: [{ rule: 'from' }] });
    now += 3 * HOUR;
    const after = await queueOf(profile.id);
    expect(after.next.map(({ delivery_id }: { delivery_id: string }) => delivery_id)).toEqual([later, again]);
    expect(after.rest[0]).toMatchObject({ delivery_id: ready, reasons: [{ rule: 'until' }] });
    const { body } = await api.get(`/v3/analyze/profiles/${profile.id}`);
    expect(body.profile.delivery_ids).toEqual([later, ready, again]);
  });

  it('says how much of each limit is used, and when the next may start', async () => {
    const tours = [];
    for (const name of ['One', 'Two', 'Three']) tours.push(await add('tour', { name }));
    const { body } = await api.post('/v3/edit/limit_groups', { name: 'Calm', max_count: 2, period_hours: 10 });
    const { profile, report } = await loadPage(api, newUid(), { href: PAGE });
    const limit = { id: body.limit_group.id, name: 'Calm', most: 2, steps: null, seconds: null, period_hours: 10 };
    const start = async (name: string) => {
      const [shown] = (await queueOf(profile.id)).next;
      expect(shown.experience.name).toBe(name);
      for (const state of ['started', 'completed'])
        expect((await report({ experience_id: shown.experience.id, state, group_kind: 'campaign' })).status).toBe(200);
    };
    const free = { ...limit, is_reached: false, free_at: null };
    expect((await queueOf(profile.id)).limits).toEqual([{ ...free, used: 0 }]);
    const firstEnds = timeIn(10);
    await start('One');
    expect((await queueOf(profile.id)).limits).toEqual([{ ...free, used: 1 }]);
    now += HOUR;
    await start('Two');
    const queue = await queueOf(profile.id);
    expect(queue.limits).toEqual([{ ...limit, used: 2, is_reached: true, free_at: firstEnds }]);
    expect(queue.next).toEqual([]);
    expect(queue.rest).toMatchObject([{ experience: { name: 'One' } }, {}, { reasons: [{ rule: 'limit' }] }]);
    now = Date.parse(firstEnds) - 1;
    expect((await queueOf(profile.id)).next).toEqual([]);
    now += 1;
    expect(namesOf((await queueOf(profile.id)).next)).toEqual(['Three']);
  });

  it('has what the user snoozed and until when, and what the user is in the middle of', async () => {
    const snoozed = await add('tour', { name: 'Snoozed', steps: [{ title: 'Hello', snooze_hours: 2 }] });
    const begun = await add('tour', { name: 'Begun' });
    const { profile, report } = await loadPage(api, newUid(), { href: PAGE });
    for (const params of [{ state: 'started' }, { state: 'snoozed', snooze_hours: 2 }])
      await report({ experience_id: snoozed.id, group_kind: 'campaign', ...params });
    await report({ experience_id: begun.id, group_kind: 'campaign', state: 'started' });
    const queue = await queueOf(profile.id);
    expect(queue.snoozes).toEqual([{ experience: snoozed, until: timeIn(2) }]);
    expect(queue.next).toEqual([{ experience: begun, delivery_id: null, why: 'in_progress' }]);
    now += 2 * HOUR;
    const after = await queueOf(profile.id);
    expect(after.snoozes).toEqual([]);
    expect(after.next).toEqual([{ experience: snoozed, delivery_id: null, why: 'automatic' }]);
  });

  it('says why nothing shows on a page, or to a user', async () => {
    await add('tour', { name: 'Tour' });
    await api.post('/v3/edit/urls', { host: 'off.example.com', enabled: 'off' });
    const { body } = await api.post('/v3/observe/hooks/profiles', { uid: newUid() });
    const { id } = body.profile;
    expect(namesOf((await queueOf(id)).next)).toEqual(['Tour']);
    for (const [href, problem] of [
      ['https://off.example.com/', 'off.example.com is not enabled'],
      ['https://else.example.net/', 'else.example.net is not'],
      ['somewhere', 'host'],
    ] as const) {
      const queue = await queueOf(id, href);
      expect(queue).toMatchObject({ problem: expect.stringContaining(problem), next: [] });
      expect(queue.rest).toMatchObject([{ reasons: [{ rule: 'page' }] }]);
    }
    await api.post('/v3/observe/hooks/profiles', { id, disabled: true });
    expect(await queueOf(id)).toMatchObject({ problem: expect.stringContaining('switched off'), next: [] });
    const { body: urls } = await api.get('/v3/edit/urls');
    expect(urls.urls).toHaveLength(2);
  });

  it('is the same for a test user, and unknown to other accounts', async () => {
    await add('tour', { name: 'Tour' });
    const { profile } = await loadPage(api, newUid(), { href: PAGE });
    const before = await queueOf(profile.id);
    await api.patch(`/v3/edit/profiles/${profile.id}`, { test: true });
    expect(await queueOf(profile.id)).toEqual(before);
    const path = `/v3/edit/profiles/${profile.id}/queue`;
    expect((await api.post(path, { href: PAGE }, { as: api.other })).status).toBe(404);
    expect((await api.post(path, {})).status).toBe(422);
    await api.send('DELETE', `/v3/edit/profiles/${profile.id}/forget`);
    expect((await api.post(path, { href: PAGE })).status).toBe(404);
  });
});
