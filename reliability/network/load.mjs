import { SECRET } from '../../bench/servers.mjs';

const WRITERS = 24;
const READERS = 8;
const HEAVY_READERS = 4;
const PAUSE_MS = 20;

/**
 * @typedef {'write' | 'read' | 'heavy'} Kind
 * @typedef {{ kind: Kind, status: number, startedAt: number, endedAt: number, host?: string }} Answer
 */

/**
 * Sends writes, reads and heavy reads at the same time, more of them than there are connections to the database.
 * @param {number} port
 */
export function startLoad(port) {
  /** @type {Answer[]} */
  const answers = [];
  let isStopped = false;
  const repeat = async (/** @type {Kind} */ kind, /** @type {number} */ client) => {
    for (let n = 0; !isStopped; n++) {
      const host = `n${client}-${n}.example.com`;
      const startedAt = performance.now();
      const status = await send(port, kind, host);
      answers.push({ kind, status, startedAt, endedAt: performance.now(), ...(kind === 'write' && { host }) });
      // Requests that fail immediately must not keep the processor busy.
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  const many = (/** @type {number} */ count, /** @type {Kind} */ kind) =>
    Array.from({ length: count }, (_, client) => repeat(kind, client));
  const all = Promise.all([...many(WRITERS, 'write'), ...many(READERS, 'read'), ...many(HEAVY_READERS, 'heavy')]);
  return {
    answers,
    stop: async () => {
      isStopped = true;
      await all;
    },
  };
}

/**
 * @param {number} port
 * @param {Kind} kind
 * @param {string} host
 */
async function send(port, kind, host) {
  const paths = { write: '/v3/edit/urls', read: '/v3/edit/urls?limit=20', heavy: '/v3/analyze/profiles/count' };
  const response = await fetch(`http://127.0.0.1:${port}${paths[kind]}`, {
    headers: { 'x-account-secret': SECRET },
    ...(kind === 'write' && { method: 'POST', body: JSON.stringify({ host }) }),
  });
  await response.text();
  return response.status;
}

/**
 * Returns the seconds from `since` until the first answer without an error to a request that began later; undefined while
 * there is none.
 * @param {readonly Answer[]} answers
 * @param {Kind} kind
 * @param {number} since
 */
export function secondsUntilFirst(answers, kind, since) {
  const first = answers.find((answer) => answer.kind === kind && answer.status < 300 && answer.startedAt > since);
  return first && (first.endedAt - since) / 1000;
}
