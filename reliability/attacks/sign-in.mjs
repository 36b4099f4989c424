import { setTimeout as pause } from 'node:timers/promises';

const EMAIL = 'owner@acme.example';
export const PASSWORD = 'correct horse battery';
const fromPage = { 'Sec-Fetch-Site': 'same-origin' };
export const owner = { USHER_BOOTSTRAP_EMAIL: EMAIL, USHER_BOOTSTRAP_PASSWORD: PASSWORD };

/** @typedef {import('../figures/attacks.mjs').Target} Target */

/**
 * Sends a request as a browser with this cookie would.
 * @param {Target} target
 * @param {string} method
 * @param {string} path
 * @param {{ cookie?: string, body?: unknown, headers?: Record<string, string> }} [options]
 */
export async function send({ port }, method, path, { cookie, body, headers } = {}) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...fromPage, ...(cookie && { Cookie: cookie }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const [set = ''] = response.headers.getSetCookie();
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text), cookie: set.split(';')[0] ?? '' };
}

/**
 * @param {Target} target
 * @param {string} password
 * @param {string} [email]
 * @param {Record<string, string>} [headers]
 */
export function signIn(target, password, email = EMAIL, headers) {
  return send(target, 'POST', '/v3/session', { body: { email, password }, ...(headers && { headers }) });
}

/** @param {{ status: number }[]} responses */
function countStatuses(responses) {
  /** @type {Record<number, number>} */
  const counts = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** @type {import('../figures/attacks.mjs').Attack} */
export const signInFlood = {
  name: '100 clients that sign in all the time, while pages load',
  before: 'every password was hashed when it arrived: 100 took 13 GB',
  settings: { ...owner, USHER_LIMIT_SIGN_INS: '0' },
  async run(target) {
    const { call, token, secret } = target;
    await call('/v3/edit/urls', { host: 'app.example.com' }, { 'X-Account-Secret': secret });
    const load = async () => {
      const startedAt = performance.now();
      const href = 'https://app.example.com/';
      const visit = { account_token: token, uid: 'user', href };
      const { status } = await call('/v3/observe/visits', visit, { Origin: 'https://app.example.com' });
      return { status, took: performance.now() - startedAt };
    };
    const before = await target.memory();
    let memory = before;
    let running = true;
    /** @type {{ status: number }[]} */
    const signIns = [];
    const clients = Array.from({ length: 100 }, async (_, at) => {
      while (running) {
        const response = await signIn(target, 'wrong', `nobody${at}@acme.example`);
        signIns.push(response);
        // The client shares the machine with the server: without a pause it would measure itself.
        if (response.status === 429) await pause(500);
      }
    });
    const loads = [];
    for (let count = 0; count < 300; count++) {
      loads.push(await load());
      if (count % 10 === 0) memory = Math.max(memory, await target.memory());
      await pause(20);
    }
    const right = await signIn(target, PASSWORD);
    running = false;
    await Promise.all(clients);
    const took = loads.map((one) => one.took).sort((one, other) => one - other);
    const p95 = took[Math.floor(took.length * 0.95)] ?? 0;
    const statuses = countStatuses(signIns);
    const grown = (memory - before) / 2 ** 20;
    return {
      now: `${statuses[403]} are checked, ${statuses[429]} get 429 (the owner ${right.status}); 95 % of page loads take less than ${p95.toFixed(0)} ms; memory grows by ${grown.toFixed(0)} MB`,
      defended: loads.every(({ status }) => status === 200) && p95 < 250 && grown < 450 && !statuses[500],
    };
  },
};

/** @type {import('../figures/attacks.mjs').Attack} */
export const guessedPasswords = {
  name: 'a password that is guessed from 60 networks',
  before: 'wrong passwords were neither limited nor recorded',
  settings: { ...owner, USHER_TRUST_PROXY: '127.0.0.1' },
  async run(target) {
    const from = (/** @type {string} */ address) => ({ 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' });
    const home = await signIn(target, PASSWORD, EMAIL, from('198.51.100.1'));
    const guesses = [];
    for (let count = 0; count < 60; count++)
      guesses.push(await signIn(target, `guess ${count}`, EMAIL, from(`192.0.2.${count}`)));
    const right = await signIn(target, PASSWORD, EMAIL, from('192.0.2.200'));
    const again = await signIn(target, PASSWORD, EMAIL, from('198.51.100.1'));
    const headers = { 'X-Account-Secret': target.secret };
    const log = await target.call('/v3/analyze/audit_entries?action=session.reject', undefined, headers);
    const statuses = countStatuses(guesses);
    const entries = log.body.audit_entries.length;
    return {
      now: `${statuses[403]} guesses are checked, ${statuses[429]} get 429; the right password gets ${right.status} from a new network, and ${again.status} where the owner has signed in before; ${entries} entries in the audit log`,
      defended:
        home.status === 200 &&
        statuses[403] === 20 &&
        right.status === 429 &&
        again.status === 200 &&
        entries > 0 &&
        entries <= 3,
    };
  },
};

/** @type {import('../figures/attacks.mjs').Attack} */
export const sharedLinks = {
  name: 'one invitation that 20 people accept together, and two owners who remove each other',
  before: 'there were no invitations',
  settings: { ...owner, USHER_LIMIT_SIGN_INS: '0' },
  async run(target) {
    const { cookie } = await signIn(target, PASSWORD);
    const { body } = await send(target, 'POST', '/v3/edit/invitations', { cookie, body: { role: 'owner' } });
    const [, token] = body.invitation.url.split('#');
    const accept = (/** @type {number} */ at) => ({
      token,
      name: 'Kim',
      email: `kim${at}@acme.example`,
      password: PASSWORD,
    });
    const accepted = await Promise.all(
      Array.from({ length: 20 }, (_, at) => send(target, 'POST', '/v3/links/accept', { body: accept(at) })),
    );
    const second = accepted.find(({ status }) => status === 200)?.cookie ?? '';
    const team = async () => {
      const headers = { 'X-Account-Secret': target.secret };
      return (await target.call('/v3/edit/admins', undefined, headers)).body.admins ?? [];
    };
    const ids = (await team()).map((/** @type {{ id: string }} */ { id }) => id);
    const demote = (/** @type {string} */ id, /** @type {string} */ by) =>
      send(target, 'PATCH', `/v3/edit/admins/${id}`, { cookie: by, body: { role: 'viewer' } });
    const demoted = await Promise.all([demote(ids[0], cookie), demote(ids[1], second)]);
    const session = await send(target, 'GET', '/v3/session', { cookie });
    const other = await send(target, 'GET', '/v3/session', { cookie: second });
    const owners = [session, other].filter((one) => one.body.user?.role === 'owner').length;
    const { 200: joined, ...others } = countStatuses(accepted);
    // An invitation is used up (404), and only some emails can be tried with it (429).
    const rejected = (others[404] ?? 0) + (others[429] ?? 0);
    return {
      now: `${joined} of 20 people joins, the others get ${Object.keys(others)}; the two changes of roles get ${demoted.map(({ status }) => status)}, and ${owners} owner is left`,
      defended: joined === 1 && rejected === 19 && ids.length === 2 && owners === 1,
    };
  },
};

/** @type {import('../figures/attacks.mjs').Attack} */
export const triedEmails = {
  name: 'an owner tries out with many invitations which emails exist on the server',
  before: 'ten emails with each invitation, and any number of invitations',
  settings: { ...owner, USHER_TRUST_PROXY: '127.0.0.1' },
  async run(target) {
    const headers = { 'X-Account-Secret': target.secret };
    /** @type {{ status: number }[]} */
    const tries = [];
    for (let link = 0; link < 20; link++) {
      const { invitation } = (await target.call('/v3/edit/invitations', { role: 'viewer' }, headers)).body;
      const [, token] = invitation.url.split('#');
      for (let n = 0; n < 5; n++) {
        const from = { 'X-Forwarded-For': `192.0.2.${link * 5 + n}`, 'X-Forwarded-Proto': 'https' };
        const body = { token, email: `guess-${link}-${n}@acme.example`, password: 'x' };
        tries.push(await send(target, 'POST', '/v3/links/accept', { body, headers: from }));
      }
    }
    const statuses = countStatuses(tries);
    return {
      now: `of 100 emails with 20 invitations from 100 networks, ${statuses[422] ?? 0} get an answer, and ${statuses[429] ?? 0} get 429`,
      defended: statuses[422] === 50 && statuses[429] === 50,
    };
  },
};

/** @type {import('../figures/attacks.mjs').Attack} */
export const manyNetworks = {
  name: 'sign in all the time from the networks of one IPv6 /56',
  before: 'one client took the 20 places for networks from which no person has signed in before: others got 429 there',
  settings: { ...owner, USHER_TRUST_PROXY: '127.0.0.1' },
  async run(target) {
    const from = (/** @type {string} */ address) => ({ 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' });
    let running = true;
    /** @type {{ status: number }[]} */
    const guesses = [];
    const clients = Array.from({ length: 60 }, async (_, at) => {
      for (let round = 0; running; round++) {
        const network = (0x4200 + ((at * 4 + round) % 256)).toString(16);
        guesses.push(await signIn(target, 'a guess', `nobody${at}@acme.example`, from(`2001:db8:0:${network}::1`)));
        await pause(50);
      }
    });
    await pause(1000);
    const others = [];
    for (let count = 0; count < 10; count++) {
      const startedAt = performance.now();
      const { status } = await signIn(target, PASSWORD, EMAIL, from(`203.0.113.${count}`));
      others.push({ status, took: performance.now() - startedAt });
    }
    running = false;
    await Promise.all(clients);
    const statuses = countStatuses(guesses);
    const slowest = Math.max(...others.map(({ took }) => took)) / 1000;
    return {
      now: `${statuses[403] ?? 0} guesses are checked, ${statuses[429] ?? 0} get 429; 10 sign-ins from new networks get ${JSON.stringify(countStatuses(others))}, the slowest after ${slowest.toFixed(1)} s`,
      defended: others.every(({ status }) => status === 200) && slowest < 5 && !statuses[500],
    };
  },
};
