import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createAppContext, createContext } from '../context.ts';
import { openStorage } from '../db/open-storage.ts';
import { ApiError } from '../errors.ts';
import { companyRoutes } from '../features/companies/routes.ts';
import { profileRoutes } from '../features/profiles/routes.ts';
import { createPropertyRegistry } from '../features/properties/property-registry.ts';
import { GrowingBody } from '../http/large-body.ts';
import { type CollectedBatch, parseBatchParams } from '../http/params.ts';
import { RequestActivity } from '../http/request-queues.ts';
import type { Route } from '../http/route.ts';
import { SecretBox } from '../keys/secret-box.ts';
import { createLog } from '../log.ts';
import { Semaphore } from '../semaphore.ts';
import {
  type Answered,
  type Collecting,
  MAX_BATCH,
  type Message,
  type Piece,
  type Storing,
  type ThreadSettings,
  type WorkerReply,
  type WorkerRequest,
} from './batch-thread.ts';
import type { YieldToRequests } from './json-batch.ts';

/** The thread of batch-thread.ts: a world of its own on the same storage, as another node would be. */
const port = parentPort as MessagePort;
const { address, masterKeys, publicUrl, logLevel, requestActivity: shared } = workerData as ThreadSettings;
const storage = openStorage(address, createLog(logLevel));
const app = createAppContext(storage, new SecretBox(masterKeys), publicUrl, createPropertyRegistry);
const requestActivity = new RequestActivity(shared);
const routes = new Map<string, Route>([...profileRoutes, ...companyRoutes].map((route) => [route.path, route]));
const bodies = new Map<number, GrowingBody>();
/** Of batches that were collected, until they are stored. */
const lists = new Map<number, CollectedBatch['list']>();
/** One part at a time, of whichever batch: parts that overlap would together leave no time for other requests. */
const turns = new Semaphore(1);

port.on('message', async (message: Message) => {
  if ('piece' in message) take(message.piece);
  else if ('forget' in message) forget(message.forget);
  else if ('end' in message) await end();
  else await answerTo(message);
});

function take({ body, length, bytes }: Piece): void {
  const growing = bodies.get(body) ?? new GrowingBody(length, MAX_BATCH);
  growing.add(bytes);
  bodies.set(body, growing);
}

function forget(body: number): void {
  bodies.delete(body);
  lists.delete(body);
}

async function answerTo(question: WorkerRequest): Promise<void> {
  const { body } = 'parseParams' in question ? question.parseParams : question.store;
  const answered: Answered = { body, answer: await answer(question) };
  port.postMessage(answered);
}

async function answer(question: WorkerRequest): Promise<WorkerReply> {
  try {
    return { value: await ('parseParams' in question ? parseParams(question.parseParams) : store(question.store)) };
  } catch (error) {
    if (error instanceof ApiError) {
      const { code, messages, limit, wait } = error;
      return { apiError: { code, messages, limit, wait } };
    }
    const { message, stack, code } = error as Error & { code?: unknown };
    return { error: { message, stack, code } };
  }
}

/** Does the work part by part. After each part the batches that wait have theirs. */
async function inTurns<T>(work: (yieldToRequests: YieldToRequests) => Promise<T>): Promise<T> {
  let done = await turns.take();
  try {
    return await work(async (since) => {
      await requestActivity.yieldToRequests(since);
      done();
      done = await turns.take();
    });
  } finally {
    done();
  }
}

async function parseParams({ batch, sent, body }: Collecting) {
  const whole = { ...sent, body: bodies.get(body)?.whole };
  const { list, input } = await inTurns((yieldToRequests) => parseBatchParams(whole, batch, yieldToRequests));
  lists.set(body, list);
  const { [batch]: _, ...rest } = input;
  return { input: rest, hasList: list !== undefined };
}

async function store({ body, path, caller, parameters }: Storing): Promise<unknown> {
  const route = routes.get(path);
  const list = lists.get(body);
  if (!route || !list) throw new Error(`No batch was collected for ${path}`);
  const ctx = createContext(app, caller);
  const othersWait = () => requestActivity.wait;
  const answer = await inTurns((yieldToRequests) =>
    route.run(ctx, parameters, { ...list, othersWait, yieldToRequests }),
  );
  // Whoever has the answer finds all that was seen.
  await app.propertyRegistry.flush(caller.account.id).catch(() => {});
  return answer;
}

async function end(): Promise<void> {
  await app.propertyRegistry.stop();
  await app.pageCounts.stop();
  await app.storage.close();
  port.close();
}
