import { memoize } from '../basics/memoize.ts';
import { parseRegex } from './linear-regex.ts';
import type { PatternBudget } from './pattern-budget.ts';
import { type CompileRegex, lazyRegex } from './url-match.ts';

/*
 * The patterns of conditions in texts, such as `{{if email matches "@acme\.com$"}}`. They are found anywhere in a value,
 * in time proportional to pattern × value, within the budget of one page load.
 */

/** A stored text has 768 bytes, so the first match of a page load never runs out of steps. */
const MAX_STATES = 250;
/** Shorter than the longest text that `memoize` keeps. */
const MAX_PATTERN = 250;
const MAX_COMPILED = 200;

/** Describes the problem of a pattern for its author. */
export function findTextPatternProblem(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN) return `more than ${MAX_PATTERN} characters: shorten it`;
  const parsed = parseRegex(pattern, MAX_STATES);
  return 'problem' in parsed ? parsed.problem : undefined;
}

export type TextMatcher = (text: string, pattern: string, budget: PatternBudget) => boolean;

/** Creates a function that finds patterns in texts. It compiles each pattern once. */
export function createTextMatcher(compileRegex: CompileRegex): TextMatcher {
  const regexOf = memoize((pattern) => lazyRegex(pattern, compileRegex), MAX_COMPILED);
  return (text, pattern, budget) => budget.test(pattern, regexOf(pattern), text);
}
