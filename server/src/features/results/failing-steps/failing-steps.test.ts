import { createHmac } from 'node:crypto';
import { dayOf, type Finding } from '@usher/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { loadPage } from '../../../../test/open-page.ts';
import type { AppContext } from '../../../context.ts';
import { composeItem } from '../../../webhooks/events/compose-item.ts';
import type { ItemRow } from '../../../webhooks/queries.ts';
import { checkSteps } from './check-steps.ts';
import { StepChecker } from './step-checker.ts';

const HOUR = 60 * 60_000;
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15';
let clock = Date.UTC(2029, 3, 7, 12);
let api: Api;
let tour: { id: string; steps: { id: string }[] };
let count = 0;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => clock });
});
afterAll(() => api.stop());
beforeEach(async () => {
  clock += HOUR;
  await api.replaceAccounts();
  tour = await make('tours', { steps: [{ title: 'Anywhere' }, { title: 'Pay here', ...target }] });
  await api.post('/v3/edit/webhooks', { url: 'https://example.com/hooks', topics: ['experience.target_missing'] });
});

const target = { elements: [{ selector: '#pay' }, { text: 'Pay' }], position_type: 'snap_to_element' };
async function make(kind: string, params: object) {
  const { status, body } = await api.post(`/v3/edit/${kind}`, { name: 'Billing', published_at: '$now', ...params });
  expect([status, body.messages]).toEqual([201, undefined]);
  return Object.values(body)[0] as typeof tour;
}
const stepId = () => tour.steps[1]?.id ?? '';

/** So many new people do or do not find the element. */
async function find(
  people: number,
  finding: Finding,
  { at = clock, path = '/billing', id = tour.id, part = stepId() } = {},
) {
  const { account_id } = api.account;
  await api.app.storage.write(account_id, async (db) => {
    for (let index = 0; index < people; index++) {
      const profile_id = `${++count}`.padStart(24, 'a');
      const profile = { account_id, id: profile_id, updated_at: 1, uid: `user-${count}`, percent: 0, custom: '{}' };
      await db.insertInto('profiles').values(profile).execute();
      const of = { account_id, profile_id, experience_id: id, part_id: part, path, day: dayOf(at) };
      await db
        .insertInto('findings')
        .values({ ...of, finding, first_at: at, at, browser: 'safari' })
        .execute();
    }
  });
}
const check = (id = tour.id, app: AppContext = api.app) => {
  clock += 1000;
  return checkSteps(app, api.account.account_id, id);
};
const list = async (query = '') => (await api.get('/v3/analyze/failing_steps', { query })).body.failing_steps;
const items = async (): Promise<ItemRow[]> =>
  ((await accountRows(api.app, api.account.account_id)).outbox ?? []).map((row) => JSON.parse(row));

/** A page of somebody whom the backend has sent before. */
async function returningPage() {
  const uid = `reporter ${++count}`;
  const at = clock;
  clock -= 2 * HOUR;
  await api.post('/v3/observe/hooks/profiles', { uid });
  clock = at;
  return loadPage(api, uid);
}

describe('users that pages make up', () => {
  it('do not make a step fail, but users do who were known before or have a hash', async () => {
    const report = { experience_id: tour.id, step_id: stepId(), href: 'https://localhost:3000/billing' };
    const miss = async (page: { report(params: object): Promise<{ status: number }> }) =>
      expect((await page.report({ ...report, problem: { reason: 'not_found' } })).status).toBe(200);
    for (let index = 0; index < 25; index++) await miss(await loadPage(api, `made up ${++count}`));
    await check();
    expect(await list()).toEqual([]);
    const { problems } = (await api.get(`/v3/analyze/tours/${tour.id}/problems`)).body;
    expect(problems).toMatchObject([{ users_count: 25 }]);

    const { uid_secret } = (await api.post('/v3/edit/account/uid_secret', {})).body;
    for (let index = 0; index < 20; index++) {
      const uid = `proven ${++count}`;
      const seconds = Math.floor(clock / 1000);
      const uid_hash = `${createHmac('sha256', uid_secret).update(`${uid}-${seconds}`).digest('hex')}-${seconds}`;
      await miss(await loadPage(api, uid, { uid_hash }));
    }
    await check();
    expect(await list()).toMatchObject([{ users_count: 20, total_users_count: 20 }]);
  });
});

describe('a failing step', () => {
  it('is listed when 20 people and half of all have not seen it, by the reports of their pages', async () => {
    clock += 2 * HOUR;
    const since = clock;
    const href = 'https://localhost:3000/billing/17?tab=pay';
    const headers = { 'User-Agent': SAFARI };
    for (let index = 0; index < 20; index++) {
      const { token } = await returningPage();
      const report = { experience_id: tour.id, step_id: stepId(), href, problem: { reason: 'not_found' } };
      const { status } = await api.post(
        '/v3/observe/interactions',
        { visit_token: token, ...report },
        { as: null, headers },
      );
      expect(status).toBe(200);
      clock += 1000;
      if (index === 18) await check();
      if (index === 18) expect(await list()).toEqual([]);
    }
    await find(12, 'found');
    await check();
    const step = {
      experience_id: tour.id,
      step_id: stepId(),
      users_count: 20,
      total_users_count: 32,
      share: 0.625,
      since: new Date(since).toISOString(),
      path: '/billing/*',
      browser: 'safari',
      checked_at: new Date(clock).toISOString(),
    };
    expect(await list()).toEqual([step]);
    expect(await list(`experience_id=${tour.id}`)).toEqual([step]);
    const unknown = { query: `experience_id=${'f'.repeat(24)}` };
    expect((await api.get('/v3/analyze/failing_steps', unknown)).status).toBe(404);
    expect((await api.get('/v3/analyze/failing_steps', { as: api.other })).body.failing_steps).toEqual([]);
    const [entry] = (await api.get('/v3/analyze/attention')).body.attention;
    expect(entry).toMatchObject({ type: 'target_failing', count: 20, since: step.since, step: { ...step, index: 1 } });
  });

  it.each([
    ['too few people', 19, 0, 0],
    ['fewer than half', 20, 21, 0],
    ['half', 20, 20, 1],
  ])('is listed or not with %s', async (_, missed, found, listed) => {
    await find(missed, 'not_found');
    await find(found, 'found');
    await check();
    expect(await list()).toHaveLength(listed);
    expect(await items()).toHaveLength(listed);
  });

  it('counts only the last 24 hours', async () => {
    await find(20, 'not_found', { at: clock - 25 * HOUR });
    await check();
    expect(await list()).toEqual([]);
  });

  it('does not count people who saw it later', async () => {
    const { account_id } = api.account;
    await find(20, 'not_found');
    await api.app.storage.write(account_id, async (db) => {
      const rows = await db.selectFrom('findings').selectAll().where('account_id', '=', account_id).execute();
      for (const row of rows)
        await db
          .insertInto('findings')
          .values({ ...row, finding: 'found', path: '/pay' })
          .execute();
    });
    await check();
    expect(await list()).toEqual([]);
  });

  it('does not count test users, and sends nothing because of them', async () => {
    const { account_id } = api.account;
    await find(20, 'not_found');
    await api.app.storage.write(account_id, (db) =>
      db
        .updateTable('profiles')
        .set({ is_test: true })
        .where('account_id', '=', account_id)
        .where('uid', '=', `user-${count}`)
        .execute(),
    );
    await check();
    expect(await list()).toEqual([]);
    expect(await items()).toEqual([]);
    expect((await api.get(`/v3/analyze/tours/${tour.id}/problems`)).body.problems).toMatchObject([{ users_count: 19 }]);
  });

  it('can be a launcher', async () => {
    const params = { items: [{ title: 'Help', url: '/help' }], trigger_type: 'element', trigger: '#help' };
    const launcher = await make('launchers', params);
    await find(20, 'hidden', { id: launcher.id, part: launcher.id });
    await check(launcher.id);
    expect(await list()).toMatchObject([{ experience_id: launcher.id, step_id: launcher.id }]);
    const [item] = await items();
    expect(item?.payload).toMatchObject({ step: null, problem: { elements: [{ selector: '#help' }] } });
  });

  it('is not one that the published version does not have', async () => {
    await find(20, 'not_found', { part: 'f'.repeat(24) });
    await check();
    expect(await list()).toEqual([]);
  });

  it('is not listed while the Experience is not live', async () => {
    await find(20, 'not_found');
    await check();
    await api.patch(`/v3/edit/tours/${tour.id}`, { published_at: null });
    expect(await list()).toEqual([]);
    await check();
    expect(await items()).toHaveLength(1);
  });

  it('is judged again after the Experience was published again', async () => {
    await find(20, 'not_found');
    await check();
    clock += HOUR;
    const publish = { published_at: '$now', name: 'Billing again' };
    expect((await api.patch(`/v3/edit/tours/${tour.id}`, publish)).status).toBe(200);
    expect(await list()).toEqual([]);
    clock += HOUR;
    await find(1, 'not_found');
    await check();
    expect(await list()).toMatchObject([{ users_count: 1, total_users_count: 1 }]);
    await find(2, 'found');
    await check();
    expect(await list()).toEqual([]);
    expect(await items()).toHaveLength(1);
  });

  it('is deleted with its Experience', async () => {
    await find(20, 'not_found');
    await check();
    await api.patch(`/v3/edit/tours/${tour.id}`, { published_at: null });
    expect((await api.send('DELETE', `/v3/edit/tours/${tour.id}`)).status).toBe(200);
    expect((await accountRows(api.app, api.account.account_id)).failing_steps ?? []).toEqual([]);
  });
});

describe('the webhook item', () => {
  it('names the Experience, the step, its selectors, where it fails, for whom and since when', async () => {
    const since = clock;
    await find(30, 'not_found');
    await find(10, 'found');
    await check();
    const [item] = await items();
    expect(item).toMatchObject({ kind: 'experience.target_missing', profile_id: null, state: 'pending' });
    expect(JSON.parse((await composeItem(api.app, item as ItemRow)) ?? '')).toMatchObject({
      experience: { id: tour.id, kind: 'tour', name: 'Billing' },
      step: { id: stepId(), index: 1, preset: null, title: 'Pay here', body: null },
      problem: {
        elements: [
          { selector: '#pay', text: null, shadow_selector: null },
          { selector: null, text: 'Pay', shadow_selector: null },
        ],
        path: '/billing',
        browser: 'safari',
        users_count: 30,
        total_users_count: 40,
        share: 0.75,
        since: new Date(since).toISOString(),
      },
    });
  });

  it('is sent once until the step has recovered, and again when it fails again', async () => {
    await find(20, 'not_found');
    await check();
    await find(5, 'not_found');
    await check();
    expect(await items()).toHaveLength(1);
    expect(await list()).toMatchObject([{ users_count: 25 }]);
    clock += 25 * HOUR;
    // There are no fresh data.
    await check();
    expect(await list()).toHaveLength(1);
    await find(1, 'found');
    await check();
    expect(await list()).toEqual([]);
    clock += HOUR;
    const since = clock;
    await find(20, 'covered');
    await check();
    expect(await list()).toMatchObject([{ since: new Date(since).toISOString() }]);
    expect(await items()).toHaveLength(2);
  });

  it('is sent once when several nodes check at the same time', async () => {
    await find(20, 'not_found');
    await Promise.all(Array.from({ length: 5 }, () => check()));
    expect(await items()).toHaveLength(1);
  });

  it('is not lost when the process ends before the commit', async () => {
    await find(20, 'not_found');
    const killed = Object.create(api.app.storage, {
      write: {
        value: (id: string, work: (db: never) => Promise<unknown>) =>
          api.app.storage.write(id, async (db) => {
            await work(db as never);
            throw new Error('killed');
          }),
      },
    });
    await expect(check(tour.id, { ...api.app, storage: killed })).rejects.toThrow('killed');
    expect([await list(), await items()]).toEqual([[], []]);
    await check();
    expect(await items()).toHaveLength(1);
  });

  it('is for webhooks with this topic, and of this Experience', async () => {
    const add = async (path: string, params: object) => {
      const { status, body } = await api.post('/v3/edit/webhooks', { url: `https://example.com/${path}`, ...params });
      expect([status, body.messages]).toEqual([201, undefined]);
      return body.webhook.id;
    };
    await add('tours', { topics: ['tour.*'] });
    const topics = ['experience.target_missing'];
    const other = await make('tours', { steps: [{ title: 'Other' }] });
    await add('other', { topics, experience_ids: [other.id] });
    const own = await add('own', { topics, experience_ids: [tour.id] });
    await find(20, 'not_found');
    await check();
    const sent = await items();
    expect(sent.map(({ webhook_id }) => webhook_id)).toContain(own);
    expect(sent).toHaveLength(2);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
  });
});

describe('the checker', () => {
  it('finds what was reported before the process started', async () => {
    await find(20, 'not_found');
    const errors: unknown[] = [];
    const checker = new StepChecker(api.app, (error) => errors.push(error));
    await checker.run();
    await checker.stop();
    expect(errors).toEqual([]);
    expect(await list()).toHaveLength(1);
  });

  it('checks afterwards only what pages have reported about', async () => {
    const checker = new StepChecker(api.app, () => {});
    await checker.run();
    await find(20, 'not_found');
    await checker.run();
    expect(await list()).toEqual([]);
    api.app.stepChecks.add(api.account.account_id, tour.id);
    await checker.run();
    expect(await list()).toHaveLength(1);
    await checker.stop();
  });

  it('tries an Experience again that could not be checked', async () => {
    await find(20, 'not_found');
    const errors: unknown[] = [];
    const gone = Object.create(api.app.storage, { write: { value: () => Promise.reject(new Error('gone')) } });
    await new StepChecker({ ...api.app, storage: gone }, (error) => errors.push(error)).run();
    expect(errors).not.toEqual([]);
    expect(api.app.stepChecks.take().get(api.account.account_id)).toEqual(new Set([tour.id]));
  });
});
