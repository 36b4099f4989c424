/** @typedef {import('../figures/attacks.mjs').Attack} Attack */

const PROFILES = 100_000;
const PER_BATCH = 20_000;
const FILTERS = 195;

/**
 * Counts with many filters that no index helps, and leaves before the count has ended. Meanwhile somebody else searches, in
 * the same thread.
 * @type {Attack}
 */
export const costlyCounts = {
  name: 'a count with 195 costly filters over 100,000 profiles',
  before:
    'over 200,000 profiles, all searches of all accounts waited for 430 s on SQLite, also after the client had left',
  async run({ call, port, secret, note }) {
    const as = { 'x-account-secret': secret };
    for (let start = 0; start < PROFILES; start += PER_BATCH) {
      const profiles = Array.from({ length: PER_BATCH }, (_, at) => ({
        uid: `u${start + at}`,
        about: `Person ${start + at} `.repeat(20),
      }));
      await call('/v3/observe/hooks/profiles/batch', { profiles }, as);
    }
    note(`stored ${PROFILES} profiles`);
    const filters = Array.from({ length: FILTERS }, (_, at) => ({
      kind: 'property',
      prop: 'about',
      op: 'nin-i',
      value: `nothing like this ${at}`,
    }));

    const leaving = new AbortController();
    const counting = fetch(`http://127.0.0.1:${port}/v3/analyze/profiles/count`, {
      method: 'POST',
      headers: as,
      body: JSON.stringify({ filters }),
      signal: leaving.signal,
    }).then(
      ({ status }) => `status ${status}`,
      () => 'left',
    );
    let longest = 0;
    for (const end = performance.now() + 8000; performance.now() < end; ) {
      const started = performance.now();
      const { status } = await call('/v3/analyze/profiles?limit=1', undefined, as);
      if (status !== 200) throw new Error(`a search got ${status}`);
      longest = Math.max(longest, performance.now() - started);
    }
    leaving.abort();
    const outcome = await counting;
    // One count of an account runs at a time: this one waits until the other has ended, or gets 429 after 4 seconds.
    const started = performance.now();
    const next = await call('/v3/analyze/profiles/count', { within_ms: 0 }, as);
    const took = performance.now() - started;
    const bounded = await call('/v3/analyze/profiles/count', { filters, within_ms: 1000 }, as);
    return {
      now: `searches took ${Math.round(longest)} ms at most while it counted (${outcome} after 8 s); the next count got ${next.status} after ${Math.round(took)} ms; with within_ms it returns ${JSON.stringify(bounded.body)}`,
      defended: longest < 1500 && next.status === 200 && took < 2000 && bounded.body.is_complete === false,
    };
  },
};
