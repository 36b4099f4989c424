import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Api, startApi } from '../../test/api.ts';
import { engine } from '../../test/engine.ts';

const MANY = '/v3/observe/hooks/profiles/batch';
const profiles = Array.from({ length: 20_000 }, (_, index) => ({ uid: `u${index}`, a: index, b: 'text', c: true }));

/** Lists the workers that start from now on. On SQLite one of them copies the write-ahead log. */
function watchWorkers(): Worker[] {
  const started: Worker[] = [];
  const record = (worker: Worker) => void started.push(worker);
  process.on('worker', record);
  onTestFinished(() => void process.off('worker', record));
  return started;
}

/**
 * Kills workers with a message that they cannot read. That takes effect between two statements; within one, libsql would
 * abort the process.
 */
async function kill(workers: Worker[]): Promise<void> {
  const alive = workers.filter(({ threadId }) => threadId > 0);
  const ended = alive.map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
  for (const worker of alive) worker.postMessage(null);
  await Promise.all(ended);
}

async function exists(api: Api, uid: string): Promise<boolean> {
  return (await api.get('/v3/analyze/profile', { query: `uid=${uid}` })).status === 200;
}

/** Starts a batch without a Content-Length. */
function begin({ url, account }: Api): ClientRequest {
  return request(url + MANY, { method: 'POST', headers: { 'x-account-secret': account.account_secret } });
}

async function statusOf(sending: ClientRequest): Promise<number | undefined> {
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

describe('the batch thread', () => {
  it.runIf(engine === 'postgres')('starts the thread with the first batch, and uses it for all batches', async () => {
    const workers = watchWorkers();
    const api = await startApi();
    await api.post('/v3/observe/hooks/profiles', { uid: 'one' });
    expect(workers).toHaveLength(0);
    const responses = await Promise.all([1, 2, 3].map((uid) => api.post(MANY, { profiles: [{ uid }] })));
    expect(responses.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(workers).toHaveLength(1);
    await api.stop();
    expect(workers[0]?.threadId).toBe(-1);
  });

  it('returns 503 when the thread dies during a batch, keeps what was stored, and serves the next batch', async () => {
    const workers = watchWorkers();
    const api = await startApi();
    const batch = api.post(MANY, { profiles });
    while (!(await exists(api, 'u0')));
    await kill(workers);
    const { status, body } = await batch;
    expect([status, body.messages]).toEqual([503, [expect.stringContaining('try again')]]);
    expect((await api.post('/v3/observe/hooks/profiles', { uid: 'single' })).status).toBe(200);
    expect((await api.post(MANY, { profiles: [{ uid: 'next' }] })).status).toBe(202);
    expect([await exists(api, 'u0'), await exists(api, 'next')]).toEqual([true, true]);
  });

  it.runIf(engine === 'postgres')('returns 503 when the thread dies while a body is received', async () => {
    const workers = watchWorkers();
    const api = await startApi();
    const sending = begin(api);
    sending.write('{"profiles":[{"uid":"lost"}');
    while (workers.length === 0) await exists(api, 'lost');
    await kill(workers);
    sending.end(']}');
    expect(await statusOf(sending)).toBe(503);
    expect((await api.post(MANY, { profiles: [{ uid: 'next' }] })).status).toBe(202);
    expect([await exists(api, 'lost'), await exists(api, 'next')]).toEqual([false, true]);
  });

  it('receives several bodies at the same time, in pieces of any length', async () => {
    const api = await startApi();
    const bodies = ['a', 'b', 'c'].map((name) =>
      JSON.stringify({ profiles: profiles.slice(0, 1500).map((profile) => ({ ...profile, uid: name + profile.uid })) }),
    );
    const sending = bodies.map((body) => ({ body, to: begin(api) }));
    const statuses = Promise.all(sending.map(({ to }) => statusOf(to)));
    const lengths = [1, 7, 50_000, 3, 20_000];
    for (let at = 0, n = 0; at < Math.max(...bodies.map(({ length }) => length)); n++) {
      const length = lengths[n % lengths.length] as number;
      for (const { body, to } of sending)
        if (at < body.length) await new Promise((resolve) => to.write(body.slice(at, at + length), resolve));
      at += length;
    }
    for (const { to } of sending) to.end();
    expect(await statuses).toEqual([202, 202, 202]);
    const { body } = await api.get('/v3/analyze/profiles/count');
    expect(body).toEqual({ count: 4500 });
  });

  it('replaces a thread that died while it was idle', async () => {
    const workers = watchWorkers();
    const api = await startApi();
    expect((await api.post(MANY, { profiles: [{ uid: 'first' }] })).status).toBe(202);
    await kill(workers);
    expect((await api.post(MANY, { profiles: [{ uid: 'second' }] })).status).toBe(202);
    expect([await exists(api, 'first'), await exists(api, 'second')]).toEqual([true, true]);
  });

  it('stores nothing of a batch that is rejected after it was read', async () => {
    const api = await startApi();
    const rejected = await api.post(MANY, { profiles: [{ uid: 'rejected' }], on_model_missing: 'wrong' });
    expect(rejected.status).toBe(422);
    expect((await api.post(MANY, {})).status).toBe(422);
    expect((await api.post(MANY, { profiles: [{ uid: 'stored' }] })).status).toBe(202);
    expect([await exists(api, 'rejected'), await exists(api, 'stored')]).toEqual([false, true]);
  });

  it('loses no change when the main thread changes the same profiles', async () => {
    const api = await startApi();
    const batch = api.post(MANY, { profiles: profiles.slice(0, 4000) });
    const singles = Array.from({ length: 200 }, (_, n) => ({ uid: `u${n * 20}`, single: n }));
    const responses = await Promise.all(singles.map((profile) => api.post('/v3/observe/hooks/profiles', profile)));
    expect([(await batch).status, ...new Set(responses.map(({ status }) => status))]).toEqual([202, 200]);
    const { body } = await api.post('/v3/analyze/profiles', {
      filters: [{ kind: 'property', prop: 'single', op: 'ex' }],
      limit: 500,
    });
    const kept = (body.profiles as { uid: string; a: number; single: number }[]).map(({ uid, a, single }) => [
      uid,
      a,
      single,
    ]);
    expect(kept.sort()).toEqual(singles.map(({ uid, single }) => [uid, single * 20, single]).sort());
  });

  it('stores a batch of one account between the chunks of a larger batch of another account', async () => {
    const api = await startApi();
    const finished: string[] = [];
    const large = api.post(MANY, { profiles }).then(() => finished.push('large'));
    while (!(await exists(api, 'u0')));
    const small = await api.post(MANY, { profiles: [{ uid: 'small' }] }, { as: api.other });
    finished.push('small');
    await large;
    expect([small.status, finished]).toEqual([202, ['small', 'large']]);
    const counted = async (as = api.account) => (await api.get('/v3/analyze/profiles/count', { as })).body.count;
    expect([await counted(), await counted(api.other)]).toEqual([profiles.length, 1]);
  });
});

describe('clients that do not send their large bodies', () => {
  const file = () => {
    const form = new FormData();
    form.append('file', new Blob(['[]']), 'a.json');
    return form;
  };

  it.each([
    ['no secret', () => ({})],
    ['a secret of another account', (api: Api) => ({ 'x-account-secret': api.other.account_secret })],
  ])('serves other accounts while clients with %s send nothing', async (_what, headersOf) => {
    const api = await startApi();
    const idle = [MANY, '/v3/edit/i18n'].flatMap((path) =>
      Array.from({ length: 30 }, () =>
        request(api.url + path, {
          method: 'POST',
          agent: false,
          headers: { ...headersOf(api), 'content-length': 1000 },
        }),
      ),
    );
    onTestFinished(() => {
      for (const one of idle) one.destroy();
    });
    for (const one of idle) {
      one.on('error', () => {});
      one.flushHeaders();
    }
    await Promise.all(idle.map((one) => once(one, 'socket')));
    await exists(api, 'nobody');
    expect((await api.post(MANY, { profiles: [{ uid: 'stored' }] })).status).toBe(202);
    expect((await api.post('/v3/edit/i18n', file())).status).toBe(422);
    expect(await exists(api, 'stored')).toBe(true);
  });

  it('returns 429 when too many batches of one account wait', async () => {
    const api = await startApi();
    // Three batches are being received, and fifty wait.
    const idle = Array.from({ length: 54 }, () => begin(api));
    onTestFinished(() => {
      for (const one of idle) one.destroy();
    });
    const firstResponse = Promise.race(idle.map((one) => once(one, 'response') as Promise<[IncomingMessage]>));
    for (const one of idle) {
      one.on('error', () => {});
      one.flushHeaders();
    }
    const [response] = await firstResponse;
    const [body] = await once(response, 'data');
    expect([response.statusCode, JSON.parse(body)]).toEqual([
      429,
      {
        code: 429,
        messages: ['50 batches of this account wait already: try again when some of them are done'],
        limit: 50,
      },
    ]);
    expect((await api.post(MANY, { profiles: [] }, { as: api.other })).status).toBe(202);
  });
});
