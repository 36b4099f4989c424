import { Worker } from 'node:worker_threads';
import type { AppContext, Caller } from '../context.ts';
import type { StorageAddress } from '../db/storage.ts';
import { ApiError, storageUnavailable } from '../errors.ts';
import { bundleFolder } from '../folders.ts';
import type { Collected, LargeBodies } from '../http/handle-request.ts';
import type { HttpRequest } from '../http/http-request.ts';
import { piecesOf } from '../http/large-body.ts';
import type { Sent } from '../http/params.ts';
import type { RequestQueues } from '../http/request-queues.ts';
import type { Route } from '../http/route.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../settings.ts';

export const MAX_BATCH = 16 * 1024 * 1024;

/** What the thread is told when it starts. */
export interface ThreadSettings {
  address: StorageAddress;
  masterKeys: readonly Uint8Array[];
  publicUrl: string;
  logLevel: Settings['logLevel'];
  requestActivity: SharedArrayBuffer;
}

/** A part of a body, in the order they came. */
export interface Piece {
  body: number;
  /** Of the whole, where it is known. */
  length: number | undefined;
  bytes: Uint8Array;
}

/** Reads what was sent, and keeps the list of this name. */
export interface Collecting {
  batch: string;
  sent: Omit<Sent, 'body'>;
  body: number;
}

/** Stores the list that was kept. */
export interface Storing {
  body: number;
  path: string;
  caller: Caller;
  parameters: Record<string, unknown>;
}

export type WorkerRequest = { parseParams: Collecting } | { store: Storing };
export type Message = WorkerRequest | { piece: Piece } | { forget: number } | { end: true };

/** What became of the last question about a body. */
export interface Answered {
  body: number;
  answer: WorkerReply;
}

export type WorkerReply =
  | { value: unknown }
  | { apiError: Pick<ApiError, 'code' | 'messages' | 'limit' | 'wait'> }
  | { error: { message: string; stack: string | undefined; code: unknown } };

/** Where the body of a batch is. */
interface TakenIn {
  worker: Worker;
  body: number;
}

/**
 * Reads and stores batches in a thread of its own, so that going through thousands of rows, and cleaning up the memory
 * behind them, keeps nobody else waiting. It starts with the first batch; after it died, anew. Batches of several accounts
 * take turns in it, part by part.
 */
export class BatchThread {
  readonly #settings: ThreadSettings;
  readonly #requestQueues: RequestQueues;
  readonly #log: Log;
  /** The questions that are open, by their body. */
  readonly #asked = new Map<number, (answer: WorkerReply) => void>();
  #worker: Worker | undefined;
  #bodies = 0;

  constructor({ storage, secretBox, publicUrl }: AppContext, requestQueues: RequestQueues, log: Log) {
    const logLevel = log.level as Settings['logLevel'];
    const { address } = storage;
    this.#settings = {
      address,
      masterKeys: secretBox.keys,
      publicUrl,
      logLevel,
      requestActivity: requestQueues.requestActivity.shared,
    };
    this.#requestQueues = requestQueues;
    this.#log = log;
  }

  /** The bodies of the batches of a route, whose lists are stored in the thread. */
  bodies(route: Route): LargeBodies<TakenIn> {
    return {
      queues: this.#requestQueues.batches,
      takeIn: (request) => this.#takeIn(request),
      parseParams: (request, taken) => this.#collect(route, request, taken),
      forget: (taken) => this.#forget(taken),
    };
  }

  /**
   * Hands a body over as it comes, without a copy. Of megabytes that are held here, be it for a moment, the memory of this
   * thread is cleaned up, with a pause of 3 to 9 ms.
   */
  async #takeIn(request: HttpRequest): Promise<TakenIn> {
    this.#worker ??= this.#start();
    const taken = { worker: this.#worker, body: this.#bodies++ };
    const length = lengthOf(request);
    try {
      for await (const piece of piecesOf(request, this.#requestQueues, MAX_BATCH)) {
        // What is a part of something larger cannot be handed over.
        const bytes = piece.length === piece.buffer.byteLength ? piece : new Uint8Array(piece);
        this.#tell(taken.worker, { piece: { body: taken.body, length, bytes } }, [bytes.buffer as ArrayBuffer]);
      }
      return taken;
    } catch (error) {
      this.#forget(taken);
      throw error;
    }
  }

  #forget({ worker, body }: TakenIn): void {
    this.#tell(worker, { forget: body });
  }

  /** The parameters of a batch, but for its list, and what stores that. */
  async #collect(
    { batch = '', path }: Route,
    { url, params, mediaType }: HttpRequest,
    taken: TakenIn,
  ): Promise<Collected> {
    const { body } = taken;
    const sent = { url, params: { ...params }, mediaType };
    const collected = await this.#ask(taken, { parseParams: { batch, sent, body } });
    const { input, hasList } = collected as Required<Pick<Collected, 'input' | 'hasList'>>;
    const run: Route['run'] = ({ account, actor }, parameters) =>
      this.#ask(taken, { store: { body, path, caller: { account, actor }, parameters } });
    return { input: Object.assign(Object.create(null), input), hasList, run };
  }

  /** A thread that died in between has taken along what it had been sent. */
  async #ask({ worker, body }: TakenIn, question: WorkerRequest): Promise<unknown> {
    if (worker !== this.#worker) throw storageUnavailable();
    const answer = await new Promise<WorkerReply>((resolve, reject) => {
      const ended = () => reject(storageUnavailable());
      worker.once('exit', ended);
      this.#asked.set(body, (answer) => {
        worker.off('exit', ended);
        resolve(answer);
      });
      this.#tell(worker, question);
    }).finally(() => this.#asked.delete(body));
    if ('value' in answer) return answer.value;
    if ('error' in answer) throw Object.assign(new Error(answer.error.message), answer.error);
    const { code, messages, limit, wait } = answer.apiError;
    throw new ApiError(code, messages, limit, wait);
  }

  #tell(worker: Worker, message: Message, transferred: ArrayBuffer[] = []): void {
    worker.postMessage(message, transferred);
  }

  #start(): Worker {
    const worker = new Worker(new URL('batch-worker.js', bundleFolder), { workerData: this.#settings });
    worker.on('message', ({ body, answer }: Answered) => this.#asked.get(body)?.(answer));
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
    this.#tell(worker, { end: true });
    await ended;
  }
}

/** Of the whole body, where it is known before it is there. */
function lengthOf({ receivedBody, headers }: HttpRequest): number | undefined {
  if (receivedBody) return receivedBody.length;
  const { 'content-length': length, 'content-encoding': encoding } = headers;
  return length === undefined || encoding !== undefined ? undefined : Number(length);
}
