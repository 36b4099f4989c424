import type { Millis } from '@usher/domain';
import { limited } from '../errors.ts';
import type { AddCount, Group } from '../group.ts';
import { TwoGenerationCache } from '../http/two-generation-cache.ts';

const HOUR_MS: Millis = 60 * 60_000;

/**
 * Limits how many reports the pages of one user may send in an hour, which begins with the first of them. Each report is
 * stored and can be sent to webhooks, so a few bytes from a page cost the account far more.
 */
export class ReportBudget {
  readonly #now: () => Millis;
  readonly #limit: number;
  readonly #users = new TwoGenerationCache<{ since: Millis; count: number }>(HOUR_MS);

  readonly #share: AddCount | undefined;

  constructor(limit: number, now: () => Millis, group?: Group) {
    this.#limit = limit || Number.POSITIVE_INFINITY;
    this.#now = now;
    this.#share = group?.shareCounts('reports', (accountId, profileId, count) => {
      this.#spentBy(accountId, profileId, now()).count += count;
    });
  }

  /** Counts the reports of a request, or rejects all of them before anything is stored. */
  spend(accountId: string, profileId: string, count: number): void {
    if (this.#limit === Number.POSITIVE_INFINITY) return;
    const now = this.#now();
    const spent = this.#spentBy(accountId, profileId, now);
    if (spent.count + count > this.#limit) {
      const wait = Math.ceil((spent.since + HOUR_MS - now) / 1000);
      throw limited(
        'reports',
        `The pages of one user may send ${this.#limit} reports in an hour: try again in ${wait} seconds`,
        this.#limit,
        wait,
      );
    }
    spent.count += count;
    this.#share?.(accountId, profileId, count);
  }

  #spentBy(accountId: string, profileId: string, now: Millis): { since: Millis; count: number } {
    const known = this.#users.get(accountId, profileId, now);
    if (known && now - known.since < HOUR_MS && now >= known.since) return known;
    const spent = { since: now, count: 0 };
    this.#users.set(accountId, profileId, spent, now);
    return spent;
  }
}
