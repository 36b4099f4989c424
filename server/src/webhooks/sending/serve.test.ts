import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/engine.ts';
import { type Receiver, startReceiver } from '../../../test/receiver.ts';
import { createLog } from '../../log/log.ts';
import { openAppContext, type Running, serve } from '../../serve.ts';
import { readSettings } from '../../settings/settings.ts';

const SECRET = 'the-secret-of-these-tests';
const TOKEN = 'the-token-of-these-tests';
/** The four source addresses that the contract names. */
const four = ['34.206.31.185', '54.198.191.211', '54.211.111.28', '54.237.132.170'];
const untilItHappens = { timeout: 20_000, interval: 5 };

/** Starts Usher as it is run: with settings from the environment, and with the real clock. */
async function start(database: TestDatabase, env: NodeJS.ProcessEnv = {}): Promise<Running> {
  const own = { PORT: '0', USHER_LOG_LEVEL: 'silent', USHER_DEMO: 'false', USHER_WEBHOOK_ALLOW_NETWORKS: '127.0.0.1' };
  const first = { USHER_BOOTSTRAP_SECRET: SECRET, USHER_BOOTSTRAP_TOKEN: TOKEN };
  return serve(readSettings({ ...database.env, ...own, ...first, ...env }), () => {});
}

async function testDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(() => database.remove());
  return database;
}

async function callServer({ address }: Running, method: string, path: string, content?: object) {
  const response = await fetch(address + path, {
    method,
    headers: { 'x-account-secret': SECRET, 'content-type': 'application/json' },
    ...(content && { body: JSON.stringify(content) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: whatever came over the wire
  const body: any = await response.json();
  expect([body.messages, response.ok]).toEqual([undefined, true]);
  return body;
}

async function addWebhook(usher: Running, { url }: Receiver): Promise<{ id: string }> {
  return (await callServer(usher, 'POST', '/v3/edit/webhooks', { url, topics: ['tour.*'] })).webhook;
}

it('sends an event after the commit, from the source addresses one after the other', async () => {
  const sources = ['127.0.0.2', '127.0.0.3'];
  const receiver = await startReceiver();
  const usher = await start(await testDatabase(), { USHER_WEBHOOK_SOURCE_ADDRESSES: sources.join(',') });
  onTestFinished(() => usher.stop());
  await addWebhook(usher, receiver);
  expect(await callServer(usher, 'GET', '/v3/edit/source_addresses')).toEqual({ source_addresses: sources });
  const steps = [{ title: 'Hello', body: 'This is it.', buttons: [{ text: 'Next' }] }];
  const { tour } = await callServer(usher, 'POST', '/v3/edit/tours', { name: 'Welcome', steps, published_at: '$now' });
  const page = { account_token: TOKEN, uid: 'ann', href: 'http://localhost:3000/home' };
  const { visit, profile } = await callServer(usher, 'POST', '/v3/observe/visits', page);
  for (const [index, state] of ['started', 'completed'].entries()) {
    const report = { visit_token: visit.token, experience_id: tour.id, showing: 0, state };
    const { interaction } = await callServer(usher, 'POST', '/v3/observe/interactions', report);
    expect(interaction).toMatchObject({ state });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(index + 1), untilItHappens);
  }
  expect(receiver.received.map(({ body }) => JSON.parse(body))).toMatchObject([
    { kind: 'tour.started', data: { profile: { id: profile.id }, tour: { id: tour.id, name: 'Welcome' } } },
    { kind: 'tour.completed', data: { profile: { id: profile.id }, tour: { id: tour.id, name: 'Welcome' } } },
  ]);
  expect(receiver.received.map(({ from }) => from)).toEqual(sources);
});

it('waits for the response of a webhook and stores it before it stops', async () => {
  const database = await testDatabase();
  let release = () => {};
  const receiver = await startReceiver({
    respond: (response) => {
      release = () => response.end('at last');
    },
  });
  const usher = await start(database);
  const webhook = await addWebhook(usher, receiver);
  const { item } = await callServer(usher, 'POST', `/v3/edit/webhooks/${webhook.id}/ping`);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), untilItHappens);
  const stopped = usher.stop();
  release();
  await stopped;
  const again = await start(database);
  onTestFinished(() => again.stop());
  const { attempts } = await callServer(again, 'GET', `/v3/edit/webhooks/${webhook.id}/attempts`);
  expect(attempts).toMatchObject([{ item_id: item.id, status: 200, answer: 'at last' }]);
  const { items } = await callServer(again, 'GET', `/v3/edit/webhooks/${webhook.id}/items`);
  expect(items).toMatchObject([{ id: item.id, state: 'sent' }]);
});

it('sends the items that became due before it started', async () => {
  const database = await testDatabase();
  const receiver = await startReceiver();
  const first = await start(database);
  const webhook = await addWebhook(first, receiver);
  await first.stop();
  const app = await openAppContext(readSettings(database.env), createLog('silent'));
  const [account] = await app.storage.reader(null).selectFrom('accounts').select('id').execute();
  const account_id = account?.id ?? '';
  const item = { account_id, webhook_id: webhook.id, id: app.newId(), kind: 'ping', payload: '{}' } as const;
  await app.storage.write(account_id, (db) =>
    db
      .insertInto('outbox')
      .values({ ...item, attempts: 0, next_at: app.now(), state: 'pending' })
      .execute(),
  );
  await app.storage.close();
  const again = await start(database);
  onTestFinished(() => again.stop());
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), untilItHappens);
  expect(receiver.received).toMatchObject([{ headers: { 'x-usher-id': item.id } }]);
});

it('sends only from the four source addresses that are set', async () => {
  const receiver = await startReceiver();
  const usher = await start(await testDatabase(), { USHER_WEBHOOK_SOURCE_ADDRESSES: four.join(',') });
  onTestFinished(() => usher.stop());
  expect(await callServer(usher, 'GET', '/v3/edit/source_addresses')).toEqual({ source_addresses: four });
  const { id } = await addWebhook(usher, receiver);
  await callServer(usher, 'POST', `/v3/edit/webhooks/${id}/ping`);
  // No address of this machine is among the four, so nothing can be sent.
  await vi.waitFor(async () => {
    const { webhook } = await callServer(usher, 'GET', `/v3/edit/webhooks/${id}`);
    expect(webhook).toMatchObject({
      last_item_state: 'failing',
      last_item_error: 'the source address is none of this machine',
    });
  }, untilItHappens);
  expect(receiver.connections()).toBe(0);
});

it('listens on its own address, whatever addresses it sends from', async () => {
  const usher = await start(await testDatabase(), { USHER_WEBHOOK_SOURCE_ADDRESSES: four.join(',') });
  onTestFinished(() => usher.stop());
  expect(new URL(usher.address).hostname).toBe('127.0.0.1');
  expect((await fetch(`${usher.address}/readyz`)).status).toBe(200);
});

it('has a page that lists the four source addresses of the hosted service', () => {
  const page = readFileSync(new URL('../../../../docs/running.md', import.meta.url), 'utf8').replaceAll('\n', ' ');
  const sentence = page.split(/(?<=\.) (?=[`A-Z])/).find((one) => four.every((address) => one.includes(address)));
  expect(sentence).toContain('are those of the hosted service');
  expect(page).toContain('`GET /v3/edit/source_addresses` lists them');
});
