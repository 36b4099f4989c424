/** @type {import('../figures/attacks.mjs').Attack} */
export const otherEnvironment = {
  name: 'a page user reads what belongs to another Environment',
  before: 'a request with `Origin: null` got the content of every Environment, and the reason named Environments',
  async run({ call, secret, token }) {
    const admin = { 'X-Account-Secret': secret };
    const create = async (/** @type {string} */ path, /** @type {object} */ params) =>
      /** @type {any} */ (Object.values((await call(`/v3/edit/${path}`, params, admin)).body)[0]);
    const [staging, production] = [
      await create('url_groups', { name: 'Unannounced staging' }),
      await create('url_groups', { name: 'Unannounced production' }),
    ];
    for (const [host, { id }] of [
      ['staging.example.com', staging],
      ['www.example.com', production],
    ])
      await create('urls', { host, enabled: 'on', url_group_id: id });
    const steps = [{ title: 'Unannounced feature' }];
    const tour = await create('tours', { name: 'T', steps, url_group_ids: [staging.id], published_at: '$now' });
    const delivery = { model_kind: 'tour', model_id: tour.id, uid: 'ann', options: { unannounced: true } };
    const at = (/** @type {string} */ host) => ({ href: `https://${host}.example.com/` });
    const load = (/** @type {string} */ host) =>
      call('/v3/observe/visits', { account_token: token, uid: 'ann', ...at(host) });
    await load('www');
    const { id } = (await call('/v3/edit/deliveries', delivery, admin)).body.delivery;
    const loaded = await load('www');
    const visit_token = loaded.body.visit.token;
    const nowhere = { Origin: 'null' };
    const answers = [JSON.stringify(loaded.body)];
    const triggered = [];
    for (const [href, headers] of /** @type {[string, Record<string, string>][]} */ ([
      [at('www').href, {}],
      ['about:blank', nowhere],
      ['file:///home/page.html', nowhere],
    ])) {
      const show = { visit_token, experience_id: tour.id, href };
      answers.push(JSON.stringify((await call('/v3/observe/shows', show, headers)).body));
      const item = { experience_id: tour.id, state: 'started', delivery_id: id, href };
      const { body } = await call('/v3/observe/interactions', { visit_token, items: [item] }, headers);
      triggered.push(body.items[0].delivery?.triggered);
    }
    const read = answers.filter((answer) => /unannounced/i.test(answer)).length;
    const there = JSON.stringify((await load('staging')).body);
    const shows = there.includes('Unannounced feature') && there.includes(id);
    return {
      now: `${read} of ${answers.length} responses have something of it, and ${triggered.filter(Boolean).length} of ${triggered.length} reports take its Delivery; in its Environment it ${shows ? 'shows' : 'is missing'}`,
      defended: read === 0 && triggered.every((one) => one === false) && shows,
    };
  },
};
