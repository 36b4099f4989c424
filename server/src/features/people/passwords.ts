import { availableParallelism } from 'node:os';
import { limited } from '../../errors.ts';
import type { Group } from '../../group.ts';
import { Semaphore } from '../../semaphore.ts';
import { hashPassword, isOutdated, verifyPassword } from './password.ts';

/** Each takes 128 MB while it runs, and a core. One core is left for everything else: page loads must not wait. */
const MAX_RUNNING = availableParallelism() > 2 ? 2 : 1;
const MAX_QUEUED = 20;
const WAIT_SECONDS = 5;
/** A password is checked even if the client has disconnected. */
const { signal: noDisconnection } = new AbortController();

/**
 * Hashes passwords a few at a time. Whoever comes while the queue is full gets 429, so sign-ins cannot fill the memory. People whom
 * the server knows have a queue of their own, which goes first: those who only guess cannot keep them out.
 */
export class Passwords {
  readonly #semaphore = new Semaphore(MAX_RUNNING);
  readonly #queued = { known: 0, unknown: 0 };
  readonly #group: Group | undefined;

  /** The workers of a group have one queue together: each check takes 128 MB. */
  constructor(group?: Group) {
    this.#group = group;
  }

  /** For people who have a session or a link. */
  hash(password: string): Promise<string> {
    return this.run('known', () => hashPassword(password));
  }

  /**
   * Compares a password with a stored hash, or with nothing if there is no such person: both take the same work. An
   * outdated hash is always followed by one with today's cost, which replaces it if the password is right.
   */
  verify(
    password: string,
    stored: string | null | undefined,
    isKnown: boolean,
  ): Promise<{ isRight: boolean; newHash?: string }> {
    return this.run(isKnown ? 'known' : 'unknown', async () => {
      const isRight = await verifyPassword(password, stored);
      if (!stored || !isOutdated(stored)) return { isRight };
      const newHash = await hashPassword(password);
      return isRight ? { isRight, newHash } : { isRight };
    });
  }

  async run<T>(queue: 'known' | 'unknown', work: () => Promise<T>): Promise<T> {
    if (this.#group) return this.#group.run(`passwords.${queue}`, '', { signal: noDisconnection }, work);
    if (this.#queued[queue] >= MAX_QUEUED)
      throw limited(
        'sign_in',
        `Too many people are signing in at the moment: try again in ${WAIT_SECONDS} seconds`,
        MAX_QUEUED,
        WAIT_SECONDS,
      );
    this.#queued[queue] += 1;
    try {
      return await this.#semaphore.run(work, { first: queue === 'known' });
    } finally {
      this.#queued[queue] -= 1;
    }
  }
}
