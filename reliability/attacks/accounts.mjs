import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { owner, PASSWORD, send, signIn } from './sign-in.mjs';

const command = fileURLToPath(new URL('../../server/bin/usher.js', import.meta.url));

/** @typedef {import('../figures/attacks.mjs').Target} Target */

/**
 * Runs a command of the operator on the database of the attacked server.
 * @param {Target} target
 * @param {...string} words
 */
async function run({ store }, ...words) {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, ...store.env };
  const { stdout } = await promisify(execFile)(process.execPath, [command, ...words, '--json'], { env });
  return JSON.parse(stdout);
}

/**
 * @param {Target} target
 * @param {string} sql
 */
async function query({ store }, sql) {
  const database = await store.connect();
  try {
    return await database.run(sql);
  } finally {
    await database.close();
  }
}

/** @type {import('../figures/attacks.mjs').Attack} */
export const takenEmail = {
  name: 'take the email of a future customer, and wait until the operator creates an account for it',
  before: 'the person who had the email owned the new account, and the account of `admin create`',
  settings: owner,
  async run(target) {
    const { cookie } = await signIn(target, PASSWORD);
    const email = 'boss@customer.example';
    const taken = await send(target, 'PATCH', '/v3/person', { cookie, body: { email } });
    const created = await run(target, 'account', 'create', '--name', 'Customer', '--email', email);
    const other = await run(target, 'account', 'create', '--name', 'Other', '--email', 'other@customer.example');
    const added = await run(
      target,
      'admin',
      'create',
      '--email',
      email,
      '--role',
      'owner',
      '--account',
      other.account_id,
    );
    const { accounts } = (await send(target, 'GET', '/v3/session', { cookie })).body;
    const switched = await send(target, 'PATCH', '/v3/session', { cookie, body: { account_id: created.account_id } });
    const hasLinks = [created, added].every(({ url }) => String(url).includes('/app/join#'));
    return {
      now: `the attacker is in ${accounts.length} account, and gets ${switched.status} for the new one; the commands print ${hasLinks ? 'invitations' : 'no invitations'}, and the accounts of the person who has the email: ${created.their_accounts}`,
      defended: taken.status === 200 && accounts.length === 1 && switched.status === 404 && hasLinks,
    };
  },
};

/** @type {import('../figures/attacks.mjs').Attack} */
export const limitedSecret = {
  name: 'get rid of the limits of a stolen secret, and of its revocation',
  before: 'a secret for one network and one day created secrets without limits, which were valid after it was revoked',
  async run(target) {
    const { call, secret, port } = target;
    const create = (/** @type {string} */ by, /** @type {object} */ params) =>
      call('/v3/edit/secrets', { name: 'x', scope: 'all', ...params }, { 'X-Account-Secret': by });
    const stolen = (await create(secret, { networks: ['127.0.0.0/8'], expires_at: '+1d' })).body.secret;
    const wider = await Promise.all([
      create(stolen.secret, { networks: ['0.0.0.0/0'] }),
      create(stolen.secret, { networks: ['::/0'] }),
      create(stolen.secret, { expires_at: '+2d' }),
    ]);
    const child = (await create(stolen.secret, { networks: null, expires_at: null })).body.secret;
    const revoke = async (/** @type {string} */ by, /** @type {string} */ query) => {
      const url = `http://127.0.0.1:${port}/v3/edit/secrets/${stolen.id}${query}`;
      return (await fetch(url, { method: 'DELETE', headers: { 'X-Account-Secret': by } })).status;
    };
    const kept = await revoke(stolen.secret, '?keep_children=true');
    const revoked = await revoke(secret, '');
    const after = await call('/', undefined, { 'X-Account-Secret': child.secret });
    const limits = `${child.networks} until ${child.expires_at}`;
    return {
      now: `wider secrets get ${wider.map(({ status }) => status)}; one without limits is for ${limits}; keeping it gets ${kept}, and after the revocation (${revoked}) it gets ${after.status}`,
      defended:
        wider.every(({ status }) => status === 422) &&
        child.networks?.[0] === '127.0.0.0/8' &&
        child.expires_at === stolen.expires_at &&
        [kept, revoked, after.status].join() === '409,200,403',
    };
  },
};

/** @type {import('../figures/attacks.mjs').Attack} */
export const openBrowser = {
  name: 'change what is dangerous in a browser that somebody left open',
  before: 'the address of a webhook, and whether pages need a proof, changed without the password',
  settings: owner,
  async run(target) {
    const { cookie } = await signIn(target, PASSWORD);
    const headers = { 'X-Account-Secret': target.secret };
    await target.call('/v3/edit/account/uid_secret', {}, headers);
    const hook = { url: 'https://example.com/hooks', topics: ['tour.*'] };
    const { id } = (await target.call('/v3/edit/webhooks', hook, headers)).body.webhook;
    await send(target, 'PATCH', '/v3/edit/account', { cookie, body: { require_uid_hash: true } });
    await query(target, 'update sessions set confirmed_at = null');
    /** @type {[string, string, object?][]} */
    const changes = [
      ['PATCH', `/v3/edit/webhooks/${id}`, { url: 'https://attacker.example/hooks' }],
      ['PUT', `/v3/edit/webhooks/${id}`, { url: 'https://attacker.example/hooks' }],
      ['PATCH', '/v3/edit/account', { require_uid_hash: false }],
      ['PATCH', '/v3/edit/account', { trust_pages: true }],
      ['PATCH', '/v3/edit/account', { allow_scripts: true }],
      ['PATCH', '/v3/person', { email: 'attacker@example.com' }],
      ['PATCH', '/v3/person', { password: 'chosen by the attacker' }],
      ['POST', '/v3/edit/secrets', { name: 'x', scope: 'all' }],
      ['POST', '/v3/edit/invitations', { role: 'owner' }],
      ['POST', '/v3/edit/debug_tokens', {}],
      ['POST', '/v3/edit/account/uid_secret', {}],
      ['POST', `/v3/edit/webhooks/${id}/rotate`, {}],
    ];
    const statuses = [];
    for (const [method, path, body] of changes) {
      const response = await send(target, method, path, { cookie, body });
      statuses.push(response.body.confirm === 'password' ? response.status : `${method} ${path} ${response.status}`);
    }
    const { webhook } = (await target.call(`/v3/edit/webhooks/${id}`, undefined, headers)).body;
    const { account } = (await target.call('/v3/edit/account', undefined, headers)).body;
    return {
      now: `${changes.length} changes without the password get ${[...new Set(statuses)]}; items still go to ${webhook.uid}, and pages still need a proof: ${account.require_uid_hash}`,
      defended: statuses.every((status) => status === 403) && webhook.uid === hook.url && account.require_uid_hash,
    };
  },
};

/** @type {import('../figures/attacks.mjs').Attack} */
export const copiedCookie = {
  name: 'copy the cookie of an owner, and wait until they give their password',
  before: 'the copy could do for ten minutes what needs the password, and was valid as long as the session',
  settings: owner,
  async run(target) {
    const { cookie } = await signIn(target, PASSWORD);
    await query(target, 'update sessions set confirmed_at = null');
    const body = { name: 'x', scope: 'all' };
    const early = await send(target, 'POST', '/v3/edit/secrets', { cookie, body });
    const confirmed = await send(target, 'POST', '/v3/session/confirm', { cookie, body: { password: PASSWORD } });
    const late = await send(target, 'POST', '/v3/edit/secrets', { cookie, body });
    const own = await send(target, 'POST', '/v3/edit/secrets', { cookie: confirmed.cookie, body });
    return {
      now: `a secret with the copy gets ${early.status} before and ${late.status} after the password; the owner gets ${own.status}`,
      defended: [early.status, late.status, own.status].join() === '403,401,201',
    };
  },
};

/** @type {import('../figures/attacks.mjs').Attack} */
export const removedOwner = {
  name: 'keep access after being removed: by a secret that is created at the same time, and by an old link',
  before:
    'a secret that was created meanwhile stayed valid, and a link to choose a password worked again after joining again',
  settings: { ...owner, USHER_LIMIT_SIGN_INS: '0' },
  async run(target) {
    const headers = { 'X-Account-Secret': target.secret };
    const join = async (/** @type {string} */ email) => {
      const { invitation } = (await target.call('/v3/edit/invitations', { role: 'owner' }, headers)).body;
      const [, token] = invitation.url.split('#');
      return send(target, 'POST', '/v3/links/accept', { body: { token, name: 'Kim', email, password: PASSWORD } });
    };
    const remove = (/** @type {string} */ id) =>
      fetch(`http://127.0.0.1:${target.port}/v3/edit/admins/${id}`, { method: 'DELETE', headers });
    let alive = 0;
    for (let round = 0; round < 10; round++) {
      const { cookie, body } = await join(`kim${round}@acme.example`);
      const create = () => send(target, 'POST', '/v3/edit/secrets', { cookie, body: { name: 'x', scope: 'all' } });
      const [one, other] = await Promise.all([create(), create(), remove(body.user.id), create()]);
      for (const made of [one, other])
        if (made.status === 201) {
          const as = { 'X-Account-Secret': made.body.secret.secret };
          if ((await target.call('/', undefined, as)).status === 200) alive += 1;
        }
    }
    const left = await query(target, "select 1 from secrets where name = 'x' and revoked_at is null");
    const email = 'lee@acme.example';
    const first = await join(email);
    const { url } = await run(target, 'admin', 'reset-link', '--email', email);
    await remove(first.body.user.id);
    const again = await join(email);
    const reset = { token: String(url).split('#')[1], password: 'chosen by the attacker' };
    const used = await send(target, 'POST', '/v3/links/reset', { body: reset });
    return {
      now: `${alive + left.length} secrets of 10 people who were removed still work; joining again gets ${again.status}, and the old link then ${used.status}`,
      defended: alive + left.length === 0 && again.status === 200 && used.status === 404,
    };
  },
};
