import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createContext, createWorld } from '../context.ts';
import { openStorage } from '../db/open-storage.ts';
import { Refusal } from '../errors.ts';
import { companyRoutes } from '../features/companies/routes.ts';
import { profileRoutes } from '../features/profiles/routes.ts';
import { createDiscovery } from '../features/properties/property-registry.ts';
import { GrowingBody } from '../http/large-body.ts';
import { type CollectedBatch, collectBatch } from '../http/params.ts';
import { Others } from '../http/request-queues.ts';
import type { Route } from '../http/route.ts';
import { SecretBox } from '../keys/secret-box.ts';
import { createLog } from '../log.ts';
import { Turns } from '../semaphore.ts';
import {
  type Answer,
  type Answered,
  type Collecting,
  LARGEST_BATCH,
  type Message,
  type Piece,
  type Question,
  type Storing,
  type ThreadSettings,
} from './batch-thread.ts';
import type { GiveWay } from './json-batch.ts';

/** The thread of batch-thread.ts: a world of its own on the same storage, as another node would be. */
const port = parentPort as MessagePort;
const { address, masterKeys, publicUrl, logLevel, others: shared } = workerData as ThreadSettings;
const storage = openStorage(address, createLog(logLevel));
const world = createWorld(storage, new SecretBox(masterKeys), publicUrl, createDiscovery);
const others = new Others(shared);
const routes = new Map<string, Route>([...profileRoutes, ...companyRoutes].map((route) => [route.path, route]));
const bodies = new Map<number, GrowingBody>();
/** Of batches that were collected, until they are stored. */
const lists = new Map<number, CollectedBatch['list']>();
/** One part at a time, of whichever batch: parts that overlap would together leave no time for other requests. */
const turns = new Turns(1);

port.on('message', async (message: Message) => {
  if ('piece' in message) take(message.piece);
  else if ('forget' in message) forget(message.forget);
  else if ('end' in message) await end();
  else await answerTo(message);
});

function take({ body, length, bytes }: Piece): void {
  const growing = bodies.get(body) ?? new GrowingBody(length, LARGEST_BATCH);
  growing.add(bytes);
  bodies.set(body, growing);
}

function forget(body: number): void {
  bodies.delete(body);
  lists.delete(body);
}

async function answerTo(question: Question): Promise<void> {
  const { body } = 'collect' in question ? question.collect : question.store;
  const answered: Answered = { body, answer: await answer(question) };
  port.postMessage(answered);
}

async function answer(question: Question): Promise<Answer> {
  try {
    return { value: await ('collect' in question ? collect(question.collect) : store(question.store)) };
  } catch (error) {
    if (error instanceof Refusal) {
      const { code, messages, limit, wait } = error;
      return { refusal: { code, messages, limit, wait } };
    }
    const { message, stack, code } = error as Error & { code?: unknown };
    return { error: { message, stack, code } };
  }
}

/** Does the work part by part. After each part the batches that wait have theirs. */
async function inTurns<T>(work: (giveWay: GiveWay) => Promise<T>): Promise<T> {
  let done = await turns.take();
  try {
    return await work(async (since) => {
      await others.giveWay(since);
      done();
      done = await turns.take();
    });
  } finally {
    done();
  }
}

async function collect({ batch, sent, body }: Collecting) {
  const whole = { ...sent, body: bodies.get(body)?.whole };
  const { list, given } = await inTurns((giveWay) => collectBatch(whole, batch, giveWay));
  lists.set(body, list);
  const { [batch]: _, ...others } = given;
  return { given: others, hasList: list !== undefined };
}

async function store({ body, path, caller, parameters }: Storing): Promise<unknown> {
  const route = routes.get(path);
  const list = lists.get(body);
  if (!route || !list) throw new Error(`No batch was collected for ${path}`);
  const ctx = createContext(world, caller);
  const othersWait = () => others.wait;
  const answer = await inTurns((giveWay) => route.run(ctx, parameters, { ...list, othersWait, giveWay }));
  // Whoever has the answer finds all that was seen.
  await world.discovery.flush(caller.account.id).catch(() => {});
  return answer;
}

async function end(): Promise<void> {
  await world.discovery.stop();
  await world.pageCounts.stop();
  await world.storage.close();
  port.close();
}
