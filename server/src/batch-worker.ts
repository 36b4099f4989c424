import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Answer, Collecting, Message, Piece, Question, Storing, ThreadSettings } from './batch-thread.ts';
import { createContext, createWorld } from './context.ts';
import { openStorage } from './db/open-storage.ts';
import { Refusal } from './errors.ts';
import { companyRoutes } from './features/companies/routes.ts';
import { profileRoutes } from './features/profiles/routes.ts';
import { createDiscovery } from './features/properties/discovery.ts';
import { type CollectedBatch, collectBatch } from './http/collect.ts';
import { GrowingBody } from './http/large-body.ts';
import type { Route } from './http/route.ts';
import { Others } from './http/traffic.ts';
import { createLog } from './log.ts';

/** The thread of batch-thread.ts: a world of its own on the same storage, as another node would be. */
const port = parentPort as MessagePort;
const { address, publicUrl, logLevel, others: shared } = workerData as ThreadSettings;
const world = createWorld(openStorage(address, createLog(logLevel)), publicUrl, createDiscovery);
const others = new Others(shared);
const routes = new Map<string, Route>([...profileRoutes, ...companyRoutes].map((route) => [route.path, route]));
const bodies = new Map<number, GrowingBody>();
/** Of the batch that was collected last, until it is stored. */
let list: CollectedBatch['list'];

port.on('message', async (message: Message) => {
  if ('piece' in message) take(message.piece);
  else if ('forget' in message) bodies.delete(message.forget);
  else if ('end' in message) await end();
  else port.postMessage(await answer(message));
});

function take({ body, length, bytes }: Piece): void {
  const growing = bodies.get(body) ?? new GrowingBody(length);
  growing.add(bytes);
  bodies.set(body, growing);
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

async function collect({ batch, sent, body }: Collecting) {
  list = undefined;
  const collected = await collectBatch({ ...sent, body: bodies.get(body)?.whole }, batch, others.giveWay);
  list = collected.list;
  const { [batch]: _, ...given } = collected.given;
  return { given, hasList: list !== undefined };
}

async function store({ path, caller, parameters }: Storing): Promise<unknown> {
  const route = routes.get(path);
  if (!route || !list) throw new Error(`No batch was collected for ${path}`);
  const items = { ...list, othersWait: () => others.wait, giveWay: others.giveWay };
  list = undefined;
  const answer = await route.run(createContext(world, caller), parameters, items);
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
