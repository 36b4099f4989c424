import { availableParallelism } from 'node:os';
import { limited } from '../../errors.ts';
import { Semaphore } from '../../semaphore.ts';
import { hashPassword, isOutdated, verifyPassword } from './password.ts';

/** Each takes 128 MB while it runs, and a core. One core is left for everything else: page loads must not wait. */
const MAX_RUNNING = availableParallelism() > 2 ? 2 : 1;
const MAX_QUEUED = 20;
const WAIT_SECONDS = 5;

/** Hashes passwords a few at a time. Whoever comes while the queue is full gets 429, so sign-ins cannot fill the memory. */
export class Passwords {
  readonly #semaphore = new Semaphore(MAX_RUNNING);
  #queued = 0;

  hash(password: string): Promise<string> {
    return this.#run(() => hashPassword(password));
  }

  /**
   * Compares a password with a stored hash, or with nothing if there is no such person: both take the same work. An
   * outdated hash is always followed by one with today's cost, which replaces it if the password is right.
   */
  verify(password: string, stored: string | null | undefined): Promise<{ isRight: boolean; newHash?: string }> {
    return this.#run(async () => {
      const isRight = await verifyPassword(password, stored);
      if (!stored || !isOutdated(stored)) return { isRight };
      const newHash = await hashPassword(password);
      return isRight ? { isRight, newHash } : { isRight };
    });
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#queued >= MAX_QUEUED)
      throw limited(
        `Too many people are signing in at the moment: try again in ${WAIT_SECONDS} seconds`,
        MAX_QUEUED,
        WAIT_SECONDS,
      );
    this.#queued += 1;
    try {
      return await this.#semaphore.run(work);
    } finally {
      this.#queued -= 1;
    }
  }
}
