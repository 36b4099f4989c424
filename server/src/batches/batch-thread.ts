import { Worker } from 'node:worker_threads';
import type { AppContext } from '../context.ts';
import { ApiError, storageUnavailable } from '../errors.ts';
import type { ExportResult, ExportTarget } from '../exports/run-export.ts';
import { bundleFolder } from '../folders.ts';
import type { LargeBodies, ParsedRequest } from '../http/handle-request.ts';
import type { HttpRequest } from '../http/http-request.ts';
import { receiveLargeChunks } from '../http/large-body.ts';
import type { RequestQueues } from '../http/request-queues.ts';
import type { Route } from '../http/route.ts';
import type { Log } from '../log/log.ts';
import type { Settings } from '../settings/settings.ts';
import {
  type ImportJob,
  type Job,
  type JobResult,
  MAX_BATCH_BYTES,
  type MessageFromWorker,
  type MessageToWorker,
  type WorkerSettings,
} from './worker-messages.ts';

/** A body that was passed to the thread. */
interface BatchBody {
  worker: Worker;
  id: number;
}

/**
 * Parses and stores batches in a thread of its own, so that thousands of rows, and collecting their garbage, delay no
 * other request. The thread starts with the first batch, and again after a crash. The batches of several accounts
 * take turns in it, chunk by chunk.
 */
export class BatchThread {
  readonly #settings: WorkerSettings;
  readonly #requestQueues: RequestQueues;
  readonly #log: Log;
  /** The callbacks of the running jobs, by the ID of their body. */
  readonly #running = new Map<number, (result: JobResult) => void>();
  #worker: Worker | undefined;
  #lastBodyId = 0;

  constructor({ storage, secretBox, publicUrl, disk, group }: AppContext, requestQueues: RequestQueues, log: Log) {
    const logLevel = log.level as Settings['logLevel'];
    const { address } = storage;
    this.#settings = {
      address,
      masterKeys: secretBox.keys,
      publicUrl,
      minFreeDisk: disk.minFreeBytes,
      logLevel,
      logFields: group && { worker: group.worker },
      requestActivity: requestQueues.requestActivity.shared,
    };
    this.#requestQueues = requestQueues;
    this.#log = log;
  }

  /** How the bodies of a batch route are received and processed. */
  bodiesOf(route: Route): LargeBodies<BatchBody> {
    return {
      queues: this.#requestQueues.batches,
      receive: (request) => this.#receive(request),
      parse: (request, body) => this.#parse(route, request, body),
      discard: (body) => this.#discard(body),
    };
  }

  /**
   * Passes a body to the thread chunk by chunk, without a copy. Keeping megabytes on this thread, even for a moment, would
   * make it collect garbage with a pause of 3 to 9 ms.
   */
  async #receive(request: HttpRequest): Promise<BatchBody> {
    this.#worker ??= this.#start();
    this.#lastBodyId += 1;
    const body = { worker: this.#worker, id: this.#lastBodyId };
    const length = lengthOf(request);
    try {
      for await (const chunk of receiveLargeChunks(request, this.#requestQueues, MAX_BATCH_BYTES)) {
        // Only a whole ArrayBuffer can be transferred.
        const bytes = chunk.length === chunk.buffer.byteLength ? chunk : new Uint8Array(chunk);
        this.#post(body.worker, { chunk: { bodyId: body.id, length, bytes } }, [bytes.buffer as ArrayBuffer]);
      }
      return body;
    } catch (error) {
      this.#discard(body);
      throw error;
    }
  }

  /** Runs a claimed import chunk by chunk, in turn with batches. It ends when the import does, or after `stopImports`. */
  async runImport(claimed: Omit<ImportJob, 'bodyId'>): Promise<void> {
    this.#worker ??= this.#start();
    this.#lastBodyId += 1;
    const bodyId = this.#lastBodyId;
    await this.#run({ worker: this.#worker, id: bodyId }, { runImport: { bodyId, ...claimed } });
  }

  /** Exports rows chunk by chunk, in turn with batches. It ends early after `stopExport`. */
  async runExport(target: ExportTarget): Promise<ExportResult> {
    this.#worker ??= this.#start();
    this.#lastBodyId += 1;
    const bodyId = this.#lastBodyId;
    const result = await this.#run({ worker: this.#worker, id: bodyId }, { runExport: { bodyId, target } });
    return result as ExportResult;
  }

  stopExport(): void {
    if (this.#worker) this.#post(this.#worker, { stopExport: true });
  }

  /** Lets imports end after the chunk that is being stored. */
  stopImports(): void {
    if (this.#worker) this.#post(this.#worker, { stopImports: true });
  }

  #discard({ worker, id }: BatchBody): void {
    this.#post(worker, { discard: id });
  }

  /** Returns the parameters without the list, and a function that stores the list. */
  async #parse(
    { batch = '', path }: Route,
    { url, params, mediaType }: HttpRequest,
    body: BatchBody,
  ): Promise<ParsedRequest> {
    const bodyId = body.id;
    const request = { url, params: { ...params }, mediaType };
    const parsed = await this.#run(body, { parse: { bodyId, batch, request } });
    const { input, hasList } = parsed as Required<Pick<ParsedRequest, 'input' | 'hasList'>>;
    const run: Route['run'] = ({ account, actor }, parameters) =>
      this.#run(body, { store: { bodyId, path, caller: { account, actor }, parameters } });
    return { input: Object.assign(Object.create(null), input), hasList, run };
  }

  /** Runs a job in the thread. If the thread died since the body was passed to it, the body is lost. */
  async #run({ worker, id }: BatchBody, job: Job): Promise<unknown> {
    if (worker !== this.#worker) throw storageUnavailable();
    const result = await new Promise<JobResult>((resolve, reject) => {
      const onExit = () => reject(storageUnavailable());
      worker.once('exit', onExit);
      this.#running.set(id, (result) => {
        worker.off('exit', onExit);
        resolve(result);
      });
      this.#post(worker, job);
    }).finally(() => this.#running.delete(id));
    if ('value' in result) return result.value;
    if ('error' in result) throw Object.assign(new Error(result.error.message), result.error);
    const { code, messages, limit, wait } = result.apiError;
    throw new ApiError(code, messages, limit, wait);
  }

  #post(worker: Worker, message: MessageToWorker, transferred: ArrayBuffer[] = []): void {
    worker.postMessage(message, transferred);
  }

  #start(): Worker {
    const worker = new Worker(new URL('batch-worker.js', bundleFolder), { workerData: this.#settings });
    worker.on('message', ({ bodyId, result }: MessageFromWorker) => this.#running.get(bodyId)?.(result));
    worker.on('error', (err) => this.#log.error({ err }, 'the batch thread failed'));
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    return worker;
  }

  /** Asks the thread to stop. It is never terminated, because libsql aborts the process if that happens in a query. */
  async stop(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    this.#post(worker, { stop: true });
    await ended;
  }
}

/** The length of the whole body, if it is known before the body has arrived. */
function lengthOf({ receivedBody, headers }: HttpRequest): number | undefined {
  if (receivedBody) return receivedBody.length;
  const { 'content-length': length, 'content-encoding': encoding } = headers;
  return length === undefined || encoding !== undefined ? undefined : Number(length);
}
