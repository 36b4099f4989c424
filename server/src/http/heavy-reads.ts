import type { Millis } from '@usher/domain';
import { limited } from '../errors.ts';
import type { Disconnectable, Group } from '../group.ts';

const MAX_WAIT_MS: Millis = 4000;
const CHECK_INTERVAL_MS = 20;

type ReadKindName = 'search' | 'count' | 'report';

interface ReadKind {
  name: ReadKindName;
  /** How many reads of this kind may run at a time for one account. */
  limit: number;
  message: string;
}

const search: ReadKind = {
  name: 'search',
  limit: 2,
  message: 'Two searches of an account may run at a time: try again in a moment',
};
const count: ReadKind = {
  name: 'count',
  limit: 1,
  message: 'One count of an account may run at a time: try again in a moment',
};
const report: ReadKind = {
  name: 'report',
  limit: 4,
  message: 'Four reports of an account may run at a time: try again in a moment',
};
const readKinds = { search, count, report };

/** The endpoints that read so much that one account could keep the others waiting. */
const kinds = new Map<string, ReadKind>([
  ['/v3/analyze/profiles', search],
  ['/v3/analyze/companies', search],
  ['/v3/edit/profiles/search', search],
  ['/v3/edit/companies/search', search],
  ['/v3/edit/profiles/:id/segments', search],
  ['/v3/analyze/profiles/count', count],
  ['/v3/edit/:kind/:id/audience', count],
  ['/v3/edit/:kind/:id/publish_check', count],
  ['/v3/edit/:kind/:id/uses', report],
  ['/v3/edit/:kind/:id/changes/summary', report],
  ['/v3/analyze/:kind/:id/stats', report],
  ['/v3/analyze/:kind/:id/days.:format', report],
  ['/v3/analyze/:kind/:id/problems', report],
  ['/v3/analyze/paths', report],
  ['/v3/analyze/funnels', report],
  ['/v3/analyze/funnels/people', report],
  ['/v3/edit/funnels/people', report],
  ['/v3/analyze/event_names/:id/adoption', report],
  ['/v3/analyze/interruptions/people', report],
  ['/v3/edit/interruptions/people', report],
  ['/v3/analyze/unused', report],
  ['/v3/analyze/test_users', report],
]);
const lists = new Set(['/v3/edit/experiences', '/v3/edit/:kind']);

export const heavyPaths: readonly string[] = [...kinds.keys(), ...lists];

interface Read {
  /** The path of the route. */
  path: string;
  params?: Readonly<Record<string, unknown>>;
}

/** A list of Experiences is a heavy read only if it shows counts, or is ordered by them. */
function findKind({ path, params }: Read): ReadKind | undefined {
  if (!lists.has(path)) return kinds.get(path);
  return params?.order === 'started_count' || params?.trend === true ? report : undefined;
}

interface Waiting {
  deadline: Millis;
  start(): void;
  giveUp(): void;
}

interface Queue {
  running: number;
  /** The reads that wait: first come, first served. */
  waiting: Set<Waiting>;
}

/** Limits how many searches, counts and reports of an account run at a time. Others wait in order, for up to 4 seconds. */
export class HeavyReads {
  readonly #now: () => Millis;
  /** The queues by kind, then by account. Only accounts with running reads have one. */
  readonly #queues = new Map<ReadKind, Map<string, Queue>>(Object.values(readKinds).map((kind) => [kind, new Map()]));
  readonly #group: Group | undefined;
  #deadlineTimer: NodeJS.Timeout | undefined;

  /** The workers of a group share these queues. */
  constructor(now: () => Millis, group?: Group) {
    this.#now = now;
    this.#group = group;
  }

  /** The number of reads that wait. */
  get waiting(): number {
    let sum = 0;
    for (const queues of this.#queues.values()) for (const { waiting } of queues.values()) sum += waiting.size;
    return sum;
  }

  /** The number of queues: one for each kind and account with running reads. */
  get size(): number {
    let sum = 0;
    for (const queues of this.#queues.values()) sum += queues.size;
    return sum;
  }

  /**
   * Runs the work of an endpoint as soon as the limits allow it. A read whose client disconnects leaves the
   * queue; a read that has started continues.
   */
  async run<T>(read: Read, accountId: string, request: Disconnectable, work: () => Promise<T>): Promise<T> {
    const kind = findKind(read);
    if (!kind) return work();
    if (this.#group) return this.#group.run(`reads.${kind.name}`, accountId, request, work);
    return this.runKind(kind.name, accountId, request, work);
  }

  async runKind<T>(name: ReadKindName, accountId: string, request: Disconnectable, work: () => Promise<T>): Promise<T> {
    const kind = readKinds[name];
    const queues = this.#queues.get(kind) as Map<string, Queue>;
    const queue = queues.get(accountId) ?? { running: 0, waiting: new Set() };
    queues.set(accountId, queue);
    if (queue.running < kind.limit) queue.running += 1;
    else await this.#wait(queue, kind, request.signal);
    try {
      return await work();
    } finally {
      // The next read takes over the place of this one.
      const [next] = queue.waiting;
      if (next) next.start();
      else queue.running -= 1;
      if (queue.running === 0) queues.delete(accountId);
    }
  }

  #wait(queue: Queue, { limit, message }: ReadKind, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        queue.waiting.delete(waiting);
        signal.removeEventListener('abort', waiting.giveUp);
      };
      const waiting: Waiting = {
        deadline: this.#now() + MAX_WAIT_MS,
        start: () => {
          stopWaiting();
          resolve();
        },
        giveUp: () => {
          stopWaiting();
          reject(limited('heavy_reads', message, limit));
        },
      };
      if (signal.aborted) return waiting.giveUp();
      queue.waiting.add(waiting);
      signal.addEventListener('abort', waiting.giveUp, { once: true });
      // Deadlines follow the clock of the server, which tests control. A timer would follow another one.
      this.#deadlineTimer ??= setInterval(() => this.#checkDeadlines(), CHECK_INTERVAL_MS);
    });
  }

  #checkDeadlines(): void {
    const now = this.#now();
    for (const queues of this.#queues.values())
      for (const { waiting } of queues.values()) for (const one of waiting) if (one.deadline <= now) one.giveUp();
    if (this.waiting > 0) return;
    clearInterval(this.#deadlineTimer);
    this.#deadlineTimer = undefined;
  }
}
