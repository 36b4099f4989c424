import type { Disconnectable, Group, GroupQueueName } from '../group.ts';
import type { FairQueue } from './fair-queue.ts';

/** A queue in which requests wait. */
export type RequestQueue = Pick<FairQueue, 'run' | 'count'>;

/** A queue that the workers of a group have together. */
export class GroupQueue implements RequestQueue {
  readonly #group: Group;
  readonly #name: GroupQueueName;
  #running = 0;
  #waiting = 0;

  constructor(group: Group, name: GroupQueueName) {
    this.#group = group;
    this.#name = name;
  }

  /** How many requests of this worker run and wait. */
  get count(): { running: number; waiting: number } {
    return { running: this.#running, waiting: this.#waiting };
  }

  async run<T>(accountId: string, request: Disconnectable, work: () => Promise<T>): Promise<T> {
    let hasStarted = false;
    this.#waiting += 1;
    try {
      return await this.#group.run(this.#name, accountId, request, () => {
        hasStarted = true;
        this.#waiting -= 1;
        this.#running += 1;
        return work();
      });
    } finally {
      if (hasStarted) this.#running -= 1;
      else this.#waiting -= 1;
    }
  }
}
