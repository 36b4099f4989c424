import { createHmac } from 'node:crypto';

const HREF = 'http://localhost/home';

/** @type {import('../figures/attacks.mjs').Attack} */
export const usedUp = {
  name: 'a page user uses up the paths of problems and the names of a day',
  before: 'after 50 made-up paths of a step and 200 made-up names, those of all users were left out until midnight',
  async run({ call, secret, token }) {
    const admin = { 'X-Account-Secret': secret };
    const steps = [{ title: 'Here', elements: [{ selector: '#new' }], position_type: 'snap_to_element' }];
    const { tour } = (await call('/v3/edit/tours', { name: 'T', steps, published_at: '$now' }, admin)).body;
    const { uid_secret } = (await call('/v3/edit/account/uid_secret', {}, admin)).body;
    const load = async (/** @type {string} */ uid, /** @type {object} */ params) =>
      (await call('/v3/observe/visits', { account_token: token, uid, href: HREF, ...params })).body.visit.token;
    const report = (/** @type {string} */ visit_token, /** @type {string[]} */ paths) => {
      const problem = { reason: 'not_found' };
      const about = { experience_id: tour.id, step_id: tour.steps[0].id, problem };
      const items = paths.map((path) => ({ ...about, href: `http://localhost/${path}` }));
      return call('/v3/observe/interactions', { visit_token, items });
    };
    for (let user = 0; user < 3; user++) {
      const properties = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`made_up_${user}_${n}`, n]));
      const visit = await load(`made up ${user}`, { properties });
      await report(
        visit,
        Array.from({ length: 60 }, (_, n) => `made-up-${user}-${n}-x`),
      );
    }
    const seconds = Math.floor(Date.now() / 1000);
    const digest = createHmac('sha256', uid_secret).update(`real-${seconds}`).digest('hex');
    const proof = { uid_hash: `${digest}-${seconds}` };
    await report(await load('real', { ...proof, properties: { of_a_proven_page: 1 } }), ['real']);
    await call('/v3/observe/hooks/profiles', { uid: 'real', of_the_backend: 1 }, admin);
    const { problems } = (await call(`/v3/analyze/tours/${tour.id}/problems`, undefined, admin)).body;
    const { properties } = (await call('/v3/edit/properties?kind=profile&limit=500', undefined, admin)).body;
    const paths = problems.map((/** @type {{ path: string }} */ { path }) => path);
    const props = properties.map((/** @type {{ prop: string }} */ { prop }) => prop);
    const made = [paths, props].map((all) => all.filter((/** @type {string} */ one) => /made.up/.test(one)).length);
    const kept = [...paths, ...props].filter((one) => ['/real', 'of_a_proven_page', 'of_the_backend'].includes(one));
    return {
      now: `${made[0]} made-up paths and ${made[1]} made-up names are kept; of the real path and the two real names: ${kept.join(', ')}`,
      defended: Number(made[0]) <= 50 && Number(made[1]) <= 200 && kept.length === 3,
    };
  },
};
