import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startUsher } from '../../bench/servers.mjs';
import { createStore } from '../../bench/store.mjs';
import { Poller, UpdatePoller } from '../sync/pollers.mjs';
import { Writer } from '../sync/writers.mjs';

const NODES = { sqlite: 1, postgres: 3 };
const WRITERS = 8;
/** Of the last node, where there are several. */
const BEHIND_MS = 3000;
const clockFile = new URL('../webhooks/clock.mjs', import.meta.url).href;
const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Eight writers make records on all nodes, one of which has a clock that is behind, while a client for each list keeps
 * in step by `after`. In the end each client has seen every record exactly once, and where a list is by update, every
 * record as it is now. A batch is stored all the while, on SQLite by the thread for batches, and a command writes too.
 * @param {import('../../bench/harness.mjs').Bench} bench
 */
export async function syncWithoutLoss(bench) {
  const wanted = bench.quick ? 5000 : 100_000;
  const store = await createStore(bench);
  const start = async (/** @type {number} */ ahead) => {
    const clock = { NODE_OPTIONS: `--import=${clockFile}`, CLOCK_AHEAD_MS: String(ahead) };
    return startUsher(bench, { ...store, env: { ...store.env, ...clock } });
  };
  const nodes = [await start(0)];
  while (nodes.length < NODES[bench.engine]) nodes.push(await start(nodes.length === 2 ? -BEHIND_MS : 0));
  const what = await prepare(/** @type {typeof nodes[number]} */ (nodes[0]));

  const counts = { records: 0 };
  const writers = Array.from(
    { length: WRITERS },
    (_, n) => new Writer(n, nodes[n % nodes.length]?.port ?? 0, what, counts),
  );
  // Each asks another node.
  const portOf = (/** @type {number} */ n) => nodes[n % nodes.length]?.port ?? 0;
  const lists = [
    '/v3/edit/changes',
    '/v3/edit/deliveries',
    '/v3/edit/tags',
    '/v3/edit/urls',
    '/v3/edit/tours',
    '/v3/analyze/profiles',
    '/v3/analyze/companies',
    `/v3/analyze/interactions?id=${what.tour}`,
    `/v3/analyze/responses?id=${what.survey}`,
    `/v3/edit/webhooks/${what.webhook}/items`,
  ];
  const pollers = lists.map((path, n) => new Poller(portOf(n), path));
  const updates = [
    new UpdatePoller(portOf(0), `/v3/analyze/interactions?id=${what.tour}&order=updated_at`),
    new UpdatePoller(portOf(1), `/v3/analyze/responses?id=${what.survey}&order=updated_at`),
  ];
  const all = [...pollers, ...updates];

  const isDone = () => counts.records >= wanted;
  let written = false;
  const polling = all.map((poller) => poller.pollUntil(() => written));
  const command = commands(store.env, isDone);
  let printed = 0;
  const progress = setInterval(() => {
    if (counts.records - printed < wanted / 10) return;
    printed = counts.records;
    bench.note(`${printed} of ${wanted} records`);
  }, 1000);
  await Promise.all([...writers.map((writer) => writer.writeUntil(isDone)), command]);
  clearInterval(progress);
  written = true;
  await Promise.all(polling);

  const results = [];
  let [missed, twice, seen, polls] = [0, 0, 0, 0];
  for (const poller of all) {
    const found = await poller.judge();
    if (found.missed + found.twice > 0)
      bench.note(`${poller.path}: ${found.missed} missed and ${found.twice} twice, of ${found.seen}`);
    missed += found.missed;
    twice += found.twice;
    seen += found.seen;
    polls += poller.polls;
  }
  results.push(
    { part: 'missed', value: missed, unit: 'records', target: { most: 0 } },
    { part: 'twice', value: twice, unit: 'records', target: { most: 0 } },
    { part: 'written', value: counts.records, unit: 'records' },
    { part: 'seen', value: seen, unit: 'records' },
    { part: 'polls', value: polls, unit: 'polls' },
  );
  return results;
}

/** @param {Awaited<ReturnType<typeof startUsher>>} usher */
async function prepare(usher) {
  const make = async (/** @type {string} */ path, /** @type {object} */ params) =>
    Object.values(JSON.parse(await usher.post(path, params, 201)))[0];
  const buttons = [{ text: 'Next' }];
  const published = { published_at: '$now' };
  const tour = await make('/v3/edit/tours', { name: 'A', steps: [{ title: 'Hello', buttons }], ...published });
  const edited = await make('/v3/edit/tours', { name: 'B', steps: [{ title: 'Hello', buttons }] });
  const steps = [{ title: 'How likely?', preset: 'survey_nps' }];
  const survey = await make('/v3/edit/surveys', { name: 'C', steps, ...published });
  // Named, so that it goes on when others are added.
  await make('/v3/edit/urls', { host: 'localhost', enabled: 'on' });
  const webhook = await make('/v3/edit/webhooks', { url: 'https://receiver.invalid/', topics: ['tour.completed'] });
  const { account } = JSON.parse(await usher.get('/v3/edit/account'));
  // A node whose clock is behind shows what is published when its own time has come.
  await new Promise((resolve) => setTimeout(resolve, BEHIND_MS + 500));
  return {
    token: String(account.token),
    tour: String(tour.id),
    edited: String(edited.id),
    survey: String(survey.id),
    step: String(survey.steps[0].id),
    webhook: String(webhook.id),
  };
}

/**
 * Runs a command that writes to the same database, again and again.
 * @param {Record<string, string>} env
 * @param {() => boolean} isDone
 */
async function commands(env, isDone) {
  const { start } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts;
  const main = join(root, /\S+\.js/.exec(String(start))?.[0] ?? '');
  for (let n = 0; n < 20 && !isDone(); n++) {
    const args = [main, 'token', 'create', '--name', `command ${n}`];
    const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`usher token create ended with ${code}`);
  }
}
