import { parsePageAddress } from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type ApiResponse, startApi } from '../../test/api.ts';
import { type PublishedAccount, PublishedCache } from './published-cache.ts';

const HOUR = 3_600_000;
let api: Api;
let count = 0;

beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const accountId = () => api.account.account_id;
const open = (most?: number) => new PublishedCache(api.app.storage, api.app.secretBox, api.app.now, most);

async function storedVersion(): Promise<number> {
  const db = api.app.storage.reader(accountId());
  const query = db.selectFrom('published_versions').select('version').where('account_id', '=', accountId());
  return (await query.executeTakeFirst())?.version ?? 0;
}

/** As a page load finds it. */
async function current(live: PublishedCache = api.app.publishedCache): Promise<PublishedAccount> {
  return (await live.fresh(accountId(), await storedVersion())) as PublishedAccount;
}

/** All that page loads read of an account, now and a while from now. */
function viewOf(account: PublishedAccount) {
  const now = api.app.now();
  const { urls, segments, segmentNames, environmentNames, limitGroups, allowScripts } = account;
  return {
    live: [now, now + 2 * HOUR].map((at) => account.live(at).map(({ id, document }) => ({ id, document }))),
    urls: [...urls].sort(),
    segments: [...segments].sort(),
    segmentNames: [...segmentNames].sort(),
    environmentNames: [...environmentNames].sort(),
    limitGroups,
    allowScripts,
  };
}

async function made(path: string, body: object): Promise<string> {
  const answer = await api.post(path, body);
  expect(answer.status).toBeLessThan(300);
  return (Object.values(answer.body)[0] as { id: string }).id;
}
const steps = [{ title: 'Hello' }];
const published = { name: 'A tour', steps, published_at: '$now' };
const makeTour = (params: object = published) => made('/v3/edit/tours', params);
const makeSegment = (value = 'gold') =>
  made('/v3/edit/segments', { name: 'Some', items: [{ kind: 'property', prop: 'plan', op: 'eq', value }] });
const makeUrl = (params: object = {}) => made('/v3/edit/urls', { host: `app-${++count}.example.com`, ...params });
const makeGroup = () => made('/v3/edit/url_groups', { name: `Group ${++count}` });

/** What is made ready for a write, and then the write. */
type Write = () => Promise<() => Promise<ApiResponse>>;
const patching =
  (kind: string, make: () => Promise<string>, params: object): Write =>
  async () => {
    const id = await make();
    return () => api.patch(`/v3/edit/${kind}/${id}`, params);
  };
const tourWith = (params: object, made: object = published) => patching('tours', () => makeTour(made), params);
const draft = { name: 'A draft', steps };

describe('what page loads read', () => {
  it.each<[what: string, write: Write]>([
    ['made and published', async () => () => api.post('/v3/edit/tours', published)],
    ['published', tourWith({ published_at: '$now' }, draft)],
    ['published again', tourWith({ steps: [{ title: 'Again' }], published_at: '$now' })],
    ['published for later', tourWith({ published_at: '+1h' }, draft)],
    ['published again for later', tourWith({ steps: [{ title: 'Later' }], published_at: '+1h' })],
    ['given an end', tourWith({ published_until: '+1h' })],
    ['ended by nobody any more', tourWith({ published_until: null }, { ...published, published_until: '+1h' })],
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
  ])('changes when an Experience is %s', (_, write) => expectChange(write));

  it.each<[what: string, write: Write]>([
    ['items', patching('segments', makeSegment, { items: [] })],
    ['name', patching('segments', makeSegment, { name: 'Others' })],
    [
      'end',
      async () => {
        const id = await makeSegment();
        return () => api.send('DELETE', `/v3/edit/segments/${id}`);
      },
    ],
    [
      'values, when it names a user who is forgotten',
      async () => {
        const uid = `forgotten ${++count}`;
        const id = await made('/v3/observe/hooks/profiles', { uid });
        const items = [{ kind: 'property', prop: 'uid', op: 'eq', value: uid }];
        await made('/v3/edit/segments', { name: 'By name', items });
        return () => api.send('DELETE', `/v3/edit/profiles/${id}/forget`);
      },
    ],
  ])('changes with the %s of a Segment', (_, write) =>
    expectChange(async () => {
      const run = await write();
      // A Segment that nothing uses yet is not worth a reload: it is known with the next one.
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
  ])('changes when a Url is %s', (_, write) => expectChange(write));

  it('changes with the name of an Environment', () =>
    expectChange(async () => {
      const id = await makeGroup();
      await makeUrl({ url_group_id: id });
      return () => api.patch(`/v3/edit/url_groups/${id}`, { name: `Renamed ${++count}` });
    }));

  it.each<[what: string, write: Write]>([
    ['a draft is made', async () => () => api.post('/v3/edit/tours', draft)],
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
      'a draft is taken back',
      async () => {
        const id = await makeTour();
        await api.patch(`/v3/edit/tours/${id}`, { name: 'Other' });
        const [version] = (await api.get(`/v3/edit/tours/${id}/versions`)).body.versions;
        return () => api.post(`/v3/edit/tours/${id}/revert`, { version_id: version.id });
      },
    ],
    ['a Url stays as it was', patching('urls', makeUrl, { enabled: 'on' })],
    ['a batch of profiles is stored', batchOf('profiles')],
    ['a batch of Companies is stored', batchOf('companies')],
    ['an event is tracked', async () => () => api.post('/v3/observe/hooks/events', { uid: 'u', name: 'paid' })],
  ])('stays when %s', async (_, write) => {
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

/** The version counts up, and whoever loads anew has what is stored. */
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

describe('an account in memory', () => {
  it('is found by its token and by its ID, and is the same', async () => {
    const account = await api.app.publishedCache.byToken(api.account.account_token);
    expect(account?.id).toBe(accountId());
    expect(await api.app.publishedCache.account(accountId())).toBe(account);
    expect(await api.app.publishedCache.byToken(api.account.account_token)).toBe(account);
  });

  it('is not there for a token or an ID that is nobody’s, and these leave nothing behind', async () => {
    const live = open();
    expect(await live.byToken('nobody')).toBeUndefined();
    expect(await live.account('0'.repeat(24))).toBeUndefined();
    expect(await live.fresh('0'.repeat(24), 7)).toBeUndefined();
    expect(live.size).toBe(0);
  });

  it('is loaded once for all who ask at the same time', async () => {
    const live = open();
    const version = await storedVersion();
    const [one, ...others] = await Promise.all([
      live.account(accountId()),
      live.account(accountId()),
      live.fresh(accountId(), version),
      live.byToken(api.account.account_token),
    ]);
    expect(one?.version).toBe(version);
    for (const other of others) expect(other).toBe(one);
  });

  it('is loaded anew only when the version is another', async () => {
    const live = open();
    const before = await current(live);
    expect(await current(live)).toBe(before);
    await makeTour();
    expect(await live.account(accountId())).toBe(before);
    const after = await current(live);
    expect(after).not.toBe(before);
    expect(await live.account(accountId())).toBe(after);
  });

  it('is as new as the version that was read, also while it is being loaded', async () => {
    const live = open();
    const loading = live.account(accountId());
    const id = await makeTour();
    const account = await current(live);
    expect(account.version).toBe(await storedVersion());
    expect(account.experience(id, api.app.now())).toBeDefined();
    await loading;
    expect(await live.account(accountId())).toBe(account);
  });

  it('leaves when too many others were asked for since', async () => {
    const live = open(1);
    const mine = await live.account(accountId());
    const theirs = await live.byToken(api.other.account_token);
    expect(live.size).toBe(1);
    expect(await live.account(api.other.account_id)).toBe(theirs);
    const again = await live.byToken(api.account.account_token);
    expect(again?.id).toBe(accountId());
    expect(again).not.toBe(mine);
  });

  it('has one key for visits, however many make it at the same time', async () => {
    const published_versions = Array.from({ length: 8 }, () => open());
    const keys = await Promise.all(
      published_versions.map(async (live) => (await live.byToken(api.other.account_token))?.visitKey),
    );
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
    expect((await open().account(accountId()))?.visitKey).not.toBe(keys[0]);
  });

  it('keeps what it made ready of a version', async () => {
    const id = await makeTour();
    const before = (await current()).experience(id, api.app.now());
    await makeTour();
    const after = await current();
    expect(before).toBeDefined();
    expect(after.experience(id, api.app.now())).toBe(before);
    await api.patch(`/v3/edit/tours/${id}`, { steps: [{ title: 'New' }], published_at: '$now' });
    expect((await current()).experience(id, api.app.now())).not.toBe(before);
  });

  it('makes all ready anew when code is allowed, and when it no longer is', async () => {
    const live = open();
    await api.patch('/v3/edit/account', { allow_scripts: true });
    const params = { title: 'Hello', secondary_trigger: 'custom_trigger', custom_trigger: 'return true' };
    const id = await makeTour({ ...published, steps: [params] });
    const textOf = async () => {
      const experience = (await current(live)).experience(id, api.app.now());
      const user = { profile: { facts: {}, custom: {} }, inSegment: no, isLive: no, isCompleted: no };
      return experience?.content(null).jsonFor(user);
    };
    expect(await textOf()).toContain('return true');
    await api.patch('/v3/edit/account', { allow_scripts: false });
    expect(await textOf()).not.toContain('return true');
  });
});

const no = () => false;

describe('what is live', () => {
  it('begins, is replaced and ends at its times, without being loaded anew', async () => {
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

  it('is in the order of positions, then of IDs', async () => {
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
    expect(among(account.live(now))).toEqual([first, second, last]);
    expect(among(account.candidates(parsePageAddress(`https://app.example.com${path}`), now))).toEqual([
      first,
      second,
      last,
    ]);
    expect(among(account.candidates(parsePageAddress('https://app.example.com/elsewhere'), now))).toEqual([]);
  });

  it('tells whose goal an event meets', async () => {
    const goal = `goal_${++count}`;
    const [one, two] = [await makeTour({ ...published, goal }), await makeTour({ ...published, goal })];
    await makeTour({ ...draft, goal });
    const account = await current();
    expect(account.goals(goal, api.app.now())).toEqual([one, two]);
    expect(account.goals('another', api.app.now())).toEqual([]);
  });

  it('knows the kind of every Experience, live or not', async () => {
    const id = await makeTour(draft);
    await makeTour();
    const account = await current();
    expect(account.experience(id, api.app.now())).toBeUndefined();
    expect(account.kindOf(id)).toBe('tour');
    expect(account.kindOf('0'.repeat(24))).toBeUndefined();
  });

  it('is of one account alone', async () => {
    const id = await makeTour();
    const other = await api.app.publishedCache.account(api.other.account_id);
    expect((await current()).experience(id, api.app.now())).toBeDefined();
    expect(other?.experience(id, api.app.now())).toBeUndefined();
    expect(other?.live(api.app.now())).toEqual([]);
  });
});
