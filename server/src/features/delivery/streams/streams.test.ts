import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { Followed, follow, followed } from '../../../../test/follow-events.ts';
import { parseMetrics } from '../../../../test/parse-metrics.ts';
import { newUid, openDomain, visit } from '../../../../test/visiting.ts';
import { PageStreams } from './page-streams.ts';

const MINUTE = 60_000;
let clock = Date.UTC(2029, 3, 7, 12);
let api: Api;
let uid: string;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => clock });
});
afterAll(() => api.stop());
beforeEach(async () => {
  clock += 60 * MINUTE;
  await api.replaceAccounts();
  await openDomain(api);
  Object.assign(api.app.pageStreams.times, { look: 20, ticket: 20_000, max: 15 * MINUTE });
  uid = newUid();
});

const steps = [{ title: 'Hello', step_trigger: 'event', trigger_event: { name: 'Invite sent' } }];
async function publish(fields: object = {}, kind = 'tour'): Promise<{ id: string; steps: { id: string }[] }> {
  const params = { name: 'New', steps, published_at: '$now', ...fields };
  const { status, body } = await api.post(`/v3/edit/${kind}s`, params);
  expect([status, body.messages]).toEqual([201, undefined]);
  return body[kind];
}
const load = async (params: object = {}, at = api) => (await visit(at, { uid, ...params })).body;
const ticket = async (params: object = {}): Promise<string | undefined> => (await load(params)).visit.stream;
async function newTicket(): Promise<string> {
  const found = await ticket();
  expect(found).toEqual(expect.any(String));
  return String(found);
}
const send = async (name = 'Invite sent', of = uid) => {
  clock += 1000;
  expect((await api.post('/v3/observe/hooks/events', { uid: of, name })).status).toBe(200);
};
const report = (made: { token: string }, params: object) =>
  api.post('/v3/observe/interactions', { visit_token: made.token, ...params }, { as: null });
const open = async (text: string, at: Pick<Api, 'url'> = api) => {
  const stream = await followed(at, text);
  onTestFinished(() => stream.close());
  return stream;
};
const metric = async ({ url }: Pick<Api, 'url'>, name: string, limit?: string) => {
  const families = parseMetrics(await (await fetch(`${url}/metrics`)).text());
  return families.get(name)?.samples.find(({ labels }) => labels.limit === limit)?.value;
};
const openStreams = (of = api) => metric(of, 'usher_page_streams_open');

describe('a visit', () => {
  it('has a ticket when an Experience of the user waits for an event, and only then', async () => {
    expect(await ticket()).toBeUndefined();
    const { id } = await publish();
    expect(await ticket()).toEqual(expect.any(String));
    expect(await ticket({ href: 'https://app.example.com/other', explain: false })).toEqual(expect.any(String));
    await send();
    const { visit: made } = await load();
    for (const state of ['started', 'completed'])
      expect((await report(made, { experience_id: id, state, by_event: true })).status).toBe(200);
    expect(await ticket()).toBeUndefined();
  });

  it('has none where the user could not see it', async () => {
    const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
    const { segment } = (await api.post('/v3/edit/segments', { name: 'Pro', items })).body;
    await publish({ segment_ids: [segment.id] });
    await publish({ steps: [{ ...steps[0], quantifier_urls: [{ url: '/settings' }] }] });
    expect(await ticket()).toBeUndefined();
    expect(await ticket({ properties: { plan: 'pro' } })).toEqual(expect.any(String));
    await api.post('/v3/observe/hooks/profiles', { uid, disabled: true });
    expect(await ticket()).toBeUndefined();
  });

  it('has one in the middle of a tour with a later step that waits', async () => {
    const { id, ...tour } = await publish({ steps: [{ title: 'Invite somebody' }, ...steps] });
    const { visit: made } = await load();
    expect(made.stream).toEqual(expect.any(String));
    await report(made, { experience_id: id, state: 'started', step_id: tour.steps[0]?.id });
    expect(await ticket()).toEqual(expect.any(String));
    await report(made, { experience_id: id, state: 'completed' });
    expect(await ticket()).toBeUndefined();
  });

  it('has one while an item of a checklist waits, and a backend event then wakes the page', async () => {
    const completed_when = [{ kind: 'event', op: 'ex', value: 'Invite sent' }];
    const items = [{ title: 'Invite', url: '/invite', completed_when }];
    const { id } = await publish({ title: 'First steps', list_type: 'checklist', items, steps: undefined }, 'launcher');
    const { visit: made } = await load();
    await report(made, { experience_id: id, state: 'displayed' });
    const stream = await open(made.stream);
    await send();
    expect(await stream.next()).toBe('wake');
    expect(await ticket()).toBeUndefined();
  });

  it('has none while streams are turned off', async () => {
    const off = await startApi({ beside: api, env: { USHER_STREAMS: '0' }, now: () => clock });
    await publish();
    expect((await load({}, { ...api, post: off.post })).visit.stream).toBeUndefined();
  });
});

describe('a stream', () => {
  it('wakes the page when a backend sends the event, and not for other events, users or pages', async () => {
    await publish();
    const stream = await open(await newTicket());
    await send('Other');
    await send('Invite sent', newUid());
    const page = await load();
    await api.post('/v3/observe/events', { visit_token: page.visit.token, name: 'Invite sent' }, { as: null });
    expect(await stream.next(300)).toBeUndefined();
    await send();
    expect(await stream.next()).toBe('wake');
    expect(await stream.next(200)).toBeUndefined();
    expect((await load()).experiences).toMatchObject([{ by_event: true }]);
  });

  it('wakes the page for each of several events, and for one between the visit and the stream', async () => {
    await publish();
    const text = await newTicket();
    await send();
    const stream = await open(text);
    expect(await stream.next()).toBe('wake');
    await send();
    expect(await stream.next()).toBe('wake');
  });

  it('does not wait for another user who has many events', async () => {
    const { pageStreams } = api.app;
    const { maxWakes } = pageStreams;
    pageStreams.maxWakes = 1;
    // So long that the other user has a new event in each look.
    pageStreams.times.look = 400;
    onTestFinished(() => void Object.assign(pageStreams, { maxWakes }));
    await publish();
    const [busy, quiet] = [newUid(), newUid()];
    uid = busy;
    await open(await newTicket());
    uid = quiet;
    const stream = await open(await newTicket());
    await send('Invite sent', quiet);
    let isOver = false;
    const flood = (async () => {
      while (!isOver) await send('Invite sent', busy);
    })();
    const heard = await stream.next(4000);
    isOver = true;
    await flood;
    expect(heard).toBe('wake');
  });

  it('goes on with the ticket that it has sent, and wakes the page for an event in between', async () => {
    await publish();
    api.app.pageStreams.times.ticket = 30;
    const stream = await open(await newTicket());
    await expect.poll(() => stream.next(10).then(() => stream.ticket)).not.toBe('');
    stream.close();
    const again = await open(stream.ticket);
    expect(await again.next(150)).toBeUndefined();
    again.close();
    await send();
    expect(await (await open(again.ticket)).next()).toBe('wake');
  });

  it('hears of an event that another node has stored', async () => {
    const beside = await startApi({ beside: api, now: () => clock });
    await publish();
    const stream = await open(await newTicket());
    expect((await beside.post('/v3/observe/hooks/events', { uid, name: 'Invite sent' })).status).toBe(200);
    expect(await stream.next()).toBe('wake');
  });

  it('hears of the events of a batch', async () => {
    // Batches are stored by a thread with a clock of its own.
    const live = await startApi();
    await openDomain(live);
    await live.post('/v3/edit/tours', { name: 'New', steps, published_at: '$now' });
    const stream = await open((await load({}, live)).visit.stream, live);
    await live.post('/v3/observe/hooks/events/batch', { events: [{ uid, name: 'Invite sent' }] });
    expect(await stream.next()).toBe('wake');
  });

  it('wakes the page when the user is cleared, and ends when the user is forgotten', async () => {
    await publish();
    const { profile, visit: made } = await load();
    const stream = await open(made.stream);
    expect((await api.send('DELETE', `/v3/edit/profiles/${profile.id}`)).status).toBe(200);
    expect(await stream.next()).toBe('wake');
    expect((await api.send('DELETE', `/v3/edit/profiles/${profile.id}/forget`)).status).toBe(200);
    expect(await stream.next()).toBe('over');
    expect(await stream.ended()).toBe(true);
    await expect.poll(() => openStreams()).toBe(0);
  });

  it('ends after a while, and when its client has left', async () => {
    await publish();
    Object.assign(api.app.pageStreams.times, { max: 100 });
    expect(await (await open(await newTicket())).ended()).toBe(true);
    api.app.pageStreams.times.max = MINUTE;
    const stream = await open(await newTicket());
    await expect.poll(() => openStreams()).toBe(1);
    stream.response.socket.resetAndDestroy();
    await expect.poll(() => openStreams()).toBe(0);
  });

  it('ends immediately when the server stops, or says that it will', async () => {
    const beside = await startApi({ beside: api, inTest: false, now: () => clock });
    await publish();
    const stream = await open(await newTicket(), beside);
    const stopping = beside.stop();
    expect(await stream.ended()).toBe(true);
    await stopping;
  });

  it('is not kept for a client that does not read', async () => {
    const { id: profileId } = (await load()).profile;
    const server = createServer((_: IncomingMessage, response: ServerResponse) => {
      response.writeHead(200).write(Buffer.alloc(32 * 1024 * 1024));
      const limits = { total: 1, perAccount: 1, perAddress: 1 };
      const streams = new PageStreams(api.app.storage, () => clock, limits);
      Object.assign(streams.times, { look: 10, ticket: 10 });
      const { account_id: accountId } = api.account;
      const visit = { accountId, profileId, at: clock, nonce: 'a', isProven: false };
      streams.open({ visit, wakeCount: 0, expiresAt: clock + 1000, nonce: 'a' }, 'key', '::1')(response);
      closed = new Promise((resolve) => response.once('close', () => resolve(streams.readMetrics()[0])));
    });
    let closed: Promise<unknown> | undefined;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const request = get(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, (response) => response.pause());
    request.on('error', () => {});
    await expect.poll(() => closed).toBeDefined();
    expect(JSON.stringify(await closed)).toContain('0');
    request.destroy();
  });

  it('is open to pages of every origin and below the base path, without cookies, and is not buffered', async () => {
    const beside = await startApi({ beside: api, env: { USHER_BASE_PATH: '/help' }, now: () => clock });
    await publish();
    const path = '/help/v3/observe/stream';
    const { headers } = (await followed(beside, await newTicket(), { path })).response;
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(headers['set-cookie']).toBeUndefined();
  });

  it('keeps no place for a client that only looks at the headers', async () => {
    await publish();
    const { status } = await api.send('HEAD', `/v3/observe/stream?ticket=${await newTicket()}`, { as: null });
    expect([status, await openStreams()]).toEqual([200, 0]);
  });
});

describe('a ticket', () => {
  const statusOf = async (text: string, of: Pick<Api, 'url'> = api) => {
    const result = await follow(of, text);
    if (!(result instanceof Followed)) return result.status;
    result.close();
    return 200;
  };

  it('opens one stream, also when it is sent many times together', async () => {
    await publish();
    const text = await newTicket();
    const statuses = await Promise.all(Array.from({ length: 8 }, () => statusOf(text)));
    expect(statuses.sort()).toEqual([200, ...Array(7).fill(403)]);
    expect(await statusOf(text)).toBe(403);
  });

  it('is valid for ten minutes, and not longer than its visit', async () => {
    await publish();
    const text = await newTicket();
    clock += 10 * MINUTE;
    expect(await statusOf(text)).toBe(403);
    expect(await statusOf(await newTicket())).toBe(200);
  });

  it('cannot be forged, nor be one of another account, nor another token', async () => {
    await publish();
    const [text, page] = [await newTicket(), await load()];
    const parts = text.split('.');
    const changed = parts.slice(0, -1).map((part, at) => parts.with(at, `${part}0`.replace(/^./, 'a')).join('.'));
    const foreign = text.replace(api.account.account_id, api.other.account_id);
    const before = await accountRows(api.app, api.account.account_id);
    const wrong = [
      ...changed,
      foreign,
      page.visit.token,
      parts.slice(0, -1).join('.'),
      `${text}a`,
      '',
      'a',
      '....',
      '\0',
    ];
    for (const one of wrong) expect([one, await statusOf(one)]).toEqual([one, 403]);
    const report = { visit_token: text, name: 'Opened' };
    expect((await api.post('/v3/observe/events', report, { as: null })).status).toBe(403);
    expect(await accountRows(api.app, api.account.account_id)).toEqual(before);
    expect(await statusOf(text)).toBe(200);
  });

  it('opens nothing on a domain that is turned off', async () => {
    await publish();
    const text = await newTicket();
    const off = await follow(api, text, { headers: { Origin: 'https://evil.example' } });
    expect(off).toMatchObject({ status: 403 });
  });
});

describe('the limits', () => {
  it.each([
    [{ USHER_STREAMS: '2' }, 'all'],
    [{ USHER_STREAMS_PER_ACCOUNT: '2' }, 'account'],
    [{ USHER_STREAMS_PER_ADDRESS: '2' }, 'address'],
  ])('reject more than %j, until one ends', async (env, limit) => {
    const beside = await startApi({ beside: api, env, now: () => clock });
    await publish();
    const first = await open(await newTicket(), beside);
    await open(await newTicket(), beside);
    const text = await newTicket();
    expect(await follow(beside, text)).toMatchObject({ status: 429, body: { wait: 60 } });
    expect(await metric(beside, 'usher_page_streams_rejected_total', limit)).toBe(1);
    first.close();
    await expect.poll(() => openStreams(beside)).toBe(1);
    // The ticket was not used up.
    await open(text, beside);
  });

  it('hold while many clients open streams and leave', async () => {
    const env = { USHER_STREAMS: '5' };
    const beside = await startApi({ beside: api, env, now: () => clock });
    await publish();
    for (let round = 0; round < 4; round++) {
      const tickets = await Promise.all(Array.from({ length: 12 }, () => newTicket()));
      const results = await Promise.all(tickets.map((one) => follow(beside, one)));
      const streams = results.filter((one) => one instanceof Followed);
      expect(streams.length).toBe(5);
      await expect.poll(() => openStreams(beside)).toBe(5);
      for (const stream of streams) stream.response.socket.resetAndDestroy();
      await expect.poll(() => openStreams(beside)).toBe(0);
    }
    expect((await beside.get('/v3/edit/urls')).status).toBe(200);
  });
});
