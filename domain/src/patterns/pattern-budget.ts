import type { Millis } from '../basics/time.ts';
import type { StepBudget } from './regex-program.ts';

/*
 * Limits the cost of matching URL patterns. Authors of patterns and users with long addresses decide how many steps a
 * page load takes; a step is about 10 ns. A pattern that runs out of steps counts as not matching, and the explanation of
 * the visit says so.
 */

/** A pattern with at most this many states never runs out of steps on addresses of up to 200 characters. */
export const MAX_STATES_TO_PUBLISH = 1000;
const STEPS_PER_MATCH = 200_000;
const STEPS_PER_VISIT = 500_000;
/** Every visit may take these steps, so other visits cannot use up what an ordinary page load needs. */
const RESERVED_STEPS = 50_000;
/** Beyond the reserved steps, all visits of an account together may take these, in each process. */
const STEPS_PER_SECOND = 10_000_000;

/** The budget that the visits of one account share. It refills as time passes. */
export class AccountStepBudget {
  #left = STEPS_PER_SECOND;
  #at: Millis = 0;

  left(now: Millis): number {
    const passed = Math.max(0, now - this.#at);
    this.#left = Math.min(STEPS_PER_SECOND, this.#left + (passed * STEPS_PER_SECOND) / 1000);
    this.#at = now;
    return this.#left;
  }

  spend(steps: number): void {
    this.#left -= steps;
  }
}

const none: readonly string[] = [];
const noResults = new Map<string, boolean | undefined>();

/** The budget of one visit, on one page. */
export class PatternBudget {
  readonly #account: AccountStepBudget | undefined;
  readonly #now: Millis;
  #reserved = RESERVED_STEPS;
  #left = STEPS_PER_VISIT;
  #results: Map<string, boolean | undefined> = noResults;
  #text: string | undefined;
  /** The patterns that ran out of steps. A pattern is listed once for each time that it was needed. */
  skipped: readonly string[] = none;

  constructor(account?: AccountStepBudget, now: Millis = 0) {
    this.#account = account;
    this.#now = now;
  }

  /** Tests a pattern only once for each visit, so that the decision and its explanation agree. */
  test(pattern: string, match: (text: string, steps: StepBudget) => boolean, text: string): boolean {
    if (text !== this.#text) this.#results = new Map();
    this.#text = text;
    if (!this.#results.has(pattern)) this.#results.set(pattern, this.#run(match, text));
    return this.#results.get(pattern) ?? this.#skip(pattern);
  }

  /** Takes steps in advance; false when there are too few. */
  take(pattern: string, steps: number): boolean {
    if (steps > this.#available()) return this.#skip(pattern);
    this.#spend(steps);
    return true;
  }

  #run(match: (text: string, steps: StepBudget) => boolean, text: string): boolean | undefined {
    const most = this.#available();
    const steps = { left: most };
    const found = match(text, steps);
    this.#spend(most - steps.left);
    return steps.left < 0 ? undefined : found;
  }

  #available(): number {
    const shared = this.#account ? Math.max(0, this.#account.left(this.#now)) : STEPS_PER_VISIT;
    return Math.min(STEPS_PER_MATCH, this.#left, this.#reserved + shared);
  }

  #spend(steps: number): void {
    const own = Math.min(steps, this.#reserved);
    this.#reserved -= own;
    this.#left -= steps;
    if (steps > own) this.#account?.spend(steps - own);
  }

  #skip(pattern: string): false {
    this.skipped = [...this.skipped, pattern];
    return false;
  }
}
