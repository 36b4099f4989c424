import { performance } from 'node:perf_hooks';
import { insertItems } from '../items.mjs';
import { drive } from '../load.mjs';
import { median } from '../numbers.mjs';
import { insertProfiles } from '../profiles.mjs';
import { receiverEnv, startReceiver } from '../receiver.mjs';
import { startUsher } from '../servers.mjs';
import { createStore } from '../store.mjs';

const WEBHOOKS = 5;
const FEW = 1000;
const buttons = Array.from({ length: 10 }, (_, n) => ({ text: `Button ${n}` }));
const steps = Array.from({ length: 20 }, () => ({ title: 'Hello', body: 'This is it.', buttons }));

/**
 * How many items per second reach a receiver that responds immediately, and how much slower attempts are with many items
 * queued for a receiver that always fails.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function webhooksSend(bench) {
  const many = bench.quick ? 5000 : 100_000;
  const counted = bench.quick ? 300 : 5000;
  const rounds = bench.quick ? 2 : 7;
  const good = await startReceiver(bench, (response) => response.end());
  const bad = await startReceiver(bench, (response) => response.writeHead(500).end());
  const fast = await prepareQueue(bench, good, counted * 2);
  const rates = [];
  for (let round = 0; round < 3; round++) rates.push(await fast.sendSome(counted));

  const few = await prepareQueue(bench, bad, FEW);
  const more = await prepareQueue(bench, bad, many);
  const some = Math.min(counted, FEW * 0.6);
  const ratios = [];
  for (let round = 1; round <= rounds; round++) {
    const [slow, slower] = [await few.sendSome(some), await more.sendSome(some)];
    ratios.push(slow / slower);
    bench.note(`round ${round} of ${rounds}: ${Math.round(slower)} a second against ${Math.round(slow)}`);
  }
  return [
    { part: 'rate', value: median(rates), unit: 'items/s', target: { least: 500 } },
    { part: 'queued', value: median(ratios), unit: 'ratio', target: { most: 1.25 } },
  ];
}

/**
 * Creates a webhook with this many items that are due.
 * @param {import('../harness.mjs').Bench} bench
 * @param {Awaited<ReturnType<typeof startReceiver>>} receiver
 * @param {number} queued
 */
async function prepareQueue(bench, receiver, queued) {
  const created = await createStore(bench);
  const store = { ...created, env: { ...created.env, ...receiverEnv } };
  const first = await startUsher(bench, store);
  const made = await first.post('/v3/edit/webhooks', { url: receiver.url, topics: ['tour.*'] }, 201);
  await first.stop();
  await insertProfiles(bench, store, queued);
  return {
    /**
     * Returns the items per second, after the first hundred.
     * @param {number} count
     */
    sendSome: async (count) => {
      await insertItems(bench, store, JSON.parse(made).webhook.id, queued);
      const before = receiver.count();
      const usher = await startUsher(bench, store);
      await receiver.reaches(before + 100);
      const startedAt = performance.now();
      await receiver.reaches(before + 100 + count);
      const seconds = (performance.now() - startedAt) / 1000;
      await usher.kill();
      return count / seconds;
    },
  };
}

/**
 * Reports whose events five webhooks subscribe to, with a receiver that never responds, against the same reports without
 * webhooks: how many times as long a report takes.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function webhooksRecord(bench) {
  const users = bench.quick ? 200 : 2000;
  const rounds = bench.quick ? 2 : 9;
  const seconds = bench.quick ? 0.3 : 3;
  const silent = await startReceiver(bench, () => {});
  const alone = await prepare(bench, users, 0, silent.url);
  const subscribed = await prepare(bench, users, WEBHOOKS, silent.url);
  for (const { report } of [alone, subscribed]) await report(seconds);
  const ratios = [];
  for (let round = 1; round <= rounds; round++) {
    const [less, more] = [await alone.report(seconds), await subscribed.report(seconds)];
    ratios.push(less / more);
    bench.note(`round ${round} of ${rounds}: ${Math.round(more)} a second against ${Math.round(less)}`);
  }
  return [{ value: median(ratios), unit: 'ratio', target: { most: 1.3 } }];
}

/**
 * Loads a page for each user. Each report is a click on another button of a tour, so each is a new webhook event.
 * @param {import('../harness.mjs').Bench} bench
 * @param {number} users
 * @param {number} webhooks
 * @param {string} url
 */
async function prepare(bench, users, webhooks, url) {
  const created = await createStore(bench);
  const usher = await startUsher(bench, { ...created, env: { ...created.env, ...receiverEnv } });
  const made = await usher.post('/v3/edit/tours', { name: 'Welcome', steps, published_at: '$now' }, 201);
  const { tour } = JSON.parse(made);
  const clicks = tour.steps.flatMap((/** @type {{ id: string, buttons: { id: string }[] }} */ step) =>
    step.buttons.map(({ id }) => ({ experience_id: tour.id, step_id: step.id, button_id: id })),
  );
  for (let n = 0; n < webhooks; n++)
    await usher.post('/v3/edit/webhooks', { url: `${url}/${n}`, topics: ['tour.*'] }, 201);
  const { account } = JSON.parse(await usher.get('/v3/edit/account'));
  /** @type {string[]} */
  const tokens = [];
  for (let n = 0; n < users; n++) {
    const visit = { account_token: account.token, uid: `user-${n}`, href: 'http://localhost:3000/home' };
    tokens.push(JSON.parse(await usher.post('/v3/observe/visits', visit, 200)).visit.token);
  }
  let next = 0;
  const request = () => {
    const n = next++;
    const click = clicks[Math.floor(n / users) % clicks.length];
    const body = JSON.stringify({ visit_token: tokens[n % users], ...click });
    return `POST /v3/observe/interactions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };
  return {
    /** @param {number} seconds */
    report: async (seconds) => (await drive({ port: usher.port, request, status: 200, seconds })).perSecond,
  };
}
