import type { Millis } from '@usher/domain';
import type { Authenticate, Caller } from '../context.ts';
import { ApiError, type LimitKind, limited } from '../errors.ts';
import type { AddCount, Group } from '../group.ts';
import type { Settings } from '../settings/settings.ts';
import { networkOf } from './client-network.ts';
import { TwoGenerationCache } from './two-generation-cache.ts';

const MINUTE: Millis = 60_000;
/**
 * How many wrong codes one network may send in a period, for all accounts together. A code of a pick has 39 bits and is
 * valid for ten minutes: a million guesses, from ten thousand networks, find it once in 650,000 times. There is no
 * limit for each account, because any stranger could use it up and so lock its administrators out.
 */
const WRONG_CODES = 10;
/** An administrator picks only now and then. Each result is stored, sent to the editor and painted there. */
const RESULTS_PER_PICK = 30;
/** How often the public pages of surveys may send answers from one network: enough for an office whose people get an email together. */
const ANSWERS_PER_ADDRESS = 600;

/** A request that is counted once for its secret. */
export interface CountedRequest {
  readonly ip: string;
  countedSecret: string | undefined;
  /** How many requests the secret may make in a minute, and how many of them are left; undefined without a limit. */
  rateLimit: { limit: number; remaining: number } | undefined;
}

/** Finds the caller of a request by its secret, within the limits of that secret. */
export type AuthenticateRequest = (secret: unknown, request: CountedRequest) => Promise<Caller>;

type LimitSettings = Pick<Settings, 'limitPerSecret' | 'limitPerAddress' | 'limitWrongSecrets'>;

/**
 * Counts requests in a sliding period, by default a minute: all requests of the current period, and a share of the
 * previous one as if its requests had come evenly. A counter takes 150 bytes, and counting a request 0.2 µs.
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

  /** Counts one, or several; a negative number takes back what was counted a moment ago. */
  add(now: Millis, count = 1): void {
    this.#advance(now);
    this.#current = Math.max(0, this.#current + count);
  }

  /** In how many milliseconds one more request is allowed. */
  wait(limit: number, now: Millis): Millis {
    const elapsed = this.#advance(now);
    const period = this.#period;
    const left = limit - this.#current;
    // One more is allowed at the very millisecond at which the first request of a full period is one period old.
    if (this.#previous * (period - 1 - elapsed) < left * period) return 0;
    if (left <= 0) return period - elapsed;
    return Math.floor(period - 1 - (left * period) / this.#previous) + 1 - elapsed;
  }

  /** How many more are allowed now. */
  remaining(limit: number, now: Millis): number {
    const elapsed = this.#advance(now);
    const share = (this.#previous * (this.#period - 1 - elapsed)) / this.#period;
    return Math.max(0, Math.ceil(limit - this.#current - share));
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

/** A counter for each key. The workers of a group count together: each adds what the others have counted, a moment later. */
export class SharedCounters {
  readonly #now: () => Millis;
  readonly #period: Millis;
  readonly #counters: TwoGenerationCache<SlidingCounter>;
  readonly #share: AddCount | undefined;

  constructor(name: string, now: () => Millis, group?: Group, period: Millis = MINUTE) {
    this.#now = now;
    this.#period = period;
    this.#counters = new TwoGenerationCache(2 * period);
    this.#share = group?.shareCounts(name, (account, key, count) => {
      const time = now();
      this.#counterOf(account, key, time).add(time, count);
    });
  }

  get size(): number {
    return this.#counters.size;
  }

  /** In how many milliseconds one more request is allowed for a key. */
  wait(limit: number, group: string, key: string): Millis {
    const now = this.#now();
    return this.#counters.get(group, key, now)?.wait(limit, now) ?? 0;
  }

  /** How many more are allowed for a key. */
  remaining(limit: number, group: string, key: string): number {
    const now = this.#now();
    return this.#counters.get(group, key, now)?.remaining(limit, now) ?? limit;
  }

  /** Counts one more, or rejects it if it is above the limit. */
  count(kind: LimitKind, describe: (limit: number) => string, limit: number, group: string, key: string): void {
    const now = this.#now();
    const counter = this.#counterOf(group, key, now);
    rejectIfWaiting(kind, describe, limit, counter.wait(limit, now));
    counter.add(now);
    this.#share?.(group, key, 1);
  }

  /** Counts one more, or takes one back. */
  add(group: string, key: string, count = 1): void {
    const now = this.#now();
    this.#counterOf(group, key, now).add(now, count);
    this.#share?.(group, key, count);
  }

  #counterOf(group: string, key: string, now: Millis): SlidingCounter {
    const known = this.#counters.get(group, key, now);
    if (known) return known;
    const counter = new SlidingCounter(now, this.#period);
    this.#counters.set(group, key, counter, now);
    return counter;
  }
}

/** Limits the requests per minute: of one secret, of the pages at one address, and of an address with wrong secrets. */
export class Limits {
  readonly #perSecret: number;
  readonly #perAddress: number;
  readonly #wrongSecrets: number;
  readonly #secrets: SharedCounters;
  /** The requests of pages, by client network. */
  readonly #pages: SharedCounters;
  readonly #wrong: SharedCounters;
  readonly #codes: SharedCounters;
  /** The results of picks, by pick. */
  readonly #results: SharedCounters;
  /** The answers of public pages, by client network. */
  readonly #answers: SharedCounters;

  constructor(settings: LimitSettings, now: () => Millis, group?: Group) {
    const { limitPerSecret, limitPerAddress, limitWrongSecrets } = settings;
    this.#secrets = new SharedCounters('secrets', now, group);
    this.#pages = new SharedCounters('pages', now, group);
    this.#wrong = new SharedCounters('wrong secrets', now, group);
    this.#codes = new SharedCounters('codes', now, group);
    this.#results = new SharedCounters('results', now, group);
    this.#answers = new SharedCounters('survey answers', now, group);
    this.#perSecret = limitPerSecret || Number.POSITIVE_INFINITY;
    this.#perAddress = limitPerAddress || Number.POSITIVE_INFINITY;
    this.#wrongSecrets = limitWrongSecrets || Number.POSITIVE_INFINITY;
  }

  /** The number of secrets, networks and picks that have a counter. */
  get size(): number {
    const counters = [this.#secrets, this.#pages, this.#wrong, this.#codes, this.#results, this.#answers];
    return counters.reduce((sum, { size }) => sum + size, 0);
  }

  /** Adds the limits to `authenticate`. A request is counted once, however often it is authenticated. */
  limitAuthentication(authenticate: Authenticate): AuthenticateRequest {
    return async (secret, request) => {
      if (typeof secret !== 'string' || secret === '' || request.countedSecret === secret) return authenticate(secret);
      rejectIfWaiting('secret', secretLimit, this.#perSecret, this.#secrets.wait(this.#perSecret, '', secret));
      const caller = await authenticate(secret).catch((error) => {
        if (error instanceof ApiError) this.countWrong(request.ip);
        throw error;
      });
      // Other requests may have been counted while this one was authenticated.
      this.#secrets.count('secret', secretLimit, this.#perSecret, '', secret);
      request.countedSecret = secret;
      const limit = this.#perSecret;
      if (limit !== Number.POSITIVE_INFINITY)
        request.rateLimit = { limit, remaining: this.#secrets.remaining(limit, '', secret) };
      return caller;
    };
  }

  /** Counts a request of a page, or for the script, before anything of it is read. */
  countPage(ip: string | undefined): void {
    if (this.#perAddress === Number.POSITIVE_INFINITY) return;
    this.#pages.count('address', pageLimit, this.#perAddress, '', networkOf(ip));
  }

  /**
   * Counts a wrong secret or token. Secrets are looked up before this limit is checked, so a client that guesses never
   * keeps others at its address from using a right one. The lookup takes one indexed read.
   */
  countWrong(ip: string | undefined): void {
    if (this.#wrongSecrets === Number.POSITIVE_INFINITY) return;
    this.#wrong.count('wrong_secrets', wrongSecretLimit, this.#wrongSecrets, '', networkOf(ip));
  }

  /**
   * Counts a code of a pick before it is looked up: requests that come together must not all pass while none of them is
   * counted yet. Only wrong codes are limited, so call the returned function if the code is right.
   */
  countCode(ip: string | undefined): () => void {
    const network = networkOf(ip);
    this.#codes.count('picks', codeLimit, WRONG_CODES, '', network);
    return () => this.#codes.add('', network, -1);
  }

  /** Counts a request with answers of a public page, before anything of it is read. */
  countAnswers(ip: string | undefined): void {
    if (this.#perAddress === Number.POSITIVE_INFINITY) return;
    this.#answers.count('survey', answerLimit, ANSWERS_PER_ADDRESS, '', networkOf(ip));
  }

  /** Counts what a page reports for a pick. */
  countResult(pickId: string): void {
    this.#results.count('picks', resultLimit, RESULTS_PER_PICK, '', pickId);
  }
}

const secretLimit = (limit: number) => `A secret may make ${limit} requests in a minute`;
const pageLimit = (limit: number) => `Pages may make ${limit} requests in a minute from one address`;
const codeLimit = (limit: number) => `An address may try ${limit} wrong codes in a minute`;
const resultLimit = (limit: number) => `A page may report ${limit} results of a pick in a minute`;
const answerLimit = (limit: number) => `Surveys may send ${limit} requests in a minute from one address`;
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
