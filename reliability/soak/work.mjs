import { setTimeout as pause } from 'node:timers/promises';

const BATCH = 500;
/** Batches repeat these users, so the database grows slowly. */
const BATCH_USERS = 20_000;
const BUTTONS = 9;
const HREF = 'http://localhost/';
/** How many users of each kind are looked up at the end. */
const MAX_CHECKED = 2000;

const lists = [
  '/v3/edit/experiences?limit=50',
  '/v3/edit/profiles/search?limit=50',
  '/v3/edit/changes?limit=50',
  '/v3/edit/webhooks',
  '/v3/analyze/profiles/count',
  '/v3/analyze/health',
];

/**
 * What the backend and the administrators of a customer do while pages are loaded. Each waits for a response before the next request.
 * @param {import('./client.mjs').Client} client
 * @param {Awaited<ReturnType<typeof prepare>>} data
 */
export function createWork(client, data) {
  /** What was acknowledged: the pages of reports, the values of users, the forgotten users, and the last published title. */
  const acknowledged = {
    reports: /** @type {string[]} */ ([]),
    users: /** @type {Map<string, number>} */ (new Map()),
    forgotten: /** @type {string[]} */ ([]),
    title: '',
  };
  const visit = (/** @type {string} */ uid) =>
    client.send('POST', '/v3/observe/visits', { content: { account_token: data.token, uid, href: HREF } });

  /** A user loads a page, clicks, and does something that is tracked. */
  const use = async (/** @type {number} */ n) => {
    const uid = `clicks-${n % 200}`;
    const page = await visit(uid);
    const button = data.buttons[n % BUTTONS];
    for (const at of [0, 1]) {
      const href = `http://localhost/${uid}/${n * 2 + at}`;
      const report = {
        visit_token: page?.visit.token,
        experience_id: data.tour,
        button_id: at ? button : data.first,
        href,
      };
      const sent = page && (await client.send('POST', '/v3/observe/interactions', { content: report }));
      // The first report may also start the tour, so two items have its page.
      if (sent && at > 0) acknowledged.reports.push(href);
    }
    const event = { visit_token: page?.visit.token, name: 'Report exported', idempotency_key: `k${n}` };
    if (page) await client.send('POST', '/v3/observe/events', { content: event });
  };
  const publish = async (/** @type {number} */ n) => {
    const title = `Version ${n}`;
    const content = { steps: [{ title, body: 'This changes often.' }], published_at: '$now' };
    if (await client.send('PATCH', `/v3/edit/tours/${data.changing}`, { content })) acknowledged.title = title;
  };
  const ingest = async (/** @type {number} */ n) => {
    const profiles = Array.from({ length: BATCH }, (_, at) => ({
      uid: `batch-${(n * BATCH + at) % BATCH_USERS}`,
      round: n,
    }));
    const stored = await client.send('POST', '/v3/observe/hooks/profiles/batch', { content: { profiles } });
    if (stored) for (const { uid, round } of profiles) acknowledged.users.set(uid, round);
  };
  const forget = async (/** @type {number} */ n) => {
    const uid = `leaves-${n}`;
    if (!(await visit(uid))) return;
    if (await client.send('DELETE', `/v3/edit/profiles/forget?uid=${uid}`)) acknowledged.forgotten.push(uid);
  };
  const exportOne = async (/** @type {number} */ n) => {
    const found = await client.send('GET', `/v3/analyze/profile?uid=clicks-${n % 20}`, { statuses: [200, 404] });
    if (found?.profile) await client.send('GET', `/v3/edit/profiles/${found.profile.id}/export`);
  };
  const list = (/** @type {number} */ n) => client.send('GET', String(lists[n % lists.length]));

  /** @type {[everyMs: number, task: (n: number) => Promise<unknown>][]} */
  const tasks = [
    [100, use],
    [2000, publish],
    [3000, ingest],
    [1000, forget],
    [3000, exportOne],
    [1000, list],
  ];
  return {
    acknowledged,
    /** @param {() => boolean} isOver */
    runUntil: (isOver) => Promise.all(tasks.map(([every, task]) => repeat(every, task, isOver))),
  };
}

/**
 * @param {number} everyMs
 * @param {(n: number) => Promise<unknown>} task
 * @param {() => boolean} isOver
 */
async function repeat(everyMs, task, isOver) {
  for (let n = 0; !isOver(); n++) {
    await task(n);
    await pause(everyMs);
  }
}

/**
 * Creates what pages show, and a webhook that receives what users do with it.
 * @param {{ post: (path: string, content: unknown, status: number) => Promise<string>, get: (path: string) => Promise<string> }} usher
 * @param {string} receiver
 */
export async function prepare(usher, receiver) {
  const buttons = Array.from({ length: BUTTONS + 1 }, (_, n) => ({ text: `Button ${n}` }));
  const steps = [{ title: 'Hello', body: 'This is it.', buttons }];
  const published = { published_at: '$now' };
  const { tour } = JSON.parse(await usher.post('/v3/edit/tours', { name: 'Welcome', steps, ...published }, 201));
  const changing = { name: 'News', steps: [{ title: 'Version', body: 'This changes often.' }], ...published };
  const { tour: other } = JSON.parse(await usher.post('/v3/edit/tours', changing, 201));
  await usher.post('/v3/edit/webhooks', { url: receiver, topics: ['tour.*'] }, 201);
  const { account } = JSON.parse(await usher.get('/v3/edit/account'));
  const [first, ...rest] = tour.steps[0].buttons.map((/** @type {{ id: string }} */ { id }) => String(id));
  return {
    token: String(account.token),
    tour: String(tour.id),
    changing: String(other.id),
    first: String(first),
    buttons: /** @type {string[]} */ (rest),
  };
}

/**
 * How much of what was acknowledged is missing, and how many forgotten users are still found.
 * @param {import('./client.mjs').Client} client
 * @param {ReturnType<typeof createWork>['acknowledged']} acknowledged
 * @param {string} changing
 */
export async function countLost(client, { users, forgotten, title }, changing) {
  let [lost, found] = [0, 0];
  const find = async (/** @type {string} */ uid) =>
    (await client.send('GET', `/v3/analyze/profile?uid=${uid}`, { statuses: [200, 404] }))?.profile;
  for (const [uid, round] of sampleOf([...users])) if ((await find(uid))?.round !== round) lost += 1;
  for (const uid of sampleOf(forgotten)) if (await find(uid)) found += 1;
  const response = await client.send('GET', `/v3/edit/tours/${changing}`);
  if (title && response?.tour.steps[0].title !== title) lost += 1;
  return { lost, found };
}

/**
 * Returns some items, evenly spread over a list.
 * @template T
 * @param {readonly T[]} list
 */
function sampleOf(list) {
  const every = Math.ceil(list.length / MAX_CHECKED);
  return list.filter((_, at) => at % every === 0);
}
