import { createHmac } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Somebody who has read the database, or a backup of it, uses the stored keys to forge the visit token and the uid_hash of
 * another user.
 * @type {import('../figures/attacks.mjs').Attack}
 */
export const stolenDatabase = {
  name: 'forge visits and uid hashes with the content of the database',
  before:
    'the secrets that sign visits, webhooks and uids were stored unencrypted, in files that every user of the machine could read',
  run: async ({ call, port, secret, store, token, engine }) => {
    const own = { 'X-Account-Secret': secret };
    const origin = { Origin: 'http://localhost' };
    await call('/v3/edit/account/uid_secret', {}, own);
    const visit = { account_token: token, href: 'http://localhost/', uid: 'victim' };
    const { body: seen } = await call('/v3/observe/visits', visit, origin);
    const [account, , at, nonce] = seen.visit.token.split('.');
    const stored = await readAccount(store, account);

    const payload = `${account}.${seen.profile.id}.${at}.${nonce}`;
    const forged = `${payload}.${hmac(stored.visit_key, payload).digest('base64url')}`;
    const event = await call('/v3/observe/events', { visit_token: forged, name: 'forged' }, origin);
    const right = await call('/v3/observe/events', { visit_token: seen.visit.token, name: 'own' }, origin);

    const seconds = Math.floor(Date.now() / 1000);
    const uid_hash = `${hmac(stored.uid_secret, `victim-${seconds}`).digest('hex')}-${seconds}`;
    const body = JSON.stringify({ require_uid_hash: true });
    await fetch(`http://127.0.0.1:${port}/v3/edit/account`, { method: 'PATCH', headers: own, body });
    const proven = await call('/v3/observe/visits', { ...visit, uid_hash }, origin);

    const open = openFiles(store.env.USHER_DATA);
    const encrypted = [stored.visit_key, stored.uid_secret].every((value) => value.startsWith('sealed.'));
    return {
      now: `forged visit ${event.status}, forged uid_hash ${proven.status}, a real visit ${right.status}; ${open.length} files open to others${engine === 'sqlite' ? '' : ' beside the database'}`,
      defended: encrypted && event.status === 403 && proven.status === 403 && right.status < 300 && open.length === 0,
    };
  },
};

/**
 * @param {import('../../bench/store.mjs').Store} store
 * @param {string} id
 * @returns {Promise<Record<string, string>>}
 */
async function readAccount(store, id) {
  const connection = await store.connect();
  const [row] = await connection.run(`select visit_key, uid_secret from accounts where id = '${id}'`);
  await connection.close();
  return /** @type {Record<string, string>} */ (row);
}

/**
 * @param {string} key
 * @param {string} text
 */
function hmac(key, text) {
  return createHmac('sha256', key).update(text);
}

/** @param {string | undefined} folder */
function openFiles(folder = '') {
  const names = ['.', ...readdirSync(folder)];
  return names.filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0);
}
