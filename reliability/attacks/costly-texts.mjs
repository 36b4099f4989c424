/** @typedef {import('../figures/attacks.mjs').Attack} Attack */

/**
 * A tour whose 45 steps, as many as a body has room for, are nothing but signs of Markdown is published, while another client asks for an answer
 * that costs nothing.
 * @type {Attack}
 */
export const costlyTexts = {
  name: 'a tour full of Markdown signs is published',
  before: 'long Markdown took 27 s, and nobody else was answered meanwhile',
  async run({ call, secret }) {
    const as = { 'x-account-secret': secret };
    const steps = Array.from({ length: 45 }, (_, n) => ({ title: `Step ${n}`, body: '*_'.repeat(10_000) }));
    const made = await call('/v3/edit/tours', { name: 'Costly', steps }, as);
    let longest = 0;
    let watching = true;
    const watch = (async () => {
      while (watching) {
        const begun = performance.now();
        await call('/healthz');
        longest = Math.max(longest, performance.now() - begun);
      }
    })();
    const begun = performance.now();
    const published = await call(`/v3/edit/tours`, { name: 'Costly too', steps, published_at: '$now' }, as);
    const took = performance.now() - begun;
    watching = false;
    await watch;
    const message = String(published.body.messages?.[0] ?? '').slice(0, 60);
    return {
      now: `draft ${made.status}, published ${published.status} ("${message}…") in ${Math.round(took)} ms; others waited ${Math.round(longest)} ms at most`,
      held: published.status === 422 && longest < 2000,
    };
  },
};
