import type { Worker } from 'node:cluster';
import type { Log } from '../log/log.ts';
import type { GroupState } from './group-state.ts';
import type { MessageFromWorker, MessageToWorker } from './messages.ts';
import { WholeLines } from './whole-lines.ts';

const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 30_000;
/** A worker that ran for this long did not fail because of how it started. */
const STABLE_AFTER_MS = 60_000;
/** A worker that answers no ping for a minute is stuck: its connections would never get a response. */
const PING_MS = 5000;
const MAX_UNANSWERED = 12;

/** A worker that could not start, with the reason that it gave. */
export class WorkerFailed extends Error {}

interface PlaceDependencies {
  fork(number: number): Worker;
  state: GroupState;
  log: Log;
  /** Gets the log of the worker, line by line, and what it writes to standard error. */
  writeLog(lines: string): void;
  writeError(text: string): void;
  onReplace(): void;
}

/** One of the workers of a server. When its process ends, another one takes its place. */
export class WorkerPlace {
  readonly #number: number;
  readonly #deps: PlaceDependencies;
  #worker: Worker | undefined;
  #ended: Promise<void> = Promise.resolve();
  #isReady = false;
  #isStopping = false;
  #pause = MIN_PAUSE_MS;
  #timer: NodeJS.Timeout | undefined;
  #unanswered = 0;

  constructor(number: number, deps: PlaceDependencies) {
    this.#number = number;
    this.#deps = deps;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Resolves with the address when the worker serves requests. */
  start(): Promise<string> {
    return new Promise((resolve, reject) => this.#fork(resolve, reject));
  }

  /** Stops the worker after its open requests, and does not replace it. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    this.#send({ stop: true });
    await this.#ended;
  }

  #fork(onReady: (address: string) => void, onFailure: (error: WorkerFailed) => void): void {
    const { fork, state } = this.#deps;
    const startedAt = performance.now();
    const worker = fork(this.#number);
    this.#worker = worker;
    let reason: string | undefined;
    worker.on('message', (message: MessageFromWorker) => {
      if ('listening' in message) {
        state.join(this.#number, (toWorker) => this.#send(toWorker));
        if (this.#isStopping) this.#send({ stop: true });
      } else if ('ready' in message) {
        this.#isReady = true;
        onReady(message.ready);
      } else if ('pong' in message) this.#unanswered = 0;
      else if ('failed' in message) reason = message.failed;
      else state.receive(this.#number, message);
    });
    // Without a listener, a process that the system cannot start would end this one too.
    worker.on('error', (err) => this.#deps.log.error({ err, worker: this.#number }, 'a worker has a problem'));
    this.#unanswered = 0;
    const pings = setInterval(() => this.#ping(worker), PING_MS);
    this.#forwardOutput(worker);
    this.#ended = new Promise((resolve) => {
      // "close" comes after the output of the worker has ended, so that no line of its log is lost.
      worker.process.once('close', (code, signal) => {
        clearInterval(pings);
        const wasReady = this.#isReady;
        this.#isReady = false;
        state.leave(this.#number);
        resolve();
        if (wasReady && performance.now() - startedAt > STABLE_AFTER_MS) this.#pause = MIN_PAUSE_MS;
        const how = signal ?? `code ${code}`;
        onFailure(new WorkerFailed(reason ?? `worker ${this.#number} ended with ${how} before it was ready`));
        if (this.#isReplaced(wasReady)) this.#replaceSoon(how, reason);
      });
    });
  }

  /** Counts pings, not time: if the whole machine was suspended, a worker gets as many of them as before. */
  #ping(worker: Worker): void {
    if (!this.#isReady) return;
    this.#unanswered += 1;
    if (this.#unanswered <= MAX_UNANSWERED) this.#send({ ping: true });
    else {
      this.#deps.log.error({ worker: this.#number }, 'a worker does not respond: it is ended');
      worker.process.kill('SIGKILL');
    }
  }

  /** The first start is not repeated: what is wrong then, such as a setting, is wrong in all workers. */
  #wasReadyOnce = false;
  #isReplaced(wasReady: boolean): boolean {
    this.#wasReadyOnce ||= wasReady;
    return this.#wasReadyOnce && !this.#isStopping;
  }

  #replaceSoon(how: string, reason: string | undefined): void {
    const { log, onReplace } = this.#deps;
    const pause = this.#pause;
    this.#pause = Math.min(2 * pause, MAX_PAUSE_MS);
    log.error({ worker: this.#number, how, reason, pause }, 'a worker ended: another one takes its place');
    onReplace();
    this.#timer = setTimeout(() => {
      const onReady = () => log.info({ worker: this.#number }, 'a worker was replaced');
      this.#fork(onReady, () => {});
    }, pause);
  }

  #forwardOutput({ process: { stdout, stderr } }: Worker): void {
    const { writeLog, writeError } = this.#deps;
    const lines = new WholeLines(writeLog);
    stdout?.setEncoding('utf8').on('data', (text: string) => lines.add(text));
    stdout?.once('end', () => lines.end());
    stderr?.setEncoding('utf8').on('data', writeError);
  }

  #send(message: MessageToWorker): void {
    // A worker that has just ended gets nothing more. Its end is noticed elsewhere.
    if (this.#worker?.isConnected()) this.#worker.send(message, undefined, () => {});
  }
}
