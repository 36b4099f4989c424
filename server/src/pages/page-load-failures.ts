import type { Millis } from '@usher/domain';
import { ApiError } from '../errors.ts';

declare module '../context.ts' {
  interface AppContext {
    /** Records the accounts whose page loads keep failing. */
    readonly pageLoadFailures: PageLoadFailures;
  }
}

/** Fewer failures, or failures within a shorter time, do not count: the database may only have restarted. */
const MIN_FAILURES = 3;
const MIN_FAILING_MS: Millis = 10_000;
/**
 * Older failures do not make the server unready: a load balancer sends no page loads to an unready server, so it would never
 * find out that they succeed again.
 */
const RECENT_MS: Millis = 60_000;
/** Failures of an account without any page load for this long are dropped: the account, or its pages, may be gone. */
const FORGET_AFTER_MS: Millis = 24 * 60 * 60_000;

interface Failures {
  since: Millis;
  lastAt: Millis;
  count: number;
}

/**
 * Knows the accounts whose page loads keep failing on this server. The database can respond to a health check while page
 * loads fail, for example because another process holds the lock for writing.
 */
export class PageLoadFailures {
  readonly #now: () => Millis;
  /** The failures of each account since its last successful page load. */
  readonly #failures = new Map<string, Failures>();
  #lastSuccessAt: Millis = 0;

  constructor(now: () => Millis) {
    this.#now = now;
  }

  /** Runs one page load, and records whether it failed because of the server. Errors of the client do not count. */
  async watch<T>(accountId: string, load: () => Promise<T>): Promise<T> {
    try {
      const result = await load();
      this.#lastSuccessAt = this.#now();
      if (this.#failures.size > 0) this.#failures.delete(accountId);
      return result;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code >= 500) this.#add(accountId);
      throw error;
    }
  }

  /** How many accounts have page loads that have all failed for a while. */
  countAccounts(): number {
    return this.#listFailing().length;
  }

  /**
   * Whether page loads of some account fail now, and since they began to fail no page load of any account has
   * succeeded.
   */
  areAllFailing(): boolean {
    const recent = this.#now() - RECENT_MS;
    return this.#listFailing().some(({ since, lastAt }) => lastAt >= recent && this.#lastSuccessAt < since);
  }

  #add(accountId: string): void {
    const now = this.#now();
    const known = this.#failures.get(accountId) ?? { since: now, lastAt: now, count: 0 };
    known.lastAt = now;
    known.count += 1;
    this.#failures.set(accountId, known);
  }

  #listFailing(): Failures[] {
    const forgotten = this.#now() - FORGET_AFTER_MS;
    for (const [accountId, { lastAt }] of this.#failures) if (lastAt < forgotten) this.#failures.delete(accountId);
    return [...this.#failures.values()].filter(
      ({ since, lastAt, count }) => count >= MIN_FAILURES && lastAt - since >= MIN_FAILING_MS,
    );
  }
}
