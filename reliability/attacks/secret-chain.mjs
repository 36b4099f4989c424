import { slowestHealthCheck } from './health.mjs';

const TRIES = 1500;

/**
 * Somebody who has stolen a secret creates a secret with it, another one with that, and so on, so that the stolen one cannot be
 * revoked any more.
 * @type {import('../figures/attacks.mjs').Attack}
 */
export const secretChain = {
  name: 'a stolen secret creates a long chain of secrets',
  before: 'after 9,000 of them, revoking the stolen one failed with 500, and all of them went on working',
  async run({ call, port, secret }) {
    const as = (/** @type {string} */ value) => ({ 'x-account-secret': value });
    const create = (/** @type {string} */ by) => call('/v3/edit/secrets', { name: 'Child', scope: 'all' }, as(by));
    const stolen = (await create(secret)).body.secret;
    let last = stolen.secret;
    let created = 0;
    for (; created < TRIES; created++) {
      const { status, body } = await create(last);
      if (status !== 201) break;
      last = body.secret.secret;
    }
    const { result, slowest } = await slowestHealthCheck(port, () =>
      fetch(`http://127.0.0.1:${port}/v3/edit/secrets/${stolen.id}`, { method: 'DELETE', headers: as(secret) }),
    );
    const { status: left } = await call('/v3/edit/urls', undefined, as(last));
    return {
      now: `${created} were created; revoking them returned ${result.status}, and the last one then got ${left}; slowest health check ${slowest} ms`,
      defended: created < TRIES && result.status === 200 && left === 403 && slowest < 500,
    };
  },
};
