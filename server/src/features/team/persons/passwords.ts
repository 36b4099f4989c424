import { availableParallelism } from 'node:os';
import { limited } from '../../../errors.ts';
import type { Group } from '../../../group.ts';
import { sitesOf } from '../../../http/client-network.ts';
import { FairQueue } from '../../../http/fair-queue.ts';
import { Semaphore } from '../../../semaphore.ts';
import { COST, hashPassword, isOutdated, verifyPassword } from './password.ts';

declare module '../../../context.ts' {
  interface AppContext {
    /** Hashes the passwords of people. */
    readonly passwords: Passwords;
  }
}

/** Each hash takes 128 MB and a core while it runs. One core is left for everything else: page loads must not wait. */
const MAX_RUNNING = availableParallelism() > 2 ? 2 : 1;
const MAX_QUEUED = 20;
/**
 * How many requests may wait from one network where the person has not signed in before: from an IPv4 address or a /48
 * of IPv6 addresses (a site), and from a /56 of IPv6 addresses (a home).
 */
const MAX_PER_SITE = 2;
const MAX_PER_HOME = 1;
const WAIT_SECONDS = 5;

/**
 * Hashes passwords a few at a time. A request that comes while the queue is full gets 429, so sign-ins cannot fill the
 * memory. Persons whom the server knows have a queue of their own, which goes first, so that guesses of strangers
 * cannot keep them out. In the other queue each network has one or two places and networks take turns, so a client with
 * many addresses cannot keep everybody else out either.
 */
export class Passwords {
  readonly #semaphore = new Semaphore(MAX_RUNNING);
  /** Only requests that got a place wait in this queue, so it is never full. */
  readonly #turns = new FairQueue({
    running: MAX_RUNNING,
    runningPerAccount: 1,
    waitingPerAccount: MAX_QUEUED,
    message: '',
  });
  /** How many requests wait or run, by queue and by network. */
  readonly #queued = new Map<string, number>();
  readonly #group: Group | undefined;
  readonly #cost: number;

  /**
   * The workers of a group have one queue together: each check takes 128 MB.
   * @param cost tests give a lower one, so that they need not wait
   */
  constructor(group?: Group, cost = COST) {
    this.#group = group;
    this.#cost = cost;
  }

  /** Hashes a new password, of a person who has a session or a link. */
  hash(password: string): Promise<string> {
    return this.run(null, () => hashPassword(password, this.#cost));
  }

  /**
   * Compares a password with a stored hash, or with nothing if there is no such person: both take the same work. An
   * outdated hash is always followed by one with today's cost, which replaces it if the password is right.
   * @param network where the request comes from; null if the person has signed in there before
   */
  verify(
    password: string,
    stored: string | null | undefined,
    network: string | null,
  ): Promise<{ isRight: boolean; newHash?: string }> {
    return this.run(network, async () => {
      const isRight = await verifyPassword(password, stored, this.#cost);
      if (!stored || !isOutdated(stored, this.#cost)) return { isRight };
      const newHash = await hashPassword(password, this.#cost);
      return isRight ? { isRight, newHash } : { isRight };
    });
  }

  async run<T>(network: string | null, work: () => Promise<T>): Promise<T> {
    const queue = network === null ? 'known' : 'unknown';
    // A password is checked even if the client has disconnected.
    const request = new AbortController();
    if (this.#group) return this.#group.run(`passwords.${queue}`, network ?? '', request, work);
    const { site, home } = network === null ? {} : sitesOf(network);
    const places: [name: string, max: number][] = [[queue, MAX_QUEUED]];
    if (site !== undefined) places.push([`site ${site}`, MAX_PER_SITE]);
    if (home !== undefined) places.push([`home ${home}`, MAX_PER_HOME]);
    for (const [name, max] of places) if ((this.#queued.get(name) ?? 0) >= max) throw isFull(max);
    for (const [name] of places) this.#add(name, 1);
    try {
      if (site === undefined) return await this.#semaphore.run(work, { first: true });
      return await this.#turns.run(site, request, () => this.#semaphore.run(work));
    } finally {
      for (const [name] of places) this.#add(name, -1);
    }
  }

  #add(name: string, change: number): void {
    const count = (this.#queued.get(name) ?? 0) + change;
    if (count === 0) this.#queued.delete(name);
    else this.#queued.set(name, count);
  }
}

function isFull(limit: number) {
  const message = `Too many people are signing in at the moment: try again in ${WAIT_SECONDS} seconds`;
  return limited('sign_in', message, limit, WAIT_SECONDS);
}
