import { SECRET, startUsher } from '../../bench/servers.mjs';
import { createStore } from '../../bench/store.mjs';
import { anonymousGrowth, manyKeys } from '../attacks/anonymous-growth.mjs';
import { costlyPatterns } from '../attacks/costly-patterns.mjs';
import { costlyTexts } from '../attacks/costly-texts.mjs';
import { pageFlood, wrongSecrets } from '../attacks/guessing.mjs';
import { abortedUploads, idleBodies, zipBombs } from '../attacks/large-bodies.mjs';
import { ownWebhook } from '../attacks/own-webhook.mjs';
import { pageVisitor } from '../attacks/page-visitor.mjs';
import { pipelining } from '../attacks/pipelining.mjs';
import { rejectedBodies } from '../attacks/rejected-bodies.mjs';
import { reportFlood } from '../attacks/report-flood.mjs';
import { stolenDatabase } from '../attacks/stolen-database.mjs';

/**
 * One attack. It gets a fresh server with the default settings.
 * @typedef {object} Attack
 * @property {string} name
 * @property {string} before what it did to the server before there was a defence
 * @property {('sqlite' | 'postgres')[]} [engines] where it makes sense; on both unless given
 * @property {Record<string, string>} [settings] environment variables the attacked server needs
 * @property {(target: Target) => Promise<{ now: string, held: boolean }>} run what it does now, and whether the defence held
 */

/**
 * @typedef {object} Target
 * @property {'sqlite' | 'postgres'} engine
 * @property {number} port
 * @property {number} pid
 * @property {string} secret of an owner of the first account
 * @property {string} token the public token of the first account
 * @property {import('../../bench/store.mjs').Store} store what the server keeps its data in
 * @property {() => Promise<number>} memory resident bytes of the server process
 * @property {(text: string) => void} note
 * @property {(path: string, body?: unknown, headers?: Record<string, string>) => Promise<{ status: number, body: any }>} call
 *   POST with a body, GET without; without a secret unless a header has it
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
  stolenDatabase,
  pageVisitor,
  manyKeys,
  anonymousGrowth,
];

const TOKEN = 'public-token-of-the-attacked-account';

/**
 * Runs every attack against a server that was just started and prints a line for each: the attack, its effect before
 * the defence, its effect now.
 * @param {import('../../bench/harness.mjs').Bench} bench
 */
export async function attacks(bench) {
  const chosen = all.filter(({ engines }) => !engines || engines.includes(bench.engine));
  let failed = 0;
  for (const attack of chosen) {
    const { now, held } = await runAttack(bench, attack);
    if (!held) failed += 1;
    console.log(
      `${held ? 'held  ' : 'FAILED'}  ${attack.name}\n        before: ${attack.before}\n        now:    ${now}`,
    );
  }
  return [
    { part: 'failed', value: failed, unit: 'attacks', target: { most: 0 } },
    { part: 'tried', value: chosen.length, unit: 'attacks' },
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
    return { now: `the attack could not be completed: ${/** @type {Error} */ (error).message}`, held: false };
  } finally {
    await usher.stop();
  }
}
