import http from 'node:http';

/** @typedef {import('../figures/attacks.mjs').Attack} Attack */

const REQUESTS = 15;
const PER_REQUEST = 100;
const MAX_PROFILE = 8192;

/**
 * A user with a large profile answers a survey again and again, each time with a new showing. Five webhooks receive
 * everything that is stored.
 * @type {Attack}
 */
export const reportFlood = {
  name: 'a user floods reports and survey answers',
  before: '10.9 KB of reports made 750 webhook posts of 174 MB and 500 survey answers from one user',
  settings: { USHER_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8' },
  async run({ call, secret, token }) {
    const receiver = await startReceiver();
    try {
      const as = { 'x-account-secret': secret };
      for (let n = 0; n < 5; n++)
        await call('/v3/edit/webhooks', { url: `${receiver.url}/${n}`, topics: ['survey.*', 'response.finished'] }, as);
      const steps = [{ title: 'Rate', preset: 'survey_two', buttons: [{ text: 'Bad' }, { text: 'Good' }] }];
      const made = await call('/v3/edit/surveys', { name: 'Asks', steps, published_at: '$now' }, as);
      const { survey } = made.body;
      const [step] = survey.steps;
      const properties = Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`p${n}`, 'x'.repeat(700)]));
      const visit = { account_token: token, uid: 'attacker', href: 'http://localhost/', properties };
      const { visit: opened } = (await call('/v3/observe/visits', visit)).body;
      const answer = (/** @type {number} */ showing) => ({
        ...{ experience_id: survey.id, state: 'completed', showing, step_id: step.id },
        response: { button_id: step.buttons[showing % 2].id },
      });
      const statuses = [];
      for (let n = 0; n < REQUESTS; n++) {
        const items = Array.from({ length: PER_REQUEST }, (_, at) => answer(n * PER_REQUEST + at));
        statuses.push((await call('/v3/observe/interactions', { visit_token: opened.token, items })).status);
      }
      const { responses } = (await call(`/v3/analyze/responses?id=${survey.id}`, undefined, as)).body;
      await receiver.idle();
      const rejected = statuses.filter((status) => status === 429).length;
      const { posts, bytes, largest } = receiver.counts();
      return {
        now: `${REQUESTS * PER_REQUEST} reports: ${responses.length} Response, ${rejected} of ${REQUESTS} requests 429, ${posts} posts of ${Math.round(bytes / 1000)} KB in all, profile ${largest} bytes at most`,
        defended: responses.length === 1 && rejected >= 5 && posts <= 30 && largest <= MAX_PROFILE,
      };
    } finally {
      receiver.stop();
    }
  },
};

async function startReceiver() {
  const counts = { posts: 0, bytes: 0, largest: 0 };
  let last = Date.now();
  const server = http.createServer((request, response) => {
    /** @type {Buffer[]} */
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts);
      counts.posts += 1;
      counts.bytes += body.length;
      const { profile } = JSON.parse(body.toString()).data;
      counts.largest = Math.max(counts.largest, Buffer.byteLength(JSON.stringify(profile ?? {})));
      last = Date.now();
      response.end();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    counts: () => counts,
    /** Waits until nothing was received for a second. */
    async idle() {
      last = Date.now();
      while (Date.now() - last < 1000) await new Promise((resolve) => setTimeout(resolve, 50));
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
