import type { Millis } from '@usher/domain';
import type { Authenticate, Caller } from '../context.ts';
import { ApiError, type LimitKind, limited } from '../errors.ts';
import type { Settings } from '../settings.ts';
import { networkOf } from './client-network.ts';
import { TwoGenerationCache } from './two-generation-cache.ts';

const MINUTE: Millis = 60_000;
/**
 * By network, over all accounts. A code of a pick has 39 bits and ten minutes: a million guesses, from ten thousand networks, find
 * it once in 650,000 times. Any stranger could use up a limit for each account, and so lock its administrators out.
 */
const WRONG_CODES = 10;
/** Somebody picks now and then. Each result is stored, sent to the editor and painted there. */
const RESULTS_PER_PICK = 30;

/** A request that is counted once for its secret. */
export interface CountedRequest {
  readonly ip: string;
  countedSecret: string | undefined;
}

/** Finds the caller of a request by its secret, within the limits of that secret. */
export type AuthenticateRequest = (secret: unknown, request: CountedRequest) => Promise<Caller>;

type LimitSettings = Pick<Settings, 'limitPerSecret' | 'limitPerAddress' | 'limitWrongSecrets'>;

/**
 * Counts requests in a sliding minute, or another period: all of the current one, and the part of the previous one that is
 * less than a period ago, as if its requests had come evenly. A counter takes 150 bytes, and counting a request 0.2 µs.
 */
export class SlidingCounter {
  readonly #period: Millis;
  #startedAt: Millis;
  #current = 0;
  #previous = 0;

  constructor(now: Millis, period: Millis = MINUTE) {
    this.#startedAt = now;
    this.#period = period;
  }

  add(now: Millis): void {
    this.#advance(now);
    this.#current += 1;
  }

  /** Takes back one that was counted a moment ago. */
  remove(): void {
    this.#current = Math.max(0, this.#current - 1);
  }

  /** In how many milliseconds one more request is allowed. */
  wait(limit: number, now: Millis): Millis {
    const elapsed = this.#advance(now);
    const period = this.#period;
    const left = limit - this.#current;
    // One more is allowed at the very millisecond when the first request of a full period is a period ago.
    if (this.#previous * (period - 1 - elapsed) < left * period) return 0;
    if (left <= 0) return period - elapsed;
    return Math.floor(period - 1 - (left * period) / this.#previous) + 1 - elapsed;
  }

  /** Begins a new period if the current one is over, and returns how much of the current one has elapsed. */
  #advance(now: Millis): Millis {
    const elapsed = now - this.#startedAt;
    const period = this.#period;
    if (elapsed >= 0 && elapsed < period) return elapsed;
    // If the clock was set back, the period starts again with the same count.
    if (elapsed >= 0) {
      this.#previous = elapsed < 2 * period ? this.#current : 0;
      this.#current = 0;
    }
    this.#startedAt = elapsed >= period && elapsed < 2 * period ? this.#startedAt + period : now;
    return now - this.#startedAt;
  }
}

/** Limits the requests per minute: of one secret, of the pages at one address, and of an address with wrong secrets. */
export class Limits {
  readonly #now: () => Millis;
  readonly #perSecret: number;
  readonly #perAddress: number;
  readonly #wrongSecrets: number;
  readonly #secrets = new TwoGenerationCache<SlidingCounter>(2 * MINUTE);
  /** By client network. */
  readonly #pages = new TwoGenerationCache<SlidingCounter>(2 * MINUTE);
  readonly #wrong = new TwoGenerationCache<SlidingCounter>(2 * MINUTE);
  readonly #codes = new TwoGenerationCache<SlidingCounter>(2 * MINUTE);
  /** By pick. */
  readonly #results = new TwoGenerationCache<SlidingCounter>(2 * MINUTE);

  constructor(settings: LimitSettings, now: () => Millis) {
    const { limitPerSecret, limitPerAddress, limitWrongSecrets } = settings;
    this.#now = now;
    this.#perSecret = limitPerSecret || Number.POSITIVE_INFINITY;
    this.#perAddress = limitPerAddress || Number.POSITIVE_INFINITY;
    this.#wrongSecrets = limitWrongSecrets || Number.POSITIVE_INFINITY;
  }

  /** The number of secrets, networks and picks that have a counter. */
  get size(): number {
    return this.#secrets.size + this.#pages.size + this.#wrong.size + this.#codes.size + this.#results.size;
  }

  /** Adds the limits to `authenticate`. A request is counted once, however often it is authenticated. */
  limitAuthentication(authenticate: Authenticate): AuthenticateRequest {
    return async (secret, request) => {
      if (typeof secret !== 'string' || secret === '' || request.countedSecret === secret) return authenticate(secret);
      const now = this.#now();
      const known = this.#secrets.get('', secret, now);
      if (known) rejectIfWaiting('secret', secretLimit, this.#perSecret, known.wait(this.#perSecret, now));
      const caller = await authenticate(secret).catch((error) => {
        if (error instanceof ApiError) this.countWrong(request.ip);
        throw error;
      });
      this.#countSecret(secret);
      request.countedSecret = secret;
      return caller;
    };
  }

  /** Counts a request of a page, or for the script, before anything of it is read. */
  countPage(ip: string | undefined): void {
    if (this.#perAddress === Number.POSITIVE_INFINITY) return;
    const now = this.#now();
    const counter = counterOf(this.#pages, '', networkOf(ip), now);
    rejectIfWaiting('address', pageLimit, this.#perAddress, counter.wait(this.#perAddress, now));
    counter.add(now);
  }

  /**
   * Counts a wrong secret or token. Secrets are looked up before this limit is checked, so a client that guesses never
   * keeps others at its address from using a right one. The lookup takes one indexed read.
   */
  countWrong(ip: string | undefined): void {
    if (this.#wrongSecrets === Number.POSITIVE_INFINITY) return;
    const now = this.#now();
    const counter = counterOf(this.#wrong, '', networkOf(ip), now);
    rejectIfWaiting('wrong_secrets', wrongSecretLimit, this.#wrongSecrets, counter.wait(this.#wrongSecrets, now));
    counter.add(now);
  }

  /**
   * Counts a code of a pick before it is looked up: requests that come together must not all pass while none of them is
   * counted yet. Returns what to call if the code is right, because only wrong ones are limited.
   */
  countCode(ip: string | undefined): () => void {
    const now = this.#now();
    const counter = counterOf(this.#codes, '', networkOf(ip), now);
    rejectIfWaiting('picks', codeLimit, WRONG_CODES, counter.wait(WRONG_CODES, now));
    counter.add(now);
    return () => counter.remove();
  }

  /** Counts what a page reports for a pick. */
  countResult(pickId: string): void {
    const now = this.#now();
    const counter = counterOf(this.#results, '', pickId, now);
    rejectIfWaiting('picks', resultLimit, RESULTS_PER_PICK, counter.wait(RESULTS_PER_PICK, now));
    counter.add(now);
  }

  #countSecret(secret: string): void {
    const now = this.#now();
    const counter = counterOf(this.#secrets, '', secret, now);
    // Other requests may have been counted while this one was authenticated.
    rejectIfWaiting('secret', secretLimit, this.#perSecret, counter.wait(this.#perSecret, now));
    counter.add(now);
  }
}

export function counterOf(
  counters: TwoGenerationCache<SlidingCounter>,
  group: string,
  key: string,
  now: Millis,
  period?: Millis,
): SlidingCounter {
  const known = counters.get(group, key, now);
  if (known) return known;
  const counter = new SlidingCounter(now, period);
  counters.set(group, key, counter, now);
  return counter;
}

const secretLimit = (limit: number) => `A secret may make ${limit} requests in a minute`;
const pageLimit = (limit: number) => `Pages may make ${limit} requests in a minute from one address`;
const codeLimit = (limit: number) => `An address may try ${limit} wrong codes in a minute`;
const resultLimit = (limit: number) => `A page may report ${limit} results of a pick in a minute`;
const wrongSecretLimit = (limit: number) => `An address may try ${limit} wrong secrets or tokens in a minute`;

export function rejectIfWaiting(
  kind: LimitKind,
  describe: (limit: number) => string,
  limit: number,
  wait: Millis,
): void {
  if (wait === 0) return;
  const seconds = Math.ceil(wait / 1000);
  throw limited(
    kind,
    `${describe(limit)}: try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}`,
    limit,
    seconds,
  );
}
