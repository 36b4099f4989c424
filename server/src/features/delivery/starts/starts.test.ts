import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { HREF, loadPage, type OpenPage } from '../../../../test/open-page.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
let clock = Date.UTC(2029, 3, 7, 12);
const pass = (time: number) => {
  clock += time;
};
let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => clock });
});
beforeEach(async () => {
  await api.replaceAccounts();
  pass(DAY);
  uid = `user ${++count}`;
});
afterAll(() => api.stop());

let count = 0;
let uid = '';
const invited = { name: 'Invite sent', filters: [], delay_seconds: 0, within_seconds: 3600 };

async function makeTour(event: object = {}, params: object = {}): Promise<{ id: string; steps: { id: string }[] }> {
  const steps = [
    { title: 'Hello', step_trigger: 'event', trigger_event: { ...invited, ...event } },
    { title: 'Bye', quantifier_urls: [{ url: 'http://localhost:3000/*' }] },
  ];
  const { status, body } = await api.post('/v3/edit/tours', { name: 'Tour', steps, published_at: '$now', ...params });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.tour;
}
const send = async (params: object = {}) => {
  pass(SECOND);
  const { status, body } = await api.post('/v3/observe/hooks/events', { uid, name: 'InviteSent', ...params });
  expect([status, body.messages]).toEqual([200, undefined]);
};
const load = () => {
  pass(SECOND);
  return loadPage(api, uid);
};
/** What starts, with what the response says of it. */
interface Shown {
  id: string;
  automatic?: boolean;
  by_event?: boolean;
  reached?: string[];
  step_id?: string;
}
const shown = ({ experiences }: OpenPage) =>
  (experiences as Shown[]).map(({ id, automatic, by_event, reached, step_id }) => ({
    id,
    ...(automatic && { automatic }),
    ...(by_event && { by_event }),
    ...(reached && { reached }),
    ...(step_id && { step_id }),
  }));
async function claim(page: OpenPage, experience_id: string, params: object = {}): Promise<unknown> {
  pass(SECOND);
  const report = { experience_id, state: 'started', by_event: true, href: HREF, ...params };
  const { status, body } = await page.report(report);
  expect([status, body.messages]).toEqual([200, undefined]);
  return body.start?.triggered;
}
async function finish(page: OpenPage, experience_id: string): Promise<void> {
  pass(SECOND);
  expect((await page.report({ experience_id, state: 'completed' })).status).toBe(200);
}

describe('an Experience that starts on an event', () => {
  it('does not start without the event, and starts on the next page after it', async () => {
    const { id } = await makeTour();
    expect(shown(await load())).toEqual([]);
    await send();
    expect(shown(await load())).toEqual([{ id, automatic: true, by_event: true }]);
  });

  it('is claimed by one page, and by the same page again', async () => {
    const { id } = await makeTour();
    await load();
    await send();
    const [first, second] = [await load(), await load()];
    expect(await claim(first, id)).toBe(true);
    expect(await claim(second, id)).toBe(false);
    expect(await claim(first, id)).toBe(true);
    const { stats } = (await api.get(`/v3/edit/tours/${id}`)).body.tour;
    expect(stats.started_count).toBe(1);
  });

  it('is claimed once by many pages at the same time', async () => {
    const { id } = await makeTour();
    await load();
    await send();
    const pages = await Promise.all(Array.from({ length: 6 }, () => loadPage(api, uid)));
    const claims = await Promise.all(pages.map((page) => claim(page, id)));
    expect(claims.filter(Boolean)).toHaveLength(1);
  });

  it('says in the response to the event of a page that something starts, and only then', async () => {
    await makeTour();
    const page = await load();
    const track = async (name: string) => (await page.track({ name, idempotency_key: name })).body;
    expect(await track('Other')).not.toHaveProperty('starts');
    expect(await track('invite-sent')).toHaveProperty('starts', true);
    // The page may not have received the first response.
    expect(await track('invite-sent')).toHaveProperty('starts', true);
  });

  it('starts only if the properties of the event match', async () => {
    const filters = [
      { prop: 'role', op: 'eq', value: 'admin' },
      { prop: 'Count', op: 'gte', value: 3 },
    ];
    const { id } = await makeTour({ filters });
    await load();
    await send({ role: 'admin', count: 2 });
    await send({ role: 'viewer', count: 5 });
    expect(shown(await load())).toEqual([]);
    await send({ role: 'admin', count: '3' });
    expect(shown(await load())).toMatchObject([{ id, by_event: true }]);
  });

  it('tests properties of the event that have the names of fields of users', async () => {
    const { id } = await makeTour({ filters: [{ prop: 'email', op: 'eq', value: 'ann@example.com' }] });
    await load();
    await send({ email: 'bea@example.com' });
    expect(shown(await load())).toEqual([]);
    await send({ email: 'ann@example.com' });
    expect(shown(await load())).toMatchObject([{ id }]);
  });

  it('starts after its delay, and says when the page asks again', async () => {
    const { id } = await makeTour({ delay_seconds: 60 });
    await load();
    await send();
    const early = await load();
    expect(shown(early)).toEqual([]);
    expect(early.againMs).toBe(59_000);
    pass(MINUTE);
    const page = await load();
    expect(shown(page)).toMatchObject([{ id, by_event: true }]);
    expect(page.againMs).toBeUndefined();
    expect(await claim(early, id)).toBe(true);
  });

  it('expires', async () => {
    const { id } = await makeTour({ within_seconds: 60 });
    await load();
    await send();
    const page = await load();
    expect(shown(page)).toMatchObject([{ id }]);
    pass(MINUTE);
    expect(await claim(page, id)).toBe(false);
    expect(shown(await load())).toEqual([]);
  });

  it('counts the time from when the event of a batch happened', async () => {
    // Batches are stored by a thread with a clock of its own.
    const live = await startApi();
    const steps = [{ title: 'Hi', step_trigger: 'event', trigger_event: { ...invited, within_seconds: 600 } }];
    const { body } = await live.post('/v3/edit/tours', { name: 'Tour', steps, published_at: '$now' });
    await loadPage(live, uid);
    const batch = async (minutes: number) => {
      const occurred_at = new Date(Date.now() - minutes * MINUTE).toISOString();
      const sent = await live.post('/v3/observe/hooks/events/batch', {
        events: [{ uid, name: 'Invite sent', occurred_at }],
      });
      expect([sent.status, sent.body.errors]).toEqual([202, undefined]);
    };
    await batch(11);
    expect(shown(await loadPage(live, uid))).toEqual([]);
    await batch(9);
    expect(shown(await loadPage(live, uid))).toMatchObject([{ id: body.tour.id }]);
  });

  it('keeps the other rules: Segments, limits and pages', async () => {
    const { body } = await api.post('/v3/edit/segments', {
      name: 'Pro',
      items: [{ prop: 'plan', op: 'eq', value: 'pro' }],
    });
    const { id } = await makeTour({}, { segment_ids: [body.segment.id] });
    await load();
    await send();
    expect(shown(await load())).toEqual([]);
    await api.post('/v3/observe/hooks/profiles', { uid, plan: 'pro' });
    expect(shown(await load())).toMatchObject([{ id, by_event: true }]);
    await api.post('/v3/edit/limit_groups', { name: 'One', kind: 'tour', rate_limit_size: 1, rate_limit_kind: '1d' });
    const other = await makeTour({ name: 'Paid' });
    const page = await load();
    expect(await claim(page, id)).toBe(true);
    await finish(page, id);
    await send({ name: 'Paid' });
    expect(shown(await load())).toEqual([]);
    pass(2 * DAY);
    await send({ name: 'Paid' });
    expect(shown(await load())).toMatchObject([{ id: other.id }]);
  });

  it('starts again on a new event only as its frequency says', async () => {
    const once = await makeTour();
    const often = await makeTour({ name: 'Paid' }, { repeat_days: 0 });
    await load();
    for (const [{ id }, name] of [
      [once, 'Invite sent'],
      [often, 'Paid'],
    ] as const) {
      await send({ name });
      const page = await load();
      expect(await claim(page, id)).toBe(true);
      await send({ name });
      await finish(page, id);
      pass(MINUTE);
      // The event came while it showed.
      expect(shown(await load())).toEqual([]);
      await send({ name });
    }
    expect(shown(await load())).toMatchObject([{ id: often.id, by_event: true }]);
  });

  it('keeps the newest ten, and one for each Experience', async () => {
    for (let n = 1; n <= 12; n++) await makeTour({ name: `Event ${n}` });
    await load();
    for (let n = 1; n <= 12; n++) await send({ name: `Event ${n}` });
    await send({ name: 'Event 12' });
    const db = api.app.storage.reader(api.account.account_id);
    const { pending_starts } = await db
      .selectFrom('profiles')
      .select('pending_starts')
      .where('account_id', '=', api.account.account_id)
      .where('uid', '=', uid)
      .executeTakeFirstOrThrow();
    expect(pending_starts).toHaveLength(10);
    expect(new Set(pending_starts.map(({ step_id }) => step_id)).size).toBe(10);
  });

  it('no longer starts after the user was cleared', async () => {
    await makeTour();
    const { profile } = await load();
    await send();
    await api.send('DELETE', `/v3/edit/profiles/${profile.id}`);
    expect(shown(await load())).toEqual([]);
  });

  it('leaves the Deliveries of the user as they are', async () => {
    const { id } = await makeTour();
    const { profile } = await load();
    await send();
    const page = await load();
    expect(page.deliveries).toEqual([]);
    await claim(page, id);
    expect((await api.get(`/v3/analyze/profiles/${profile.id}`)).body.profile.delivery_ids).toEqual([]);
    expect((await api.get(`/v3/analyze/profiles/${profile.id}`)).text).not.toContain('pending_starts');
  });
});

describe('a later step that waits for an event', () => {
  const steps = [
    { title: 'Invite somebody' },
    { title: 'Well done', step_trigger: 'event', trigger_event: { name: 'Invite sent' } },
  ];

  it('is reached by an event after the start, and not by one before', async () => {
    const tour = await makeTour({}, { steps });
    const [one, two] = tour.steps.map(({ id }) => id);
    const page = await load();
    await send();
    expect(shown(await load())).toEqual([{ id: tour.id, automatic: true }]);
    await page.report({ experience_id: tour.id, state: 'started', step_id: one, href: HREF });
    expect(shown(await load())).toEqual([{ id: tour.id, automatic: true, step_id: one }]);
    await send();
    expect(shown(await load())).toEqual([{ id: tour.id, automatic: true, reached: [two], step_id: one }]);
  });

  it('waits again in the next showing', async () => {
    const tour = await makeTour({}, { steps, repeat_days: 0 });
    const [step_id] = tour.steps.map(({ id }) => id);
    const page = await load();
    await page.report({ experience_id: tour.id, state: 'started', step_id, href: HREF });
    await send();
    await finish(page, tour.id);
    pass(MINUTE);
    const next = await load();
    await next.report({ experience_id: tour.id, state: 'started', step_id, href: HREF });
    expect(shown(await load())).toEqual([{ id: tour.id, automatic: true, step_id }]);
  });
});

describe('the explanation', () => {
  it('says which event it waits for, and when it came last', async () => {
    const { id } = await makeTour({ filters: [{ prop: 'role', op: 'eq', value: 'admin' }] });
    await load();
    const explain = async () =>
      (await api.post(`/v3/edit/tours/${id}/explanations`, { uid, href: HREF })).body.explanation.draft.reasons;
    expect(await explain()).toEqual([
      { rule: 'event', field: 'steps.0.trigger_event', message: expect.stringContaining('the user has not done it') },
    ]);
    await send({ role: 'viewer' });
    expect(await explain()).toMatchObject([
      { message: expect.stringContaining('“invite_sent”: the user did it last on') },
    ]);
    await send({ role: 'admin' });
    expect(await explain()).toEqual([]);
  });
});

describe('publishing', () => {
  const check = async (id: string) => (await api.get(`/v3/edit/tours/${id}/publish_check`)).body.publish_check;
  const codes = async (id: string) =>
    (await check(id)).warnings
      .map(({ code }: { code: string }) => code)
      .filter((code: string) => code.startsWith('event'));

  it('warns of an event that is unknown, or that no one has sent for long', async () => {
    const { id } = await makeTour();
    expect(await codes(id)).toEqual(['event_unknown']);
    await send();
    await api.app.propertyRegistry.flush(api.account.account_id);
    expect(await codes(id)).toEqual([]);
    pass(31 * DAY);
    expect(await codes(id)).toEqual(['event_not_sent']);
  });

  it('rejects an event that has no name, can never start it, or is for another kind', async () => {
    const publish = async (path: string, step: object) => {
      const { status, body } = await api.post(`/v3/edit/${path}`, {
        name: 'New',
        published_at: '$now',
        steps: [{ title: 'Hi', step_trigger: 'event', ...step }],
      });
      return [status, ...(body.messages ?? [])];
    };
    expect(await publish('tours', {})).toEqual([422, expect.stringContaining('none is named')]);
    const never = { trigger_event: { name: 'Paid', delay_seconds: 60, within_seconds: 60 } };
    expect(await publish('tours', never)).toEqual([422, expect.stringContaining('could never start')]);
    const inline = { position_type: 'inline', elements: [{ selector: 'main' }], trigger_event: { name: 'Paid' } };
    expect(await publish('embeds', inline)).toEqual([422, expect.stringContaining('cannot wait for an event')]);
  });

  it.each([
    [{ name: '' }, '`steps[0].trigger_event.name`'],
    [{ name: '?!' }, '`steps[0].trigger_event.name`'],
    [{}, '`steps[0].trigger_event.name`'],
    [{ name: 'Paid', filters: [{ kind: 'segment', value: 'x' }] }, '`steps[0].trigger_event.filters[0].kind`'],
    [{ name: 'Paid', filters: 'all' }, '`steps[0].trigger_event.filters`'],
    [{ name: 'Paid', delay_seconds: -1 }, '`steps[0].trigger_event.delay_seconds`'],
    [{ name: 'Paid', within_seconds: 0 }, '`steps[0].trigger_event.within_seconds`'],
    ['Paid', '`steps[0].trigger_event`'],
  ])('rejects %j', async (trigger_event, message) => {
    const { status, body } = await api.post('/v3/edit/tours', { name: 'Bad', steps: [{ title: 'Hi', trigger_event }] });
    expect([status, body.messages]).toEqual([422, [expect.stringContaining(message)]]);
  });

  it('keeps the name and the Properties of an event from being deleted while a step waits for it', async () => {
    await makeTour({ filters: [{ prop: 'role', op: 'eq', value: 'admin' }] });
    await send({ role: 'admin', other: 1 });
    await api.app.propertyRegistry.flush(api.account.account_id);
    const names = (await api.get('/v3/edit/event_names')).body.event_names as { id: string }[];
    const deleted = await api.send('DELETE', `/v3/edit/event_names/${names[0]?.id}`);
    expect([deleted.status, deleted.body.messages]).toEqual([409, [expect.stringContaining('the tour "Tour"')]]);
    const { properties } = (await api.get('/v3/edit/properties?kind=event')).body;
    const statuses = [];
    for (const { id, prop } of properties)
      statuses.push([prop, (await api.send('DELETE', `/v3/edit/properties/${id}`)).status]);
    expect(Object.fromEntries(statuses)).toEqual({ role: 409, other: 200 });
  });
});
