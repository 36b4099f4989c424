import { SECRET, startUsher } from '../../bench/servers.mjs';
import { createStore } from '../../bench/store.mjs';
import { copiedCookie, limitedSecret, openBrowser, removedOwner, takenEmail } from '../attacks/accounts.mjs';
import { anonymousGrowth, manyKeys } from '../attacks/anonymous-growth.mjs';
import { costlyCounts } from '../attacks/costly-counts.mjs';
import { costlyPatterns } from '../attacks/costly-patterns.mjs';
import { costlyTexts } from '../attacks/costly-texts.mjs';
import { otherEnvironment } from '../attacks/environments.mjs';
import { pageFlood, wrongSecrets } from '../attacks/guessing.mjs';
import { abortedUploads, idleBodies, zipBombs } from '../attacks/large-bodies.mjs';
import { largeDownloads } from '../attacks/large-downloads.mjs';
import { ownWebhook } from '../attacks/own-webhook.mjs';
import { largeRecords, smallRecords, trustedCompanies } from '../attacks/page-storage.mjs';
import { pageUser } from '../attacks/page-user.mjs';
import { pipelining } from '../attacks/pipelining.mjs';
import { problemFlood } from '../attacks/problem-flood.mjs';
import { rejectedBodies } from '../attacks/rejected-bodies.mjs';
import { reportFlood } from '../attacks/report-flood.mjs';
import { secretChain } from '../attacks/secret-chain.mjs';
import { guessedPasswords, manyNetworks, sharedLinks, signInFlood, triedEmails } from '../attacks/sign-in.mjs';
import { slowDownloads } from '../attacks/slow-downloads.mjs';
import { stolenDatabase } from '../attacks/stolen-database.mjs';
import { usedUp } from '../attacks/used-up.mjs';

/**
 * One attack. It gets a fresh server with the default settings.
 * @typedef {object} Attack
 * @property {string} name
 * @property {string} before its effect before the server was protected
 * @property {('sqlite' | 'postgres')[]} [engines] the engines that it applies to; both by default
 * @property {Record<string, string>} [settings] environment variables the attacked server needs
 * @property {(target: Target) => Promise<{ now: string, defended: boolean }>} run runs the attack and returns its effect now, and whether the server withstood it
 */

/**
 * @typedef {object} Target
 * @property {'sqlite' | 'postgres'} engine
 * @property {number} port
 * @property {number} pid
 * @property {string} secret the secret of an owner of the first account
 * @property {string} token the public token of the first account
 * @property {import('../../bench/store.mjs').Store} store the database of the server
 * @property {() => Promise<number>} memory resident bytes of the server process
 * @property {(text: string) => void} note
 * @property {(path: string, body?: unknown, headers?: Record<string, string>) => Promise<{ status: number, body: any }>} call
 *   sends a POST with a body or a GET without one; the secret is sent only if it is in the headers
 */

/** @type {Attack[]} */
const all = [
  abortedUploads,
  idleBodies,
  zipBombs,
  wrongSecrets,
  pageFlood,
  costlyPatterns,
  pipelining,
  rejectedBodies,
  reportFlood,
  ownWebhook,
  costlyTexts,
  costlyCounts,
  stolenDatabase,
  pageUser,
  otherEnvironment,
  manyKeys,
  anonymousGrowth,
  largeRecords,
  smallRecords,
  trustedCompanies,
  problemFlood,
  usedUp,
  largeDownloads,
  slowDownloads,
  signInFlood,
  guessedPasswords,
  sharedLinks,
  triedEmails,
  manyNetworks,
  takenEmail,
  limitedSecret,
  secretChain,
  openBrowser,
  copiedCookie,
  removedOwner,
];

const TOKEN = 'public-token-of-the-attacked-account';

/**
 * Runs each attack against a new server, and prints its effect before the server was protected and its effect now.
 * @param {{ attack?: string | undefined }} options only attacks whose name contains this
 */
export function attacks({ attack: part = '' }) {
  return (/** @type {import('../../bench/harness.mjs').Bench} */ bench) => runAttacks(bench, part);
}

/**
 * @param {import('../../bench/harness.mjs').Bench} bench
 * @param {string} part
 */
async function runAttacks(bench, part) {
  const applicable = all
    .filter(({ engines }) => !engines || engines.includes(bench.engine))
    .filter(({ name }) => name.includes(part));
  let failed = 0;
  for (const attack of applicable) {
    const { now, defended } = await runAttack(bench, attack);
    if (!defended) failed += 1;
    console.log(
      `${defended ? 'passed' : 'FAILED'}  ${attack.name}\n        before: ${attack.before}\n        now:    ${now}`,
    );
  }
  return [
    { part: 'failed', value: failed, unit: 'attacks', target: { most: 0 } },
    { part: 'tried', value: applicable.length, unit: 'attacks' },
  ];
}

/**
 * @param {import('../../bench/harness.mjs').Bench} bench
 * @param {Attack} attack
 */
async function runAttack(bench, attack) {
  const store = await createStore(bench);
  const usher = await startUsher(bench, store, { USHER_BOOTSTRAP_TOKEN: TOKEN, ...attack.settings });
  const { port, pid, memory } = usher;
  const call = async (/** @type {string} */ path, /** @type {unknown} */ body, headers = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
  };
  try {
    return await attack.run({
      engine: bench.engine,
      port,
      pid,
      secret: SECRET,
      token: TOKEN,
      store,
      memory,
      note: bench.note,
      call,
    });
  } catch (error) {
    return { now: `the attack could not be completed: ${/** @type {Error} */ (error).message}`, defended: false };
  } finally {
    await usher.stop();
  }
}
