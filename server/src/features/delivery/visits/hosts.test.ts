import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, newEmail, startApi } from '../../../../test/api.ts';
import { newUid, PAGE, visit } from '../../../../test/visiting.ts';
import { type CreatedAccount, createAccount } from '../../team/accounts/create-account.ts';

const MINUTE = 60_000;
let now = Date.parse('2029-04-07T12:18:00.000Z');
let api: Api;
let account: CreatedAccount;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
});
afterAll(() => api.stop());
beforeEach(async () => {
  now += MINUTE;
  account = await createAccount(api.app, { name: 'Hosts', email: newEmail() });
});

/** Loads a page at an address, as a browser on it does: with the header `Origin`. */
const loadAt = (
  href: string,
  headers: Record<string, string> = { Origin: new URL(href).origin },
  params: object = {},
) => visit(api, { uid: 'ann', href, ...params }, { as: account, headers });
const statusAt = async (href: string, headers?: Record<string, string>) => (await loadAt(href, headers)).status;
const at = () => new Date(now).toISOString();

async function add(host: string, params: object = { enabled: 'on' }) {
  const { status, body } = await api.post('/v3/edit/urls', { host, ...params }, { as: account });
  expect([host, status, body.messages]).toEqual([host, 201, undefined]);
  return body.url;
}
const change = (id: string, params: object) => api.patch(`/v3/edit/urls/${id}`, params, { as: account });
const urls = async () => (await api.get('/v3/edit/urls', { as: account, query: 'limit=500' })).body.urls;
const urlOf = async (host: string) => (await urls()).find((url: { host: string }) => url.host === host);

describe('a page', () => {
  it('returns Experiences on a host that is on', async () => {
    await add('app.example.com');
    await add('example.org', { enabled: 'subdomain' });
    expect(await statusAt('https://app.example.com/a')).toBe(200);
    expect(await statusAt('https://APP.example.com:8443/a')).toBe(200);
    expect(await statusAt('https://example.org/a')).toBe(200);
  });

  it('returns 403 on a host that is off or archived', async () => {
    await add('off.example.com', { enabled: 'off' });
    await add('old.example.com', { enabled: 'on', archived_at: '$now' });
    const steps = [{ title: 'Everywhere' }];
    await api.post('/v3/edit/tours', { name: 'Everywhere', steps, published_at: '$now' }, { as: account });
    for (const host of ['off.example.com', 'old.example.com']) {
      const { status, body } = await loadAt(`https://${host}/`);
      expect([host, status, Object.keys(body)]).toEqual([host, 403, ['code', 'messages']]);
      expect(body.messages).toEqual([expect.stringContaining(host)]);
    }
    const { profiles } = (await api.get('/v3/analyze/profiles', { as: account })).body;
    expect(profiles).toEqual([]);
  });

  it('follows a change of the Url with the next page load', async () => {
    const { id } = await add('app.example.com');
    const statuses = [await statusAt(PAGE)];
    for (const params of [{ enabled: 'off' }, { enabled: 'on' }, { archived_at: '$now' }, { archived_at: null }]) {
      await change(id, params);
      statuses.push(await statusAt(PAGE));
    }
    expect(statuses).toEqual([200, 403, 200, 403, 200]);
  });

  it('uses the host of `Origin`, or else of `href`', async () => {
    await add('app.example.com');
    expect(await statusAt(PAGE, {})).toBe(200);
    expect(await statusAt(PAGE, { Origin: 'null' })).toBe(200);
    expect(await statusAt(PAGE, { Origin: 'https://app.example.com' })).toBe(200);
    expect(await statusAt('https://elsewhere.example.org/', { Origin: 'https://app.example.com' })).toBe(200);
    expect(await statusAt(PAGE, { Origin: 'https://elsewhere.example.org' })).toBe(403);
    expect(await statusAt('https://elsewhere.example.org/', {})).toBe(403);
  });

  it('returns 403 when neither `Origin` nor `href` has a host', async () => {
    await add('app.example.com');
    for (const href of ['about:blank', 'file:///home/ann/a.html', 'nonsense', 'https://co.uk/', '//']) {
      const { status, body } = await loadAt(href, {});
      expect([href, status]).toEqual([href, 403]);
      expect(body.messages).toEqual([expect.stringContaining('`href`')]);
    }
    expect(await urls()).toHaveLength(1);
  });

  it('does not use the hosts of another account', async () => {
    await add('app.example.com');
    expect((await visit(api, { uid: 'ann' }, { as: api.other })).status).toBe(403);
    const { body } = await api.get('/v3/edit/urls', { as: api.other });
    expect(body.urls).toMatchObject([{ host: 'app.example.com', enabled: 'off' }]);
    expect(await urls()).toMatchObject([{ host: 'app.example.com', enabled: 'on' }]);
  });
});

describe('an unknown host', () => {
  it('records a new host as off and says how to turn it on', async () => {
    const { status, body } = await loadAt('https://new.example.com:8080/a');
    expect(status).toBe(403);
    expect(body.messages).toEqual([expect.stringMatching(/^new\.example\.com is not enabled yet: turn it on/)]);
    expect(await urls()).toEqual([
      {
        id: expect.any(String),
        created_at: at(),
        updated_at: at(),
        url_group_id: null,
        host: 'new.example.com',
        domain: 'example.com',
        enabled: 'off',
        installed_at: at(),
        first_seen_at: null,
        last_seen_at: null,
        unlisted: false,
        archived_at: null,
      },
    ]);
    expect(await statusAt('https://new.example.com/b')).toBe(403);
    expect(await urls()).toHaveLength(1);
    const { id } = await urlOf('new.example.com');
    await change(id, { enabled: 'on' });
    expect(await statusAt('https://new.example.com/b')).toBe(200);
  });

  it('records a new subdomain as on when its domain includes subdomains', async () => {
    await add('example.com', { enabled: 'subdomain' });
    expect(await statusAt('https://a.b.example.com/')).toBe(200);
    expect(await urlOf('a.b.example.com')).toMatchObject({ enabled: 'on', installed_at: at(), first_seen_at: at() });
    expect(await statusAt('https://a.example.org/')).toBe(403);
    expect(await urlOf('a.example.org')).toMatchObject({ enabled: 'off' });
  });

  it('records a new subdomain as off when its domain does not include subdomains', async () => {
    await add('example.com', { enabled: 'on' });
    await add('example.org', { enabled: 'subdomain', archived_at: '$now' });
    expect(await statusAt('https://a.example.com/')).toBe(403);
    expect(await statusAt('https://a.example.org/')).toBe(403);
    expect(await urlOf('a.example.com')).toMatchObject({ enabled: 'off' });
    expect(await urlOf('a.example.org')).toMatchObject({ enabled: 'off' });
  });

  it('records a new host once for simultaneous page loads', async () => {
    await add('example.com', { enabled: 'subdomain' });
    const hosts = ['a.example.com', 'b.example.com', 'c.example.org'];
    const statuses = await Promise.all(
      Array.from({ length: 21 }, (_, n) => statusAt(`https://${hosts[n % 3]}/${n}`).then((status) => [n % 3, status])),
    );
    for (const [n, status] of statuses) expect([n, status]).toEqual([n, n === 2 ? 403 : 200]);
    expect((await urls()).map(({ host }: { host: string }) => host).sort()).toEqual([...hosts, 'example.com'].sort());
  });

  it('replaces the oldest of a thousand recorded hosts that no administrator has changed', async () => {
    const { account_id } = account;
    await api.app.storage.write(account_id, async (db) => {
      for (let some = 0; some < 5; some++) {
        const rows = Array.from({ length: 200 }, (_, n) => ({
          account_id,
          id: api.app.newId(),
          updated_at: now,
          host: `h${some * 200 + n}.example.com`,
          domain: 'example.com',
          enabled: 'off' as const,
          installed_at: now,
        }));
        await db
          .insertInto('urls')
          .values(rows.slice(some === 0 ? 2 : 0))
          .execute();
      }
    });
    const stored = () => {
      const query = api.app.storage.reader(account_id).selectFrom('urls').select(['id', 'host']);
      return query.where('account_id', '=', account_id).orderBy('id').execute();
    };
    const oldest = (await stored()).slice(0, 4);
    now += 1000;
    await change(oldest[1]?.id ?? '', { enabled: 'on' });
    const statuses = await Promise.all(['x', 'y', 'z', 'w'].map((name) => statusAt(`https://${name}.example.org/`)));
    expect(statuses).toEqual([403, 403, 403, 403]);
    const left = (await stored()).map(({ host }) => host);
    expect(left).toHaveLength(1000);
    expect(left.slice(-4).sort()).toEqual(['w', 'x', 'y', 'z'].map((name) => `${name}.example.org`));
    expect(oldest.map(({ host }) => left.includes(host))).toEqual([false, true, false, true]);
  });

  it('does not record the host of an invalid request', async () => {
    const before = await accountRows(api.app, account.account_id);
    expect((await loadAt('https://new.example.com/', undefined, { uid: '' })).status).toBe(422);
    expect((await loadAt('https://new.example.com/', undefined, { account_token: 'wrong' })).status).toBe(403);
    expect(await accountRows(api.app, account.account_id)).toEqual(before);
  });
});

describe('localhost', () => {
  const pages = ['http://localhost:3000/a', 'http://app.localhost/', 'http://127.0.0.1:8080/', 'http://[::1]/'];
  const statuses = () => Promise.all(pages.map((page) => statusAt(page)));

  it('allows localhost until the first domain is added', async () => {
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    expect(await urls()).toEqual([]);
    await add('app.example.com');
    expect(await statuses()).toEqual([403, 403, 403, 403]);
    expect(await urlOf('localhost')).toMatchObject({ enabled: 'off' });
  });

  it('allows localhost while other hosts are only recorded', async () => {
    expect(await statusAt('https://app.example.com/')).toBe(403);
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    const { id } = await urlOf('app.example.com');
    await change(id, { enabled: 'on' });
    expect(await statuses()).toEqual([403, 403, 403, 403]);
  });

  it('accepts localhost as a Url', async () => {
    await add('localhost');
    expect(await statuses()).toEqual([200, 403, 403, 403]);
  });
});

describe('a Url', () => {
  it('sets `installed_at` with the first page of the host, on or off', async () => {
    await add('on.example.com');
    await add('off.example.com', { enabled: 'off' });
    const first = at();
    for (const host of ['on.example.com', 'off.example.com']) {
      await loadAt(`https://${host}/`);
      expect(await urlOf(host)).toMatchObject({ installed_at: first });
    }
    now += 10 * MINUTE;
    for (const host of ['on.example.com', 'off.example.com']) {
      await loadAt(`https://${host}/`);
      expect(await urlOf(host)).toMatchObject({ installed_at: first });
    }
  });

  it('does not set `installed_at` for other hosts or invalid requests', async () => {
    await add('app.example.com');
    await loadAt('https://other.example.com/');
    await loadAt(PAGE, undefined, { account_token: 'wrong' });
    await loadAt(PAGE, undefined, { uid: '' });
    expect(await urlOf('app.example.com')).toMatchObject({ installed_at: null, first_seen_at: null });
  });

  it('shows when a profile was first and last identified on the host', async () => {
    await add('app.example.com');
    await add('off.example.com', { enabled: 'off' });
    const first = at();
    await loadAt(PAGE);
    await loadAt('https://off.example.com/');
    expect(await urlOf('app.example.com')).toMatchObject({ first_seen_at: first, last_seen_at: first });
    expect(await urlOf('off.example.com')).toMatchObject({ first_seen_at: null, last_seen_at: null });
    now += MINUTE;
    await loadAt(PAGE, undefined, { uid: newUid() });
    expect(await urlOf('app.example.com')).toMatchObject({ first_seen_at: first, last_seen_at: at() });
    now += 60 * MINUTE;
    await loadAt(PAGE);
    expect(await urlOf('app.example.com')).toMatchObject({ first_seen_at: first, last_seen_at: at() });
  });

  it('writes `last_seen_at` at most once a minute, even when the Url changes meanwhile', async () => {
    const { id } = await add('app.example.com');
    await loadAt(PAGE);
    const seen = at();
    now += MINUTE - 1;
    await loadAt(PAGE);
    await change(id, { enabled: 'subdomain' });
    await loadAt(PAGE);
    expect(await urlOf('app.example.com')).toMatchObject({ enabled: 'subdomain', last_seen_at: seen });
    now += 1;
    await loadAt(PAGE);
    expect(await urlOf('app.example.com')).toMatchObject({ last_seen_at: at() });
  });
});
