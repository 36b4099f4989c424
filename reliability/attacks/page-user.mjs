import { createHmac } from 'node:crypto';

const HREF = 'http://localhost/home';

/**
 * A user who has only the public token sends the uid of another user.
 * @type {import('../figures/attacks.mjs').Attack}
 */
export const pageUser = {
  name: 'a page user changes and reads what is not theirs',
  before:
    "took another user's email, joined any Company, overwrote its properties for everyone, set role, plan and disabled of another uid, read its Delivery options",
  run: async ({ call, secret, token }) => {
    const admin = { 'X-Account-Secret': secret };
    const visit = (/** @type {object} */ params) =>
      call('/v3/observe/visits', { account_token: token, href: HREF, ...params });
    const profile = async (/** @type {string} */ uid) =>
      (await call(`/v3/analyze/profile?uid=${uid}`, undefined, admin)).body.profile;
    const own = {
      email: 'victim@example.com',
      role: 'user',
      plan: 'free',
      company: { uid: 'acme', plan: 'enterprise' },
    };
    await call('/v3/observe/hooks/profiles', { uid: 'victim', ...own }, admin);
    const { uid_secret } = (await call('/v3/edit/account/uid_secret', {}, admin)).body;
    await visit({ uid: 'victim' });
    const steps = [{ title: 'Hi {{role | fallback: "nobody"}}' }];
    const { tour } = (await call('/v3/edit/tours', { name: 'Hi', steps, published_at: '$now' }, admin)).body;
    const delivery = { model_kind: 'tour', model_id: tour.id, uid: 'victim', options: { manager: 'Bob' } };
    await call('/v3/edit/deliveries', delivery, admin);
    const before = await profile('victim');

    await visit({ uid: 'thief', email: own.email });
    const properties = { role: 'admin', plan: 'pro', disabled: true };
    const company = { uid: 'acme', plan: 'hacked' };
    const response = await visit({ uid: 'victim', email: 'thief@example.com', properties, company });
    await visit({ uid: 'victim', company: { uid: 'other' } });
    await visit({ uid: 'thief', company });
    const after = await profile('victim');
    const changed = ['email', 'role', 'plan', 'disabled', 'company_id'].filter((name) => after[name] !== before[name]);
    const acme = (await call('/v3/analyze/company?uid=acme', undefined, admin)).body.company;
    const stolen = (await profile('thief')).email !== null;
    const isRead = /Bob|Hi user/.test(JSON.stringify(response.body));
    const seconds = Math.floor(Date.now() / 1000);
    const digest = createHmac('sha256', uid_secret).update(`victim-${seconds}`).digest('hex');
    const proven = await visit({ uid: 'victim', uid_hash: `${digest}-${seconds}` });
    const isServed = /Bob/.test(JSON.stringify(proven.body)) && /Hi user/.test(JSON.stringify(proven.body));
    const counts = (await call('/v3/edit/account', undefined, admin)).body.account.ignored_page_writes;
    const ignored = Object.values(counts).reduce((sum, count) => sum + count, 0);
    return {
      now: `${changed.length} of 5 fields changed, email ${stolen ? 'stolen' : 'kept'}, Company plan ${acme.plan}, options and texts ${isRead ? 'read' : 'withheld'}, with proof ${isServed ? 'served' : 'missing'}; ${ignored} ignored writes shown to the account`,
      defended: changed.length === 0 && !stolen && acme.plan === 'enterprise' && !isRead && isServed && ignored >= 6,
    };
  },
};
