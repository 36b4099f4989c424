import { RegexError, type RegexNode, RegexParser } from './regex-parser.ts';
import { compileProgram, countStates, runProgram, type StepBudget } from './regex-program.ts';

/*
 * Matches the regular expressions of authors in time proportional to pattern × text. All threads through the pattern
 * advance together, character by character (Thompson's simulation). RegExp backtracks instead, and `(a+)+$` keeps it busy
 * for years.
 *
 * The syntax is that of RegExp with the flag `u`, without backreferences, lookaround and `\p{…}`. Unlike in RegExp, `\` may
 * stand before any punctuation, because people write `\-` and `\_`.
 */

/** A longer text is cut to this length, and `$` matches there. */
export const MAX_TEXT = 2048;
const MAX_PATTERN = 2000;
const MAX_STATES = 2000;

export interface LinearRegex {
  /** The number of states, with repetitions expanded. */
  states: number;
  /** Takes at most `states` + 1 steps for each character. Returns false, with `steps.left` below 0, when they run out. */
  test(text: string, steps?: StepBudget): boolean;
}

export function linearRegex(
  pattern: string,
  { ignoreCase = false, maxStates = MAX_STATES } = {},
): LinearRegex | { problem: string } {
  const parsed = parseRegex(pattern, maxStates);
  if ('problem' in parsed) return parsed;
  const { tree, states } = parsed;
  const program = compileProgram(tree, states, ignoreCase);
  return { states, test: (text, steps = { left: Infinity }) => runProgram(program, text.slice(0, MAX_TEXT), steps) };
}

/** Parses a pattern without compiling it. */
export function parseRegex(
  pattern: string,
  maxStates: number,
): { tree: RegexNode; states: number } | { problem: string } {
  try {
    if (pattern.length > MAX_PATTERN) throw new RegexError(`more than ${MAX_PATTERN} characters: shorten it`);
    const tree = new RegexParser(pattern).parse();
    const states = countStates(tree);
    // Check before the repetitions are expanded: `a{99999999}` is small until then.
    if (states > maxStates) {
      const remedy = 'repeat less, or use several shorter patterns';
      throw new RegexError(
        `too many parts: ${states} with its repetitions written out, and ${maxStates} are the most; ${remedy}`,
      );
    }
    return { tree, states };
  } catch (error) {
    if (error instanceof RegexError) return { problem: error.message };
    throw error;
  }
}
