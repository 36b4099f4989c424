const HREF = 'http://localhost/home';

/**
 * Sends page loads with as many new property keys as fit into a body.
 * @type {import('../figures/attacks.mjs').Attack}
 */
export const manyKeys = {
  name: 'a page sends thousands of new property keys',
  before:
    '9,000 keys in one visit took 5 s while others stalled; 180,000 Properties made the list take 135 s; later, 30 visits used up all 2,000 names for good',
  run: async ({ call, port, secret, token }) => {
    const visit = (/** @type {number} */ start, /** @type {number} */ count) => {
      const properties = Object.fromEntries(Array.from({ length: count }, (_, n) => [`made_up_${start + n}`, 'x']));
      return call('/v3/observe/visits', { account_token: token, uid: `attacker ${start}`, href: HREF, properties });
    };
    const { status } = await visit(0, 4500);
    const began = Date.now();
    let slowest = 0;
    for (let start = 0; start < 5000; start += 200) {
      const at = Date.now();
      await visit(start, 200);
      slowest = Math.max(slowest, Date.now() - at);
    }
    const sending = Date.now() - began;
    const listed = Date.now();
    const { body } = await call('/v3/edit/properties?kind=profile', undefined, { 'X-Account-Secret': secret });
    const listing = Date.now() - listed;
    const count = body.properties.length;
    const deletion = await fetch(`http://127.0.0.1:${port}/v3/edit/properties/${body.properties[0]?.id}`, {
      method: 'DELETE',
      headers: { 'X-Account-Secret': secret },
    });
    return {
      now: `4,500 keys in one visit: ${status}; 5,000 keys in 25 visits took ${sending} ms, the slowest ${slowest} ms, and made ${count} Properties, listed in ${listing} ms; deleting one: ${deletion.status}`,
      defended: status === 422 && count <= 200 && deletion.status === 200 && slowest < 3000 && listing < 3000,
    };
  },
};

/**
 * Sends page loads and events of made-up users and hosts.
 * @type {import('../figures/attacks.mjs').Attack}
 */
export const anonymousGrowth = {
  name: 'a page user makes up users, events and hosts without end',
  before: 'every made-up uid, event and host was stored',
  settings: { USHER_PAGE_PROFILES_PER_DAY: '100', USHER_PAGE_EVENTS_PER_DAY: '100', USHER_PAGE_HOSTS_PER_DAY: '20' },
  run: async ({ call, secret, token }) => {
    const admin = { 'X-Account-Secret': secret };
    const visit = (/** @type {string} */ uid, href = HREF) =>
      call('/v3/observe/visits', { account_token: token, uid, href });
    const { visit: first } = (await visit('known')).body;
    let accepted = 0;
    for (let n = 0; n < 300; n++) if ((await visit(`made up ${n}`)).status === 200) accepted += 1;
    for (let n = 0; n < 300; n++) await call('/v3/observe/events', { visit_token: first.token, name: 'Did' });
    for (let n = 0; n < 60; n++) await visit('known', `https://h${n}.example.org/`);
    const { count } = (await call('/v3/analyze/profiles/count', undefined, admin)).body;
    const hosts = (await call('/v3/edit/urls?limit=500', undefined, admin)).body.urls;
    const recorded = hosts.filter((/** @type {{ host: string }} */ { host }) => host.endsWith('example.org')).length;
    const seen = (await call('/v3/edit/account', undefined, admin)).body.account.ignored_page_writes;
    // Counts are written once a second, so the last few may still be missing.
    const isSeen = seen.profiles_quota > 0 && seen.events_quota >= 190 && seen.hosts_quota >= 35;
    return {
      now: `${accepted} of 300 page loads accepted; with quotas of 100, 100 and 20, ${count} users and ${recorded} hosts stored, ${seen.events_quota} of 300 events ignored; ${isSeen ? 'shown' : 'not shown'} to the account`,
      defended: accepted === 300 && count <= 110 && recorded === 20 && isSeen,
    };
  },
};
