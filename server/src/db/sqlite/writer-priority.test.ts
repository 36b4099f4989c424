import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestDatabase, engine } from '../../../test/engine.ts';
import { createLog } from '../../log/log.ts';
import { openAppContext } from '../../serve.ts';
import { readSettings } from '../../settings/settings.ts';
import { openStorage } from '../open-storage.ts';
import { WriterPriority } from './writer-priority.ts';

/** The limits are longer than the timeout of a test: a thread that is not woken makes the test fail. */
const TEST_TIMEOUT_MS = 15_000;
const patient = { maxWorkerWaitMs: 30_000, maxMainWaitMs: 30_000 };

function createPair(limits?: typeof patient): { main: WriterPriority; worker: WriterPriority } {
  const main = new WriterPriority(undefined, limits);
  return { main, worker: new WriterPriority(main.shared, limits) };
}

const timeNow = () => performance.timeOrigin + performance.now();

/** Starts a thread that calls `acquire` as the worker. `acquired` resolves with the time at which it has returned. */
async function acquireInThread(shared: SharedArrayBuffer): Promise<{ acquired: Promise<number> }> {
  const entry = fileURLToPath(new URL('./writer-priority.ts', import.meta.url));
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { parentPort, workerData } from 'node:worker_threads';
        import { WriterPriority } from ${JSON.stringify(entry)};
        const priority = new WriterPriority(workerData.shared, workerData.limits);
        parentPort.postMessage('calls acquire');
        priority.acquire();
        parentPort.postMessage(performance.timeOrigin + performance.now());`,
      resolveDir: '.',
    },
    bundle: true,
    write: false,
    platform: 'node',
  });
  const thread = new Worker(outputFiles[0]?.text ?? '', { eval: true, workerData: { shared, limits: patient } });
  onTestFinished(async () => void (await thread.terminate()));
  const next = () => new Promise((resolve) => thread.once('message', resolve));
  await next();
  return { acquired: next() as Promise<number> };
}

describe('WriterPriority', () => {
  it('blocks the worker until the main thread has nothing more to write, then wakes it', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const { main } = createPair();
    main.acquire();
    const { acquired } = await acquireInThread(main.shared);
    // Long enough for a worker that does not wait to get past `acquire`.
    await pause(50);
    const releasedAt = timeNow();
    main.release();
    expect(await acquired).toBeGreaterThanOrEqual(releasedAt);
  });

  it('lets the worker write after 20 ms, even if the main thread never stops writing', () => {
    const { main, worker } = createPair();
    main.acquire();
    const start = performance.now();
    worker.acquire();
    expect(performance.now() - start).toBeGreaterThanOrEqual(20);
    expect(main.workerWrote()).toBe(true);
  });

  it('wakes the main thread when the worker releases the lock, and not before', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const { main, worker } = createPair(patient);
    worker.acquire();
    const events: string[] = [];
    const waiting = main.waitForLock().then(() => events.push('main continues'));
    for (let tick = 0; tick < 5; tick++) await new Promise(setImmediate);
    events.push('worker releases');
    worker.release();
    await waiting;
    expect(events).toEqual(['worker releases', 'main continues']);
  });

  it('lets the main thread try the lock after 5 ms if the worker never releases it', async () => {
    const { main, worker } = createPair();
    worker.acquire();
    const start = performance.now();
    await main.waitForLock();
    expect(performance.now() - start).toBeGreaterThanOrEqual(4);
  });

  it('reports to the main thread, once, that the worker has written', () => {
    const { main, worker } = createPair();
    main.acquire();
    main.release();
    expect([main.workerWrote(), worker.workerWrote()]).toEqual([false, false]);
    worker.acquire();
    worker.release();
    expect([worker.workerWrote(), main.workerWrote(), main.workerWrote()]).toEqual([false, true, false]);
  });
});

it.runIf(engine === 'sqlite')('loses no write when two storages write to one file at the same time', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.remove());
  const log = createLog('silent');
  const { storage: main } = await openAppContext(readSettings(database.env), log);
  const worker = openStorage(main.address, log);
  onTestFinished(async () => {
    await worker.close();
    await main.close();
  });
  const ids = Array.from({ length: 40 }, (_, at) => `a${at}`);
  await Promise.all(
    ids.map((id, at) =>
      (at % 2 ? main : worker).write(null, (db) =>
        db.insertInto('accounts').values({ id, name: 'Acme', token: id, updated_at: 1 }).execute(),
      ),
    ),
  );
  const rows = await main.reader(null).selectFrom('accounts').select('id').execute();
  expect(rows.map(({ id }) => id).sort()).toEqual(ids.sort());
});
