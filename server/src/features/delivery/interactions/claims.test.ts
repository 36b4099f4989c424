import { toTimestamp } from '@usher/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { createTestDatabase, engine } from '../../../../test/engine.ts';
import { HREF, loadPage, type OpenPage } from '../../../../test/open-page.ts';
import { createApp } from '../../../app.ts';
import { createLog } from '../../../log/log.ts';
import { openAppContext } from '../../../serve.ts';
import { readSettings } from '../../../settings/settings.ts';
import { createAccount } from '../../team/accounts/create-account.ts';

const HOUR = 60 * 60_000;
const path = '/v3/edit/deliveries';
const steps = [
  {
    title: 'Hello',
    body: 'This is it.',
    buttons: [{ text: 'Next' }],
    quantifier_urls: [{ url: 'http://localhost:3000/home' }],
  },
];

let clock = Date.UTC(2029, 3, 7, 12);
const pass = (time: number) => {
  clock += time;
  return clock;
};
let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => clock });
});
afterAll(() => api.stop());

let count = 0;
let uid = '';
let tour = '';
let page: OpenPage;
/** Each test has its own tour, and its own user who has loaded a page. */
beforeEach(async () => {
  pass(HOUR);
  uid = `user ${++count}`;
  tour = await makeTour();
  page = await loadPage(api, uid);
});

async function makeTour(params: object = {}): Promise<string> {
  const sent = { name: 'Tour', style: 'manual', steps, published_at: '$now', ...params };
  const { status, body } = await api.post('/v3/edit/tours', sent);
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.tour.id;
}
async function deliver(params: object = {}): Promise<string> {
  const sent = {
    model_kind: 'tour',
    model_id: tour,
    profile_id: page.profile.id,
    delivery_ids_position: 'last',
    ...params,
  };
  const { status, body } = await api.post(path, sent);
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.delivery.id;
}
const show = async (id: string) => (await api.get(`${path}/${id}`)).body.delivery;
const pending = async (id = page.profile.id): Promise<string[]> =>
  (await api.get(`/v3/analyze/profiles/${id}`)).body.profile.delivery_ids;
const claiming = (delivery_id: string) => ({ experience_id: tour, state: 'started', delivery_id, href: HREF });
async function claim(delivery_id: string, from = page, params: object = {}) {
  const { status, body } = await from.report({ ...claiming(delivery_id), ...params });
  expect([status, body.messages]).toEqual([200, undefined]);
  return body as { interaction: { id: string; state: string } | null; delivery: { id: string; triggered: boolean } };
}
async function interactionOf(experience = tour, { id } = page.profile) {
  const { account_id } = api.account;
  return api.app.storage
    .reader(account_id)
    .selectFrom('interactions')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('profile_id', '=', id)
    .where('experience_id', '=', experience)
    .executeTakeFirst();
}
async function expectNothingChanged(work: () => Promise<unknown>): Promise<void> {
  const before = await accountRows(api.app, api.account.account_id);
  await work();
  expect(await accountRows(api.app, api.account.account_id)).toEqual(before);
}
const lost = (id: string) => ({ interaction: null, delivery: { id, triggered: false } });

describe('a claim', () => {
  it('triggers a Delivery and records the time, the page and the Interaction', async () => {
    const other = await loadPage(api, `${uid} other`);
    const untouched = await deliver({ profile_id: other.profile.id });
    const id = await deliver({ idempotency_key: 'renewal' });
    page = await loadPage(api, uid);
    expect(page.deliveries).toEqual([expect.objectContaining({ id, model_id: tour, ready: true })]);
    expect(page.experiences.map((one) => one.id)).toEqual([tour]);
    const before = await show(id);
    expect(before).toMatchObject({ at: null, at_href: null, interaction_id: null });

    const at = toTimestamp(pass(1000));
    const response = await claim(id);
    const interaction = await interactionOf();
    expect(response).toEqual({
      interaction: { id: interaction?.id, state: 'started' },
      delivery: { id, triggered: true },
    });
    expect(await show(id)).toEqual({
      ...before,
      updated_at: at,
      at,
      at_href: HREF,
      interaction_id: interaction?.id,
      group_kind: 'delivery',
    });
    expect(interaction).toMatchObject({ state: 'started', group_kind: 'api_js', group_id: null });
    expect((await show(untouched)).at).toBe(null);
    expect(await pending(other.profile.id)).toEqual([untouched]);
  });

  it('removes the Delivery from the pending list and keeps the order of the others', async () => {
    const ids = [await deliver(), await deliver(), await deliver()];
    const [first, second = '', third] = ids;
    await claim(second);
    expect(await pending()).toEqual([first, third]);
    expect((await loadPage(api, uid)).deliveries.map(({ id }) => id)).toEqual([first, third]);
  });

  it('claims a Delivery only with the state `started`', async () => {
    const id = await deliver();
    for (const state of ['displayed', 'completed', 'snoozed'])
      expect((await page.report({ ...claiming(id), state })).body).not.toHaveProperty('delivery');
    expect((await show(id)).at).toBe(null);
    expect(await pending()).toEqual([id]);
  });

  it('begins a new showing', async () => {
    const another = await loadPage(api, uid);
    await page.report({ experience_id: tour, state: 'completed' });
    pass(1000);
    const id = await deliver();
    // This page was loaded before the showing ended, and got the Delivery when its time came.
    expect((await claim(id, another)).delivery.triggered).toBe(true);
    expect(await interactionOf()).toMatchObject({ state: 'started', started_at: clock, completed_at: clock - 1000 });
    await another.report({ experience_id: tour, state: 'exited' });
    expect((await interactionOf())?.state).toBe('exited');
  });

  it('rejects a Delivery of another user', async () => {
    const other = await loadPage(api, `${uid} other`);
    const id = await deliver({ profile_id: other.profile.id });
    await expectNothingChanged(async () => {
      const { status, body } = await page.report(claiming(id));
      expect([status, body.messages]).toEqual([404, ['There is no Delivery with this ID in this account']]);
    });
  });

  it('can be one report of a batch', async () => {
    const [won, gone] = [await deliver(), await deliver()];
    await api.send('DELETE', `${path}/${gone}`);
    const { body } = await page.report({
      items: [
        claiming(won),
        { ...claiming(gone), showing: 1 },
        claiming(won),
        { experience_id: tour, state: 'exited' },
      ],
    });
    const interaction = { id: (await interactionOf())?.id, state: 'started' };
    expect(body.items).toEqual([
      { interaction, delivery: { id: won, triggered: true } },
      { interaction, delivery: { id: gone, triggered: false } },
      { interaction, delivery: { id: won, triggered: true } },
      { interaction: { ...interaction, state: 'exited' } },
    ]);
    expect(await pending()).toEqual([]);
  });
});

describe('concurrent claims of one Delivery', () => {
  it('triggers a Delivery once when twenty tabs claim it, even tabs loaded in the same millisecond', async () => {
    const id = await deliver();
    const pages = await Promise.all(Array.from({ length: 20 }, () => loadPage(api, uid)));
    const responses = await Promise.all(pages.map((one) => claim(id, one)));
    const winners = responses.filter(({ delivery }) => delivery.triggered);
    expect(winners).toHaveLength(1);
    expect((await show(id)).interaction_id).toBe(winners[0]?.interaction?.id);
    expect(await pending()).toEqual([]);
    await expectNothingChanged(async () => {
      for (const [index, one] of pages.entries())
        expect((await claim(id, one)).delivery).toEqual(responses[index]?.delivery);
    });
  });

  it('returns the same response to a repeated claim and triggers once', async () => {
    const id = await deliver();
    const responses = await Promise.all(Array.from({ length: 20 }, () => claim(id)));
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
    expect(responses[0]?.delivery.triggered).toBe(true);
    pass(1000);
    await expectNothingChanged(async () => expect(await claim(id)).toEqual(responses[0]));
    await page.report({ experience_id: tour, state: 'completed' });
    pass(1000);
    await (await loadPage(api, uid)).report({ experience_id: tour, state: 'started' });
    await expectNothingChanged(async () => expect((await claim(id)).delivery.triggered).toBe(true));
  });

  it('rejects the claim of another showing on the same page', async () => {
    const id = await deliver();
    expect((await claim(id)).delivery.triggered).toBe(true);
    pass(1);
    await expectNothingChanged(async () =>
      expect((await claim(id, page, { showing: 1 })).delivery.triggered).toBe(false),
    );
  });

  it('either cancels or triggers a Delivery when both happen at the same time', async () => {
    for (let n = 0; n < 10; n++) {
      const id = await deliver();
      const [cancelled, claimed] = await Promise.all([
        api.send('DELETE', `${path}/${id}`),
        claim(id, page, { showing: n }),
      ]);
      expect([cancelled.status, claimed.delivery.triggered]).toEqual(
        cancelled.status === 200 ? [200, false] : [409, true],
      );
      expect(await pending()).toEqual([]);
    }
  });

  it('keeps the pending list correct during concurrent changes of all kinds', async () => {
    const { account_id } = api.account;
    const db = api.app.storage.reader(account_id);
    for (const removal of [undefined, '', '/forget', '/forget']) {
      uid = `user ${++count}`;
      page = await loadPage(api, uid);
      const ids = [await deliver(), await deliver(), await deliver()];
      const [first, second, third] = ids;
      const drop = { delivery_ids_position: 'first', delivery_ids_at_limit: 'drop' };
      pass(1000);
      const responses = await Promise.all([
        ...[...ids, ...ids].map((id) => page.report({ ...claiming(id), showing: ids.indexOf(id) })),
        ...[1, 2, 3, 4].map(() => api.post(path, { model_kind: 'tour', model_id: tour, uid, ...drop })),
        api.patch(`${path}/${first}`, { delivery_ids_position: 'last' }),
        api.send('DELETE', `${path}/${second}`),
        api.patch(`${path}/${third}`, { once: true }),
        page.track({ name: 'opened' }),
        ...(removal === undefined ? [] : [api.send('DELETE', `/v3/edit/profiles/${page.profile.id}${removal}`)]),
      ]);
      expect(responses.map(({ status }) => status).filter((status) => status >= 429)).toEqual([]);
      const profiles = await db.selectFrom('profiles').selectAll().where('account_id', '=', account_id).execute();
      const rows = await db.selectFrom('deliveries').selectAll().where('account_id', '=', account_id).execute();
      expect(profiles.some(({ id }) => id === page.profile.id)).toBe(removal !== '/forget');
      for (const { id, delivery_ids } of profiles) {
        const waiting = rows.filter((row) => row.profile_id === id && row.at === null && row.removed_at === null);
        expect([...delivery_ids].sort()).toEqual(waiting.map((row) => row.id).sort());
        expect(delivery_ids.length).toBeLessThanOrEqual(3);
      }
    }
  });

  it.runIf(engine === 'postgres')(
    'triggers a Delivery once when two servers receive claims at the same time',
    async () => {
      const database = await createTestDatabase();
      const settings = readSettings(database.env);
      const log = createLog('silent');
      const nodes = [await openAppContext(settings, log), await openAppContext(settings, log)];
      const apps = nodes.map((app) => createApp(app, settings, log));
      try {
        const [app] = nodes;
        if (!app) throw new Error('there are two');
        const account = await createAccount(app, { name: 'Acme', email: 'ann@acme.test' });
        const urls = await Promise.all(apps.map((httpApp) => httpApp.listen({ host: '127.0.0.1', port: 0 })));
        const servers = urls.map((url): Pick<Api, 'account' | 'post'> => {
          const post: Api['post'] = async (path, body) => {
            const headers = { 'X-Account-Secret': account.account_secret, 'Content-Type': 'application/json' };
            const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
            return { status: response.status, headers: response.headers, text: '', body: await response.json() };
          };
          return { account, post };
        });
        const [one, other] = servers as [Pick<Api, 'account' | 'post'>, Pick<Api, 'account' | 'post'>];
        const made = await one.post('/v3/edit/tours', { name: 'Tour', style: 'manual', steps, published_at: '$now' });
        const seen = await loadPage(one, 'ann');
        for (let n = 0; n < 5; n++) {
          const params = { model_kind: 'tour', model_id: made.body.tour.id, profile_id: seen.profile.id };
          const { id } = (await other.post(path, params)).body.delivery;
          const pages = await Promise.all(Array.from({ length: 10 }, (_, at) => loadPage(at % 2 ? one : other, 'ann')));
          const report = { experience_id: params.model_id, state: 'started', delivery_id: id };
          const responses = await Promise.all(pages.map((page) => page.report(report)));
          expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
          expect(responses.filter(({ body }) => body.delivery.triggered)).toHaveLength(1);
          expect((await loadPage(other, 'ann')).deliveries).toEqual([]);
        }
      } finally {
        for (const httpApp of apps) await httpApp.close();
        for (const app of nodes) await app.storage.close();
        await database.remove();
      }
    },
  );
});

describe('a lost claim', () => {
  it('counts nothing of a report with a lost claim', async () => {
    const id = await deliver();
    await api.send('DELETE', `${path}/${id}`);
    const more = { step_id: (await api.get(`/v3/edit/tours/${tour}`)).body.tour.steps[0].id, group_kind: 'link' };
    await expectNothingChanged(async () => expect(await claim(id, page, more)).toEqual(lost(id)));
  });

  it('returns the existing Interaction for a lost claim', async () => {
    const { body } = await page.report({ experience_id: tour, state: 'exited' });
    const id = await deliver({ from: '+1d' });
    await expectNothingChanged(async () =>
      expect(await claim(id)).toEqual({ interaction: body.interaction, delivery: { id, triggered: false } }),
    );
  });
});

describe('triggering a Delivery', () => {
  /** Claims the Delivery from a page that was loaded before. */
  async function expectClaim(id: string, triggered: boolean, params: object = {}): Promise<void> {
    if (triggered) expect((await claim(id, page, params)).delivery.triggered).toBe(true);
    else await expectNothingChanged(async () => expect((await claim(id, page, params)).delivery.triggered).toBe(false));
  }

  it('triggers from `from` on, not before', async () => {
    const id = await deliver({ from: toTimestamp(clock + 1000) });
    pass(999);
    await expectClaim(id, false);
    expect(await pending()).toEqual([id]);
    pass(1);
    await expectClaim(id, true);
  });

  it('triggers until `until`, not after', async () => {
    const [id, late] = [
      await deliver({ until: toTimestamp(clock + 1000) }),
      await deliver({ until: toTimestamp(clock + 1000) }),
    ];
    pass(1000);
    await expectClaim(id, true);
    pass(1);
    await expectClaim(late, false, { showing: 1 });
    expect((await loadPage(api, uid)).deliveries).toEqual([]);
  });

  it('triggers only while the Experience is live', async () => {
    const id = await deliver();
    await api.patch(`/v3/edit/tours/${tour}`, { published_at: null });
    await expectClaim(id, false);
    await api.patch(`/v3/edit/tours/${tour}`, { published_at: '$now', published_until: toTimestamp(clock + 1000) });
    pass(1000);
    await expectClaim(id, false);
    await api.patch(`/v3/edit/tours/${tour}`, { published_until: null });
    await expectClaim(id, true);
  });

  it('does not trigger with `once` when the user has seen the Experience', async () => {
    const [id, often] = [await deliver({ once: true }), await deliver()];
    await page.report({ experience_id: tour, state: 'displayed' });
    expect((await loadPage(api, uid)).deliveries.map(({ ready }) => ready)).toEqual([true, true]);
    await page.report({ experience_id: tour, state: 'started' });
    expect((await loadPage(api, uid)).deliveries.map(({ ready }) => ready)).toEqual([false, true]);
    await expectClaim(id, false, { showing: 1 });
    await expectClaim(often, true, { showing: 1 });
  });

  it('triggers with `once` when the user has never seen the Experience', async () => {
    const id = await deliver({ once: true });
    await expectClaim(id, true);
    await expectClaim(await deliver({ once: true }), false, { showing: 1 });
  });

  it('does not trigger for another Experience', async () => {
    const id = await deliver();
    const other = await makeTour();
    await expectClaim(id, false, { experience_id: other });
    await api.patch(`${path}/${id}`, { model_id: other });
    await expectClaim(id, false);
    await expectClaim(id, true, { experience_id: other });
  });

  it('triggers only on the URL of the first step unless that is skipped', async () => {
    const id = await deliver({ skip_url_match: false });
    await expectClaim(id, false, { href: 'http://localhost:3000/elsewhere' });
    await expectClaim(id, true, { href: HREF });
  });

  it('does not trigger a canceled Delivery', async () => {
    const id = await deliver();
    expect((await api.send('DELETE', `${path}/${id}`)).status).toBe(200);
    await expectClaim(id, false);
    pass(HOUR);
    page = await loadPage(api, uid);
    await expectClaim(id, false);
  });

  it('does not trigger a replaced Delivery', async () => {
    const ids = [await deliver(), await deliver(), await deliver()];
    await deliver({ delivery_ids_position: 'first', delivery_ids_at_limit: 'drop' });
    await expectClaim(ids[2] ?? '', false);
  });

  it('does not trigger after the user was cleared', async () => {
    const id = await deliver();
    pass(1000);
    await api.send('DELETE', `/v3/edit/profiles/${page.profile.id}`);
    await expectNothingChanged(async () => expect((await page.report(claiming(id))).status).toBe(403));
    page = await loadPage(api, uid);
    await expectClaim(id, false);
  });
});

describe('a triggered Delivery', () => {
  it('rejects changing or removing a triggered Delivery', async () => {
    const id = await deliver();
    await claim(id);
    const before = await show(id);
    await expectNothingChanged(async () => {
      for (const params of [{ once: true }, { until: '+1d' }, { delivery_ids_position: 'first' }, {}])
        expect((await api.patch(`${path}/${id}`, params)).status).toBe(409);
      expect((await api.send('DELETE', `${path}/${id}`)).status).toBe(409);
    });
    expect(await show(id)).toEqual(before);
  });

  it('keeps the idempotency key of a triggered Delivery in use', async () => {
    const id = await deliver({ idempotency_key: 'once' });
    await claim(id);
    const { status, body } = await api.post(path, {
      model_kind: 'tour',
      model_id: tour,
      profile_id: page.profile.id,
      idempotency_key: 'once',
    });
    expect([status, body.delivery]).toEqual([200, await show(id)]);
    expect(await pending()).toEqual([]);
  });

  it('deletes a triggered Delivery with its user', async () => {
    await claim(await deliver());
    await api.send('DELETE', `/v3/edit/profiles/${page.profile.id}/forget`);
    const rows = JSON.stringify(await accountRows(api.app, api.account.account_id));
    expect(rows).not.toContain(page.profile.id);
  });
});
