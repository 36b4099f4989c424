import type { Millis } from '@usher/domain';
import { counterOf, rejectIfWaiting, type SlidingCounter } from '../../http/limits.ts';
import { TwoGenerationCache } from '../../http/two-generation-cache.ts';

const MINUTE: Millis = 60_000;
const HOUR: Millis = 60 * MINUTE;
const MAX_WRONG_PASSWORDS = 20;

/**
 * Limits who may try passwords. The first limit is for a network, and counts before any password is hashed. The second is
 * for an email, and counts wrong passwords only. Whoever guesses the password of somebody else must not lock them out: a
 * network from which that person has signed in before has a count of its own. Emails that nobody has are counted alike.
 */
export class SignInLimits {
  readonly #now: () => Millis;
  readonly #perNetwork: number;
  readonly #networks = new TwoGenerationCache<SlidingCounter>(2 * MINUTE);
  /** By email, then by network, or by nothing for all networks together. */
  readonly #emails = new TwoGenerationCache<SlidingCounter>(2 * HOUR);

  constructor(perNetwork: number, now: () => Millis) {
    this.#perNetwork = perNetwork || Number.POSITIVE_INFINITY;
    this.#now = now;
  }

  /** Counts an attempt, whether its password is right or not. */
  countAttempt(network: string): void {
    if (this.#perNetwork === Number.POSITIVE_INFINITY) return;
    const now = this.#now();
    const counter = counterOf(this.#networks, '', network, now);
    rejectIfWaiting('sign_in', attemptLimit, this.#perNetwork, counter.wait(this.#perNetwork, now));
    counter.add(now);
  }

  /** Rejects the attempt if there were too many wrong passwords for this email, or from this network if it is familiar. */
  checkEmail(email: string, network: string, isFamiliar: boolean): void {
    rejectIfWaiting(
      'wrong_passwords',
      wrongPasswordLimit,
      MAX_WRONG_PASSWORDS,
      this.#wait(email, isFamiliar ? network : ''),
    );
  }

  countWrong(email: string, network: string): void {
    const now = this.#now();
    for (const key of ['', network]) counterOf(this.#emails, email, key, now, HOUR).add(now);
  }

  #wait(email: string, network: string): Millis {
    const now = this.#now();
    return this.#emails.get(email, network, now)?.wait(MAX_WRONG_PASSWORDS, now) ?? 0;
  }
}

const attemptLimit = (limit: number) => `One network may try to sign in ${limit} times in a minute`;
const wrongPasswordLimit = (limit: number) => `An email may get ${limit} wrong passwords in an hour`;
