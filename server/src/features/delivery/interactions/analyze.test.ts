import { request } from 'node:http';
import { isId, TICKS_PER_MS } from '@usher/domain';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomRuns } from '../../../../../domain/test/random-runs.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { addInteraction } from '../../../../test/use-rows.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const path = '/v3/analyze/interactions';
const unknownId = 'f'.repeat(24);
const START = Date.UTC(2029, 3, 7, 12, 18);
let count = 0;

async function addExperience(kind = 'tours', as = api.account): Promise<string> {
  const { body } = await api.post(`/v3/edit/${kind}`, { name: 'One' }, { as });
  const [made] = Object.values(body) as { id: string }[];
  return made?.id ?? '';
}

async function addProfile(params: object = {}, as = api.account): Promise<string> {
  const { body } = await api.post('/v3/observe/hooks/profiles', { uid: `user ${++count}`, ...params }, { as });
  return body.profile.id;
}

/** Adds an Interaction, for a new user by default. */
async function add(experience_id: string, params: Parameters<typeof addInteraction>[2] = {}, profile?: string) {
  const profile_id = profile ?? (await addProfile());
  return addInteraction(api.app, { account_id: api.account.account_id, experience_id, profile_id }, params);
}

async function update(id: string, updated_at: number): Promise<void> {
  const { account_id } = api.account;
  await api.app.storage.write(account_id, (db) =>
    db
      .updateTable('interactions')
      .set({ updated_at, updated_tick: updated_at * TICKS_PER_MS })
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .execute(),
  );
}

const requestList = (id: string, query = '') => api.get(path, { query: `id=${id}${query && `&${query}`}` });
const list = async (id: string, query = '') => {
  const { status, body } = await requestList(id, query);
  expect([status, body.messages]).toEqual([200, undefined]);
  return body;
};
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);

describe('listing Interactions', () => {
  it('shows every field of an Interaction', async () => {
    const [tour, launcher] = [await addExperience(), await addExperience('launchers')];
    const profile = await addProfile();
    const id = await add(
      tour,
      {
        updated_at: START,
        state: 'completed',
        group_id: launcher,
        group_kind: 'launcher',
        defer_count: 2,
        defer_until: START + 1000,
        goal_at: START + 2000,
      },
      profile,
    );
    const { status, body } = await requestList(tour);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['interactions', 'cursor']);
    expect(body.cursor).toEqual({ limit: 50, before: null });
    const [{ created_at, ...rest }] = body.interactions;
    expect(Math.floor(Date.parse(created_at) / 1000)).toBe(Number.parseInt(id.slice(0, 8), 16));
    expect(rest).toEqual({
      id,
      updated_at: '2029-04-07T12:18:00.000Z',
      state: 'completed',
      tour_id: tour,
      group_id: launcher,
      group_kind: 'launcher',
      defer_count: 2,
      defer_until: '2029-04-07T12:18:01.000Z',
      goal_at: '2029-04-07T12:18:02.000Z',
      profile: { id: profile, created_at: expect.any(String), updated_at: expect.any(String), uid: `user ${count}` },
    });
  });

  it('shows missing values as null and a missing count as 0', async () => {
    const tour = await addExperience();
    await add(tour);
    const [interaction] = (await list(tour)).interactions;
    expect(interaction).toMatchObject({ group_id: null, group_kind: null, defer_until: null, goal_at: null });
    expect(interaction.defer_count).toBe(0);
  });

  it('shows every state and every kind of group', async () => {
    const tour = await addExperience();
    const states = ['started', 'completed', 'exited', 'displayed'] as const;
    const kinds = ['link', 'api_js', 'launcher', 'experiment', 'campaign'] as const;
    for (const state of states) await add(tour, { state });
    for (const group_kind of kinds) await add(tour, { group_kind });
    const { interactions } = await list(tour);
    expect(interactions.slice(kinds.length).map(({ state }: { state: string }) => state)).toEqual(states.toReversed());
    const shown = interactions.slice(0, kinds.length);
    expect(shown.map(({ group_kind }: { group_kind: string }) => group_kind)).toEqual(kinds.toReversed());
  });

  it.each(['tours', 'surveys', 'launchers', 'tooltips', 'embeds'])('accepts the ID of one of the %s', async (kind) => {
    const [one, other] = [await addExperience(kind), await addExperience(kind)];
    const id = await add(one);
    expect((await list(one)).interactions).toMatchObject([{ id, tour_id: one }]);
    expect((await list(other)).interactions).toEqual([]);
  });

  it('rejects a missing or unknown ID', async () => {
    const missing = await api.get(path);
    expect([missing.status, missing.body.messages]).toEqual([422, [expect.stringMatching(/^`id` is required/)]]);
    expect((await requestList('x')).status).toBe(422);
    const unknown = await requestList(unknownId);
    expect(unknown.status).toBe(404);
    const foreign = await addExperience('tours', api.other);
    expect((await requestList(foreign)).text).toBe(unknown.text);
  });

  it('lists the newest first, page by page', async () => {
    const tour = await addExperience();
    const made: string[] = [];
    for (let n = 0; n < 7; n++) made.unshift(await add(tour, { updated_at: START + (n % 3) }));
    const first = await list(tour, 'limit=3');
    expect(idsOf(first.interactions)).toEqual(made.slice(0, 3));
    expect(first.cursor).toEqual({ limit: 3, before: made[2] });
    const second = await list(tour, `limit=3&before=${first.cursor.before}`);
    expect(idsOf(second.interactions)).toEqual(made.slice(3, 6));
    const third = await list(tour, `limit=3&before=${second.cursor.before}`);
    expect(idsOf(third.interactions)).toEqual(made.slice(6));
    expect(third.cursor.before).toBeNull();
    expect(idsOf((await list(tour, `before=${made[1]}&after=${made[5]}`)).interactions)).toEqual(made.slice(2, 5));
    expect(idsOf((await list(tour, 'order=created_at')).interactions)).toEqual(made);
    expect((await list(tour, 'before=2020-01-01')).interactions).toEqual([]);
    expect((await list(tour, 'after=+1d')).interactions).toEqual([]);
    expect((await list(tour, 'limit=1000')).cursor.limit).toBe(500);
    for (const wrong of ['limit=0', 'before=soon', 'after=x', 'order=name'])
      expect([wrong, (await requestList(tour, wrong)).status]).toEqual([wrong, 422]);
  });
});

describe('expanded Interactions', () => {
  let tour: string;
  let profile: string;
  const company = { uid: 'acme', name: 'Acme' };
  beforeAll(async () => {
    tour = await addExperience();
    profile = await addProfile({ uid: 'expanded', email: 'e@acme.test', plan: 'pro', company });
    await add(tour, {}, profile);
  });

  const shortCompany = { id: expect.any(String), created_at: expect.any(String), uid: 'acme' };
  const short = { created_at: expect.any(String), updated_at: expect.any(String), uid: 'expanded' };
  const show = async (query: string) => (await list(tour, query)).interactions[0].profile;

  it('shows the profile and its Company in short by default', async () => {
    const expected = { id: profile, ...short, company: shortCompany };
    for (const query of ['', 'expand[profile]=min', 'expand[company]=min', 'expand[profile]=min&expand[company]=min'])
      expect([query, await show(query)]).toEqual([query, expected]);
  });

  it('shows the profile in full with `expand[profile]=all`', async () => {
    const { body } = await api.get(`/v3/analyze/profiles/${profile}`);
    expect(await show('expand[profile]=all')).toEqual({ ...body.profile, company: shortCompany });
    expect(body.profile).toMatchObject({ email: 'e@acme.test', plan: 'pro' });
  });

  it('shows the Company in full with `expand[company]=all`', async () => {
    const { body } = await api.get('/v3/analyze/company?uid=acme');
    for (const form of ['all', 'min'])
      expect((await show(`expand[profile]=${form}&expand[company]=all`)).company).toEqual(body.company);
    expect(body.company.name).toBe('Acme');
  });

  it('leaves out the Company with `expand[company]=skip`', async () => {
    expect(await show('expand[company]=skip')).toEqual({ id: profile, ...short });
    expect(await show('expand[profile]=all&expand[company]=skip')).not.toHaveProperty('company');
  });

  it('shows only the ID of the profile with `expand[profile]=skip`', async () => {
    for (const company of ['all', 'min', 'skip'])
      expect(await show(`expand[profile]=skip&expand[company]=${company}`)).toEqual({ id: profile });
  });

  it('shows no Company for a profile without one', async () => {
    const [other, alone] = [await addExperience(), await addProfile({ plan: 'free' })];
    await add(other, {}, alone);
    for (const form of ['all', 'min', 'skip']) {
      const [interaction] = (await list(other, `expand[profile]=${form}&expand[company]=all`)).interactions;
      expect(interaction.profile.id).toBe(alone);
      expect(interaction.profile).not.toHaveProperty('company');
    }
  });

  it('reads `expand` from the query in both forms and from a JSON body', async () => {
    const wanted = await show('expand[profile]=all&expand[company]=skip');
    expect(wanted.plan).toBe('pro');
    expect(await show('expand.profile=all&expand.company=skip')).toEqual(wanted);
    const body = { id: tour, expand: { profile: 'all', company: 'skip' } };
    expect((await getWithBody(body)).interactions[0]?.profile).toEqual(wanted);
    expect((await api.post(path, body)).body.interactions[0].profile).toEqual(wanted);
  });

  it('rejects an unknown value of `expand`', async () => {
    for (const wrong of ['expand[profile]=some', 'expand[company]=none', 'expand=all', 'expand[profile][x]=all'])
      expect([wrong, (await requestList(tour, wrong)).status]).toEqual([wrong, 422]);
  });

  /** Sends a request that fetch does not allow. */
  function getWithBody(params: object): Promise<{ interactions: { profile: unknown }[] }> {
    return new Promise((resolve, reject) => {
      const headers = { 'X-Account-Secret': api.account.account_secret, 'Content-Type': 'application/json' };
      const body = JSON.stringify(params);
      const sent = request(api.url + path, { method: 'GET', headers: { ...headers, 'Content-Length': body.length } });
      sent.on('error', reject);
      sent.on('response', async (response) => resolve(JSON.parse((await response.toArray()).join(''))));
      sent.end(body);
    });
  }
});

describe('listing Interactions by update', () => {
  it('lists the last updated first', async () => {
    const tour = await addExperience();
    const [a, b, c] = [
      await add(tour, { updated_at: START + 1 }),
      await add(tour, { updated_at: START + 1 }),
      await add(tour, { updated_at: START }),
    ];
    expect(idsOf((await list(tour, 'order=updated_at')).interactions)).toEqual([b, a, c]);
    await update(c ?? '', START + 2);
    expect(idsOf((await list(tour, 'order=updated_at')).interactions)).toEqual([c, b, a]);
    expect(idsOf((await list(tour)).interactions)).toEqual([c, b, a].sort().reverse());
  });

  it('returns an opaque cursor that continues after the last row of the page', async () => {
    const tour = await addExperience();
    const made: string[] = [];
    for (let n = 0; n < 5; n++) made.unshift(await add(tour, { updated_at: START }));
    const first = await list(tour, 'order=updated_at&limit=2');
    expect(idsOf(first.interactions)).toEqual(made.slice(0, 2));
    const { before } = first.cursor;
    expect(typeof before).toBe('string');
    expect([isId(before), Date.parse(before)]).toEqual([false, Number.NaN]);
    const second = await list(tour, `order=updated_at&limit=3&before=${before}`);
    expect(idsOf(second.interactions)).toEqual(made.slice(2));
    expect(second.cursor.before).toBeNull();
    expect(idsOf((await list(tour, `order=updated_at&after=${before}`)).interactions)).toEqual(made.slice(0, 1));
    for (const name of ['before', 'after']) {
      const { status, body } = await requestList(tour, `${name}=${before}`);
      expect([status, body.messages]).toEqual([422, [expect.stringContaining(`\`${name}\``)]]);
      expect((await requestList(tour, `order=updated_at&${name}=${before}x`)).status).toBe(422);
    }
  });

  it('accepts update times as cursors, and an ID as its creation time', async () => {
    const tour = await addExperience();
    const [old, mid, late] = [
      await add(tour, { updated_at: START }),
      await add(tour, { updated_at: START + 1000 }),
      await add(tour, { updated_at: START + 2000 }),
    ];
    const at = async (query: string) => idsOf((await list(tour, `order=updated_at&${query}`)).interactions);
    expect(await at('before=2029-04-07T12:18:01.000Z')).toEqual([old]);
    expect(await at('after=2029-04-07T12:18:01.000Z')).toEqual([late]);
    expect(await at('after=2029-04-07T12:18:00.999Z&before=2029-04-07T12:18:01.001Z')).toEqual([mid]);
    await update(old ?? '', api.app.now() + 1000);
    await update(mid ?? '', 1000);
    const now = api.app.newId();
    expect(await at(`before=${now}`)).toEqual([mid]);
    expect(await at(`after=${now}`)).toEqual([late, old]);
  });

  it('lists each row that is not updated meanwhile once, in order', async () => {
    // Many rows share few times, so that many pages end between rows with the same time.
    const rows = fc.array(fc.nat(3), { minLength: 1, maxLength: 20 });
    const pages = fc.array(
      fc.record({
        limit: fc.integer({ min: 1, max: 5 }),
        updated: fc.array(fc.nat(30), { maxLength: 3 }),
        last: fc.boolean(),
      }),
      { minLength: 1, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(rows, pages, async (times, pages) => {
        const tour = await addExperience();
        const at = new Map<string, number>();
        const profiles = await profilesFor(times.length);
        for (const [index, time] of times.entries())
          at.set(await add(tour, { updated_at: START + time }, profiles[index]), START + time);
        const wanted = inOrder(at);
        const updated = new Set<string>();
        const seen: string[] = [];
        let before = '';
        let clock = START + 10;
        for (let n = 0; ; n++) {
          const { limit, updated: places, last } = pages[n % pages.length] as (typeof pages)[number];
          const page = await list(tour, `order=updated_at&limit=${limit}${before && `&before=${before}`}`);
          const ids = idsOf(page.interactions);
          seen.push(...ids);
          if (page.cursor.before === null) break;
          before = page.cursor.before;
          const moved = places.map((place) => wanted[place % wanted.length] as string);
          // The last row of the page is updated, too.
          for (const id of last ? [...moved, ids.at(-1) as string] : moved) {
            await update(id, ++clock);
            at.set(id, clock);
            updated.add(id);
          }
        }
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen.filter((id) => !updated.has(id))).toEqual(wanted.filter((id) => !updated.has(id)));
        // A list of the updates since then shows what was updated meanwhile.
        const since = await list(tour, `order=updated_at&limit=500&after=${new Date(START + 10).toISOString()}`);
        expect(idsOf(since.interactions)).toEqual(inOrder(at).filter((id) => updated.has(id)));
        expect(new Set([...seen, ...idsOf(since.interactions)]).size).toBe(wanted.length);
      }),
      { numRuns: randomRuns(8) },
    );
  });

  it('lists every row once by creation while rows are updated', async () => {
    const tour = await addExperience();
    const made: string[] = [];
    for (let n = 0; n < 9; n++) made.unshift(await add(tour, { updated_at: START }));
    const seen: string[] = [];
    for (let before = ''; before !== null; ) {
      const { interactions, cursor } = await list(tour, `limit=2${before && `&before=${before}`}`);
      seen.push(...idsOf(interactions));
      before = cursor.before;
      for (const id of [made[seen.length] ?? '', seen[0] ?? '', seen.at(-1) ?? ''])
        await update(id, START + seen.length);
    }
    expect(seen).toEqual(made);
  });

  const kept: string[] = [];
  async function profilesFor(many: number): Promise<string[]> {
    while (kept.length < many) kept.push(await addProfile());
    return kept;
  }

  function inOrder(at: ReadonlyMap<string, number>): string[] {
    const newest = [...at].sort(([a, one], [b, other]) => other - one || (a < b ? 1 : -1));
    return newest.map(([id]) => id);
  }
});

describe('showing an Interaction', () => {
  it('shows one Interaction as the list does', async () => {
    const tour = await addExperience();
    const id = await add(tour, { state: 'exited' }, await addProfile({ plan: 'pro', company: { uid: 'acme' } }));
    for (const query of ['', 'expand[profile]=all&expand[company]=all', 'expand[profile]=skip']) {
      const { status, body } = await api.get(`${path}/${id}`, { query });
      expect(status).toBe(200);
      expect(body).toEqual({ interaction: (await list(tour, query)).interactions[0] });
    }
  });

  it('returns 404 for an Interaction of another account', async () => {
    const id = await add(await addExperience());
    const [unknown, foreign] = [
      await api.get(`${path}/${unknownId}`),
      await api.get(`${path}/${id}`, { as: api.other }),
    ];
    expect(unknown.status).toBe(404);
    expect(foreign.text).toBe(unknown.text);
  });
});
