import type { Millis } from '@usher/domain';
import type { Authenticate, Caller } from '../context.ts';
import { ApiError, limited } from '../errors.ts';
import { ReportBudget } from '../pages/report-budget.ts';
import type { Settings } from '../settings.ts';
import { networkOf } from './client-network.ts';
import { TwoGenerationCache } from './two-generation-cache.ts';

const MINUTE: Millis = 60_000;

/** A request, which is counted once for its secret. */
export interface Counted {
  readonly ip: string;
  countedSecret: string | undefined;
}

/** Finds the caller of a request by its secret. */
export type Admit = (secret: unknown, request: Counted) => Promise<Caller>;

type LimitSettings = Pick<Settings, 'limitPerSecret' | 'limitPerAddress' | 'limitWrongSecrets' | 'limitReports'>;

/**
 * How many requests of a kind came within the last minute: all of the minute that is running, and of the one before it
 * the part that is less than a minute ago, as if they had come evenly. A count takes 150 bytes so, and each request 0.2 µs.
 */
export class Count {
  #since: Millis;
  #count = 0;
  #before = 0;

  constructor(now: Millis) {
    this.#since = now;
  }

  add(now: Millis): void {
    this.#passed(now);
    this.#count += 1;
  }

  /** In how many milliseconds one more is allowed. */
  wait(limit: number, now: Millis): Millis {
    const passed = this.#passed(now);
    const left = limit - this.#count;
    // The one that is next is allowed at the very millisecond that the first of a full minute is a minute ago.
    if (this.#before * (MINUTE - 1 - passed) < left * MINUTE) return 0;
    if (left <= 0) return MINUTE - passed;
    return Math.floor(MINUTE - 1 - (left * MINUTE) / this.#before) + 1 - passed;
  }

  /** Of the minute that is running. */
  #passed(now: Millis): Millis {
    const passed = now - this.#since;
    if (passed >= 0 && passed < MINUTE) return passed;
    // A clock that was set back begins the minute anew.
    if (passed >= 0) {
      this.#before = passed < 2 * MINUTE ? this.#count : 0;
      this.#count = 0;
    }
    this.#since = passed >= MINUTE && passed < 2 * MINUTE ? this.#since + MINUTE : now;
    return now - this.#since;
  }
}

/** How many requests one secret, the pages at one address, and one address with wrong secrets or tokens may make in a minute. */
export class Limits {
  readonly #now: () => Millis;
  readonly #perSecret: number;
  readonly #perAddress: number;
  readonly #wrongSecrets: number;
  readonly #secrets = new TwoGenerationCache<Count>(2 * MINUTE);
  /** By address. */
  readonly #pages = new TwoGenerationCache<Count>(2 * MINUTE);
  readonly #wrong = new TwoGenerationCache<Count>(2 * MINUTE);

  readonly reports: ReportBudget;

  constructor(settings: LimitSettings, now: () => Millis) {
    const { limitPerSecret, limitPerAddress, limitWrongSecrets, limitReports } = settings;
    this.#now = now;
    this.reports = new ReportBudget(limitReports, now);
    this.#perSecret = limitPerSecret || Number.POSITIVE_INFINITY;
    this.#perAddress = limitPerAddress || Number.POSITIVE_INFINITY;
    this.#wrongSecrets = limitWrongSecrets || Number.POSITIVE_INFINITY;
  }

  /** How many secrets and addresses it holds counts of. */
  get size(): number {
    return this.#secrets.size + this.#pages.size + this.#wrong.size;
  }

  /** Authenticates what is within its limits, and counts it once, however often the request is looked at. */
  admit(authenticate: Authenticate): Admit {
    return async (secret, request) => {
      if (typeof secret !== 'string' || secret === '' || request.countedSecret === secret) return authenticate(secret);
      const now = this.#now();
      const known = this.#secrets.get('', secret, now);
      if (known) refuse(secretAllowed, this.#perSecret, known.wait(this.#perSecret, now));
      const caller = await authenticate(secret).catch((error) => {
        if (error instanceof ApiError) this.countWrong(request.ip);
        throw error;
      });
      this.#countSecret(secret);
      request.countedSecret = secret;
      return caller;
    };
  }

  /** Counts a request of a page or for the script, of whichever account: before anything of it is read. */
  countPage(ip: string | undefined): void {
    if (this.#perAddress === Number.POSITIVE_INFINITY) return;
    const now = this.#now();
    const count = countOf(this.#pages, '', networkOf(ip), now);
    refuse(pagesAllowed, this.#perAddress, count.wait(this.#perAddress, now));
    count.add(now);
  }

  /**
   * Counts a secret or token that turned out to be wrong. It is looked up first, which takes one indexed read, so that
   * a client that guesses never keeps another at its address from using one that is right.
   */
  countWrong(ip: string | undefined): void {
    if (this.#wrongSecrets === Number.POSITIVE_INFINITY) return;
    const now = this.#now();
    const count = countOf(this.#wrong, '', networkOf(ip), now);
    refuse(wrongAllowed, this.#wrongSecrets, count.wait(this.#wrongSecrets, now));
    count.add(now);
  }

  #countSecret(secret: string): void {
    const now = this.#now();
    const count = countOf(this.#secrets, '', secret, now);
    // Others may have come while this one was authenticated.
    refuse(secretAllowed, this.#perSecret, count.wait(this.#perSecret, now));
    count.add(now);
  }
}

function countOf(counts: TwoGenerationCache<Count>, group: string, key: string, now: Millis): Count {
  const known = counts.get(group, key, now);
  if (known) return known;
  const count = new Count(now);
  counts.set(group, key, count, now);
  return count;
}

const secretAllowed = (limit: number) => `A secret may make ${limit} requests in a minute`;
const pagesAllowed = (limit: number) => `Pages may make ${limit} requests in a minute from one address`;
const wrongAllowed = (limit: number) => `An address may try ${limit} wrong secrets or tokens in a minute`;

function refuse(allowed: (limit: number) => string, limit: number, wait: Millis): void {
  if (wait === 0) return;
  const seconds = Math.ceil(wait / 1000);
  throw limited(`${allowed(limit)}: try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}`, limit, seconds);
}
