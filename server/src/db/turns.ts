import { gauge, type Metric } from '../metrics/metric.ts';

/** A read that is expected to take longer, or has taken longer, is a long one. */
const LONG_MS = 250;
/** Of so many statements it is known how long they took. */
const MAX_KNOWN = 1000;

/** Who wants a turn, and for what. */
export interface Turn {
  /** Accounts share the places evenly. */
  account: string;
  /** Work with the same name is expected to take as long as it did before. */
  name: string;
  /** When it is aborted, work that has not begun never begins. */
  signal?: AbortSignal | undefined;
  /** Nothing else may run meanwhile. */
  isAlone?: boolean;
}

interface Running {
  readonly expectedMs: number;
  readonly startedAt: number;
}

interface Waiting {
  readonly expectedMs: number;
  readonly since: number;
  start(running: Running): void;
}

interface Account {
  /** When its first work of now came. */
  readonly since: number;
  usedMs: number;
  readonly running: Set<Running>;
  readonly waiting: Set<Waiting>;
}

/**
 * Lets a few pieces of work run at a time: short before long, and all accounts alike, however much each of them wants.
 * This is fair queueing. Of an account, the work is next that would be done first if it had begun when it came. Of all
 * accounts, the one is next whose work would be done first if the account had run all its work on an equal share of the
 * places. So nothing waits forever: later work is behind it. With more than one place, one of them is only for short work.
 */
export class Turns {
  readonly #places: number;
  readonly #now: () => number;
  readonly #accounts = new Map<string, Account>();
  /** How long work took, by account and name. */
  readonly #knownMs = new Map<string, number>();
  readonly #waitingAlone = new Set<() => void>();
  readonly #onIdle = new Set<() => void>();
  readonly #running = new Set<Running>();
  #isAlone = false;

  constructor(places: number, now = () => performance.now()) {
    this.#places = places;
    this.#now = now;
  }

  get count(): { running: number; waiting: number } {
    let waiting = this.#waitingAlone.size;
    for (const account of this.#accounts.values()) waiting += account.waiting.size;
    return { running: this.#running.size + Number(this.#isAlone), waiting };
  }

  async run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    turn.signal?.throwIfAborted();
    return turn.isAlone ? this.#runAlone(work) : this.#runInTurn(turn, work);
  }

  /** Resolves when nothing runs or waits. */
  async finish(): Promise<void> {
    while (this.#isAlone || this.#waitingAlone.size > 0 || this.#accounts.size > 0)
      await new Promise<void>((resolve) => this.#onIdle.add(resolve));
  }

  async #runInTurn<T>({ account: id, name, signal }: Turn, work: () => Promise<T>): Promise<T> {
    const now = this.#now();
    const account = this.#accounts.get(id) ?? { since: now, usedMs: 0, running: new Set(), waiting: new Set() };
    this.#accounts.set(id, account);
    const key = `${id} ${name}`;
    const running = await this.#wait(account, this.#knownMs.get(key) ?? 0, signal).catch((error) => {
      this.#leave(id, account);
      throw error;
    });
    try {
      return await work();
    } finally {
      const ms = this.#now() - running.startedAt;
      this.#learn(key, ms);
      account.usedMs += ms;
      account.running.delete(running);
      this.#running.delete(running);
      this.#leave(id, account);
    }
  }

  #wait(account: Account, expectedMs: number, signal: AbortSignal | undefined): Promise<Running> {
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        account.waiting.delete(waiting);
        signal?.removeEventListener('abort', giveUp);
      };
      const giveUp = () => {
        stopWaiting();
        reject(signal?.reason);
      };
      const waiting: Waiting = {
        expectedMs,
        since: this.#now(),
        start: (running) => {
          stopWaiting();
          account.running.add(running);
          resolve(running);
        },
      };
      account.waiting.add(waiting);
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#startNext();
    });
  }

  async #runAlone<T>(work: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      this.#waitingAlone.add(resolve);
      this.#startNext();
    });
    try {
      return await work();
    } finally {
      this.#isAlone = false;
      this.#startNext();
    }
  }

  #leave(id: string, account: Account): void {
    const isIdle = account.running.size === 0 && account.waiting.size === 0;
    if (isIdle && this.#accounts.get(id) === account) this.#accounts.delete(id);
    this.#startNext();
  }

  #startNext(): void {
    const now = this.#now();
    while (!this.#isAlone && this.#running.size < this.#places) {
      const [alone] = this.#waitingAlone;
      if (alone) {
        if (this.#running.size > 0) return;
        this.#waitingAlone.delete(alone);
        this.#isAlone = true;
        alone();
        return;
      }
      const next = this.#findNext(now);
      if (!next) break;
      const running = { expectedMs: next.expectedMs, startedAt: now };
      this.#running.add(running);
      next.start(running);
    }
    if (this.#running.size > 0 || this.#isAlone) return;
    for (const resolve of this.#onIdle) resolve();
    this.#onIdle.clear();
  }

  #findNext(now: number): Waiting | undefined {
    const maxMs = this.#hasPlaceForLong(now) ? Number.POSITIVE_INFINITY : LONG_MS;
    const candidates = [...this.#accounts.values()].flatMap(({ since, usedMs, running, waiting }) => {
      const allowed = [...waiting].filter(({ expectedMs }) => expectedMs <= maxMs);
      const first = smallest(allowed, (one) => one.since + one.expectedMs);
      if (!first) return [];
      const hadShareAt = since + (usedMs + sum(running, (one) => costOf(one, now))) / this.#places;
      return { first, dueAt: Math.max(hadShareAt, first.since) + first.expectedMs };
    });
    return smallest(candidates, ({ dueAt }) => dueAt)?.first;
  }

  #hasPlaceForLong(now: number): boolean {
    if (this.#places === 1) return true;
    const long = [...this.#running].filter((one) => costOf(one, now) > LONG_MS);
    return long.length < this.#places - 1;
  }

  /** Forgets slowly, so that one fast or slow run does not change the order. */
  #learn(key: string, ms: number): void {
    const known = this.#knownMs.get(key) ?? ms;
    if (this.#knownMs.size >= MAX_KNOWN) this.#knownMs.clear();
    this.#knownMs.set(key, (known + ms) / 2);
  }
}

function costOf({ expectedMs, startedAt }: Running, now: number): number {
  return Math.max(expectedMs, now - startedAt);
}

/** The first of those with the smallest value. */
function smallest<T>(all: readonly T[], figureOf: (one: T) => number): T | undefined {
  let [found, least]: [T | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const one of all) {
    const value = figureOf(one);
    if (value < least) [found, least] = [one, value];
  }
  return found;
}

function sum<T>(all: Iterable<T>, figureOf: (one: T) => number): number {
  let total = 0;
  for (const one of all) total += figureOf(one);
  return total;
}

export function heavyReadMetric(values: { running: number; waiting: number }): Metric {
  return gauge('usher_heavy_reads', 'Heavy reads that run, and that wait for their turn.', { label: 'state', values });
}
