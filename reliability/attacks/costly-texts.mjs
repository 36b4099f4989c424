/** @typedef {import('../figures/attacks.mjs').Attack} Attack */

/**
 * Publishes a tour whose 45 steps, the most that fit into a body, consist of Markdown characters only. Meanwhile another
 * client sends cheap requests.
 * @type {Attack}
 */
export const costlyTexts = {
  name: 'a tour full of Markdown characters is published',
  before: 'long Markdown took 27 s, and no other request got a response meanwhile',
  async run({ call, secret }) {
    const as = { 'x-account-secret': secret };
    const steps = Array.from({ length: 45 }, (_, n) => ({ title: `Step ${n}`, body: '*_'.repeat(10_000) }));
    const draft = await call('/v3/edit/tours', { name: 'Costly', steps }, as);
    let longest = 0;
    let watching = true;
    const watch = (async () => {
      while (watching) {
        const started = performance.now();
        await call('/healthz');
        longest = Math.max(longest, performance.now() - started);
      }
    })();
    const started = performance.now();
    const published = await call(`/v3/edit/tours`, { name: 'Costly too', steps, published_at: '$now' }, as);
    const took = performance.now() - started;
    watching = false;
    await watch;
    const message = String(published.body.messages?.[0] ?? '').slice(0, 60);
    return {
      now: `draft ${draft.status}, published ${published.status} ("${message}…") in ${Math.round(took)} ms; others waited ${Math.round(longest)} ms at most`,
      defended: published.status === 422 && longest < 2000,
    };
  },
};
