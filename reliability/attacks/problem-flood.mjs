import { slowestHealthCheck } from './health.mjs';

const USERS = 60;
const REQUESTS = 10;
const PER_REQUEST = 100;

/**
 * Invented users report that a step was not found, each time on another path. Then somebody opens the list of problems.
 * @type {import('../figures/attacks.mjs').Attack}
 */
export const problemFlood = {
  name: 'a page user reports problems of made-up users on made-up paths',
  before: '120,000 rows in 68 s by one client; one list of problems took 19.8 s, and `/healthz` stalled for 3.7 s',
  async run({ call, port, secret, token, store }) {
    const as = { 'x-account-secret': secret };
    const steps = [{ title: 'Here', elements: [{ selector: '#new' }], position_type: 'snap_to_element' }];
    const { tour } = (await call('/v3/edit/tours', { name: 'T', steps, published_at: '$now' }, as)).body;
    const flood = async (/** @type {number} */ user) => {
      const params = { account_token: token, uid: `made up ${user}`, href: 'http://localhost/' };
      const { visit } = (await call('/v3/observe/visits', params)).body;
      for (let n = 0; n < REQUESTS; n++) {
        const items = Array.from({ length: PER_REQUEST }, (_, at) => ({
          ...{ experience_id: tour.id, step_id: tour.steps[0].id, problem: { reason: 'not_found' } },
          href: `http://localhost/${'made-up-'.repeat(20)}${user}-${n}-${at}-x`,
        }));
        await call('/v3/observe/interactions', { visit_token: visit.token, items });
      }
    };
    for (let user = 0; user < USERS; user += 4) await Promise.all([0, 1, 2, 3].map((n) => flood(user + n)));
    const began = Date.now();
    const { result, slowest } = await slowestHealthCheck(port, () =>
      call(`/v3/analyze/tours/${tour.id}/problems`, undefined, as),
    );
    const listing = Date.now() - began;
    const connection = await store.connect();
    const [row] = await connection.run('select count(*) as count, count(distinct path) as paths from findings');
    await connection.close();
    const [rows, paths] = [Number(row?.count), Number(row?.paths)];
    return {
      now: `${USERS * REQUESTS * PER_REQUEST} reports of ${USERS} users: ${rows} rows with ${paths} paths; ${result.body.problems.length} problems listed in ${listing} ms, slowest health check ${slowest} ms`,
      defended: rows <= USERS * 51 && paths <= 51 && listing < 2000 && slowest < 500,
    };
  },
};
