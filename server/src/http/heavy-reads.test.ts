import { once } from 'node:events';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import Type from 'typebox';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Api, startApi } from '../../test/api.ts';
import { engine } from '../../test/engine.ts';
import { createApp, routes } from '../app.ts';
import { createAuthenticate } from '../features/team/accounts/authenticate.ts';
import { createAuthenticateSession } from '../features/team/sessions/authenticate-session.ts';
import { createLog } from '../log/log.ts';
import { Metrics } from '../metrics/metrics.ts';
import { readSettings } from '../settings/settings.ts';
import { handleRequest } from './handle-request.ts';
import { HeavyReads, heavyPaths } from './heavy-reads.ts';
import { RequestQueues } from './request-queues.ts';
import { route } from './route.ts';
import { HttpServer } from './server.ts';

const untilItHappens = { timeout: 20_000, interval: 5 };
const SEARCH = '/v3/analyze/profiles';
const COUNT = '/v3/analyze/profiles/count';
const COMPANIES = '/v3/analyze/companies';

let api: Api;
let now = 0;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());
beforeEach(() => {
  now = Date.UTC(2026, 0, 1);
});

/** Records reads as they begin. A read ends when the test calls `end`. */
class Reads {
  /** The names of the reads, in the order in which they began. */
  readonly begun: string[] = [];
  readonly #ends = new Map<string, () => void>();

  begin(name: string): Promise<string> {
    this.begun.push(name);
    return new Promise((resolve) => this.#ends.set(name, () => resolve(name)));
  }

  end(name: string): void {
    this.#ends.get(name)?.();
    this.#ends.delete(name);
  }

  get running(): string[] {
    return [...this.#ends.keys()];
  }
}

/** Runs everything that does not wait for something else. */
const runPending = () => new Promise((resolve) => setImmediate(resolve));

function apiError(limit: number, message: string) {
  return { code: 429, messages: [message], limit };
}
const tooManySearches = apiError(2, 'Two searches of an account may run at a time: try again in a moment');
const tooManyCounts = apiError(1, 'One count of an account may run at a time: try again in a moment');

describe.runIf(engine === 'sqlite')('HeavyReads', () => {
  function open() {
    const heavy = new HeavyReads(() => now);
    const reads = new Reads();
    const run = (name: string, path = SEARCH, account = 'one', client = new AbortController()) => {
      const result = heavy.run({ path }, account, client, () => reads.begin(name));
      result.catch(() => {});
      return result;
    };
    return { heavy, reads, run };
  }

  it('limits only endpoints that exist', () => {
    const paths = routes.map(({ path }) => path);
    expect(heavyPaths.filter((path) => !paths.includes(path))).toEqual([]);
  });

  it('runs two searches of an account at a time, in order', async () => {
    const { heavy, reads, run } = open();
    const results = ['a', 'b', 'c', 'd', 'e'].map((name, index) => run(name, index % 2 ? COMPANIES : SEARCH));
    expect([reads.begun, heavy.waiting]).toEqual([['a', 'b'], 3]);
    reads.end('b');
    await results[1];
    await runPending();
    expect([reads.begun, heavy.waiting]).toEqual([['a', 'b', 'c'], 2]);
    reads.end('a');
    reads.end('c');
    await runPending();
    expect(reads.begun).toEqual(['a', 'b', 'c', 'd', 'e']);
    reads.end('e');
    reads.end('d');
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect([heavy.waiting, heavy.size]).toEqual([0, 0]);
  });

  it('runs one count of an account at a time, beside its searches', async () => {
    const { reads, run } = open();
    for (const name of ['a', 'b']) run(name);
    for (const name of ['c', 'd']) run(name, COUNT);
    expect(reads.begun).toEqual(['a', 'b', 'c']);
    reads.end('c');
    await runPending();
    expect(reads.begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('runs four reports of an account at a time, and lists of Experiences count only if they count users', async () => {
    const { heavy, reads } = open();
    const list = '/v3/edit/experiences';
    const begin = (name: string, path: string, params = {}) =>
      void heavy.run({ path, params }, 'one', new AbortController(), () => reads.begin(name)).catch(() => {});
    begin('trend', list, { trend: true });
    begin('order', '/v3/edit/:kind', { order: 'started_count' });
    begin('stats', '/v3/analyze/:kind/:id/stats');
    begin('uses', '/v3/edit/:kind/:id/uses');
    begin('waits', list, { trend: true });
    begin('by name', list, { order: 'name', trend: false });
    expect([reads.begun, heavy.waiting]).toEqual([['trend', 'order', 'stats', 'uses', 'by name'], 1]);
    reads.end('uses');
    await runPending();
    expect(reads.begun.at(-1)).toBe('waits');
  });

  it.each([
    '/v3/edit/funnels/people',
    '/v3/analyze/event_names/:id/adoption',
    '/v3/analyze/interruptions/people',
    '/v3/edit/interruptions/people',
    '/v3/analyze/unused',
  ])('runs %s beside three other reports of an account', (path) => {
    const { heavy, reads, run } = open();
    for (const name of ['a', 'b', 'c']) run(name, '/v3/analyze/funnels');
    for (const name of ['d', 'waits']) run(name, path);
    expect([reads.begun, heavy.waiting]).toEqual([['a', 'b', 'c', 'd'], 1]);
  });

  it('does not limit other accounts and other endpoints', () => {
    const { reads, run } = open();
    for (const name of ['a', 'b', 'c']) run(name);
    for (const name of ['d', 'e', 'f']) run(name, SEARCH, 'other');
    for (const name of ['g', 'h', 'i']) run(name, '/v3/edit/urls');
    expect(reads.begun).toEqual(['a', 'b', 'd', 'e', 'g', 'h', 'i']);
  });

  it('starts the next read when one fails', async () => {
    const { heavy, run } = open();
    const fail = () => heavy.run({ path: COUNT }, 'one', new AbortController(), () => Promise.reject(new Error('no')));
    await expect(Promise.allSettled([fail(), fail()])).resolves.toMatchObject([
      { status: 'rejected', reason: { message: 'no' } },
      { status: 'rejected', reason: { message: 'no' } },
    ]);
    expect(heavy.size).toBe(0);
    run('a', COUNT);
    expect(heavy.waiting).toBe(0);
  });

  it('rejects a read that has waited for 4 seconds', async () => {
    const { heavy, reads, run } = open();
    run('a', COUNT);
    const first = run('b', COUNT);
    now += 1;
    const second = run('c', COUNT);
    now += 3999;
    await expect(first).rejects.toMatchObject({ ...tooManyCounts, wait: undefined });
    expect(heavy.waiting).toBe(1);
    reads.end('a');
    await runPending();
    reads.end('c');
    expect(await second).toBe('c');
    expect([reads.begun, heavy.size]).toEqual([['a', 'c'], 0]);
  });

  it('removes a client that disconnects from the queue', async () => {
    const { heavy, reads, run } = open();
    const leaving = new AbortController();
    run('a', COUNT);
    const left = run('b', COUNT, 'one', leaving);
    run('c', COUNT);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: 429 });
    expect(heavy.waiting).toBe(1);
    reads.end('a');
    await runPending();
    expect(reads.begun).toEqual(['a', 'c']);
  });

  it('rejects a client that disconnected before it was queued', async () => {
    const { heavy, reads, run } = open();
    run('a', COUNT);
    const gone = new AbortController();
    gone.abort();
    await expect(run('b', COUNT, 'one', gone)).rejects.toMatchObject({ code: 429 });
    expect([heavy.waiting, reads.begun]).toEqual([0, ['a']]);
  });

  it('still counts a running read after its client disconnects', async () => {
    const { heavy, reads, run } = open();
    const leaving = new AbortController();
    run('a', COUNT, 'one', leaving);
    run('b', COUNT);
    leaving.abort();
    await runPending();
    expect([heavy.waiting, reads.begun]).toEqual([1, ['a']]);
  });
});

describe('a search over HTTP', () => {
  it('never runs a search whose client disconnects while it waits', async () => {
    const reads = new Reads();
    const requestQueues = new RequestQueues(() => now);
    const metrics = new Metrics();
    const slow = route({
      methods: ['GET'],
      path: SEARCH,
      summary: 'Search',
      parameters: Type.Object({ name: Type.String() }),
      output: Type.Unknown(),
      run: async (_ctx, { name }) => ({ name: await reads.begin(name) }),
    });
    const { app } = api;
    const log = createLog('silent');
    const httpApp = new HttpServer({ settings: readSettings({}), storage: app.storage, log, metrics });
    const authenticate = createAuthenticate(app);
    const deps = { app, authenticate, authenticateSession: createAuthenticateSession(app), requestQueues };
    httpApp.add(['GET'], SEARCH, handleRequest(deps, slow));
    onTestFinished(async () => {
      await httpApp.close();
    });
    const base = await httpApp.listen({ host: '127.0.0.1', port: 0 });
    const headers = { 'X-Account-Secret': api.account.account_secret };
    const send = async (name: string, signal?: AbortSignal) => {
      const client = request(`${base}${SEARCH}?name=${name}`, {
        headers,
        agent: false,
        ...(signal && { signal }),
      }).end();
      const [response] = await once(client, 'response');
      return json(response);
    };
    const waitForQueued = (many: number) =>
      vi.waitFor(() => expect(requestQueues.heavyReads.waiting).toBe(many), untilItHappens);

    const first = [send('a'), send('b')];
    await vi.waitFor(() => expect(reads.running.length).toBe(2), untilItHappens);
    const leaving = new AbortController();
    const left = send('c', leaving.signal);
    await waitForQueued(1);
    const last = send('d');
    await waitForQueued(2);
    leaving.abort();
    await expect(left).rejects.toThrow('aborted');
    await waitForQueued(1);
    for (const name of ['a', 'b']) reads.end(name);
    await vi.waitFor(() => expect(reads.running).toEqual(['d']), untilItHappens);
    reads.end('d');
    expect(await Promise.all([...first, last])).toEqual([{ name: 'a' }, { name: 'b' }, { name: 'd' }]);
    expect(reads.begun).not.toContain('c');
  });
});

describe('heavy reads over HTTP', () => {
  /** Starts a server whose heavy reads end when the test releases them. */
  async function startWithPausedReads() {
    const paused: (() => void)[] = [];
    let maxPaused = 0;
    const storage: Api['app']['storage'] = {
      ...api.app.storage,
      heavyReader: (accountId, options) =>
        api.app.storage.heavyReader(accountId, options).withPlugin({
          transformQuery: ({ node }) => node,
          transformResult: ({ result }) =>
            new Promise((resolve) => {
              maxPaused = Math.max(
                maxPaused,
                paused.push(() => resolve(result)),
              );
            }),
        }),
    };
    const httpApp = createApp({ ...api.app, storage, now: () => now }, readSettings({}), createLog('silent'));
    const base = await httpApp.listen({ host: '127.0.0.1', port: 0 });
    const send = async (path: string, as = api.account, client = new AbortController()) => {
      const headers = { 'X-Account-Secret': as.account_secret };
      const response = await fetch(base + path, { headers, signal: client.signal });
      return { status: response.status, limit: response.headers.get('X-Ratelimit-Limit'), body: await response.json() };
    };
    const releaseAll = () => {
      for (const release of paused.splice(0)) release();
    };
    onTestFinished(async () => {
      const releasing = setInterval(releaseAll, 5);
      await httpApp.close();
      clearInterval(releasing);
    });
    return {
      send,
      releaseAll,
      waitForPaused: (many: number) => vi.waitFor(() => expect(paused.length).toBe(many), untilItHappens),
      countPaused: () => paused.length,
      maxPaused: () => maxPaused,
    };
  }

  it.each([
    [SEARCH, 2, tooManySearches],
    [COMPANIES, 2, tooManySearches],
    [COUNT, 1, tooManyCounts],
  ])(
    'returns 429 at %s after 4 seconds in a queue behind %i others, and other accounts do not wait',
    async (path, limit, body) => {
      const { send, waitForPaused, releaseAll } = await startWithPausedReads();
      const running = Array.from({ length: limit }, () => send(path));
      await waitForPaused(limit);
      const passing = setInterval(() => {
        now += 1000;
      }, 5);
      try {
        expect(await send(path)).toEqual({ status: 429, limit: String(limit), body });
      } finally {
        clearInterval(passing);
      }
      const other = send(path, api.other);
      await waitForPaused(limit + 1);
      // A count reads several chunks.
      const releasing = setInterval(releaseAll, 5);
      try {
        expect((await Promise.all([...running, other])).map(({ status }) => status)).toEqual(
          Array.from({ length: limit + 1 }, () => 200),
        );
      } finally {
        clearInterval(releasing);
      }
    },
  );

  it.each([
    '/v3/analyze/live',
    '/v3/edit/i18n',
    '/v3/edit/translations',
    '/v3/edit/tours/i18n.yaml',
    '/v3/edit/tours?limit=51',
    '/v3/edit/experiences?limit=51&fields=list',
  ])('reads %s like a heavy read', async (path) => {
    const { send, releaseAll, waitForPaused } = await startWithPausedReads();
    const response = send(path).catch(() => {});
    await waitForPaused(1);
    const releasing = setInterval(releaseAll, 5);
    await response;
    clearInterval(releasing);
  });

  it('reads nothing more for a client that has left', async () => {
    const { send, releaseAll, waitForPaused, countPaused } = await startWithPausedReads();
    const client = new AbortController();
    const left = send('/v3/edit/i18n', api.account, client);
    await waitForPaused(1);
    client.abort();
    await expect(left).rejects.toThrow('aborted');
    // The server notices it when it reads from the connection.
    await pause(100);
    releaseAll();
    await pause(100);
    expect(countPaused()).toBe(0);
  });

  it('completes all searches of an account, two at a time', async () => {
    const { send, releaseAll, maxPaused } = await startWithPausedReads();
    const responses = Promise.all(Array.from({ length: 12 }, (_, index) => send(index % 2 ? COMPANIES : SEARCH)));
    const releasing = setInterval(releaseAll, 5);
    try {
      expect((await responses).map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
    } finally {
      clearInterval(releasing);
    }
    expect(maxPaused()).toBe(2);
  });
});
