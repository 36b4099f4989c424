import { parsePageAddress } from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type ApiResponse, startApi } from '../../test/api.ts';
import type { PublishedAccount } from './published-account.ts';
import { PublishedCache } from './published-cache.ts';

const HOUR = 3_600_000;
let api: Api;
let count = 0;

beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const accountId = () => api.account.account_id;
const open = (maxBytes?: number) => new PublishedCache(api.app.storage, api.app.secretBox, api.app.now, maxBytes);

async function storedVersion(): Promise<number> {
  const db = api.app.storage.reader(accountId());
  const query = db.selectFrom('published_versions').select('version').where('account_id', '=', accountId());
  return (await query.executeTakeFirst())?.version ?? 0;
}

/** The account as the next page load reads it. */
async function current(cache: PublishedCache = api.app.publishedCache): Promise<PublishedAccount> {
  return (await cache.atVersion(accountId(), await storedVersion())) as PublishedAccount;
}

/** Everything that page loads read of an account, now and in two hours. */
function viewOf(account: PublishedAccount) {
  const now = api.app.now();
  const {
    urls,
    segments,
    segmentNames,
    environmentNames,
    limitGroups,
    allowScripts,
    allowGlobals,
    allowPercent,
    themes,
  } = account;
  return {
    live: [now, now + 2 * HOUR].map((at) => account.liveExperiences(at).map(({ id, document }) => ({ id, document }))),
    urls: [...urls].sort(),
    segments: [...segments].sort(),
    segmentNames: [...segmentNames].sort(),
    environmentNames: [...environmentNames].sort(),
    limitGroups,
    allowScripts,
    allowGlobals,
    allowPercent,
    themes: [...(themes ?? [])].map(([id, { versionId }]) => [id, versionId]).sort(),
  };
}

async function made(path: string, body: object): Promise<string> {
  const response = await api.post(path, body);
  expect(response.status).toBeLessThan(300);
  return (Object.values(response.body)[0] as { id: string }).id;
}
const steps = [{ title: 'Hello' }];
const published = { name: 'A tour', steps, published_at: '$now' };
const makeTour = (params: object = published) => made('/v3/edit/tours', params);
const makeSegment = (value = 'gold') =>
  made('/v3/edit/segments', { name: 'Some', items: [{ kind: 'property', prop: 'plan', op: 'eq', value }] });
const makeUrl = (params: object = {}) => made('/v3/edit/urls', { host: `app-${++count}.example.com`, ...params });
const makeGroup = () => made('/v3/edit/url_groups', { name: `Group ${++count}` });

const makeTheme = (params: object = {}) => made('/v3/edit/themes', { name: `Theme ${++count}`, ...params });

/** Prepares a write, and returns a function that does it. */
type Write = () => Promise<() => Promise<ApiResponse>>;
const patching =
  (kind: string, make: () => Promise<string>, params: object): Write =>
  async () => {
    const id = await make();
    return () => api.patch(`/v3/edit/${kind}/${id}`, params);
  };
const tourWith = (params: object, made: object = published) => patching('tours', () => makeTour(made), params);
const draft = { name: 'A draft', steps };

describe('published version', () => {
  it.each<[what: string, write: Write]>([
    ['created and published', async () => () => api.post('/v3/edit/tours', published)],
    ['published', tourWith({ published_at: '$now' }, draft)],
    ['published again', tourWith({ steps: [{ title: 'Again' }], published_at: '$now' })],
    ['published for later', tourWith({ published_at: '+1h' }, draft)],
    ['published again for later', tourWith({ steps: [{ title: 'Later' }], published_at: '+1h' })],
    ['given an end', tourWith({ published_until: '+1h' })],
    ['no longer given an end', tourWith({ published_until: null }, { ...published, published_until: '+1h' })],
    ['no longer published', tourWith({ published_at: null })],
    ['archived', tourWith({ archived_at: '$now' })],
    ['taken out of the archive', tourWith({ archived_at: null }, { ...published, archived_at: '$now' })],
    [
      'replaced and published',
      async () => {
        const id = await makeTour();
        return () => api.post(`/v3/edit/tours/${id}/import`, { ...published, name: 'Replaced' });
      },
    ],
    [
      'deleted',
      async () => {
        const id = await makeTour();
        return () => api.send('DELETE', `/v3/edit/tours/${id}`);
      },
    ],
  ])('gives a new version when an Experience is %s', (_, write) => expectChange(write));

  it.each<[what: string, write: Write]>([
    ['its items', patching('segments', makeSegment, { items: [] })],
    ['its name', patching('segments', makeSegment, { name: 'Others' })],
    [
      'it is deleted',
      async () => {
        const id = await makeSegment();
        return () => api.send('DELETE', `/v3/edit/segments/${id}`);
      },
    ],
    [
      'it names a user who is forgotten',
      async () => {
        const uid = `forgotten ${++count}`;
        const id = await made('/v3/observe/hooks/profiles', { uid });
        const items = [{ kind: 'property', prop: 'uid', op: 'eq', value: uid }];
        await made('/v3/edit/segments', { name: 'By name', items });
        return () => api.send('DELETE', `/v3/edit/profiles/${id}/forget`);
      },
    ],
  ])('gives a new version when a Segment changes: %s', (_, write) =>
    expectChange(async () => {
      const run = await write();
      // A Segment that nothing uses does not increase the version. It is read with the next change.
      await made('/v3/edit/tours', published);
      return run;
    }),
  );

  it.each<[what: string, write: Write]>([
    ['added', async () => () => api.post('/v3/edit/urls', { host: `new-${++count}.example.com` })],
    ['turned off', patching('urls', makeUrl, { enabled: 'off' })],
    ['archived', patching('urls', makeUrl, { archived_at: '$now' })],
    [
      'moved to an Environment',
      async () => {
        const [id, url_group_id] = [await makeUrl(), await makeGroup()];
        return () => api.patch(`/v3/edit/urls/${id}`, { url_group_id });
      },
    ],
    [
      'one of many that are changed',
      async () => {
        const ids = [await makeUrl(), await makeUrl()];
        return () => api.post('/v3/edit/urls/batch', { ids, enabled: 'subdomain' });
      },
    ],
    [
      'archived with its Environment',
      async () => {
        const url_group_id = await makeGroup();
        await makeUrl({ url_group_id });
        const params = { archived_at: '$now', urls_action_on_archive: 'archive' };
        return () => api.patch(`/v3/edit/url_groups/${url_group_id}`, params);
      },
    ],
    [
      'archived with an Environment that was archived before',
      async () => {
        const url_group_id = await makeGroup();
        const params = { archived_at: '2029-04-07', urls_action_on_archive: 'archive' };
        await api.patch(`/v3/edit/url_groups/${url_group_id}`, params);
        await makeUrl({ url_group_id });
        return () => api.patch(`/v3/edit/url_groups/${url_group_id}`, params);
      },
    ],
  ])('gives a new version when a Url is %s', (_, write) => expectChange(write));

  const live = { published_at: '$now', style_radius: '4' };
  it.each<[what: string, write: Write]>([
    ['published', patching('themes', makeTheme, live)],
    ['published again', patching('themes', () => makeTheme(live), { ...live, style_radius: '8' })],
    ['no longer published', patching('themes', () => makeTheme(live), { published_at: null })],
    ['made the default', patching('themes', () => makeTheme(live), { default: true })],
    [
      'deleted',
      async () => {
        const id = await makeTheme(live);
        return () => api.send('DELETE', `/v3/edit/themes/${id}`);
      },
    ],
  ])('gives a new version when a theme is %s', (_, write) => expectChange(write));

  it('gives a new version when an Environment is renamed', () =>
    expectChange(async () => {
      const id = await makeGroup();
      await makeUrl({ url_group_id: id });
      return () => api.patch(`/v3/edit/url_groups/${id}`, { name: `Renamed ${++count}` });
    }));

  it.each<[what: string, write: Write]>([
    ['a draft is created', async () => () => api.post('/v3/edit/tours', draft)],
    ['a draft is changed', tourWith({ name: 'Other', steps: [{ title: 'Other' }], segment_ids: [] })],
    [
      'a step is added',
      async () => {
        const id = await makeTour();
        return () => api.post(`/v3/edit/tours/${id}/steps`, { title: 'More' });
      },
    ],
    [
      'an Experience is copied',
      async () => {
        const id = await makeTour();
        return () => api.post(`/v3/edit/tours/${id}/duplicate`);
      },
    ],
    [
      'a draft is reverted',
      async () => {
        const id = await makeTour();
        await api.patch(`/v3/edit/tours/${id}`, { name: 'Other' });
        const [version] = (await api.get(`/v3/edit/tours/${id}/versions`)).body.versions;
        return () => api.post(`/v3/edit/tours/${id}/revert`, { version_id: version.id });
      },
    ],
    ['a draft of a theme is changed', patching('themes', () => makeTheme(live), { style_radius: '9' })],
    ['a Url is saved unchanged', patching('urls', makeUrl, { enabled: 'on' })],
    ['a batch of profiles is stored', batchOf('profiles')],
    ['a batch of Companies is stored', batchOf('companies')],
    ['an event is tracked', async () => () => api.post('/v3/observe/hooks/events', { uid: 'u', name: 'paid' })],
  ])('keeps the version when %s', async (_, write) => {
    const run = await write();
    const before = await current();
    const view = viewOf(before);
    expect((await run()).status).toBeLessThan(300);
    const after = await current();
    expect(after).toBe(before);
    expect(viewOf((await open().account(accountId())) as PublishedAccount)).toEqual(view);
  });
});

function batchOf(what: 'profiles' | 'companies'): Write {
  const items = Array.from({ length: 50 }, (_, at) => ({ uid: `in a batch ${at}`, at }));
  return async () => () => api.post(`/v3/observe/hooks/${what}/batch`, { [what]: items });
}

/** Expects that a write increases the version, and that the account is loaded again with what is stored. */
async function expectChange(write: Write): Promise<void> {
  const run = await write();
  const before = await current();
  expect((await run()).status).toBeLessThan(300);
  const after = await current();
  expect(after.version).toBeGreaterThan(before.version);
  const stored = viewOf((await open().account(accountId())) as PublishedAccount);
  expect(viewOf(after)).toEqual(stored);
  expect(viewOf(before)).not.toEqual(stored);
}

describe('PublishedCache', () => {
  it('returns the same account by token and by ID', async () => {
    const account = await api.app.publishedCache.byToken(api.account.account_token);
    expect(account?.id).toBe(accountId());
    expect(await api.app.publishedCache.account(accountId())).toBe(account);
    expect(await api.app.publishedCache.byToken(api.account.account_token)).toBe(account);
  });

  it('returns undefined for an unknown token or ID, and keeps nothing in memory for it', async () => {
    const cache = open();
    expect(await cache.byToken('nobody')).toBeUndefined();
    expect(await cache.account('0'.repeat(24))).toBeUndefined();
    expect(await cache.atVersion('0'.repeat(24), 7)).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  it('loads an account once for simultaneous calls', async () => {
    const cache = open();
    const version = await storedVersion();
    const [one, ...others] = await Promise.all([
      cache.account(accountId()),
      cache.account(accountId()),
      cache.atVersion(accountId(), version),
      cache.byToken(api.account.account_token),
    ]);
    expect(one?.version).toBe(version);
    for (const other of others) expect(other).toBe(one);
  });

  it('loads an account again only when its version has changed', async () => {
    const cache = open();
    const before = await current(cache);
    expect(await current(cache)).toBe(before);
    await makeTour();
    expect(await cache.account(accountId())).toBe(before);
    const after = await current(cache);
    expect(after).not.toBe(before);
    expect(await cache.account(accountId())).toBe(after);
  });

  it('returns the requested version while an older one is being loaded', async () => {
    const cache = open();
    const loading = cache.account(accountId());
    const id = await makeTour();
    const account = await current(cache);
    expect(account.version).toBe(await storedVersion());
    expect(account.experience(id, api.app.now())).toBeDefined();
    await loading;
    expect(await cache.account(accountId())).toBe(account);
  });

  it('counts the bytes of an account once, and more when it has more content', async () => {
    const cache = open();
    await current(cache);
    const before = cache.bytes;
    await makeTour({
      ...published,
      steps: Array.from({ length: 25 }, () => ({ title: 'Long', body: 'x'.repeat(2000) })),
    });
    await current(cache);
    expect(cache.bytes - before).toBeGreaterThan(50_000);
    expect(cache.bytes - before).toBeLessThan(1_000_000);
    expect(cache.size).toBe(1);
  });

  it('keeps both accounts while they fit', async () => {
    const cache = open(10_000_000);
    const mine = await cache.account(accountId());
    await cache.byToken(api.other.account_token);
    expect(await cache.account(accountId())).toBe(mine);
    expect(cache.size).toBe(2);
  });

  it('drops the least recently used account when they take too much memory', async () => {
    const cache = open(1);
    const mine = await cache.account(accountId());
    const theirs = await cache.byToken(api.other.account_token);
    expect(cache.size).toBe(1);
    expect(await cache.account(api.other.account_id)).toBe(theirs);
    const again = await cache.byToken(api.account.account_token);
    expect(again?.id).toBe(accountId());
    expect(again).not.toBe(mine);
  });

  it('creates one visit key when several nodes create it at the same time', async () => {
    const caches = Array.from({ length: 8 }, () => open());
    const keys = await Promise.all(
      caches.map(async (cache) => (await cache.byToken(api.other.account_token))?.visitKey),
    );
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
    expect((await open().account(accountId()))?.visitKey).not.toBe(keys[0]);
  });

  it('keeps a prepared version when something else is published', async () => {
    const id = await makeTour();
    const before = (await current()).experience(id, api.app.now());
    await makeTour();
    const after = await current();
    expect(before).toBeDefined();
    expect(after.experience(id, api.app.now())).toBe(before);
    await api.patch(`/v3/edit/tours/${id}`, { steps: [{ title: 'New' }], published_at: '$now' });
    expect((await current()).experience(id, api.app.now())).not.toBe(before);
  });

  it('prepares all versions again when `allow_scripts` changes', async () => {
    const cache = open();
    await api.patch('/v3/edit/account', { allow_scripts: true });
    const params = { title: 'Hello', secondary_trigger: 'custom_trigger', custom_trigger: 'return true' };
    const id = await makeTour({ ...published, steps: [params] });
    const textOf = async () => {
      const experience = (await current(cache)).experience(id, api.app.now());
      const profile = { facts: {}, custom: {} };
      const user = { profile, now: 0, language: null, inSegment: no, isLive: no, isCompleted: no };
      return experience?.content(null).jsonFor(user);
    };
    expect(await textOf()).toContain('return true');
    await api.patch('/v3/edit/account', { allow_scripts: false });
    expect(await textOf()).not.toContain('return true');
  });
});

const no = () => false;

describe('live Experiences', () => {
  it('starts, replaces and ends an Experience at its times without loading the account again', async () => {
    const id = await makeTour({ ...published, published_until: '+3h' });
    await api.patch(`/v3/edit/tours/${id}`, { steps: [{ title: 'Later' }], published_at: '+1h' });
    const later = await makeTour({ ...published, published_at: '+2h' });
    const account = await current();
    const now = api.app.now();
    const titleAt = (at: number) => account.experience(id, at)?.document.steps[0]?.title;
    expect([0, 1.1, 2.1, 3.1, 0.5].map((hours) => titleAt(now + hours * HOUR))).toEqual([
      'Hello',
      'Later',
      'Later',
      undefined,
      'Hello',
    ]);
    expect([0, 1.1, 2.1].map((hours) => account.experience(later, now + hours * HOUR)?.id)).toEqual([
      undefined,
      undefined,
      later,
    ]);
    const page = parsePageAddress('https://app.example.com/');
    const idsAt = (at: number) => account.candidates(page, at).map((one) => one.id);
    expect(idsAt(now)).not.toContain(later);
    expect(idsAt(now + 2.1 * HOUR)).toContain(later);
  });

  it('lists live Experiences by position, then by ID', async () => {
    const path = `/order-${++count}`;
    const here = [{ title: 'Hi', quantifier_urls: [{ url: path }] }];
    const [last, first, second] = [
      await makeTour({ ...published, steps: here, position: 900 }),
      await makeTour({ ...published, steps: here, position: 800 }),
      await makeTour({ ...published, steps: here, position: 800 }),
    ];
    const account = await current();
    const now = api.app.now();
    const mine = [last, first, second];
    const among = (all: readonly { id: string }[]) => all.map(({ id }) => id).filter((id) => mine.includes(id));
    expect(among(account.liveExperiences(now))).toEqual([first, second, last]);
    expect(among(account.candidates(parsePageAddress(`https://app.example.com${path}`), now))).toEqual([
      first,
      second,
      last,
    ]);
    expect(among(account.candidates(parsePageAddress('https://app.example.com/elsewhere'), now))).toEqual([]);
  });

  it('lists the Experiences whose goal an event meets', async () => {
    const goal = `goal_${++count}`;
    const [one, two] = [await makeTour({ ...published, goal }), await makeTour({ ...published, goal })];
    await makeTour({ ...draft, goal });
    const account = await current();
    const met = { kind: 'event', event_name: goal, primary: true };
    expect(account.goals(goal, api.app.now())).toMatchObject([
      { id: one, goal: met },
      { id: two, goal: met },
    ]);
    expect(account.goals('another', api.app.now())).toEqual([]);
  });

  it('returns the kind of every Experience, live or not', async () => {
    const id = await makeTour(draft);
    await makeTour();
    const account = await current();
    expect(account.experience(id, api.app.now())).toBeUndefined();
    expect(account.kindOf(id)).toBe('tour');
    expect(account.kindOf('0'.repeat(24))).toBeUndefined();
  });

  it('does not return Experiences of another account', async () => {
    const id = await makeTour();
    const other = await api.app.publishedCache.account(api.other.account_id);
    expect((await current()).experience(id, api.app.now())).toBeDefined();
    expect(other?.experience(id, api.app.now())).toBeUndefined();
    expect(other?.liveExperiences(api.app.now())).toEqual([]);
  });
});
