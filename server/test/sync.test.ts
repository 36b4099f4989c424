import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContext } from '../src/create-context.ts';
import { createTag } from '../src/features/experiences/tags/create-tag.ts';
import { type Api, startApi } from './api.ts';
import { engine } from './engine.ts';
import { loadPage } from './open-page.ts';

/*
 * A client that follows a list requests the records after the newest one that it has. So every record that is committed
 * later must come after that one, whichever node creates it, whatever its clock shows, and however long it takes.
 */

const BEHIND_MS = 3000;
let time = Date.UTC(2029, 3, 7, 12, 18);
let ahead: Api;
let behind: Api;
let tour: { id: string };
/** An Experience that tests publish again. */
let changed: { id: string };
let survey: { id: string; steps: { id: string }[] };
let count = 0;

beforeAll(async () => {
  ahead = await startApi({ inTest: false, now: () => time });
  behind = await startApi({ inTest: false, now: () => time - BEHIND_MS, beside: ahead });
  tour = await made(ahead, 'tours', { steps: [{ title: 'One' }] });
  survey = await made(ahead, 'surveys', { steps: [{ title: 'Rate', preset: 'survey_nps' }] });
  changed = await made(ahead, 'tours', { steps: [{ title: 'One' }] });
  // Both nodes must see the Experiences as published.
  time += 2 * BEHIND_MS;
});
afterAll(async () => {
  await behind.stop();
  await ahead.stop();
});

async function post(node: Api, path: string, params: object): Promise<Record<string, { id: string }>> {
  const { status, body } = await node.post(path, params);
  expect([Math.floor(status / 100), body.messages]).toEqual([2, undefined]);
  return body;
}

async function made(node: Api, kind: string, params: object) {
  const body = await post(node, `/v3/edit/${kind}`, { name: 'One', published_at: '$now', ...params });
  return Object.values(body)[0] as typeof survey;
}

const codes = ['de', 'pt', 'fr', 'it'];
const fresh = (what: string) => `${what}-${++count}`;
const loadNewUser = (node: Api, properties: object = {}) => loadPage(node, fresh('user'), { properties });
/** Sends a report of a new user. */
async function report(node: Api, params: object): Promise<void> {
  const page = await loadNewUser(node);
  const { status, body } = await page.report({ ...params });
  expect([status, body.messages]).toEqual([200, undefined]);
}

interface Listed {
  path: string;
  query?: () => string;
  make(node: Api): Promise<unknown>;
}

const lists: Record<string, Listed> = {
  tags: { path: '/v3/edit/tags', make: (node) => post(node, '/v3/edit/tags', { name: 'Tag', uid: fresh('tag') }) },
  segments: {
    path: '/v3/edit/segments',
    make: (node) => post(node, '/v3/edit/segments', { name: 'Segment', items: [] }),
  },
  Environments: { path: '/v3/edit/url_groups', make: (node) => post(node, '/v3/edit/url_groups', { name: 'Test' }) },
  urls: {
    path: '/v3/edit/urls',
    // A page records the domain here: if an administrator added it, localhost would no longer be permitted.
    make: async (node) => {
      const params = { account_token: node.account.account_token, uid: 'someone', href: `https://${fresh('a')}.test/` };
      expect((await node.post('/v3/observe/visits', params, { as: null })).status).toBe(403);
    },
  },
  experiences: { path: '/v3/edit/tours', make: (node) => made(node, 'tours', { published_at: null }) },
  changes: {
    path: '/v3/edit/changes',
    make: (node) => node.patch(`/v3/edit/tours/${changed.id}`, { name: fresh('tour') }),
  },
  versions: {
    path: '/v3/edit/tours/:id/versions',
    make: async (node) => {
      time += 1;
      expect((await node.patch(`/v3/edit/tours/${changed.id}`, { published_at: '$now' })).status).toBe(200);
    },
  },
  languages: {
    path: '/v3/edit/languages',
    make: (node) => post(node, '/v3/edit/languages', { code: codes.pop() }),
  },
  'limit groups': {
    path: '/v3/edit/limit_groups',
    make: (node) => post(node, '/v3/edit/limit_groups', { name: 'Few', max_count: 1, period_hours: 1 }),
  },
  'profiles by the API': {
    path: '/v3/analyze/profiles',
    make: (node) => post(node, '/v3/observe/hooks/profiles', { uid: fresh('user') }),
  },
  'profiles by a page, on the fast path': { path: '/v3/analyze/profiles', make: (node) => loadNewUser(node) },
  'profiles by a page, with a new property': {
    path: '/v3/analyze/profiles',
    make: (node) => loadNewUser(node, { [fresh('prop').replace('-', '_')]: 1 }),
  },
  companies: {
    path: '/v3/analyze/companies',
    make: (node) => post(node, '/v3/observe/hooks/companies', { uid: fresh('company') }),
  },
  deliveries: {
    path: '/v3/edit/deliveries',
    make: async (node) => {
      const { profile } = await loadNewUser(node);
      await post(node, '/v3/edit/deliveries', { model_id: tour.id, model_kind: 'tour', profile_id: profile.id });
    },
  },
  interactions: {
    path: '/v3/analyze/interactions',
    query: () => `id=${tour.id}&`,
    make: (node) => report(node, { experience_id: tour.id, state: 'started' }),
  },
  responses: {
    path: '/v3/analyze/responses',
    query: () => `id=${survey.id}&`,
    make: (node) => report(node, { experience_id: survey.id, step_id: survey.steps[0]?.id, response: { value: 7 } }),
  },
};

async function list({ path, query }: Listed, rest: string): Promise<string[]> {
  const { status, body } = await ahead.get(path.replace(':id', changed.id), { query: `${query?.() ?? ''}${rest}` });
  expect([status, body.messages]).toEqual([200, undefined]);
  return (Object.values(body)[0] as { id: string }[]).map(({ id }) => id);
}

describe('a record that is made by a node whose clock is behind', () => {
  it.each(Object.entries(lists))('gets a later ID than all existing records: %s', async (_, listed) => {
    await listed.make(ahead);
    const [newest] = await list(listed, 'limit=1');
    await listed.make(behind);
    expect(await list(listed, `after=${newest}`)).toHaveLength(1);
    expect((await list(listed, 'limit=2'))[1]).toBe(newest);
  });
});

describe('a record whose transaction is committed after that of a later one', () => {
  it.runIf(engine === 'postgres')('is seen by a client that polled before it was committed', async () => {
    const tags = lists.tags as Listed;
    await tags.make(ahead);
    let [newest] = await list(tags, 'limit=1');
    const seen: string[] = [];
    const poll = async () => {
      const found = await list(tags, `after=${newest}`);
      newest = found[0] ?? newest;
      seen.push(...found);
    };
    let commit = () => {};
    const committing = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let write: (id: string) => void = () => {};
    const written = new Promise<string>((resolve) => {
      write = resolve;
    });
    const actor = { id: ahead.account.user_id, name: 'ann', email: '', role: 'owner' } as const;
    const slow = createContext(ahead.app, { account: { id: ahead.account.account_id }, actor }).transaction(
      async (ctx) => {
        write((await createTag(ctx, { uid: 'slow', name: 'Slow' })).id);
        await committing;
      },
    );
    const slowId = await written;
    const quick = post(behind, '/v3/edit/tags', { uid: 'quick', name: 'Quick' });
    await doneOrWaiting(quick);
    await poll();
    commit();
    const { tag } = (await Promise.all([quick, slow]))[0];
    await poll();
    expect(seen.toSorted()).toEqual([slowId, tag?.id].toSorted());
  });

  /** Resolves when the response is there, or when the transaction waits for another one in this database. */
  async function doneOrWaiting(request: Promise<unknown>): Promise<void> {
    let done = false;
    request.finally(() => {
      done = true;
    });
    const client = new pg.Client({ connectionString: ahead.database.env.DATABASE_URL });
    await client.connect();
    const citus = await client.query(`select 1 from pg_extension where extname = 'citus'`);
    // On Citus, the transaction waits on the server that has the shard.
    const waiting = citus.rows.length
      ? 'select 1 from citus_lock_waits'
      : `select 1 from pg_stat_activity where wait_event_type = 'Lock' and application_name = current_setting('application_name')`;
    while (!done && (await client.query(waiting)).rows.length === 0);
    await client.end();
  }
});

describe('an update in the same millisecond as the one before', () => {
  it('comes after a cursor that was returned before it', async () => {
    const { id } = await made(ahead, 'tours', { steps: [{ title: 'One' }] });
    const [first, second] = [await loadNewUser(ahead), await loadNewUser(ahead)];
    for (const page of [first, second]) await page.report({ experience_id: id, state: 'displayed' });
    const byUpdate = (rest: string) =>
      ahead.get('/v3/analyze/interactions', { query: `id=${id}&order=updated_at${rest}` });
    time += 10;
    await second.report({ experience_id: id, state: 'started' });
    // With one more record behind it, the cursor of the page is the place of its only row.
    const { body: page } = await byUpdate('&limit=1');
    await first.report({ experience_id: id, state: 'started' });
    const { body: since } = await byUpdate(`&after=${page.cursor.before}`);
    expect(since.interactions).toMatchObject([{ profile: { id: first.profile.id }, state: 'started' }]);
  });

  it('reaches a client that continues from `cursor.after` exactly once', async () => {
    const { id } = await made(ahead, 'tours', { steps: [{ title: 'One' }] });
    const pages = [await loadNewUser(ahead), await loadNewUser(ahead), await loadNewUser(ahead)];
    const seen: string[][] = [];
    let after: string | null = null;
    const poll = async () => {
      const query: string = `id=${id}&order=updated_at${after ? `&after=${after}` : ''}`;
      const { body } = await ahead.get('/v3/analyze/interactions', { query });
      after = body.cursor.after;
      seen.push(body.interactions.map((one: { profile: { id: string } }) => one.profile.id));
    };
    await poll();
    expect(after).toBeNull();
    for (const page of [...pages, ...pages.toReversed()]) {
      const state = seen.length > pages.length ? 'started' : 'displayed';
      await page.report({ experience_id: id, state });
      await poll();
    }
    await poll();
    const ids = pages.map(({ profile }) => profile.id);
    expect(seen).toEqual([[], ...[...ids, ...ids.toReversed()].map((one) => [one]), []]);
  });
});

it('does not advance the clock of the account when a known user loads a page', async () => {
  const uid = fresh('user');
  await loadPage(ahead, uid);
  const clock = () =>
    ahead.app.storage
      .reader(ahead.account.account_id)
      .selectFrom('account_clocks')
      .selectAll()
      .where('account_id', '=', ahead.account.account_id)
      .execute();
  const before = await clock();
  expect(before).toHaveLength(1);
  await loadPage(ahead, uid);
  expect(await clock()).toEqual(before);
});
