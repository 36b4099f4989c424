import { once } from 'node:events';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import Type from 'typebox';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Api, startApi } from '../../test/api.ts';
import { engine } from '../../test/engine.ts';
import { createApp, routes } from '../app.ts';
import { createAuthenticate } from '../features/accounts/authenticate.ts';
import { createLog } from '../log.ts';
import { readSettings } from '../settings.ts';
import { handleRequest } from './handle-request.ts';
import { HeavyReads, heavyPaths } from './heavy-reads.ts';
import { Metrics } from './metrics.ts';
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

/** Reads that begin when it is their turn, and end when the test says so. */
class Reads {
  /** In the order they began. */
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

/** What is asked now has happened as far as it can. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

function apiError(limit: number, message: string) {
  return { code: 429, messages: [message], limit };
}
const tooManySearches = apiError(2, 'Two searches of an account may run at a time: try again in a moment');
const tooManyCounts = apiError(1, 'One count of an account may run at a time: try again in a moment');

describe.runIf(engine === 'sqlite')('the turns of an account', () => {
  function open() {
    const heavy = new HeavyReads(() => now);
    const reads = new Reads();
    const ask = (name: string, path = SEARCH, account = 'one', client = new AbortController()) => {
      const answer = heavy.run(path, account, client, () => reads.begin(name));
      answer.catch(() => {});
      return answer;
    };
    return { heavy, reads, ask };
  }

  it('are of endpoints that are there', () => {
    const paths = routes.map(({ path }) => path);
    expect(heavyPaths.filter((path) => !paths.includes(path))).toEqual([]);
  });

  it('are two for searches, of profiles and Companies together, and go in order', async () => {
    const { heavy, reads, ask } = open();
    const answers = ['a', 'b', 'c', 'd', 'e'].map((name, index) => ask(name, index % 2 ? COMPANIES : SEARCH));
    expect([reads.begun, heavy.waiting]).toEqual([['a', 'b'], 3]);
    reads.end('b');
    await answers[1];
    await settled();
    expect([reads.begun, heavy.waiting]).toEqual([['a', 'b', 'c'], 2]);
    reads.end('a');
    reads.end('c');
    await settled();
    expect(reads.begun).toEqual(['a', 'b', 'c', 'd', 'e']);
    reads.end('e');
    reads.end('d');
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect([heavy.waiting, heavy.size]).toEqual([0, 0]);
  });

  it('are one for counts, whatever searches run', async () => {
    const { reads, ask } = open();
    for (const name of ['a', 'b']) ask(name);
    for (const name of ['c', 'd']) ask(name, COUNT);
    expect(reads.begun).toEqual(['a', 'b', 'c']);
    reads.end('c');
    await settled();
    expect(reads.begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are its own, and of heavy reads alone', () => {
    const { reads, ask } = open();
    for (const name of ['a', 'b', 'c']) ask(name);
    for (const name of ['d', 'e', 'f']) ask(name, SEARCH, 'other');
    for (const name of ['g', 'h', 'i']) ask(name, '/v3/edit/urls');
    expect(reads.begun).toEqual(['a', 'b', 'd', 'e', 'g', 'h', 'i']);
  });

  it('end also when the read fails', async () => {
    const { heavy, ask } = open();
    const fail = () => heavy.run(COUNT, 'one', new AbortController(), () => Promise.reject(new Error('no')));
    await expect(Promise.allSettled([fail(), fail()])).resolves.toMatchObject([
      { status: 'rejected', reason: { message: 'no' } },
      { status: 'rejected', reason: { message: 'no' } },
    ]);
    expect(heavy.size).toBe(0);
    ask('a', COUNT);
    expect(heavy.waiting).toBe(0);
  });

  it('are waited for until 4 seconds have passed by the clock, and not a millisecond less', async () => {
    const { heavy, reads, ask } = open();
    ask('a', COUNT);
    const first = ask('b', COUNT);
    now += 1;
    const second = ask('c', COUNT);
    now += 3999;
    await expect(first).rejects.toMatchObject({ ...tooManyCounts, wait: undefined });
    expect(heavy.waiting).toBe(1);
    reads.end('a');
    await settled();
    reads.end('c');
    expect(await second).toBe('c');
    expect([reads.begun, heavy.size]).toEqual([['a', 'c'], 0]);
  });

  it('are lost by whoever leaves, and those behind move up', async () => {
    const { heavy, reads, ask } = open();
    const leaving = new AbortController();
    ask('a', COUNT);
    const left = ask('b', COUNT, 'one', leaving);
    ask('c', COUNT);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: 429 });
    expect(heavy.waiting).toBe(1);
    reads.end('a');
    await settled();
    expect(reads.begun).toEqual(['a', 'c']);
  });

  it('are not waited for by whoever has left already', async () => {
    const { heavy, reads, ask } = open();
    ask('a', COUNT);
    const gone = new AbortController();
    gone.abort();
    await expect(ask('b', COUNT, 'one', gone)).rejects.toMatchObject({ code: 429 });
    expect([heavy.waiting, reads.begun]).toEqual([0, ['a']]);
  });

  it('are kept by a read that began, though its client leaves', async () => {
    const { heavy, reads, ask } = open();
    const leaving = new AbortController();
    ask('a', COUNT, 'one', leaving);
    ask('b', COUNT);
    leaving.abort();
    await settled();
    expect([heavy.waiting, reads.begun]).toEqual([1, ['a']]);
  });
});

describe('a client', () => {
  it('that leaves while it waits is never searched for', async () => {
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
    httpApp.add(['GET'], SEARCH, handleRequest({ app, authenticate: createAuthenticate(app), requestQueues }, slow));
    onTestFinished(async () => {
      await httpApp.close();
      metrics.stop();
    });
    const base = await httpApp.listen({ host: '127.0.0.1', port: 0 });
    const headers = { 'X-Account-Secret': api.account.account_secret };
    const ask = async (name: string, signal?: AbortSignal) => {
      const asking = request(`${base}${SEARCH}?name=${name}`, {
        headers,
        agent: false,
        ...(signal && { signal }),
      }).end();
      const [response] = await once(asking, 'response');
      return json(response);
    };
    const waiting = (many: number) =>
      vi.waitFor(() => expect(requestQueues.heavyReads.waiting).toBe(many), untilItHappens);

    const first = [ask('a'), ask('b')];
    await vi.waitFor(() => expect(reads.running.length).toBe(2), untilItHappens);
    const leaving = new AbortController();
    const left = ask('c', leaving.signal);
    await waiting(1);
    const last = ask('d');
    await waiting(2);
    leaving.abort();
    await expect(left).rejects.toThrow('aborted');
    await waiting(1);
    for (const name of ['a', 'b']) reads.end(name);
    await vi.waitFor(() => expect(reads.running).toEqual(['d']), untilItHappens);
    reads.end('d');
    expect(await Promise.all([...first, last])).toEqual([{ name: 'a' }, { name: 'b' }, { name: 'd' }]);
    expect(reads.begun).not.toContain('c');
  });
});

describe('an account', () => {
  /** The whole server; its heavy reads are answered when the test says so. */
  async function startHolding() {
    const held: (() => void)[] = [];
    let most = 0;
    const storage: Api['app']['storage'] = {
      ...api.app.storage,
      heavyReader: (accountId) =>
        api.app.storage.heavyReader(accountId).withPlugin({
          transformQuery: ({ node }) => node,
          transformResult: ({ result }) =>
            new Promise((resolve) => {
              most = Math.max(
                most,
                held.push(() => resolve(result)),
              );
            }),
        }),
    };
    const httpApp = createApp({ ...api.app, storage, now: () => now }, readSettings({}), createLog('silent'));
    const base = await httpApp.listen({ host: '127.0.0.1', port: 0 });
    const ask = async (path: string, as = api.account) => {
      const response = await fetch(base + path, { headers: { 'X-Account-Secret': as.account_secret } });
      return { status: response.status, limit: response.headers.get('X-Ratelimit-Limit'), body: await response.json() };
    };
    const releaseAll = () => {
      for (const release of held.splice(0)) release();
    };
    onTestFinished(async () => {
      const releasing = setInterval(releaseAll, 5);
      await httpApp.close();
      clearInterval(releasing);
    });
    return {
      ask,
      releaseAll,
      holds: (many: number) => vi.waitFor(() => expect(held.length).toBe(many), untilItHappens),
      most: () => most,
    };
  }

  it.each([
    [SEARCH, 2, tooManySearches],
    [COMPANIES, 2, tooManySearches],
    [COUNT, 1, tooManyCounts],
  ])('gets 429 at %s when it waited 4 seconds behind %i, and others do not wait', async (path, limit, body) => {
    const { ask, holds, releaseAll } = await startHolding();
    const running = Array.from({ length: limit }, () => ask(path));
    await holds(limit);
    const passing = setInterval(() => {
      now += 1000;
    }, 5);
    try {
      expect(await ask(path)).toEqual({ status: 429, limit: String(limit), body });
    } finally {
      clearInterval(passing);
    }
    const other = ask(path, api.other);
    await holds(limit + 1);
    releaseAll();
    expect((await Promise.all([...running, other])).map(({ status }) => status)).toEqual(
      Array.from({ length: limit + 1 }, () => 200),
    );
  });

  it('gets all its searches answered, two at a time', async () => {
    const { ask, releaseAll, most } = await startHolding();
    const answers = Promise.all(Array.from({ length: 12 }, (_, index) => ask(index % 2 ? COMPANIES : SEARCH)));
    const releasing = setInterval(releaseAll, 5);
    try {
      expect((await answers).map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
    } finally {
      clearInterval(releasing);
    }
    expect(most()).toBe(2);
  });
});
