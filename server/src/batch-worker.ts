import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type BatchParams, parseBatchParams } from './batches/parse-batch-params.ts';
import {
  type BodyChunk,
  type ExportJob,
  type ImportJob,
  type Job,
  type JobResult,
  MAX_BATCH_BYTES,
  type MessageFromWorker,
  type MessageToWorker,
  type ParseJob,
  type StoreJob,
  type WorkerSettings,
} from './batches/worker-messages.ts';
import { createAppContext } from './create-app-context.ts';
import { createContext } from './create-context.ts';
import { openStorage } from './db/open-storage.ts';
import { ApiError } from './errors.ts';
import { type ExportResult, runExport } from './exports/run-export.ts';
import { companyRoutes } from './features/audience/companies/routes.ts';
import { eventRoutes } from './features/audience/events/routes.ts';
import { runImport } from './features/audience/import-runs/run-import.ts';
import { profileRoutes } from './features/audience/profiles/routes.ts';
import { createPropertyRegistry } from './features/audience/properties/property-registry.ts';
import { BodyBuffer } from './http/large-body.ts';
import { RequestActivity } from './http/request-queues.ts';
import type { Route, YieldToRequests } from './http/route.ts';
import { SecretBox } from './keys/secret-box.ts';
import { createLog } from './log/log.ts';
import { Semaphore } from './semaphore.ts';

/** The thread of batches/batch-thread.ts. It has its own context on the same storage, as another node would have. */
const port = parentPort as MessagePort;
const {
  address,
  masterKeys,
  publicUrl,
  minFreeDisk,
  logLevel,
  logFields,
  requestActivity: shared,
}: WorkerSettings = workerData;
const storage = openStorage(address, createLog(logLevel, undefined, logFields), { isPatient: true });
const app = createAppContext(storage, new SecretBox(masterKeys), publicUrl, createPropertyRegistry, Date.now, {
  minFreeDisk,
});
void app.disk.start();
const requestActivity = new RequestActivity(shared);
const routes = new Map<string, Route>(
  [...profileRoutes, ...companyRoutes, ...eventRoutes].map((route) => [route.path, route]),
);
const bodies = new Map<number, BodyBuffer>();
/** The lists of parsed batches, until they are stored. */
const lists = new Map<number, BatchParams['list']>();
/** One chunk runs at a time, of whichever batch: chunks that overlap would leave no time for other requests. */
const semaphore = new Semaphore(1);

let importsAreStopped = false;
let exportIsStopped = false;

port.on('message', async (message: MessageToWorker) => {
  if ('chunk' in message) append(message.chunk);
  else if ('discard' in message) discard(message.discard);
  else if ('stopImports' in message) importsAreStopped = true;
  else if ('stopExport' in message) exportIsStopped = true;
  else if ('stop' in message) await stop();
  else await run(message);
});

function append({ bodyId, length, bytes }: BodyChunk): void {
  const body = bodies.get(bodyId) ?? new BodyBuffer(length, MAX_BATCH_BYTES);
  body.append(bytes);
  bodies.set(bodyId, body);
}

function discard(bodyId: number): void {
  bodies.delete(bodyId);
  lists.delete(bodyId);
}

async function run(job: Job): Promise<void> {
  const { bodyId } = Object.values(job)[0] as { bodyId: number };
  const message: MessageFromWorker = { bodyId, result: await resultOf(job) };
  port.postMessage(message);
}

async function resultOf(job: Job): Promise<JobResult> {
  try {
    return {
      value: await runJob(job),
    };
  } catch (error) {
    if (error instanceof ApiError) {
      const { code, messages, limit, wait } = error;
      return { apiError: { code, messages, limit, wait } };
    }
    const { message, stack, code } = error as Error & { code?: unknown };
    return { error: { message, stack, code } };
  }
}

function runJob(job: Job): Promise<unknown> {
  if ('parse' in job) return parse(job.parse);
  if ('store' in job) return store(job.store);
  return 'runImport' in job ? runInTurn(job.runImport) : runExportInTurn(job.runExport);
}

/** Runs work chunk by chunk. After each chunk, other requests and the chunks of other batches may run. */
async function runInChunks<T>(work: (yieldToRequests: YieldToRequests) => Promise<T>): Promise<T> {
  let release = await semaphore.acquire();
  try {
    return await work(async (since) => {
      await requestActivity.yieldToRequests(since);
      release();
      release = await semaphore.acquire();
    });
  } finally {
    release();
  }
}

async function parse({ bodyId, batch, request }: ParseJob) {
  const complete = { ...request, body: bodies.get(bodyId)?.bytes };
  const { list, input } = await runInChunks((yieldToRequests) => parseBatchParams(complete, batch, yieldToRequests));
  lists.set(bodyId, list);
  const { [batch]: _, ...rest } = input;
  return { input: rest, hasList: list !== undefined };
}

async function store({ bodyId, path, caller, parameters }: StoreJob): Promise<unknown> {
  const route = routes.get(path);
  const list = lists.get(bodyId);
  if (!route || !list) throw new Error(`There is no parsed batch for ${path}`);
  const ctx = createContext(app, caller);
  const hasOtherRequests = () => requestActivity.isBusy;
  const result = await runInChunks((yieldToRequests) =>
    route.run(ctx, parameters, { ...list, hasOtherRequests, yieldToRequests }),
  );
  // A client that has the response must find all Properties of its batch.
  await app.propertyRegistry.flush(caller.account.id).catch(() => {});
  await app.storage.syncToDisk();
  return result;
}

async function runInTurn({ accountId, id, claim }: ImportJob): Promise<void> {
  await runInChunks((yieldToRequests) => {
    const isBusy = () => requestActivity.isBusy;
    const pace = { isBusy, yieldToRequests, isStopped: () => importsAreStopped, isOwnThread: true };
    return runImport({ app, accountId, id, claim, pace });
  });
  await app.storage.syncToDisk();
}

function runExportInTurn({ target }: ExportJob): Promise<ExportResult> {
  return runInChunks((yieldToRequests) =>
    runExport(app, target, { isBusy: () => requestActivity.isBusy, yieldToRequests, isStopped: () => exportIsStopped }),
  );
}

async function stop(): Promise<void> {
  app.disk.stop();
  await app.propertyRegistry.stop();
  await app.pageCounts.stop();
  await app.storage.close();
  port.close();
}
