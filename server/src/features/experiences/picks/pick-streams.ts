import type { Millis } from '@usher/domain';
import { limited } from '../../../errors.ts';
import type { Group, SharedOpen } from '../../../group.ts';

declare module '../../../context.ts' {
  interface AppContext {
    /** Knows which administrators watch picks on this server. */
    readonly pickStreams: PickStreams;
  }
}

const MAX_STREAMS = 5;

interface StreamTimes {
  /** How often a stream checks what happened on other nodes, and whether its administrator may still see the pick. */
  look: Millis;
  /** How often a comment is sent: proxies close a connection on which nothing is sent for a while. */
  comment: Millis;
  /** Streams end after this time. Browsers connect again automatically. */
  max: Millis;
}

/** The event streams that administrators have open on this server, and what wakes them. */
export class PickStreams {
  /** The times are properties, so that tests can make them shorter. */
  readonly times: StreamTimes = { look: 1000, comment: 15_000, max: 5 * 60_000 };
  /** The number of open streams, by administrator. */
  readonly #counts = new Map<string, number>();
  /** The functions that wake the streams, by pick. */
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #group: Group | undefined;
  readonly #shared: SharedOpen | undefined;
  #isStopped = false;

  constructor(group?: Group) {
    this.#group = group;
    this.#shared = group?.shareOpen('streams');
    group?.onBroadcast('pick', (id) => this.#resume(id as string));
  }

  /** Whether the server stops, so that streams must end. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Counts one more stream of an administrator. Call the returned function when the stream ends. */
  open(adminId: string): () => void {
    const count = this.#counts.get(adminId) ?? 0;
    if (count + (this.#shared?.elsewhere(adminId) ?? 0) >= MAX_STREAMS)
      throw limited(
        'picks',
        `An administrator may have ${MAX_STREAMS} event streams open: close another one`,
        MAX_STREAMS,
      );
    this.#counts.set(adminId, count + 1);
    this.#shared?.add(adminId, 1);
    return () => {
      this.#shared?.add(adminId, -1);
      const left = (this.#counts.get(adminId) ?? 1) - 1;
      if (left > 0) this.#counts.set(adminId, left);
      else this.#counts.delete(adminId);
    };
  }

  /** Call it after the commit when a pick has changed. Streams on other nodes see the change a moment later. */
  wake(pickId: string): void {
    this.#resume(pickId);
    this.#group?.broadcast('pick', pickId);
  }

  #resume(pickId: string): void {
    for (const resume of this.#waiting.get(pickId) ?? []) resume();
  }

  /** Resolves when the pick changes on this node, after this time, or when nobody waits any more. */
  wait(pickId: string, ms: Millis, signal: AbortSignal | undefined): Promise<void> {
    if (this.#isStopped || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(pickId) ?? new Set();
      this.#waiting.set(pickId, waiting);
      const resume = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', resume);
        waiting.delete(resume);
        if (waiting.size === 0 && this.#waiting.get(pickId) === waiting) this.#waiting.delete(pickId);
        resolve();
      };
      const timer = setTimeout(resume, ms);
      signal?.addEventListener('abort', resume, { once: true });
      waiting.add(resume);
    });
  }

  /** Ends all streams: a server that stops waits for its responses. */
  stop(): void {
    this.#isStopped = true;
    for (const id of [...this.#waiting.keys()]) this.#resume(id);
  }
}
