import { describe, expect, it, vi } from 'vitest';
import { type Api, startApi } from '../../test/api.ts';
import { notFound, storageUnavailable } from '../errors.ts';
import { judgeReadiness } from '../features/operations/health/check-page-loads.ts';
import { inspectUrl, type Readiness } from '../http/inspect-url.ts';
import { PageLoadFailures } from './page-load-failures.ts';

const clock = { now: Date.now() };
const now = () => clock.now;

const fail = async () => {
  throw storageUnavailable();
};
const succeed = async () => {};

describe('PageLoadFailures', () => {
  const create = () => {
    const failures = new PageLoadFailures(now);
    const load = (account: string, outcome: () => Promise<void>) => failures.watch(account, outcome).catch(() => {});
    const failThrice = async (account: string) => {
      for (const wait of [0, 6000, 6000]) {
        clock.now += wait;
        await load(account, fail);
      }
    };
    return { failures, load, failThrice };
  };
  const stateOf = (failures: PageLoadFailures) => [failures.countAccounts(), failures.areAllFailing()];

  it('counts an account after three failures over ten seconds, until one succeeds', async () => {
    const { failures, load, failThrice } = create();
    await Promise.all([load('a', fail), load('a', fail), load('a', fail)]);
    expect(stateOf(failures)).toEqual([0, false]);
    await failThrice('a');
    expect(stateOf(failures)).toEqual([1, true]);
    await load('a', succeed);
    expect(stateOf(failures)).toEqual([0, false]);
  });

  it('does not count what a client did wrong', async () => {
    const { failures, load } = create();
    const reject = async () => {
      throw notFound('Experience');
    };
    for (let times = 0; times < 5; times++) {
      clock.now += 6000;
      await load('a', reject);
    }
    expect(stateOf(failures)).toEqual([0, false]);
  });

  it('knows that other accounts are served', async () => {
    const { failures, load, failThrice } = create();
    await failThrice('a');
    await load('b', succeed);
    expect(stateOf(failures)).toEqual([1, false]);
  });

  it('lets the server be tried again after a minute, and forgets an account after a day', async () => {
    const { failures, failThrice } = create();
    await failThrice('a');
    clock.now += 61_000;
    expect(stateOf(failures)).toEqual([1, false]);
    clock.now += 24 * 60 * 60_000;
    expect(stateOf(failures)).toEqual([0, false]);
  });
});

describe('a server whose page loads keep failing', () => {
  const rename = (api: Api, from: string, to: string) =>
    api.app.storage.write(null, async (db) =>
      api.app.storage.runSql(db, `alter table ${from} rename to ${to}`, [], false),
    );

  it('is not ready, says so in its health and its metrics, and recovers', async () => {
    const api = await startApi({ now });
    const visit = async (as = api.account) => {
      const page = { account_token: as.account_token, uid: 'ann', href: 'http://localhost/' };
      return (await api.post('/v3/observe/visits', page, { as: null })).status;
    };
    const observed = async () => {
      const { body } = await api.get('/v3/analyze/health');
      const check = body.health.checks.find(({ name }: { name: string }) => name === 'page_loads');
      const ready = await api.get('/readyz', { as: null });
      return [ready.status, check.state];
    };
    /** The metrics are rendered once a second. */
    const expectMetric = (value: number) =>
      vi.waitFor(
        async () =>
          expect(await (await fetch(`${api.url}/metrics`)).text()).toMatch(
            new RegExp(`^usher_page_loads_failing_accounts ${value}$`, 'm'),
          ),
        { timeout: 5000, interval: 100 },
      );
    expect(await visit()).toBe(200);
    expect(await observed()).toEqual([200, 'good']);

    await rename(api, 'profiles', 'elsewhere');
    for (let times = 0; times < 3; times++) {
      clock.now += 6000;
      expect(await visit()).toBe(500);
    }
    expect(await observed()).toEqual([503, 'problem']);
    await expectMetric(1);
    // `usher doctor` reads it from the running server.
    expect(judgeReadiness((await inspectUrl(api.url, undefined)).readiness as Readiness)).toEqual({
      problem: 'The server is not ready. Page loads fail on this server: its log says why.',
    });

    await rename(api, 'elsewhere', 'profiles');
    expect(await visit(api.other)).toBe(200);
    const { status, body } = await api.get('/readyz', { as: null });
    expect([status, body]).toEqual([200, { status: 'ready', failing_accounts: 1 }]);
    expect(await visit()).toBe(200);
    expect(await observed()).toEqual([200, 'good']);
    await expectMetric(0);
  });
});
