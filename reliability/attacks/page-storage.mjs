const TOGETHER = 8;

/**
 * Sends as much as possible of everything that pages can store, with users that are made up.
 * @param {{ size: string, megabytes: number, users: number, properties: number, problems: number, text: string, href: string }} how
 * @returns {import('../figures/attacks.mjs').Attack}
 */
function pageStorage({ size, megabytes, users, properties, problems, text, href }) {
  return {
    name: `a page user fills the disk with ${size} users, events, reports and survey answers`,
    before: '400 made-up users stored 15 MB of survey answers in 4.5 s, without an end',
    settings: { USHER_PAGE_MEGABYTES_PER_DAY: String(megabytes), USHER_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8' },
    async run({ call, secret, token, store, engine }) {
      const as = { 'x-account-secret': secret };
      const steps = [
        { title: 'Why?', preset: 'survey_input' },
        { title: 'Here', elements: [{ selector: '#new' }], position_type: 'snap_to_element' },
      ];
      const { survey } = (await call('/v3/edit/surveys', { name: 'S', steps, published_at: '$now' }, as)).body;
      await call('/v3/edit/webhooks', { url: 'http://127.0.0.1:9/', topics: ['survey.*'] }, as);
      const [question, here] = survey.steps;
      const before = await measure(store, engine);
      const fill = (/** @type {string} */ prefix, /** @type {number} */ count) =>
        Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}_${n}`, text.slice(0, 250)]));
      const attack = async (/** @type {number} */ user) => {
        const uid = `${text.slice(0, 200)} ${user}`;
        const params = { account_token: token, uid, href, properties: fill('p', properties) };
        const { visit } = (await call('/v3/observe/visits', params)).body;
        const send = (/** @type {string} */ path, /** @type {object} */ body) =>
          call(path, { visit_token: visit.token, ...body });
        await send('/v3/observe/events', { name: `Did ${user}`, properties: fill('e', properties) });
        const about = { experience_id: survey.id, href };
        const items = [
          { ...about, state: 'started' },
          { ...about, step_id: here.id },
          { ...about, step_id: question.id, state: 'completed', response: { input: text } },
          ...Array.from({ length: problems }, (_, n) => ({
            ...{ experience_id: survey.id, step_id: here.id, problem: { reason: 'hidden' } },
            href: `${href}-${n}-x`.slice(0, 220),
          })),
        ];
        await send('/v3/observe/interactions', { items });
      };
      for (let user = 0; user < users; user += TOGETHER)
        await Promise.all(Array.from({ length: TOGETHER }, (_, n) => attack(user + n)));
      const stored = (await measure(store, engine)) - before;
      const seen = (await call('/v3/edit/account', undefined, as)).body.account.ignored_page_writes;
      const quotas = ['profiles_quota', 'events_quota', 'reports_quota', 'responses_quota'];
      const reached = quotas.filter((name) => seen[name] > 0);
      return {
        now: `${users} made-up users: with a limit of ${megabytes} MB a day, ${(stored / 1e6).toFixed(1)} MB were stored; the account sees ${reached.join(', ') || 'nothing'}`,
        defended: stored <= megabytes * 1e6 * 1.1 && reached.length >= 2,
      };
    },
  };
}

export const largeRecords = pageStorage({
  ...{ size: 'large', megabytes: 20, users: 1500, properties: 60, problems: 40 },
  ...{ text: '漢'.repeat(9000), href: `http://localhost/${'x'.repeat(3000)}` },
});

export const smallRecords = pageStorage({
  ...{ size: 'small', megabytes: 5, users: 4000, properties: 1, problems: 0 },
  ...{ text: 'x', href: 'http://localhost/' },
});

/** @type {import('../figures/attacks.mjs').Attack} */
export const trustedCompanies = {
  name: 'a page user fills the disk with properties of Companies, in an account that trusts its pages',
  before:
    'the properties of Companies were not counted: 600 page loads stored 9 MB with a limit of 5 MB, without an end',
  settings: { USHER_PAGE_MEGABYTES_PER_DAY: '5' },
  async run({ call, port, secret, token, store, engine }) {
    const as = { 'x-account-secret': secret };
    const body = JSON.stringify({ trust_pages: true });
    await fetch(`http://127.0.0.1:${port}/v3/edit/account`, { method: 'PATCH', headers: as, body });
    const before = await measure(store, engine);
    const properties = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`of_company_${n}`, 'x'.repeat(750)]));
    const attack = (/** @type {number} */ n) => {
      const params = { account_token: token, uid: `made up ${n % 10}`, href: 'http://localhost/' };
      return call('/v3/observe/visits', { ...params, company: { uid: `company ${n}`, ...properties } });
    };
    for (let n = 0; n < 600; n += TOGETHER)
      await Promise.all(Array.from({ length: TOGETHER }, (_, at) => attack(n + at)));
    const stored = (await measure(store, engine)) - before;
    const seen = (await call('/v3/edit/account', undefined, as)).body.account.ignored_page_writes;
    return {
      now: `600 page loads with 15 KB for a Company: with a limit of 5 MB a day, ${(stored / 1e6).toFixed(1)} MB were stored; the account sees ${seen.profiles_quota} that were not`,
      defended: stored <= 5e6 && seen.profiles_quota > 0,
    };
  },
};

/**
 * @param {import('../../bench/store.mjs').Store} store
 * @param {string} engine
 */
async function measure(store, engine) {
  const connection = await store.connect();
  const sql =
    engine === 'sqlite'
      ? 'select (select page_count from pragma_page_count()) * (select page_size from pragma_page_size()) as bytes'
      : 'select pg_database_size(current_database()) as bytes';
  const [row] = await connection.run(sql);
  await connection.close();
  return Number(row?.bytes);
}
