import type { Millis } from '@usher/domain';
import { ApiError } from '../errors.ts';

declare module '../context.ts' {
  interface AppContext {
    /** Records the accounts whose page loads keep failing. */
    readonly pageLoadFailures: PageLoadFailures;
  }
}

/** Fewer failures, or all within a moment, are no reason to call it failing: the database may have restarted. */
const MIN_FAILURES = 3;
const MIN_FAILING_MS: Millis = 10_000;
/**
 * Older failures do not count: nobody knows whether page loads would still fail, because a load balancer sends none to
 * a server that is not ready.
 */
const RECENT_MS: Millis = 60_000;
/** The account may be gone, or its pages. */
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
  /** Of each account, those since its last page load that succeeded. */
  readonly #failures = new Map<string, Failures>();
  #lastSuccessAt: Millis = 0;

  constructor(now: () => Millis) {
    this.#now = now;
  }

  /** Runs one page load, and notes whether the server failed. What a client did wrong says nothing. */
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

  /** Whether page loads fail now, and none of any account has succeeded meanwhile. */
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
