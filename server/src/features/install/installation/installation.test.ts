import { createHash, createHmac } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { addSignedIn } from '../../../../test/sign-in.ts';
import { HOST, newUid, openDomain, visit } from '../../../../test/visiting.ts';

let now = Date.parse('2029-04-07T12:00:00.000Z');
let api: Api;
beforeEach(async () => {
  api = await startApi({ now: () => now });
});

const show = async (query = '', at = api) => {
  await at.app.installationLog.flush(at.account.account_id);
  return (await at.get('/v3/analyze/installation', { query })).body.installation;
};
const watch = (at = api) => show('watch=true', at);
const loadScript = (referer: string, at = api) =>
  fetch(`${at.url}/script/${at.account.account_token}.js`, {
    headers: { Referer: referer, 'User-Agent': 'Firefox/140' },
  });

describe('GET /v3/analyze/installation', () => {
  it('returns the public facts of the account, and nothing that was never seen', async () => {
    const { account_token } = api.account;
    const { app } = api;
    expect(await show()).toEqual({
      server_url: app.publicUrl,
      page_url: app.publicUrl,
      script_url: `${app.publicUrl}/script/${account_token}.js`,
      account_token,
      has_uid_secret: false,
      require_uid_hash: false,
      trust_pages: false,
      demo_url: `${app.publicUrl}/demo/`,
      first_seen_at: null,
      last_seen_at: null,
      hosts: [],
      missing: [expect.objectContaining({ code: 'script' }), expect.objectContaining({ code: 'domain' })],
      entries: [],
    });
    await api.post('/v3/edit/account/uid_secret');
    expect((await show()).has_uid_secret).toBe(true);
  });

  it('names the demo site only to the first account, and only if there is one', async () => {
    const ofOther = await api.get('/v3/analyze/installation', { as: api.other });
    expect(ofOther.body.installation.demo_url).toBe(null);
    const without = await startApi({ env: { USHER_DEMO: 'false' } });
    expect((await show('', without)).demo_url).toBe(null);
  });

  it('returns the first and the last page load with a user, and the hosts with their Environment', async () => {
    const urlId = await openDomain(api);
    const { url_group } = (
      await api.post('/v3/edit/url_groups', { name: 'Production', style_short_name_color: 'ff0000' })
    ).body;
    await api.patch(`/v3/edit/urls/${urlId}`, { url_group_id: url_group.id });
    const first = now;
    await visit(api, { uid: newUid() });
    now += 2 * 60_000;
    await visit(api, { uid: newUid() });
    const installation = await show();
    expect(installation).toMatchObject({
      first_seen_at: new Date(first).toISOString(),
      last_seen_at: new Date(now).toISOString(),
      missing: [],
      entries: [],
    });
    expect(installation.hosts).toEqual([
      {
        host: HOST,
        url_id: urlId,
        state: 'on',
        environment: { id: url_group.id, name: 'Production', short_name: null, style_short_name_color: 'FF0000' },
        installed_at: expect.any(String),
        first_seen_at: new Date(first).toISOString(),
        last_seen_at: new Date(now).toISOString(),
      },
    ]);
  });

  it('knows page loads of the local machine, which has no Url until a domain is added', async () => {
    await visit(api, { uid: newUid(), href: 'http://localhost:5173/start' });
    now += 2 * 60_000;
    await visit(api, { uid: newUid(), href: 'http://localhost:5173/start' });
    const { hosts, first_seen_at, last_seen_at } = await show();
    expect(hosts).toEqual([expect.objectContaining({ host: 'localhost', url_id: null, state: 'on', last_seen_at })]);
    expect(Date.parse(last_seen_at) - Date.parse(first_seen_at)).toBe(2 * 60_000);
  });

  it('records page loads of the local machine once a minute, whatever names it has', async () => {
    await visit(api, { uid: newUid(), href: 'http://one.localhost/' });
    const first = now;
    now += 1000;
    await visit(api, { uid: newUid(), href: 'http://two.localhost/' });
    const { hosts } = await show();
    expect(hosts).toMatchObject([{ host: 'one.localhost', last_seen_at: new Date(first).toISOString() }]);
  });

  it('does not take a host over the quota, below a domain with its subdomains, for the local machine', async () => {
    await api.post('/v3/edit/urls', { host: 'example.com', enabled: 'subdomain' });
    api.app.pageCounts.add(api.account.account_id, 'hosts', 1_000_000);
    expect((await visit(api, { uid: newUid(), href: 'https://new.example.com/' })).status).toBe(200);
    expect((await show()).hosts).toMatchObject([{ host: 'example.com' }]);
  });

  it('names the next step: the host that is off, then the user who is not identified', async () => {
    await api.post('/v3/edit/urls', { host: 'other.example.com', enabled: 'on' });
    await loadScript('https://app.example.com/');
    const [missing] = (await show()).missing;
    expect(missing).toMatchObject({ code: 'host_off', host: HOST, url_id: expect.any(String) });
    await api.patch(`/v3/edit/urls/${missing.url_id}`, { enabled: 'on' });
    expect((await show()).missing).toMatchObject([{ code: 'identify' }]);
    await visit(api, { uid: newUid() });
    expect((await show()).missing).toEqual([]);
  });
});

describe('the log', () => {
  it('records nothing, and changes nothing, unless somebody watches', async () => {
    await openDomain(api);
    await show();
    await visit(api, { uid: newUid() });
    expect((await show()).entries).toEqual([]);
    await watch();
    now += 6 * 60_000;
    await visit(api, { uid: newUid() });
    expect((await show()).entries).toEqual([]);
  });

  it('is started by editors only, because browsers do not cache the loader meanwhile', async () => {
    await openDomain(api);
    const { secret } = (await api.post('/v3/edit/secrets', { name: 'Reads', scope: 'read' })).body.secret;
    const { browser } = await addSignedIn(api, 'viewer');
    const reader = { ...api.account, account_secret: secret };
    const query = 'watch=true';
    for (const { status } of [
      await browser.get(`/v3/analyze/installation?${query}`),
      await api.get('/v3/analyze/installation', { as: reader, query }),
    ])
      expect(status).toBe(200);
    expect((await loadScript(`https://${HOST}/`)).headers.get('cache-control')).toBe('public, max-age=300');
    await watch();
    await loadScript(`https://${HOST}/`);
    await show();
    const { body } = await browser.get(`/v3/analyze/installation?${query}`);
    expect(body.installation.entries).toMatchObject([{ kind: 'script', host: HOST }]);
  });

  it('is not started by a link on another site', async () => {
    await openDomain(api);
    const { browser } = await addSignedIn(api, 'editor');
    const open = (site: string) =>
      browser.get('/v3/analyze/installation', { query: 'watch=true', headers: { 'Sec-Fetch-Site': site } });
    const cacheControl = async () => (await loadScript(`https://${HOST}/`)).headers.get('cache-control');
    for (const site of ['cross-site', 'same-site']) expect((await open(site)).status).toBe(200);
    expect(await cacheControl()).toBe('public, max-age=300');
    await open('same-origin');
    expect(await cacheControl()).toBe('no-cache');
  });

  it('makes pages load the account again once, however many start to watch together', async () => {
    const version = async () => {
      const db = api.app.storage.reader(api.account.account_id);
      const rows = db.selectFrom('published_versions').select('version');
      return (await rows.where('account_id', '=', api.account.account_id).executeTakeFirst())?.version ?? 0;
    };
    await openDomain(api);
    const before = await version();
    await Promise.all(Array.from({ length: 8 }, () => watch()));
    expect(await version()).toBe(before + 1);
  });

  it('has who was identified, with the names of the values, and where without query and hash', async () => {
    await openDomain(api);
    await watch();
    const params = {
      uid: 'ann',
      email: 'ann@example.com',
      properties: { plan: 'pro' },
      href: `https://${HOST}/a/b?token=secret#secret`,
    };
    await visit(api, params, { headers: { 'User-Agent': 'Mozilla/5.0 Firefox/140.0' } });
    expect((await show()).entries).toEqual([
      {
        id: expect.any(String),
        created_at: new Date(now).toISOString(),
        kind: 'identify',
        host: HOST,
        path: '/a/b',
        uid: 'ann',
        profile_id: expect.any(String),
        user_agent: 'Mozilla/5.0 Firefox/140.0',
        name: null,
        fields: ['email', 'properties.plan'],
        outcome: 'accepted',
        messages: [],
      },
    ]);
    const rows = await api.app.storage
      .reader(api.account.account_id)
      .selectFrom('installation_entries')
      .selectAll()
      .where('account_id', '=', api.account.account_id)
      .execute();
    expect(JSON.stringify(rows)).not.toMatch(/secret|ann@example|pro"/);
  });

  it('has the events of a page', async () => {
    await openDomain(api);
    await watch();
    const { token } = (await visit(api, { uid: 'bo' })).body.visit;
    const event = {
      visit_token: token,
      name: 'Report exported',
      properties: { format: 'pdf' },
      href: `https://${HOST}/x`,
    };
    await api.post('/v3/observe/events', event, { as: null });
    const [entry] = (await show()).entries;
    expect(entry).toMatchObject({ kind: 'event', name: 'Report exported', uid: 'bo', path: '/x', outcome: 'accepted' });
    expect(entry.fields).toEqual(['properties.format']);
  });

  it('says why a page load was rejected', async () => {
    await openDomain(api);
    await api.post('/v3/edit/account/uid_secret');
    await api.patch('/v3/edit/account', { require_uid_hash: true });
    await watch();
    await visit(api, { uid: 'eve', uid_hash: '0'.repeat(64) });
    await visit(api, { uid: 'eve', href: 'https://off.example.com/' });
    await visit(api, { uid: { hostile: '\0' }, href: `https://${HOST}/` });
    const { entries } = await show();
    expect(entries.map(({ outcome, uid }: { outcome: string; uid: string }) => [outcome, uid])).toEqual([
      ['rejected', null],
      ['rejected', 'eve'],
      ['rejected', 'eve'],
    ]);
    expect(entries[2].messages[0]).toContain('`uid_hash` must prove the `uid`');
    expect(entries[1].messages[0]).toContain('off.example.com is not enabled yet');
    expect(entries[0].messages[0]).toContain('`uid`');
  });

  it('says what of a page load was not stored', async () => {
    await openDomain(api);
    await api.post('/v3/observe/hooks/profiles', { uid: 'ann', plan: 'pro' });
    await watch();
    await visit(api, { uid: 'ann', uid_hash: 'x', properties: { plan: 'free' } });
    const [entry] = (await show()).entries;
    expect(entry.outcome).toBe('partly');
    expect(entry.messages).toEqual([
      'The hash proves nothing, because the account has no secret to sign with yet',
      expect.stringMatching(/^`properties.plan` was not stored: your backend has written/),
    ]);
  });

  it('has pages that only load the script, and browsers do not cache it meanwhile', async () => {
    await openDomain(api);
    expect((await loadScript(`https://${HOST}/`)).headers.get('cache-control')).toBe('public, max-age=300');
    await watch();
    expect((await loadScript(`https://${HOST}/`)).headers.get('cache-control')).toBe('no-cache');
    await loadScript('https://off.example.com/');
    const { entries } = await show();
    expect(entries).toMatchObject([
      { kind: 'script', host: 'off.example.com', outcome: 'rejected', messages: ['off.example.com is turned off'] },
      { kind: 'script', host: HOST, outcome: 'accepted', uid: null, user_agent: 'Firefox/140' },
    ]);
  });

  it('has what pages did on another node', async () => {
    await openDomain(api);
    const other = await startApi({ beside: api, now: () => now });
    await visit(other, { uid: 'before' });
    await watch();
    await visit(other, { uid: 'after' });
    await other.app.installationLog.flush(api.account.account_id);
    expect((await show()).entries).toMatchObject([{ uid: 'after', kind: 'identify' }]);
  });

  it('keeps the last 200 entries of an account, for an hour', async () => {
    const { app, account, other } = api;
    const entry = { kind: 'script', host: 'a.example.com', userAgent: '', outcome: 'accepted' } as const;
    const count = async (id: string) => {
      const rows = app.storage.reader(id).selectFrom('installation_entries').select('id');
      return (await rows.where('account_id', '=', id).execute()).length;
    };
    app.installationLog.add(other.account_id, entry);
    for (let round = 0; round < 5; round++) {
      for (let index = 0; index < 60; index++) app.installationLog.add(account.account_id, entry);
      await app.installationLog.flush(account.account_id);
    }
    await app.installationLog.flush(other.account_id);
    expect([await count(account.account_id), await count(other.account_id)]).toEqual([200, 1]);
    now += 61 * 60_000;
    await app.installationLog.sweep();
    expect([await count(account.account_id), await count(other.account_id)]).toEqual([0, 0]);
  });

  it('forgets a user, also where only a rejected page load names them', async () => {
    await openDomain(api);
    await watch();
    const { profile } = (await visit(api, { uid: 'ann' })).body;
    await visit(api, { uid: 'ann', href: 'https://off.example.com/' });
    await visit(api, { uid: 'bo' });
    await api.send('DELETE', `/v3/edit/profiles/${profile.id}/forget`);
    const { entries } = await show();
    expect(entries).toMatchObject([{ uid: 'bo' }]);
    expect(JSON.stringify(entries)).not.toContain('ann');
  });

  it('belongs to one account', async () => {
    await openDomain(api);
    await watch();
    await visit(api, { uid: 'ann' });
    const { body } = await api.get('/v3/analyze/installation', { as: api.other, query: 'watch=true' });
    expect(body.installation.entries).toEqual([]);
  });
});

describe('POST /v3/analyze/identity_checks', () => {
  let secret: string;
  const seconds = () => String(Math.floor(now / 1000));
  const sign = (text: string, key = secret) => createHmac('sha256', key).update(text).digest();
  const check = async (params: object) =>
    (await api.post('/v3/analyze/identity_checks', { uid: '18821', ...params })).body.identity_check;
  const problemOf = async (params: object) => (await check(params)).problem;
  beforeEach(async () => {
    secret = (await api.post('/v3/edit/account/uid_secret')).body.uid_secret;
  });

  it('accepts what a page load accepts', async () => {
    const uid_hash = `${sign(`18821-${seconds()}`).toString('hex')}-${seconds()}`;
    expect(await check({ uid_hash })).toEqual({
      valid: true,
      problem: null,
      message: 'The hash proves this user.',
      valid_until: new Date(now + 24 * 60 * 60_000).toISOString(),
    });
    expect((await check({ uid_hash: uid_hash.toUpperCase() })).valid).toBe(true);
    const signed = ['18821', 'ann@example.com', '931', seconds()].join('\n');
    const identity_hash = `${sign(signed).toString('hex')}-${seconds()}`;
    const both = { email: 'ann@example.com', company_uid: '931' };
    expect((await check({ identity_hash, ...both })).valid).toBe(true);
    expect(await problemOf({ identity_hash })).toBe('wrong');
    expect(await problemOf({ uid_hash: identity_hash, ...both })).toBe('other_kind');
  });

  it.each([
    ['empty', () => ''],
    ['base64', () => sign(`18821-${seconds()}`).toString('base64')],
    ['base64', () => `${sign(`18821-${seconds()}`).toString('base64url')}-${seconds()}`],
    ['no_time', () => sign(`18821-${seconds()}`).toString('hex')],
    ['without_time', () => sign('18821').toString('hex')],
    ['without_time', () => `${sign('18821').toString('hex')}-${seconds()}`],
    ['milliseconds', () => `${sign(`18821-${now}`).toString('hex')}-${now}`],
    ['malformed', () => 'not a hash'],
    ['expired', () => `${sign('18821-1700000000').toString('hex')}-1700000000`],
    ['future', () => `${sign('18821-9999999999').toString('hex')}-9999999999`],
    ['other_uid', () => `${sign(`18821 -${seconds()}`).toString('hex')}-${seconds()}`],
    ['other_uid', () => `${sign(`undefined-${seconds()}`).toString('hex')}-${seconds()}`],
    ['not_keyed', () => `${createHash('sha256').update(`${secret}18821-${seconds()}`).digest('hex')}-${seconds()}`],
    ['wrong', () => `${sign(`18821-${seconds()}`, 'the old secret').toString('hex')}-${seconds()}`],
  ])('explains a hash that is %s', async (problem, make) => {
    const found = await check({ uid_hash: make() });
    expect(found).toMatchObject({ valid: false, problem, valid_until: null });
    expect(found.message).toMatch(/\.$/);
    expect(found.message).not.toContain(secret);
  });

  it('says that there is no secret yet', async () => {
    const { body } = await api.post('/v3/analyze/identity_checks', { uid: '1', uid_hash: 'x' }, { as: api.other });
    expect(body.identity_check.problem).toBe('no_secret');
  });
});
