import { createHmac } from 'node:crypto';
import { toTimestamp } from '@usher/domain';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Api, startApi } from '../../../test/api.ts';
import { engine } from '../../../test/engine.ts';
import { type Receiver, startCanary, startReceiver } from '../../../test/receiver.ts';
import { Poster } from './post.ts';
import { Sender } from './sender.ts';

const SECOND = 1000;
const HOUR = 60 * 60 * SECOND;
const DAY = 24 * HOUR;
const START = Date.UTC(2029, 11, 11, 0, 28, 59, 650);
const untilItHappens = { timeout: 20_000, interval: 5 };

interface Setting {
  api: Api;
  sender: Sender;
  clock: { now: number };
  /** A sender as in another process with the same database. */
  anotherSender(): Sender;
}

async function setUp(options: Partial<ConstructorParameters<typeof Poster>[0]> = {}): Promise<Setting> {
  const clock = { now: START };
  const api = await startApi({ now: () => clock.now, env: { USHER_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8' } });
  const { allowNetworks: allowed, sourceAddresses: sources } = api.app.webhooks;
  const anotherSender = () => {
    const sender = new Sender(api.app, new Poster({ allowed, sources, ...options }));
    onTestFinished(() => sender.stop());
    return sender;
  };
  return { api, clock, sender: anotherSender(), anotherSender };
}

interface Webhook {
  id: string;
  secret: string;
}

async function addWebhook({ api }: Setting, { url }: { url: string }, params: object = {}): Promise<Webhook> {
  const { status, body } = await api.post('/v3/edit/webhooks', { url, topics: ['tour.*'], ...params });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.webhook;
}

async function addProfiles({ api }: Setting, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => api.app.newId());
  const { account_id } = api.account;
  const rows = ids.map((id) => ({ account_id, id, updated_at: START, uid: `user ${id}`, percent: 0, custom: '{}' }));
  await api.app.storage.write(account_id, (db) => db.insertInto('profiles').values(rows).execute());
  return ids;
}

/** Adds items of these users, in this order, to the outbox of a webhook. */
async function addItems({ api, clock }: Setting, webhook: Webhook, profiles: readonly string[]): Promise<string[]> {
  const { account_id } = api.account;
  const payload = JSON.stringify({ experience_id: api.app.newId(), experience_kind: 'tour' });
  const rows = profiles.map((profile_id) => ({
    ...{ account_id, webhook_id: webhook.id, id: api.app.newId(), profile_id, payload },
    ...{ kind: 'tour.started' as const, attempts: 0, next_at: clock.now, state: 'pending' as const },
  }));
  for (let at = 0; at < rows.length; at += 50)
    await api.app.storage.write(account_id, (db) =>
      db
        .insertInto('outbox')
        .values(rows.slice(at, at + 50))
        .execute(),
    );
  return rows.map(({ id }) => id);
}

/** Adds webhook events as a report does: one row for all webhooks. */
async function addWebhookEvents({ api, clock }: Setting, webhooks: readonly Webhook[], profiles: readonly string[]) {
  const { account_id } = api.account;
  const payload = JSON.stringify({ experience_id: api.app.newId(), experience_kind: 'tour' });
  const webhook_ids = webhooks.map(({ id }) => id).join(' ');
  const rows = profiles.map((profile_id) => ({
    ...{ account_id, id: api.app.newId(), profile_id, payload, webhook_ids },
    ...{ kind: 'tour.started' as const, at: clock.now },
  }));
  await api.app.storage.write(account_id, (db) => db.insertInto('webhook_events').values(rows).execute());
  return rows.map(({ id }) => id);
}

async function listWebhookEvents({ api }: Setting): Promise<string[]> {
  const { account_id } = api.account;
  const query = api.app.storage.reader(account_id).selectFrom('webhook_events').select('id');
  return (await query.where('account_id', '=', account_id).execute()).map(({ id }) => id);
}

async function metricsOf({ api }: Setting) {
  const { text } = await api.get('/metrics');
  const lines = text.split('\n').filter((line) => line.startsWith('usher_webhook_'));
  return Object.fromEntries(lines.map((line) => line.replace('usher_webhook_', '').split(' ')));
}

async function ping({ api }: Setting, { id }: Webhook): Promise<string> {
  const { status, body } = await api.post(`/v3/edit/webhooks/${id}/ping`);
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.item.id;
}

async function itemsOf({ api }: Setting, { id }: Webhook) {
  return (await api.get(`/v3/edit/webhooks/${id}/items?limit=500`)).body.items;
}

async function attemptsOf({ api }: Setting, { id }: Webhook) {
  return (await api.get(`/v3/edit/webhooks/${id}/attempts?limit=500`)).body.attempts;
}

async function shown({ api }: Setting, { id }: Webhook) {
  return (await api.get(`/v3/edit/webhooks/${id}`)).body.webhook;
}

async function liveVersion({ api }: Setting): Promise<number> {
  const { account_id } = api.account;
  const published_versions = api.app.storage.reader(account_id).selectFrom('published_versions').select('version');
  return (await published_versions.where('account_id', '=', account_id).executeTakeFirstOrThrow()).version;
}

/** Moves the clock to the time at which the item is due again. */
async function untilDue(setting: Setting, webhook: Webhook, id: string): Promise<void> {
  const item = (await itemsOf(setting, webhook)).find((one: { id: string }) => one.id === id);
  setting.clock.now = Date.parse(item.next_attempt_at);
}

function idsOf({ received }: Receiver): string[] {
  return received.map(({ body }) => JSON.parse(body).id);
}

/** Verifies the signature as a receiver would, with code of its own. */
function verify(secret: string, receiver: Receiver): void {
  for (const { headers, body } of receiver.received)
    expect(headers['x-usher-signature']).toBe(createHmac('sha256', secret).update(body).digest('hex'));
  verifyStandard(secret, receiver);
}

/** Verifies the header of Standard Webhooks, which may hold several signatures. */
function verifyStandard(secret: string, receiver: Receiver): void {
  for (const { headers, body } of receiver.received) {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    expect(key.length).toBeGreaterThanOrEqual(24);
    const message = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const signature = `v1,${createHmac('sha256', key).update(message).digest('base64')}`;
    expect(String(headers['webhook-signature']).split(' ')).toContain(signature);
  }
}

describe('item', () => {
  it('sends an item with its ID, both signatures and the time, and lists the outcome', async () => {
    const setting = await setUp();
    const receiver = await startReceiver({ respond: (response) => response.writeHead(202).end('thanks') });
    const webhook = await addWebhook(setting, receiver);
    const id = await ping(setting, webhook);
    setting.clock.now += 5 * SECOND;
    await setting.sender.drain();
    verify(webhook.secret, receiver);
    const [{ headers, body } = { headers: {}, body: '{}' }, ...more] = receiver.received;
    const account = { id: setting.api.account.account_id, domain: null, name: 'Acme' };
    const sent_at = toTimestamp(START + 5 * SECOND);
    expect(more).toEqual([]);
    expect(body).toBe(JSON.stringify({ id, kind: 'ping', sent_at, data: { account } }));
    expect(headers).toMatchObject({
      'x-usher-id': id,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor((START + 5 * SECOND) / 1000)),
      'content-type': 'application/json',
    });
    expect(await itemsOf(setting, webhook)).toMatchObject([
      { id, state: 'sent', attempts_count: 1, next_attempt_at: null },
    ]);
    expect(await attemptsOf(setting, webhook)).toMatchObject([
      { item_id: id, at: sent_at, status: 202, answer: 'thanks', error: null, kind: 'ping' },
    ]);
    const last = { last_item_at: sent_at, last_item_state: 'sent', last_item_error: null, failing_since: null };
    expect(await shown(setting, webhook)).toMatchObject(last);
    await setting.sender.drain();
    expect(receiver.received).toHaveLength(1);
  });

  it('repeats the ID and the signature in headers that the webhook names', async () => {
    const setting = await setUp();
    const receiver = await startReceiver();
    const names = { id_header: 'X-Guide-Id', signature_header: 'X-Guide-Signature' };
    const webhook = await addWebhook(setting, receiver, names);
    const id = await ping(setting, webhook);
    await setting.sender.drain();
    verify(webhook.secret, receiver);
    const headers = receiver.received[0]?.headers ?? {};
    expect([headers['x-guide-id'], headers['x-usher-id']]).toEqual([id, id]);
    expect(headers['x-guide-signature']).toBe(headers['x-usher-signature']);
    const [attempt] = await attemptsOf(setting, webhook);
    const path = `/v3/edit/webhooks/${webhook.id}/attempts/${attempt.id}`;
    const { request } = (await setting.api.get(path)).body.attempt;
    expect(request.headers).toMatchObject({ 'X-Guide-Id': id });
    expect(Object.keys(request.headers).join()).not.toMatch(/signature/i);
    await setting.api.patch(`/v3/edit/webhooks/${webhook.id}`, { id_header: null });
    await ping(setting, webhook);
    await setting.sender.drain();
    expect(receiver.received[1]?.headers).not.toHaveProperty('x-guide-id');
    expect(receiver.received[1]?.headers).toHaveProperty('x-guide-signature');
  });

  it('signs with the previous secret too for a day after a rotation', async () => {
    const setting = await setUp();
    const receiver = await startReceiver();
    const webhook = await addWebhook(setting, receiver);
    const rotated = (await setting.api.post(`/v3/edit/webhooks/${webhook.id}/rotate`)).body.webhook;
    expect(rotated.secret).not.toBe(webhook.secret);
    setting.clock.now += DAY - 1;
    await ping(setting, webhook);
    await setting.sender.drain();
    verifyStandard(webhook.secret, receiver);
    verify(rotated.secret, receiver);
    receiver.received.length = 0;
    setting.clock.now += 1;
    await ping(setting, webhook);
    await setting.sender.drain();
    verify(rotated.secret, receiver);
    expect(() => verify(webhook.secret, receiver)).toThrow();
  });

  it('retries an item 9 times over 43 hours after any status but 2xx, then gives it up', async () => {
    const statuses = [500, 300, 301, 304, 400, 404, 410, 429, 503, 599];
    const setting = await setUp();
    const receiver = await startReceiver({
      respond: (response) => response.writeHead(statuses[receiver.received.length - 1] ?? 200).end(),
    });
    const webhook = await addWebhook(setting, receiver);
    const id = await ping(setting, webhook);
    for (let attempt = 1; attempt <= 10; attempt++) {
      await setting.sender.drain();
      expect(receiver.received).toHaveLength(attempt);
      if (attempt === 10) break;
      expect(await shown(setting, webhook)).toMatchObject({
        last_item_state: 'failing',
        last_item_error: `answered with status ${statuses[attempt - 1]}`,
      });
      await untilDue(setting, webhook, id);
      setting.clock.now -= 1;
      await setting.sender.drain();
      expect(receiver.received).toHaveLength(attempt);
      setting.clock.now += 1;
    }
    expect(new Set(idsOf(receiver))).toEqual(new Set([id]));
    const passed = setting.clock.now - START;
    expect(passed).toBeGreaterThan(0.9 * 43 * HOUR);
    expect(passed).toBeLessThan(1.1 * 43 * HOUR);
    expect(await itemsOf(setting, webhook)).toMatchObject([
      { state: 'failed', attempts_count: 10, next_attempt_at: null },
    ]);
    expect(await shown(setting, webhook)).toMatchObject({ last_item_state: 'failed' });
    const listed = (await attemptsOf(setting, webhook)).map(({ status }: { status: number }) => status);
    expect(listed).toEqual(statuses.toReversed());
    setting.clock.now += 30 * DAY;
    await setting.sender.drain();
    expect(receiver.received).toHaveLength(10);
  });

  it('retries an item without a response until the receiver responds', async () => {
    const setting = await setUp({ timeoutMs: 500 });
    const receiver = await startReceiver({ respond: () => {} });
    const webhook = await addWebhook(setting, receiver);
    const id = await ping(setting, webhook);
    await setting.sender.drain();
    await receiver.stop();
    await untilDue(setting, webhook, id);
    await setting.sender.drain();
    const again = await startReceiver({ port: receiver.port });
    await untilDue(setting, webhook, id);
    await setting.sender.drain();
    expect(idsOf(again)).toEqual([id]);
    const errors = (await attemptsOf(setting, webhook)).map(({ error }: { error: string | null }) => error);
    expect(errors).toEqual([null, expect.stringMatching(/refused/), 'no answer within 0.5 s']);
    expect(await shown(setting, webhook)).toMatchObject({ last_item_state: 'sent', failing_since: null });
  });

  it('does not follow a redirect of the receiver', async () => {
    const canary = await startCanary();
    const setting = await setUp();
    const location = `http://127.0.0.1:${canary.port}/`;
    const receiver = await startReceiver({ respond: (response) => response.writeHead(307, { location }).end() });
    const webhook = await addWebhook(setting, receiver);
    await ping(setting, webhook);
    await setting.sender.drain();
    expect(receiver.received).toHaveLength(1);
    expect(await shown(setting, webhook)).toMatchObject({ last_item_state: 'failing' });
    expect(canary.connections()).toBe(0);
  });

  it('does not send to an address that is no longer allowed', async () => {
    const setting = await setUp({ allowed: [] });
    const receiver = await startReceiver();
    const webhook = await addWebhook(setting, receiver);
    await ping(setting, webhook);
    await setting.sender.drain();
    expect(receiver.connections()).toBe(0);
    expect(await shown(setting, webhook)).toMatchObject({
      last_item_state: 'failing',
      last_item_error:
        'the address must be on the public internet, which `127.0.0.1` is not; an operator of this server can allow it in the setting `USHER_WEBHOOK_ALLOW_NETWORKS`',
    });
  });

  it('deletes an item without sending it if its user is gone', async () => {
    const setting = await setUp();
    const receiver = await startReceiver();
    const webhook = await addWebhook(setting, receiver);
    const [gone = '', there = ''] = [setting.api.app.newId(), ...(await addProfiles(setting, 1))];
    const [, , kept] = await addItems(setting, webhook, [gone, gone, there]);
    await setting.sender.drain();
    expect(idsOf(receiver)).toEqual([kept]);
    expect(await itemsOf(setting, webhook)).toMatchObject([{ id: kept, state: 'sent' }]);
  });

  it('stores nothing of a user who is forgotten while an item is being sent', async () => {
    const setting = await setUp();
    const receiver = await startReceiver({ respond: () => {} });
    const webhook = await addWebhook(setting, receiver);
    const [id = ''] = await addProfiles(setting, 1);
    await addItems(setting, webhook, [id]);
    const drained = setting.sender.drain();
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), untilItHappens);
    expect((await setting.api.send('DELETE', `/v3/edit/profiles/${id}/forget`)).status).toBe(200);
    await receiver.stop();
    await drained;
    expect(await itemsOf(setting, webhook)).toEqual([]);
    expect(await attemptsOf(setting, webhook)).toEqual([]);
  });
});

describe('items of one user', () => {
  it('sends the items of a user one after the other, in order', async () => {
    const setting = await setUp();
    const receiver = await startReceiver();
    const webhook = await addWebhook(setting, receiver);
    const profiles = await addProfiles(setting, 7);
    const order = Array.from({ length: 140 }, (_, at) => profiles[at % 7] as string);
    const ids = await addItems(setting, webhook, order);
    const open = new Set<string>();
    let together = 0;
    receiver.respond = (response, { body }) => {
      const { profile } = JSON.parse(body).data;
      if (open.has(profile.id)) together += 1;
      open.add(profile.id);
      setImmediate(() => {
        open.delete(profile.id);
        response.end();
      });
    };
    await setting.sender.drain();
    const sent = idsOf(receiver);
    expect(together).toBe(0);
    expect(sent.toSorted()).toEqual(ids);
    for (const profile of profiles) {
      const own = ids.filter((_, at) => order[at] === profile);
      expect(sent.filter((id) => own.includes(id))).toEqual(own);
    }
  });

  it('blocks the items of a user during a retry, but not those of others', async () => {
    const setting = await setUp();
    const receiver = await startReceiver();
    const webhook = await addWebhook(setting, receiver);
    const [ann = '', bob = ''] = await addProfiles(setting, 2);
    const ids = await addItems(setting, webhook, [ann, ann, bob, ann, bob]);
    const [ann1 = '', ann2, bob1, ann3, bob2] = ids;
    receiver.respond = (response) => response.writeHead(idsOf(receiver).at(-1) === ann1 ? 500 : 200).end();
    await setting.sender.drain();
    expect(idsOf(receiver).toSorted()).toEqual([ann1, bob1, bob2]);
    setting.clock.now += SECOND;
    const [later] = await addItems(setting, webhook, [ann]);
    await setting.sender.drain();
    expect(receiver.received).toHaveLength(3);
    receiver.respond = (response) => response.end();
    await untilDue(setting, webhook, ann1);
    await setting.sender.drain();
    expect(idsOf(receiver).slice(3)).toEqual([ann1, ann2, ann3, later]);
  });

  it('does not read blocked items again, and still counts them', async () => {
    const setting = await setUp();
    const receiver = await startReceiver({ respond: () => {} });
    const webhook = await addWebhook(setting, receiver);
    const [ann = ''] = await addProfiles(setting, 1);
    const ids = await addItems(setting, webhook, Array(200).fill(ann));
    const { dueWebhooks } = setting.api.app.storage;
    const { account_id } = setting.api.account;
    const drained = setting.sender.drain();
    await vi.waitFor(
      async () => expect(await dueWebhooks.list(setting.clock.now, account_id)).toEqual([]),
      untilItHappens,
    );
    setting.clock.now += 29 * SECOND;
    expect(await dueWebhooks.list(setting.clock.now, null)).toEqual([]);
    expect(await metricsOf(setting)).toMatchObject({ 'items{state="due"}': '0', 'items{state="waiting"}': '200' });
    const [last] = await itemsOf(setting, webhook);
    expect(last).toMatchObject({ id: ids.at(-1), state: 'pending', next_attempt_at: null });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), untilItHappens);
    await receiver.stop();
    await drained;
    expect(await dueWebhooks.list(setting.clock.now + 8 * SECOND, null)).toEqual([]);
    const again = await startReceiver({ port: receiver.port });
    await untilDue(setting, webhook, ids[0] ?? '');
    await setting.sender.drain();
    expect(idsOf(again)).toEqual(ids);
  });

  it('continues with the next item after one was retried by hand', async () => {
    const setting = await setUp();
    const receiver = await startReceiver({ respond: (response) => response.writeHead(500).end() });
    const webhook = await addWebhook(setting, receiver);
    const [ann = ''] = await addProfiles(setting, 1);
    const ids = await addItems(setting, webhook, [ann, ann, ann]);
    await setting.sender.drain();
    receiver.respond = (response) => response.end();
    for (const id of [ids[1], ids[0]]) {
      await setting.api.post(`/v3/edit/webhooks/${webhook.id}/items/${id}/retry`);
      await setting.sender.drain();
    }
    expect(idsOf(receiver)).toEqual([ids[0], ...ids]);
  });

  it('continues with the next item when one is given up', async () => {
    const setting = await setUp();
    const receiver = await startReceiver();
    const webhook = await addWebhook(setting, receiver);
    const [ann = ''] = await addProfiles(setting, 1);
    const [first = '', second, third] = await addItems(setting, webhook, [ann, ann, ann]);
    receiver.respond = (response) => response.writeHead(idsOf(receiver).at(-1) === first ? 500 : 200).end();
    for (let attempt = 1; attempt < 10; attempt++) {
      await setting.sender.drain();
      await untilDue(setting, webhook, first);
    }
    await setting.sender.drain();
    expect(idsOf(receiver)).toEqual([...Array(10).fill(first), second, third]);
  });
});

describe('event for several webhooks', () => {
  it('sends an event to each webhook with the same ID and in order, whichever queue fans it out', async () => {
    const setting = await setUp();
    const receivers = [await startReceiver(), await startReceiver()];
    const webhooks = [];
    for (const receiver of receivers) webhooks.push(await addWebhook(setting, receiver));
    const profiles = await addProfiles(setting, 5);
    const order = Array.from({ length: 150 }, (_, at) => profiles[at % 5] as string);
    const ids = await addWebhookEvents(setting, webhooks, order);
    const senders = [setting.sender, ...Array.from({ length: 2 }, setting.anotherSender)];
    await Promise.all(senders.map((sender) => sender.drain()));
    for (const receiver of receivers) {
      const sent = idsOf(receiver);
      expect(sent.toSorted()).toEqual(ids);
      for (const profile of profiles) {
        const own = ids.filter((_, at) => order[at] === profile);
        expect(sent.filter((id) => own.includes(id))).toEqual(own);
      }
    }
    expect(await listWebhookEvents(setting)).toEqual([]);
  });

  it('sends an event to all webhooks after one wake-up, whichever queue fans it out', async () => {
    const setting = await setUp();
    const receivers: Receiver[] = [];
    for (let n = 0; n < 5; n++) receivers.push(await startReceiver());
    const webhooks = [];
    for (const receiver of receivers) webhooks.push(await addWebhook(setting, receiver));
    const profiles = await addProfiles(setting, 3);
    for (let time = 1; time <= 10; time++) {
      const ids = await addWebhookEvents(setting, webhooks, profiles);
      setting.sender.wake(setting.api.account.account_id);
      await vi.waitFor(
        () => expect(receivers.map((one) => idsOf(one).slice(-3).toSorted())).toEqual(Array(5).fill(ids)),
        untilItHappens,
      );
    }
  });

  it('fans out only when a webhook has room, and lists and counts the event before that', async () => {
    const setting = await setUp();
    const receiver = await startReceiver({ respond: () => {} });
    const silent = await addWebhook(setting, receiver);
    const profiles = await addProfiles(setting, 100);
    const first = await addWebhookEvents(setting, [silent], profiles.slice(0, 50));
    const drained = setting.sender.drain();
    await vi.waitFor(() => expect(receiver.received).toHaveLength(16), untilItHappens);
    const later = await addWebhookEvents(setting, [silent], profiles.slice(50));
    setting.sender.wake(setting.api.account.account_id);
    const left = await listWebhookEvents(setting);
    expect(left).toEqual(expect.arrayContaining(later));
    const listed = (await itemsOf(setting, silent)).map(({ id }: { id: string }) => id);
    expect(listed).toEqual([...first, ...later].toReversed());
    const items = { 'items{state="due"}': '84', 'items{state="waiting"}': '16' };
    expect(await metricsOf(setting)).toMatchObject(items);
    const path = `/v3/edit/webhooks/${silent.id}/items`;
    const { body } = await setting.api.post(`${path}/${later[0]}/retry`);
    expect(body.item).toMatchObject({ id: later[0], state: 'pending', attempts_count: 0 });
    expect(await listWebhookEvents(setting)).toContain(later[0]);
    const page = (await setting.api.get(`${path}?limit=10&before=${later[3]}&state=pending`)).body.items;
    expect(page.map(({ id }: { id: string }) => id)).toEqual([...first.slice(-7), ...later.slice(0, 3)].toReversed());

    const other = await startReceiver();
    const quick = await addWebhook(setting, other);
    const [last] = await addWebhookEvents(setting, [silent, quick], profiles.slice(0, 1));
    setting.sender.wake(setting.api.account.account_id);
    await vi.waitFor(() => expect(idsOf(other)).toEqual([last]), untilItHappens);
    expect(await listWebhookEvents(setting)).toEqual([]);
    await receiver.stop();
    await drained;
  });

  it('does not send an event to a webhook that was deleted in the meantime', async () => {
    const setting = await setUp();
    const [receiver, gone] = [await startReceiver(), await startReceiver()];
    const [kept, deleted] = [await addWebhook(setting, receiver), await addWebhook(setting, gone)];
    const ids = await addWebhookEvents(setting, [kept, deleted], await addProfiles(setting, 3));
    await setting.api.send('DELETE', `/v3/edit/webhooks/${deleted.id}`);
    await setting.sender.drain();
    expect(idsOf(receiver).toSorted()).toEqual(ids);
    expect(gone.received).toEqual([]);
    await addWebhookEvents(setting, [kept], await addProfiles(setting, 3));
    await setting.api.send('DELETE', `/v3/edit/webhooks/${kept.id}`);
    expect(await listWebhookEvents(setting)).toEqual([]);
  });
});

describe('receiver', () => {
  it('limits a receiver that does not respond to 16 open requests, and delays no other', async () => {
    const setting = await setUp();
    const [dead, good] = [await startReceiver({ respond: () => {} }), await startReceiver()];
    const profiles = await addProfiles(setting, 40);
    await addItems(setting, await addWebhook(setting, dead), profiles);
    const webhook = await addWebhook(setting, good);
    const ids = await addItems(setting, webhook, profiles);
    const drained = setting.sender.drain();
    await vi.waitFor(async () => {
      expect(dead.received).toHaveLength(16);
      expect(await itemsOf(setting, webhook)).toHaveLength(40);
      expect(idsOf(good).toSorted()).toEqual(ids);
    }, untilItHappens);
    const [later] = await addItems(setting, webhook, profiles.slice(0, 1));
    setting.sender.wake(setting.api.account.account_id);
    await vi.waitFor(() => expect(idsOf(good).at(-1)).toBe(later), untilItHappens);
    expect(dead.received).toHaveLength(16);
    await dead.stop();
    await drained;
    expect(dead.maxOpen()).toBe(16);
  });

  it('disables a webhook after five days of failures, until it is enabled again', async () => {
    const setting = await setUp();
    const receiver = await startReceiver({ respond: (response) => response.writeHead(500).end() });
    const webhook = await addWebhook(setting, receiver);
    const ids = [await ping(setting, webhook)];
    await setting.sender.drain();
    for (let days = 1; days <= 4; days++) {
      setting.clock.now = START + days * DAY;
      ids.push(await ping(setting, webhook));
      await setting.sender.drain();
    }
    setting.clock.now = START + 5 * DAY - 1;
    ids.push(await ping(setting, webhook));
    await setting.sender.drain();
    expect(await shown(setting, webhook)).toMatchObject({ enabled: true, failing_since: toTimestamp(START) });
    const version = await liveVersion(setting);
    setting.clock.now += 1;
    ids.push(await ping(setting, webhook));
    await setting.sender.drain();
    expect(await shown(setting, webhook)).toMatchObject({
      enabled: false,
      last_item_state: 'disabled',
      last_item_error: 'answered with status 500',
    });
    // The new version makes all nodes stop writing events for the disabled webhook.
    expect(await liveVersion(setting)).toBe(version + 1);

    const heard = receiver.received.length;
    setting.clock.now += 10 * DAY;
    await setting.sender.drain();
    expect(receiver.received).toHaveLength(heard);
    const pending = (await itemsOf(setting, webhook)).filter(({ state }: { state: string }) => state === 'pending');
    expect(pending.length).toBeGreaterThan(0);

    receiver.respond = (response) => response.end();
    await setting.api.patch(`/v3/edit/webhooks/${webhook.id}`, { enabled: true });
    await setting.sender.drain();
    const sent = idsOf(receiver).slice(heard);
    expect(sent.toSorted()).toEqual(pending.map(({ id }: { id: string }) => id).toSorted());
    expect(await shown(setting, webhook)).toMatchObject({
      enabled: true,
      last_item_state: 'sent',
      failing_since: null,
    });
  });

  it('does not disable a webhook that had a success in between', async () => {
    const setting = await setUp();
    const receiver = await startReceiver();
    const webhook = await addWebhook(setting, receiver);
    for (const [day, status] of [500, 500, 200, 500, 500, 500, 500].entries()) {
      setting.clock.now = START + day * DAY;
      receiver.respond = (response) => response.writeHead(status).end();
      await ping(setting, webhook);
      await setting.sender.drain();
    }
    expect(await shown(setting, webhook)).toMatchObject({ enabled: true, failing_since: toTimestamp(START + 3 * DAY) });
  });
});

describe('several senders', () => {
  it('never send an item twice at the same time', async () => {
    const setting = await setUp();
    const receiver = await startReceiver({ respond: (response) => setImmediate(() => response.end()) });
    const webhook = await addWebhook(setting, receiver);
    const profiles = await addProfiles(setting, 150);
    const ids = await addItems(setting, webhook, [...profiles, ...profiles]);
    const senders = [setting.sender, ...Array.from({ length: 3 }, setting.anotherSender)];
    await Promise.all(senders.map((sender) => sender.drain()));
    expect(idsOf(receiver).toSorted()).toEqual(ids);
  });

  it.runIf(engine === 'postgres')('skip items that another sender has locked', async () => {
    const setting = await setUp();
    const receiver = await startReceiver();
    const webhook = await addWebhook(setting, receiver);
    const [first = '', second, third] = await addItems(setting, webhook, await addProfiles(setting, 3));
    const { account_id } = setting.api.account;
    const { storage } = setting.api.app;
    await storage.write(account_id, async (db) => {
      await storage.dialect
        .lockRows(
          db
            .selectFrom('outbox')
            .select('id')
            .where('account_id', '=', account_id)
            .where('webhook_id', '=', webhook.id)
            .where('id', '=', first),
        )
        .execute();
      setting.sender.wake(account_id);
      await vi.waitFor(() => expect(idsOf(receiver).toSorted()).toEqual([second, third]), untilItHappens);
    });
    // The sender may have found the queue empty of others just before the lock was released.
    await vi.waitFor(async () => {
      await setting.sender.drain();
      expect(idsOf(receiver)).toHaveLength(3);
    }, untilItHappens);
  });

  it('take over the items of a sender that was killed', async () => {
    const setting = await setUp({ timeoutMs: 60_000 });
    const receiver = await startReceiver({ respond: () => {} });
    const webhook = await addWebhook(setting, receiver);
    const [ann = ''] = await addProfiles(setting, 1);
    const [first = '', second] = await addItems(setting, webhook, [ann, ann]);
    const killed = setting.sender.drain();
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), untilItHappens);
    const other = setting.anotherSender();
    receiver.respond = (response) => response.end();
    setting.clock.now += 30 * SECOND - 1;
    await other.drain();
    expect(idsOf(receiver)).toEqual([first]);
    setting.clock.now += 1;
    await other.drain();
    expect(idsOf(receiver)).toEqual([first, first, second]);
    // If the first sender was only slow, it finds that the item was sent, and does not change that.
    await receiver.stop();
    await killed;
    expect((await itemsOf(setting, webhook)).map(({ state }: { state: string }) => state)).toEqual(['sent', 'sent']);
    expect(await attemptsOf(setting, webhook)).toHaveLength(3);
  });

  it('do not send an item again that is being sent, even if a retry is requested', async () => {
    const setting = await setUp();
    const receiver = await startReceiver({ respond: () => {} });
    const webhook = await addWebhook(setting, receiver);
    const [id = ''] = await addItems(setting, webhook, await addProfiles(setting, 1));
    const drained = setting.sender.drain();
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), untilItHappens);
    const { status } = await setting.api.post(`/v3/edit/webhooks/${webhook.id}/items/${id}/retry`);
    expect(status).toBe(200);
    setting.sender.wake(setting.api.account.account_id);
    const other = await ping(setting, webhook);
    setting.sender.wake(setting.api.account.account_id);
    await vi.waitFor(() => expect(idsOf(receiver)).toContain(other), untilItHappens);
    expect(receiver.maxOpen()).toBe(2);
    expect(idsOf(receiver)).toEqual([id, other]);
    await receiver.stop();
    await drained;
  });
});

it('stops after the open requests have ended and their outcomes are stored', async () => {
  const setting = await setUp();
  let release = () => {};
  const receiver = await startReceiver({
    respond: (response) => {
      release = () => response.end('at last');
    },
  });
  const webhook = await addWebhook(setting, receiver);
  const id = await ping(setting, webhook);
  setting.sender.start();
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), untilItHappens);
  let stopped = false;
  const stopping = setting.sender.stop().then(() => {
    stopped = true;
  });
  await ping(setting, webhook);
  await itemsOf(setting, webhook);
  expect(stopped).toBe(false);
  release();
  await stopping;
  expect(idsOf(receiver)).toEqual([id]);
  expect(await attemptsOf(setting, webhook)).toMatchObject([{ item_id: id, answer: 'at last' }]);
});

it('counts the attempts, and the metrics show the pending items', async () => {
  const setting = await setUp();
  const receiver = await startReceiver();
  const webhook = await addWebhook(setting, receiver);
  /** The metrics are rendered once a second. */
  const expectMetrics = (expected: Record<string, string>) =>
    vi.waitFor(async () => expect(await metricsOf(setting)).toMatchObject(expected), { timeout: 5000, interval: 100 });
  const none = { 'attempts_total{outcome="sent"}': '0', 'attempts_total{outcome="failed"}': '0' };
  const empty = { 'items{state="due"}': '0', 'items{state="waiting"}': '0', oldest_due_seconds: '0' };
  await expectMetrics({ ...none, ...empty });
  await ping(setting, webhook);
  setting.clock.now += 3 * SECOND;
  await ping(setting, webhook);
  setting.clock.now += 2 * SECOND;
  await expectMetrics({ ...none, ...empty, 'items{state="due"}': '2', oldest_due_seconds: '5' });
  receiver.respond = (response) => response.writeHead(receiver.received.length === 1 ? 500 : 200).end();
  await setting.sender.drain();
  const after = { 'attempts_total{outcome="sent"}': '1', 'attempts_total{outcome="failed"}': '1' };
  await expectMetrics({ ...empty, ...after, 'items{state="waiting"}': '1' });
  await setting.api.patch(`/v3/edit/webhooks/${webhook.id}`, { enabled: false });
  await expectMetrics(empty);
});
