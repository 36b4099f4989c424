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
/** How far the clock of the third node is behind. */
const BEHIND_MS = 3000;
const clockFile = new URL('../webhooks/clock.mjs', import.meta.url).href;
const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Eight writers create records on all nodes. The clock of one node is behind. Meanwhile a client follows each list
 * with `after`. At the end each client must have seen every record exactly once, and in lists that are ordered by update the
 * current state of every record. Batches are stored at the same time, on SQLite by the batch thread, and a command writes too.
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
  const data = await prepare(/** @type {typeof nodes[number]} */ (nodes[0]));

  const counts = { records: 0 };
  const writers = Array.from(
    { length: WRITERS },
    (_, n) => new Writer(n, nodes[n % nodes.length]?.port ?? 0, data, counts),
  );
  // Each client polls another node.
  const portOf = (/** @type {number} */ n) => nodes[n % nodes.length]?.port ?? 0;
  const lists = [
    '/v3/edit/changes',
    '/v3/edit/deliveries',
    '/v3/edit/tags',
    '/v3/edit/urls',
    '/v3/edit/tours',
    '/v3/analyze/profiles',
    '/v3/analyze/companies',
    `/v3/analyze/interactions?id=${data.tour}`,
    `/v3/analyze/responses?id=${data.survey}`,
    `/v3/edit/webhooks/${data.webhook}/items`,
  ];
  const pollers = lists.map((path, n) => new Poller(portOf(n), path));
  const updates = [
    new UpdatePoller(portOf(0), `/v3/analyze/interactions?id=${data.tour}&order=updated_at`),
    new UpdatePoller(portOf(1), `/v3/analyze/responses?id=${data.survey}&order=updated_at`),
  ];
  const all = [...pollers, ...updates];

  const isDone = () => counts.records >= wanted;
  let written = false;
  const polling = all.map((poller) => poller.pollUntil(() => written));
  const command = runCommands(store.env, isDone);
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
    const found = await poller.compare();
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
  const create = async (/** @type {string} */ path, /** @type {object} */ params) =>
    Object.values(JSON.parse(await usher.post(path, params, 201)))[0];
  const buttons = [{ text: 'Next' }];
  const published = { published_at: '$now' };
  const tour = await create('/v3/edit/tours', { name: 'A', steps: [{ title: 'Hello', buttons }], ...published });
  const edited = await create('/v3/edit/tours', { name: 'B', steps: [{ title: 'Hello', buttons }] });
  const steps = [{ title: 'How likely?', preset: 'survey_nps' }];
  const survey = await create('/v3/edit/surveys', { name: 'C', steps, ...published });
  // Without this row, localhost would be off as soon as another host is added.
  await create('/v3/edit/urls', { host: 'localhost', enabled: 'on' });
  const webhook = await create('/v3/edit/webhooks', { url: 'https://receiver.invalid/', topics: ['tour.completed'] });
  const { account } = JSON.parse(await usher.get('/v3/edit/account'));
  // A node whose clock is behind shows a published Experience only when its own clock reaches that time.
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
async function runCommands(env, isDone) {
  const { start } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts;
  const main = join(root, /\S+\.js/.exec(String(start))?.[0] ?? '');
  for (let n = 0; n < 20 && !isDone(); n++) {
    const args = [main, 'token', 'create', '--name', `command ${n}`];
    const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`usher token create ended with ${code}`);
  }
}
