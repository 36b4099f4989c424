import { createHmac } from 'node:crypto';
import { toTimestamp } from '@usher/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { loadPage, type OpenPage } from '../../../../test/open-page.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const HREF = 'http://localhost:3000/projects/42?tab=all';
let clock = Date.UTC(2029, 3, 7, 12);
let api: Api;
let tour: { id: string; steps: { id: string }[] };
let count = 0;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => clock });
});
afterAll(() => api.stop());
beforeEach(async () => {
  clock += 40 * DAY;
  const elements = [{ selector: '#new' }];
  const steps = [{ title: 'Here', elements, position_type: 'snap_to_element' }, { title: 'Anywhere' }];
  tour = await make('tours', { steps });
});

async function make(kind: string, params: object) {
  const { status, body } = await api.post(`/v3/edit/${kind}`, { name: kind, published_at: '$now', ...params });
  expect([status, body.messages]).toEqual([201, undefined]);
  return Object.values(body)[0] as typeof tour;
}
const stepOf = (at = 0) => tour.steps[at]?.id ?? '';
const newPage = () => loadPage(api, `user ${++count}`);
const report = (page: OpenPage, params: object) => page.report({ experience_id: tour.id, href: HREF, ...params });

async function reportProblem(page: OpenPage, reason: string, params: object = {}) {
  const { status, body } = await report(page, { step_id: stepOf(), problem: { reason }, ...params });
  expect([status, body.messages]).toEqual([200, undefined]);
  return body;
}
async function see(page: OpenPage, params: object = {}) {
  expect((await report(page, { step_id: stepOf(), ...params })).status).toBe(200);
}
async function problems(query = '', { id } = tour, kind = 'tours') {
  const { status, body } = await api.get(`/v3/analyze/${kind}/${id}/problems`, { query });
  expect([status, body.messages]).toEqual([200, undefined]);
  return body.problems;
}

describe('invented paths', () => {
  const at = (path: string) => ({ href: `http://localhost:3000${path}` });

  it('leave room for the paths of users who were seen before, and for those of proven ones', async () => {
    const known = `user ${++count}`;
    await loadPage(api, known);
    clock += 3 * HOUR;
    const flood = async (page: OpenPage, prefix: string) => {
      for (let n = 0; n < 60; n++) await reportProblem(page, 'not_found', at(`/${prefix}/page-${n}-x`));
    };
    const listed = async () => {
      const counts = new Map<string, number>();
      for (const { path } of await problems()) {
        const prefix = path.split('/')[1] ?? path;
        counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
      }
      return Object.fromEntries(counts);
    };
    await flood(await newPage(), 'invented');
    await flood(await loadPage(api, known), 'known');
    const { uid_secret } = (await api.post('/v3/edit/account/uid_secret')).body;
    const uid = `user ${++count}`;
    const seconds = Math.floor(clock / 1000);
    const digest = createHmac('sha256', uid_secret).update(`${uid}-${seconds}`).digest('hex');
    await flood(await loadPage(api, uid, { uid_hash: `${digest}-${seconds}` }), 'proven');
    expect(await listed()).toEqual({ invented: 50, known: 50, proven: 50, '*': 1 });
  });

  it('count together once a step has 50 paths on a day, and keep the known ones apart', async () => {
    const page = await newPage();
    for (let n = 0; n < 60; n++) await reportProblem(page, 'not_found', at(`/made-up/page-${n}-x`));
    await reportProblem(await newPage(), 'not_found', at('/made-up/page-7-x'));
    await see(await newPage(), at('/made-up/page-99-x'));
    const listed = await problems();
    expect(listed).toHaveLength(51);
    expect(listed[0]).toMatchObject({ path: '/made-up/page-7-x', users_count: 2 });
    const other = listed.find(({ path }: { path: string }) => path === '*');
    expect(other).toMatchObject({ users_count: 1, share: 0.5 });
    // The next day has room for its own paths.
    clock += DAY;
    await reportProblem(await newPage(), 'not_found', at('/made-up/page-99-x'));
    const paths = (await problems()).map(({ path }: { path: string }) => path);
    expect(paths).toContain('/made-up/page-99-x');
  });

  it('are known to a server after a restart', async () => {
    const page = await newPage();
    for (let n = 0; n < 50; n++) await reportProblem(page, 'not_found', at(`/made-up/page-${n}-x`));
    clock += 2 * 60_000;
    await reportProblem(await newPage(), 'not_found', at('/made-up/page-7-x'));
    await reportProblem(await newPage(), 'not_found', at('/made-up/another'));
    const paths = (await problems()).map(({ path }: { path: string }) => path);
    expect([paths.length, paths.includes('*'), paths.includes('/made-up/another')]).toEqual([51, true, false]);
  });
});

describe('a problem', () => {
  it('counts affected users and their share of all users of the step', async () => {
    const pages = [await newPage(), await newPage(), await newPage(), await newPage()] as const;
    for (const page of pages.slice(1)) await see(page);
    await reportProblem(pages[0], 'not_found');
    await reportProblem(pages[1], 'hidden');
    await reportProblem(pages[1], 'hidden');
    await reportProblem(await newPage(), 'not_found');
    const times = { first_seen_at: toTimestamp(clock), last_seen_at: toTimestamp(clock) };
    const common = { step_id: stepOf(), path: '/projects/*', ...times };
    const two = { users_count: 2, share: 2 / 5 };
    const one = { users_count: 1, share: 1 / 5 };
    expect(await problems()).toEqual([
      { ...common, reason: 'not_found', ...two, browsers: [{ browser: 'other', ...two }] },
      { ...common, reason: 'hidden', ...one, browsers: [{ browser: 'other', ...one }] },
    ]);
  });

  it('counts problems and shares by browser, the most users first', async () => {
    const reportIn = async (browser: string, problem?: object) => {
      const params = { experience_id: tour.id, step_id: stepOf(), href: HREF, ...(problem && { problem }) };
      const { token } = await newPage();
      const headers = { 'User-Agent': `Mozilla/5.0 ${browser}/140.0` };
      const options = { as: null, headers };
      expect((await api.post('/v3/observe/interactions', { visit_token: token, ...params }, options)).status).toBe(200);
    };
    const missing = { reason: 'not_found' };
    for (const problem of [missing, undefined, undefined, undefined]) await reportIn('Chrome', problem);
    for (const problem of [missing, missing]) await reportIn('Firefox', problem);
    expect((await problems())[0]).toMatchObject({
      users_count: 3,
      share: 0.5,
      browsers: [
        { browser: 'firefox', users_count: 2, share: 1 },
        { browser: 'chrome', users_count: 1, share: 0.25 },
      ],
    });
  });

  it('counts problems and shares by the path of the page', async () => {
    await see(await newPage());
    await reportProblem(await newPage(), 'not_found');
    const elsewhere = 'http://localhost:3000/home#top';
    await reportProblem(await newPage(), 'not_found', { href: elsewhere });
    await see(await newPage(), { href: undefined });
    const found = (await problems()).map(({ path, share }: { path: string; share: number }) => [path, share]);
    expect(found).toEqual([
      ['/home', 1],
      ['/projects/*', 0.5],
    ]);
  });

  it('shows when a problem was first and last seen', async () => {
    const page = await newPage();
    const first_seen_at = toTimestamp(clock);
    await reportProblem(page, 'covered');
    clock += HOUR;
    await reportProblem(await loadPage(api, `user ${count}`), 'covered');
    await reportProblem(page, 'covered');
    expect(await problems()).toMatchObject([{ users_count: 1, first_seen_at, last_seen_at: toTimestamp(clock) }]);
  });

  it('counts problems in a range of days', async () => {
    await reportProblem(await newPage(), 'ambiguous');
    const day = toTimestamp(clock).slice(0, 10);
    clock += 2 * DAY;
    expect(await problems(`from=${day}`)).toHaveLength(1);
    expect(await problems(`until=${day}`)).toHaveLength(1);
    expect(await problems(`from=${toTimestamp(clock).slice(0, 10)}`)).toEqual([]);
    clock += 30 * DAY;
    expect(await problems()).toEqual([]);
  });

  it('does not change or create an Interaction for a problem', async () => {
    const page = await newPage();
    const { findings: _, page_counts: __, ...before } = await accountRows(api.app, api.account.account_id);
    expect(await reportProblem(page, 'not_found')).toEqual({ interaction: null });
    const { findings, page_counts, ...rows } = await accountRows(api.app, api.account.account_id);
    expect(rows).toEqual(before);
    expect(findings?.filter((row) => row.includes(page.profile.id))).toHaveLength(1);
    const { interaction } = (await report(page, { state: 'exited' })).body;
    expect(await reportProblem(page, 'not_found')).toEqual({ interaction });
  });

  it('accepts a problem of a launcher without a step', async () => {
    const items = [{ title: 'Help', url: '/help' }];
    const launcher = await make('launchers', { items, trigger_type: 'element', trigger: '#help' });
    const params = { experience_id: launcher.id, href: HREF };
    expect((await (await newPage()).report({ ...params, state: 'displayed' })).status).toBe(200);
    expect((await (await newPage()).report({ ...params, problem: { reason: 'not_found' } })).status).toBe(200);
    expect(await problems('', launcher, 'launchers')).toMatchObject([{ step_id: launcher.id, share: 0.5 }]);
  });

  it.each([
    ['without the address of the page', { href: undefined }, '`href` is required'],
    ['without a step', { step_id: undefined }, '`step_id` is required'],
    ['with a reason that is none', { problem: { reason: 'found' } }, '`problem.reason` must be'],
    ['with a state', { state: 'started' }, '`problem` stands alone'],
  ])('rejects a problem %s', async (_what, params, message) => {
    const page = await newPage();
    const { status, body } = await report(page, {
      step_id: stepOf(),
      problem: { reason: 'hidden' },
      ...params,
    });
    expect([status, body.messages]).toEqual([422, [expect.stringContaining(message)]]);
    expect(await problems()).toEqual([]);
  });

  it('rejects a problem of an unknown step or of an Experience that is not live', async () => {
    const page = await newPage();
    const params = { step_id: stepOf(), problem: { reason: 'hidden' } };
    expect((await report(page, { ...params, step_id: 'f'.repeat(24) })).status).toBe(404);
    await api.patch(`/v3/edit/tours/${tour.id}`, { published_at: null });
    expect((await report(page, params)).status).toBe(404);
    expect(await problems()).toEqual([]);
  });

  it('deletes problems when the user is cleared or forgotten', async () => {
    for (const path of ['', '/forget']) {
      const page = await newPage();
      await reportProblem(page, 'hidden');
      expect((await api.send('DELETE', `/v3/edit/profiles/${page.profile.id}${path}`)).status).toBe(200);
    }
    expect(await problems()).toEqual([]);
  });
});

describe('a seen step', () => {
  it('records the page of a seen step only when the step is attached to an element', async () => {
    const page = await newPage();
    await see(page);
    await see(page, { step_id: stepOf(1) });
    const { findings = [] } = await accountRows(api.app, api.account.account_id);
    const mine = findings.filter((row) => row.includes(page.profile.id)).map((row) => JSON.parse(row));
    expect(mine).toMatchObject([{ part_id: stepOf(), path: '/projects/*', finding: 'found', at: clock }]);
  });
});
