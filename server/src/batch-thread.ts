import { Worker } from 'node:worker_threads';
import type { FastifyRequest } from 'fastify';
import type { Caller, World } from './context.ts';
import type { StorageAddress } from './db/storage.ts';
import { Refusal, storageAway } from './errors.ts';
import type { Collected } from './http/answer.ts';
import type { Sent } from './http/collect.ts';
import type { Route } from './http/route.ts';
import type { Others } from './http/traffic.ts';
import type { Log } from './log.ts';
import type { Settings } from './settings.ts';

/** What the thread is told when it starts. */
export interface ThreadSettings {
  address: StorageAddress;
  publicUrl: string;
  logLevel: Settings['logLevel'];
  others: SharedArrayBuffer;
}

/** Reads what was sent, and keeps the list of this name. */
export interface Collecting {
  batch: string;
  sent: Sent;
}

/** Stores the list that was kept. */
export interface Storing {
  path: string;
  caller: Caller;
  parameters: Record<string, unknown>;
}

export type Question = { collect: Collecting } | { store: Storing } | { end: true };

export type Answer =
  | { value: unknown }
  | { refusal: Pick<Refusal, 'code' | 'messages' | 'limit' | 'wait'> }
  | { error: { message: string; stack: string | undefined; code: unknown } };

/**
 * Reads and stores batches in a thread of its own, one at a time: going through thousands of rows, and cleaning up the
 * memory behind them, keeps nobody else waiting. It starts with the first batch; after it died, anew.
 */
export class BatchThread {
  readonly #settings: ThreadSettings;
  readonly #log: Log;
  #worker: Worker | undefined;

  constructor({ storage, publicUrl }: World, others: Others, log: Log) {
    const logLevel = log.level as Settings['logLevel'];
    this.#settings = { address: storage.address, publicUrl, logLevel, others: others.shared };
    this.#log = log;
  }

  /** The parameters of a batch, but for its list. */
  async collect(batch: string, request: FastifyRequest): Promise<Collected> {
    const { raw, params, givenMediaType: mediaType } = request;
    const body = request.body as Buffer<ArrayBuffer> | undefined;
    // It is the thread's from now on.
    request.body = undefined;
    this.#worker ??= this.#start();
    const sent = { url: raw.url, params: { ...(params as object) }, body, mediaType };
    const collected = await this.#ask({ collect: { batch, sent } }, body ? [body.buffer] : []);
    const { given, hasList } = collected as Required<Pick<Collected, 'given' | 'hasList'>>;
    return { given: Object.assign(Object.create(null), given), hasList };
  }

  /** The route, with what was collected last stored in the thread. */
  storing(route: Route): Route {
    const { path } = route;
    const run: Route['run'] = ({ account, actor }, parameters) =>
      this.#ask({ store: { path, caller: { account, actor }, parameters } });
    return { ...route, run };
  }

  /** A thread that died in between has taken along what it had collected. */
  async #ask(question: Question, transferred: ArrayBuffer[] = []): Promise<unknown> {
    const worker = this.#worker;
    if (!worker) throw storageAway();
    const answer = await new Promise<Answer>((resolve, reject) => {
      const ended = () => reject(storageAway());
      worker.once('exit', ended);
      worker.once('message', (told: Answer) => {
        worker.off('exit', ended);
        resolve(told);
      });
      worker.postMessage(question, transferred);
    });
    if ('value' in answer) return answer.value;
    if ('error' in answer) throw Object.assign(new Error(answer.error.message), answer.error);
    const { code, messages, limit, wait } = answer.refusal;
    throw new Refusal(code, messages, limit, wait);
  }

  #start(): Worker {
    // Found from the source as well as from the bundle.
    const worker = new Worker(new URL('../dist/batch-worker.js', import.meta.url), { workerData: this.#settings });
    worker.on('error', (err) => this.#log.error({ err }, 'the thread for batches ended'));
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    return worker;
  }

  /** Never by `terminate`: in the midst of a query that makes libsql abort the whole process. */
  async stop(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage({ end: true } satisfies Question);
    await ended;
  }
}
