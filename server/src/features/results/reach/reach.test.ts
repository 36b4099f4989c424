import { toDate } from '@usher/domain';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { loadPage } from '../../../../test/open-page.ts';
import { recountUse } from '../../../../test/use-rows.ts';

const DAY_MS = 24 * 60 * 60_000;
const START = Date.UTC(2029, 3, 7, 12);
let api: Api;
let now = START;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
});
beforeEach(async () => {
  now += 100 * DAY_MS;
  await api.replaceAccounts();
});
afterAll(() => api.stop());

async function make(kind: string, params: object = {}): Promise<string> {
  const step = { title: 'One', ...(kind === 'surveys' && { preset: 'survey_nps' }) };
  const given = kind === 'launchers' ? { items: [{ kind: 'url', title: 'One', url: '/docs' }] } : { steps: [step] };
  const { status, body } = await api.post(`/v3/edit/${kind}`, {
    name: kind,
    published_at: '$now',
    ...given,
    ...params,
  });
  expect([status, body.messages]).toEqual([201, undefined]);
  return (Object.values(body) as { id: string }[])[0]?.id ?? '';
}

async function report(uid: string, experience_id: string, state: string): Promise<void> {
  const page = await loadPage(api, uid);
  now += 1000;
  expect((await page.report({ experience_id, state, showing: 1 })).status).toBe(200);
}

async function reach(query = '') {
  const { status, body } = await api.get('/v3/analyze/reach', { query });
  expect([status, body.messages]).toEqual([200, undefined]);
  return body.reach;
}

const today = () => Math.floor(now / DAY_MS);

/** Compares the reach with the activities of all Experiences, by SQL over the rows of the users. */
async function expectExact(): Promise<void> {
  const { account_id } = api.account;
  for (const [first, last] of [
    [today() - 29, today()],
    [today() - 1, today()],
    [today() - 3, today() - 1],
  ] as const)
    for (const kind of [undefined, 'tour', 'survey']) {
      const { rows } = await sql<{ what: string; users: number }>`
        select a.what, count(distinct a.profile_id) as users from activities as a
        join profiles as p on p.account_id = ${account_id} and p.id = a.profile_id and not p.is_test
        join experiences as e on e.account_id = ${account_id} and e.id = a.experience_id
        where a.account_id = ${account_id} and a.day between ${first} and ${last} and a.part_id = ''
          and ${kind ?? ''} in ('', e.kind)
        group by a.what`.execute(api.app.storage.reader(account_id));
      const users = new Map(rows.map((row) => [row.what, Number(row.users)]));
      const query = `from=${toDate(first)}&until=${toDate(last)}${kind ? `&kind=${kind}` : ''}`;
      expect([query, (await reach(query)).totals]).toEqual([
        query,
        {
          shown: users.get('shown') ?? 0,
          started: users.get('started') ?? 0,
          completed: users.get('completed') ?? 0,
        },
      ]);
    }
}

/** The counts and rows equal what is made again from the rows of the Experiences. */
async function expectRecounted(): Promise<void> {
  const { account_id } = api.account;
  const read = async () => {
    const { activity_counts, activities } = await accountRows(api.app, account_id);
    return {
      activity_counts,
      activities: activities?.map((row) => JSON.stringify({ ...JSON.parse(row), at: 0 })).sort(),
    };
  };
  const kept = await read();
  await api.app.storage.write(account_id, (db) =>
    db.deleteFrom('activities').where('account_id', '=', account_id).where('experience_id', 'like', 'all%').execute(),
  );
  await recountUse(api.app, account_id);
  expect(await read()).toEqual(kept);
}

describe('the reach of all Experiences', () => {
  it('counts a person once a day, once a week and once in the range, whatever they saw', async () => {
    const [tour, survey, launcher] = [await make('tours'), await make('surveys'), await make('launchers')];
    await report('ann', tour, 'started');
    await report('ann', tour, 'completed');
    await report('ann', survey, 'started');
    await report('bob', launcher, 'displayed');
    now += DAY_MS;
    await report('ann', survey, 'started');
    await report('cid', tour, 'started');
    const found = await reach();
    expect(found.totals).toEqual({ shown: 3, started: 2, completed: 1 });
    expect(found.is_distinct).toBe(true);
    expect(found.days).toHaveLength(30);
    expect(found.days.slice(-2)).toEqual([
      { day: toDate(today() - 1), shown: 2, started: 1, completed: 1 },
      { day: toDate(today()), shown: 2, started: 2, completed: 0 },
    ]);
    expect(found.kinds).toEqual([
      { kind: 'tour', totals: { shown: 2, started: 2, completed: 1 } },
      { kind: 'survey', totals: { shown: 1, started: 1, completed: 0 } },
      { kind: 'launcher', totals: { shown: 1, started: 0, completed: 0 } },
    ]);
    expect(found.experiences.map(({ id, totals }: { id: string; totals: object }) => [id, totals])).toEqual(
      [
        [tour, { shown: 2, started: 2, completed: 1 }],
        [launcher, { shown: 1, started: 0, completed: 0 }],
        [survey, { shown: 1, started: 1, completed: 0 }],
      ].sort(
        (one, other) =>
          Number((other[1] as { shown: number }).shown) - Number((one[1] as { shown: number }).shown) ||
          ((one[0] as string) < (other[0] as string) ? 1 : -1),
      ),
    );
    expect(found.experiences_count).toBe(3);
    const weeks = await reach('by=week');
    expect(weeks.days.at(-1)).toMatchObject({ shown: 3, completed: 1 });
    await expectExact();
    await expectRecounted();
  });

  it('compares with the period before', async () => {
    const tour = await make('tours');
    await report('ann', tour, 'started');
    now += 2 * DAY_MS;
    await report('ann', tour, 'started');
    await report('bob', tour, 'started');
    const { totals, before } = await reach(`from=${toDate(today() - 1)}`);
    expect([totals.shown, before.totals.shown, before.from]).toEqual([2, 1, toDate(today() - 3)]);
  });

  it('counts one kind, one Environment by the first time in the range, and a Tag by Experience', async () => {
    const { tag } = (await api.post('/v3/edit/tags', { name: 'Onboarding' })).body;
    const { url_group } = (await api.post('/v3/edit/url_groups', { name: 'Staging', short_name: 'S' })).body;
    const [tour, survey] = [await make('tours', { tag_ids: [tag.id] }), await make('surveys', { tag_ids: [tag.id] })];
    const other = await make('tours');
    for (const id of [tour, survey, other]) await report('ann', id, 'started');
    await report('bob', other, 'started');
    expect((await reach('kind=survey')).totals.shown).toBe(1);
    const tagged = await reach(`tag_id=${tag.id}`);
    expect([tagged.is_distinct, tagged.totals.shown, tagged.experiences_count]).toEqual([false, 2, 2]);
    expect((await reach(`url_group_id=${url_group.id}`)).totals.shown).toBe(0);
    await api.post('/v3/edit/urls', { host: 'app.acme.test', url_group_id: url_group.id });
    const page = await loadPage(api, 'cid', { href: 'https://app.acme.test/' });
    const href = 'https://app.acme.test/';
    expect((await page.report({ experience_id: tour, state: 'started', showing: 1, href })).status).toBe(200);
    const staging = await reach(`url_group_id=${url_group.id}`);
    expect([staging.totals.shown, staging.experiences.map(({ id }: { id: string }) => id)]).toEqual([1, [tour]]);
  });

  it('leaves out people who were cleared, forgotten or became test users, and takes test users back', async () => {
    const [tour, survey] = [await make('tours'), await make('surveys')];
    for (const uid of ['ann', 'bob', 'cid', 'dan']) {
      await report(uid, tour, 'started');
      await report(uid, survey, 'completed');
    }
    expect((await reach()).totals).toEqual({ shown: 4, started: 4, completed: 4 });
    const idOf = async (uid: string) => (await api.get('/v3/analyze/profile', { query: `uid=${uid}` })).body.profile.id;
    const dan = await idOf('dan');
    await api.send('DELETE', '/v3/edit/profiles', { query: 'uid=ann' });
    await api.send('DELETE', '/v3/edit/profiles/forget', { query: 'uid=bob' });
    await api.patch(`/v3/edit/profiles/${dan}`, { test: true });
    expect((await reach()).totals.shown).toBe(1);
    await api.patch(`/v3/edit/profiles/${dan}`, { test: false });
    expect((await reach()).totals.shown).toBe(2);
    await expectExact();
    await expectRecounted();
  });

  it('is that of the other Experiences when one is deleted', async () => {
    const [tour, other, survey] = [await make('tours'), await make('tours'), await make('surveys')];
    await report('ann', tour, 'started');
    now += DAY_MS;
    await report('ann', tour, 'started');
    await report('ann', other, 'started');
    await report('bob', tour, 'started');
    now += DAY_MS;
    await report('ann', tour, 'started');
    now += DAY_MS;
    await report('ann', survey, 'started');
    await report('ann', other, 'completed');
    expect((await reach()).totals).toEqual({ shown: 2, started: 2, completed: 1 });
    expect((await api.send('DELETE', `/v3/edit/tours/${tour}`)).status).toBe(200);
    expect((await reach()).totals).toEqual({ shown: 1, started: 1, completed: 1 });
    await expectExact();
    await expectRecounted();
  });

  describe('on one Environment', () => {
    const staging = 'https://app.acme.test/';
    let id: string;
    beforeEach(async () => {
      id = (await api.post('/v3/edit/url_groups', { name: 'Staging', short_name: 'S' })).body.url_group.id;
      await api.post('/v3/edit/urls', { host: 'app.acme.test', url_group_id: id });
      await api.post('/v3/edit/urls', { host: 'localhost', enabled: 'on' });
      await api.patch('/v3/edit/account', { anonymous_users: true, trust_pages: true });
    });
    const shownThere = async () => (await reach(`url_group_id=${id}`)).totals.shown;
    const load = async (params: object) => {
      const sent = { account_token: api.account.account_token, href: staging, ...params };
      const { status, body } = await api.post('/v3/observe/visits', sent, { as: null });
      expect([status, body.messages]).toEqual([200, undefined]);
      return body;
    };
    const reportThere = async (visit_token: string, experience_id: string) => {
      now += 1000;
      const params = { visit_token, experience_id, state: 'started', href: staging };
      expect((await api.post('/v3/observe/interactions', params, { as: null })).status).toBe(200);
    };

    it('counts who saw another Experience first after that of the first time is deleted', async () => {
      const [tour, survey] = [await make('tours'), await make('surveys')];
      for (const uid of ['ann', 'bob']) {
        await reportThere((await load({ uid })).visit.token, tour);
        await report(uid, survey, 'started');
      }
      await reportThere((await load({ uid: 'bob' })).visit.token, await make('tours'));
      expect(await shownThere()).toBe(2);
      expect((await api.send('DELETE', `/v3/edit/tours/${tour}`)).status).toBe(200);
      await expect.poll(shownThere).toBe(0);
      expect((await reach()).totals.shown).toBe(2);
      expect((await reach(`url_group_id=${id}&kind=tour`)).totals.shown).toBe(1);
      await expectExact();
      await expectRecounted();
    });

    it('counts who was there first as an anonymous user', async () => {
      const [tour, survey] = [await make('tours'), await make('surveys')];
      const { visit, profile } = await load({});
      await reportThere(visit.token, tour);
      await report('ann', survey, 'started');
      await report('ann', tour, 'started');
      expect([await shownThere(), (await reach()).totals.shown]).toEqual([1, 2]);
      await load({ uid: 'ann', anonymous_uid: profile.uid });
      expect([await shownThere(), (await reach()).totals.shown]).toEqual([1, 1]);
      await expectExact();
      await expectRecounted();
    });
  });

  it('counts a report of the day before that comes late', async () => {
    const [tour, survey] = [await make('tours'), await make('surveys')];
    now = Math.floor(now / DAY_MS + 1) * DAY_MS - 60 * 60_000;
    const evening = await loadPage(api, 'ann');
    now += 2 * 60 * 60_000;
    const morning = await loadPage(api, 'ann');
    await morning.report({ experience_id: tour, state: 'started', showing: 1 });
    now += 11_000;
    await evening.report({ experience_id: survey, state: 'started', showing: 1 });
    const { totals, days } = await reach();
    expect([totals.shown, days.at(-2).shown, days.at(-1).shown]).toEqual([1, 1, 1]);
    await expectExact();
    await expectRecounted();
  });
});

it('is complete with the sample data', async () => {
  expect((await api.post('/v3/edit/sample_data', {})).status).toBeLessThan(300);
  expect((await reach()).totals.shown).toBeGreaterThan(5);
  await expectExact();
  expect((await api.send('DELETE', '/v3/edit/sample_data')).status).toBe(200);
  expect((await reach()).totals.shown).toBe(0);
});

it('rejects a kind that does not exist, and too many days', async () => {
  for (const query of ['kind=banner', 'from=2027-01-01', 'url_group_id=x'])
    expect((await api.get('/v3/analyze/reach', { query })).status).toBe(422);
});
