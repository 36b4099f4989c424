/** @type {import('../figures/attacks.mjs').Attack} */
export const wrongSecrets = {
  name: '1,050 wrong secrets and 1,050 wrong tokens from one address',
  before: '1,050 wrong secrets from one address locked out a valid one',
  async run(target) {
    const { call, secret, token } = target;
    /** @type {Record<number, number>} */
    const statuses = {};
    const count = ({ status = 0 }) => {
      statuses[status] = (statuses[status] ?? 0) + 1;
    };
    for (let n = 0; n < 1050; n += 50)
      await Promise.all(
        Array.from({ length: 50 }, async (_, at) => {
          count(await call('/', undefined, { 'X-Account-Secret': `wrong-${n + at}` }));
          count(await call('/v3/observe/visits', { account_token: `wrong-${n + at}`, uid: '1' }));
        }),
      );
    const valid = await call('/', undefined, { 'X-Account-Secret': secret });
    const script = await call(`/script/${token}.js`);
    return {
      now: `${statuses[403]} times 403, then ${statuses[429]} times 429; the valid secret gets ${valid.status}, the valid token ${script.status}`,
      defended: valid.status === 200 && script.status === 200 && statuses[403] === 1000 && statuses[429] === 1100,
    };
  },
};

/** @type {import('../figures/attacks.mjs').Attack} */
export const pageFlood = {
  name: 'large bodies and floods at the endpoints of pages',
  before: 'bodies of 1 MB were read and parsed before anything was counted',
  settings: { USHER_LIMIT_PER_ADDRESS: '500' },
  async run({ call, token }) {
    const large = await call('/v3/observe/visits', {
      account_token: token,
      uid: '1',
      properties: { a: 'x'.repeat(130 * 1024) },
    });
    let accepted = 0;
    for (let n = 0; n < 1000; n += 50) {
      const some = Array.from({ length: 50 }, (_, at) =>
        call(at % 2 ? `/script/${token}.js` : '/v3/observe/visits', at % 2 ? undefined : {}),
      );
      accepted += (await Promise.all(some)).filter(({ status }) => status !== 429).length;
    }
    return {
      now: `a page body of 130 KB gets ${large.status}; of 1,000 requests with a limit of 500, ${accepted} are accepted`,
      defended: large.status === 413 && accepted <= 500,
    };
  },
};
