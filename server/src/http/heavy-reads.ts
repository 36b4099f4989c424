import type { ServerResponse } from 'node:http';
import type { Millis } from '@usher/domain';
import { limited } from '../errors.ts';

const WAITING_MS: Millis = 4000;
const LOOKED_EVERY_MS = 20;

interface Kind {
  /** How many at once for one account. */
  most: number;
  message: string;
}

const search: Kind = { most: 2, message: 'Two searches of an account may run at a time: try again in a moment' };
const count: Kind = { most: 1, message: 'One count of an account may run at a time: try again in a moment' };

/** Which endpoints read so much that one account could keep the others waiting. */
const kinds = new Map<string, Kind>([
  ['/v3/analyze/profiles', search],
  ['/v3/analyze/companies', search],
  ['/v3/analyze/profiles/count', count],
]);

export const heavyPaths: readonly string[] = [...kinds.keys()];

interface Waiting {
  until: Millis;
  begin(): void;
  giveUp(): void;
}

interface Queue {
  running: number;
  /** In the order they came. */
  waiting: Set<Waiting>;
}

/** Lets an account search and count a little at a time. Who is too many waits for a turn, for 4 seconds at most. */
export class HeavyReads {
  readonly #now: () => Millis;
  /** Of accounts that read at the moment. */
  readonly #queues = new Map<Kind, Map<string, Queue>>([
    [search, new Map()],
    [count, new Map()],
  ]);
  #looking: NodeJS.Timeout | undefined;

  constructor(now: () => Millis) {
    this.#now = now;
  }

  /** How many wait. */
  get waiting(): number {
    let sum = 0;
    for (const queues of this.#queues.values()) for (const { waiting } of queues.values()) sum += waiting.size;
    return sum;
  }

  /** How many accounts it holds something of, once for each kind. */
  get size(): number {
    let sum = 0;
    for (const queues of this.#queues.values()) sum += queues.size;
    return sum;
  }

  /** Does the work at this path when it is its turn. Whoever leaves before that loses it; a read that began goes on. */
  async run<T>(path: string, accountId: string, client: ServerResponse, work: () => Promise<T>): Promise<T> {
    const kind = kinds.get(path);
    const queues = kind && this.#queues.get(kind);
    if (!kind || !queues) return work();
    const queue = queues.get(accountId) ?? { running: 0, waiting: new Set() };
    queues.set(accountId, queue);
    if (queue.running < kind.most) queue.running += 1;
    else await this.#turn(queue, kind, client);
    try {
      return await work();
    } finally {
      // Whoever is next takes over the place.
      const [next] = queue.waiting;
      if (next) next.begin();
      else queue.running -= 1;
      if (queue.running === 0) queues.delete(accountId);
    }
  }

  #turn(queue: Queue, { most, message }: Kind, client: ServerResponse): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = () => {
        queue.waiting.delete(waiting);
        client.off('close', waiting.giveUp);
      };
      const waiting: Waiting = {
        until: this.#now() + WAITING_MS,
        begin: () => {
          end();
          resolve();
        },
        giveUp: () => {
          end();
          reject(limited(message, most));
        },
      };
      queue.waiting.add(waiting);
      client.once('close', waiting.giveUp);
      if (client.closed || client.destroyed) waiting.giveUp();
      // By the clock of the server, which need not run as timers do.
      else this.#looking ??= setInterval(() => this.#look(), LOOKED_EVERY_MS);
    });
  }

  #look(): void {
    const now = this.#now();
    for (const queues of this.#queues.values())
      for (const { waiting } of queues.values()) for (const one of waiting) if (one.until <= now) one.giveUp();
    if (this.waiting > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }
}
