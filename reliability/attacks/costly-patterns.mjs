/**
 * Publishes the slowest regular expressions that are allowed, and loads a page with a long address.
 * @type {import('../figures/attacks.mjs').Attack}
 */
export const costlyPatterns = {
  name: 'costly URL patterns and an address of 8,000 characters',
  before: '`(?:.*a){480}Q` × 50 with an 8,000-character address took 50 s for one visit',
  async run({ call, secret, token }) {
    const headers = { 'X-Account-Secret': secret };
    await call('/v3/edit/urls', { host: 'app.example.com', enabled: 'on' }, headers);
    const publish = (/** @type {number} */ times) =>
      call(
        '/v3/edit/tours',
        {
          name: 'Costly',
          published_at: '$now',
          steps: [
            {
              title: 'Hello',
              quantifier_urls: Array.from({ length: 50 }, (_, at) => ({
                url: `(?:.*a){${times - at}}Q`,
                match_type: 'regex',
              })),
            },
          ],
        },
        headers,
      );
    const rejected = await publish(480);
    const accepted = await publish(249);
    const visit = async (/** @type {string} */ href) => {
      const from = performance.now();
      const { status } = await call('/v3/observe/visits', { account_token: token, uid: '1', href });
      return { status, ms: performance.now() - from };
    };
    await visit('https://app.example.com/');
    const attacked = await visit(`https://app.example.com/${'a'.repeat(8000)}`);
    const many = await Promise.all(
      Array.from({ length: 50 }, (_, at) => visit(`https://app.example.com/${at}${'a'.repeat(8000)}`)),
    );
    const ordinary = await visit('https://app.example.com/settings');
    const all = [attacked, ...many, ordinary];
    const ms = (/** @type {number} */ value) => `${Math.round(value)} ms`;
    return {
      now: `publishing {480} returns ${rejected.status}; {249} is accepted, and a visit takes ${ms(attacked.ms)}, 50 concurrent ones ${ms(Math.max(...many.map((one) => one.ms)))}, an ordinary one after it ${ms(ordinary.ms)}`,
      defended:
        rejected.status === 422 &&
        accepted.status === 201 &&
        all.every(({ status }) => status === 200) &&
        attacked.ms < 1000 &&
        ordinary.ms < 1000,
    };
  },
};
