import { setTimeout as pause } from 'node:timers/promises';
import { receiverEnv, startReceiver } from '../../bench/receiver.mjs';
import { startUsher } from '../../bench/servers.mjs';
import { createStore } from '../../bench/store.mjs';
import { createRandom } from '../deliveries/random.mjs';
import { checkLedger, Ledger } from '../webhooks/ledger.mjs';

const PROCESSES = { sqlite: 1, postgres: 2 };
const USERS = 8;
const MAX_REPORTS = 10;
const MAX_ROUND_MS = 1000;
const PATHS = ['/one', '/two'];
/** An attempt that was in progress when its process was killed is due again after this time. */
const BETWEEN_MS = 31_000;
const HOUR_MS = 60 * 60_000;
const MAX_ROUNDS_AT_END = 100;
const clockFile = new URL('../webhooks/clock.mjs', import.meta.url).href;

/**
 * Users do things that two webhooks receive, while all processes are killed with -9 many times, and the receiver returns
 * errors, closes connections, and is unavailable for a day by the clock of the processes. In the end both webhooks have
 * received each acknowledged event with the same ID, and the events of each user in order.
 * @param {import('../../bench/harness.mjs').Bench} bench
 */
export async function webhooksKilled(bench) {
  const times = bench.quick ? 50 : 200;
  bench.note(`the ledger was checked with ${checkLedger()} invented histories`);
  const random = createRandom(Math.floor(Math.random() * 2 ** 31));
  const ledger = new Ledger();
  let isReliable = false;
  /** @type {Parameters<typeof startReceiver>[1]} */
  const respond = (response, body, path) => {
    const { accepted } = ledger.record(path, JSON.parse(body));
    if (!isReliable && random.chance(0.1)) return void response.writeHead(500).end();
    if (!isReliable && random.chance(0.05)) return void response.destroy();
    response.once('finish', accepted);
    setTimeout(() => response.end(), isReliable ? 0 : random.below(random.chance(0.05) ? 300 : 10));
  };
  let receiver = await startReceiver(bench, respond);
  const { port } = receiver;

  const created = await createStore(bench);
  let ahead = 0;
  const start = () => {
    const clock = { NODE_OPTIONS: `--import=${clockFile}`, CLOCK_AHEAD_MS: String(ahead) };
    const store = { ...created, env: { ...created.env, ...receiverEnv, ...clock } };
    return startUsher(bench, store);
  };
  const what = await prepare(await start(), `http://127.0.0.1:${port}`);

  const writers = Array.from({ length: USERS }, (_, n) => new Writer(`user-${n}`, what));
  const [unavailable, back] = [Math.floor(times * 0.4), Math.floor(times * 0.6)];
  for (let time = 1; time <= times; time++) {
    if (time === unavailable) await receiver.stop();
    if (time === back) receiver = await startReceiver(bench, respond, port);
    ahead += time > unavailable && time <= back ? (24 * HOUR_MS) / (back - unavailable) : BETWEEN_MS;
    const ushers = [await start()];
    while (ushers.length < PROCESSES[bench.engine]) ushers.push(await start());
    const written = writers.map((writer, n) => writer.writeUntilItEnds(Number(ushers[n % ushers.length]?.port)));
    await pause(random.next() * MAX_ROUND_MS);
    await Promise.all(ushers.map((usher) => usher.kill()));
    await Promise.all(written);
    if (time % 10 === 0) bench.note(`${time} of ${times} kills, ${receiver.count()} requests to webhooks`);
  }

  isReliable = true;
  const left = await sendTheRest(() => {
    ahead += HOUR_MS;
    return start();
  });
  const acknowledged = writers.flatMap((writer) => writer.acknowledged);
  const { lost, renamed, disordered, twice } = ledger.check(PATHS, acknowledged);
  for (const href of [...lost, ...renamed, ...disordered].slice(0, 5)) bench.note(`${href} was not sent correctly`);
  return [
    { part: 'lost', value: lost.length, unit: 'items', target: { most: 0 } },
    { part: 'renamed', value: renamed.length, unit: 'items', target: { most: 0 } },
    { part: 'disordered', value: disordered.length, unit: 'items', target: { most: 0 } },
    { part: 'left', value: left, unit: 'items', target: { most: 0 } },
    { part: 'sent', value: acknowledged.length * PATHS.length, unit: 'items' },
    { part: 'twice', value: twice, unit: 'items' },
    { part: 'kills', value: times, unit: 'kills' },
  ];
}

/**
 * @param {Awaited<ReturnType<typeof startUsher>>} usher
 * @param {string} receiver
 */
async function prepare(usher, receiver) {
  const buttons = Array.from({ length: MAX_REPORTS }, (_, n) => ({ text: `Button ${n}` }));
  const steps = [{ title: 'Hello', body: 'This is it.', buttons }];
  const created = await usher.post('/v3/edit/tours', { name: 'Welcome', steps, published_at: '$now' }, 201);
  for (const path of PATHS) await usher.post('/v3/edit/webhooks', { url: receiver + path, topics: ['tour.*'] }, 201);
  const { account } = JSON.parse(await usher.get('/v3/edit/account'));
  await usher.stop();
  const { tour } = JSON.parse(created);
  const ids = tour.steps[0].buttons.map((/** @type {{ id: string }} */ { id }) => id);
  return { token: String(account.token), tour: String(tour.id), buttons: ids };
}

/** One user, who sends one report after the other. */
class Writer {
  /** The pages of the acknowledged reports. @type {string[]} */
  acknowledged = [];
  #uid;
  #what;
  #count = 0;

  /**
   * @param {string} uid
   * @param {{ token: string, tour: string, buttons: string[] }} what
   */
  constructor(uid, what) {
    this.#uid = uid;
    this.#what = what;
  }

  /** @param {number} port */
  async writeUntilItEnds(port) {
    const { token, tour, buttons } = this.#what;
    const visit = { account_token: token, uid: this.#uid, href: 'http://localhost/' };
    const page = await send(port, '/v3/observe/visits', visit);
    for (let n = 0; page && n < MAX_REPORTS; n++) {
      const href = `http://localhost/${this.#uid}/${this.#count++}`;
      // Each button is sent to webhooks once for a page load; showings would have a minimum time between them.
      const report = { visit_token: page.visit.token, experience_id: tour, button_id: buttons[n], href };
      if (!(await send(port, '/v3/observe/interactions', report))) return;
      // The first report may also start the tour, so two items have its page.
      if (n > 0) this.acknowledged.push(href);
    }
  }
}

/**
 * @param {number} port
 * @param {string} path
 * @param {unknown} content
 * @returns {Promise<any>} the response, or undefined when the server ended before it responded
 */
async function send(port, path, content) {
  let response;
  let text;
  try {
    const options = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: JSON.stringify(content) };
    response = await fetch(`http://127.0.0.1:${port}${path}`, options);
    text = await response.text();
  } catch {
    return undefined;
  }
  if (response.status !== 200) throw new Error(`${path} returned ${response.status}: ${text}`);
  return JSON.parse(text);
}

/**
 * @param {() => ReturnType<typeof startUsher>} startAnHourLater
 * @returns {Promise<number>} how many items are left
 */
export async function sendTheRest(startAnHourLater) {
  for (let round = 1; ; round++) {
    const usher = await startAnHourLater();
    const left = await untilNoneIsDue(usher);
    await usher.stop();
    if (left === 0 || round === MAX_ROUNDS_AT_END) return left;
  }
}

/**
 * @param {Awaited<ReturnType<typeof startUsher>>} usher
 * @returns {Promise<number>} how many items wait for a later time
 */
async function untilNoneIsDue(usher) {
  for (let calm = 0, before = -1; ; await pause(50)) {
    const metrics = await usher.get('/metrics');
    const [due = 0, waiting = 0, sent = 0] = [
      'items{state="due"}',
      'items{state="waiting"}',
      'attempts_total{outcome="sent"}',
    ].map((name) => Number(metrics.split(`\nusher_webhook_${name} `)[1]?.split('\n')[0]));
    calm = due === 0 && sent === before ? calm + 1 : 0;
    before = sent;
    if ((due === 0 && waiting === 0) || calm === 10) return waiting;
  }
}
