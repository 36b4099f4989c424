/*
 * Regular expressions of authors, in time proportional to pattern × text whatever they write: all ways through the
 * pattern advance together, character by character (Thompson's simulation). RegExp tries one way after the other, and
 * `(a+)+$` keeps it busy for years.
 *
 * The language is that of RegExp with the flag `u`, without what needs a memory of the text (backreferences,
 * lookaround) and without `\p{…}`. Unlike there, `\` may stand before any punctuation: people write `\-` and `\_`.
 */

/** Of a longer text only this much is looked at, and `$` stands at its end. */
export const MAX_TEXT = 2048;
const MAX_PATTERN = 2000;
const DEEPEST = 100;
const MAX_STATES = 2000;

/** The work that a match may still take. A step is one look at one state. */
export interface StepBudget {
  left: number;
}

export interface LinearRegex {
  /** How many states the pattern has, with its repetitions written out. */
  states: number;
  /** Takes at most `states` + 1 steps for each character. Ends with false, and `steps.left` below 0, when they are used up. */
  test(text: string, steps?: StepBudget): boolean;
}

export function linearRegex(
  pattern: string,
  { ignoreCase = false, mostStates = MAX_STATES } = {},
): LinearRegex | { problem: string } {
  try {
    if (pattern.length > MAX_PATTERN) throw new ApiError(`more than ${MAX_PATTERN} characters: shorten it`);
    const tree = new Reader(pattern).whole();
    const states = sizeOf(tree);
    // Checked before anything is written out: `a{99999999}` is small until then.
    if (states > mostStates) {
      const remedy = 'repeat less, or use several shorter patterns';
      throw new ApiError(
        `too many parts: ${states} with its repetitions written out, and ${mostStates} are the most; ${remedy}`,
      );
    }
    const program = compile(tree, states, ignoreCase);
    return { states, test: (text, steps = { left: Infinity }) => run(program, text.slice(0, MAX_TEXT), steps) };
  } catch (error) {
    if (error instanceof ApiError) return { problem: error.message };
    throw error;
  }
}

class ApiError extends Error {}

/** The first and the last code point of each run, one after the other, in order. */
type Ranges = readonly number[];
/** Repetitions write the same class out many times: by its `id`, one look at each character does for all of them. */
type Class = { is: 'class'; id: number; ranges: Ranges; negated: boolean };
type Assertion = { is: 'assertion'; what: string };
type Tree =
  | Class
  | Assertion
  | { is: 'sequence'; of: Tree[] }
  | { is: 'choice'; of: Tree[] }
  | { is: 'repeat'; of: Tree; min: number; max: number };

/** Before the first and after the last character. */
const NONE = -1;
const LAST = 0x10ffff;
const codeOf = (char: string): number => char.codePointAt(0) ?? NONE;
const CARET = codeOf('^');
const DOLLAR = codeOf('$');
const SMALL_B = codeOf('b');
const runs = (ends: string): Ranges => [...ends].map(codeOf);
const WORD = runs('09AZ__az');
const LINE_ENDS = runs('\n\n\r\r\u2028\u2029');
const named = new Map([
  ['d', runs('09')],
  ['w', WORD],
  ['s', runs('\t\r  \xa0\xa0\u1680\u1680\u2000\u200a\u2028\u2029\u202f\u202f\u205f\u205f\u3000\u3000\ufeff\ufeff')],
  ...[...'t\tn\nv\vf\fr\r'.matchAll(/(.)(.)/gs)].map(([, name = '', char = '']) => [name, runs(char + char)] as const),
]);
for (const name of 'dws') named.set(name.toUpperCase(), complement(named.get(name) ?? []));

function complement(ranges: Ranges): Ranges {
  return [0, ...ranges.map((point, at) => (at % 2 === 0 ? point - 1 : point + 1)), LAST];
}

class Reader {
  readonly #pattern: string;
  #at = 0;
  #depth = 0;
  #classes = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  whole(): Tree {
    const tree = this.#choice();
    if (this.#at < this.#pattern.length) throw this.#refusal(this.#at, 'an unopened `)`', 'put `\\` before it');
    return tree;
  }

  #choice(): Tree {
    const of = [this.#sequence()];
    while (this.#take(/\|/y)) of.push(this.#sequence());
    return { is: 'choice', of };
  }

  #sequence(): Tree {
    const of: Tree[] = [];
    while (this.#at < this.#pattern.length && !'|)'.includes(this.#pattern.charAt(this.#at))) of.push(this.#repeated());
    return { is: 'sequence', of };
  }

  #repeated(): Tree {
    const atom = this.#atom();
    const from = this.#at;
    // Most are not repeated, and this is quicker than a pattern.
    if (!'*+?{'.includes(this.#pattern.charAt(from) || ' ')) return atom;
    const [sign, least, comma, most] = this.#take(/(?:[*+?]|\{(\d+)(,)?(\d+)?\})\??/y) ?? [];
    if (sign === undefined) return atom;
    if (atom.is === 'assertion') throw this.#refusal(from, `nothing to repeat by \`${sign}\``, 'put `\\` before it');
    const min = Number(least ?? (sign.startsWith('+') ? 1 : 0));
    const max = comma || least === undefined ? Number(most ?? (sign.startsWith('?') ? 1 : Infinity)) : min;
    if (max < min) throw this.#refusal(from, `\`${sign}\` from more to less`, 'swap the numbers');
    return { is: 'repeat', of: atom, min, max };
  }

  #atom(): Tree {
    const from = this.#at;
    const char = this.#next();
    if (char === '(') return this.#group(from);
    if (char === '[') return this.#listed(from);
    if (char === '.') return this.#class(LINE_ENDS, true);
    if (char === '^' || char === '$') return { is: 'assertion', what: char };
    if ('*+?'.includes(char)) throw this.#refusal(from, `nothing to repeat by \`${char}\``, 'put `\\` before it');
    if ('{}]'.includes(char)) throw this.#refusal(from, `a single \`${char}\``, 'put `\\` before it');
    if (char !== '\\') return this.#class([codeOf(char), codeOf(char)]);
    const [what] = this.#take(/b/iy) ?? [];
    return what ? { is: 'assertion', what } : this.#class(this.#escaped(from));
  }

  #group(from: number): Tree {
    const [look] = this.#take(/\?<?[=!]/y) ?? [];
    if (look) throw this.#refusal(from, `lookaround \`(${look}\``, 'it takes too long; describe the text without it');
    if (!this.#take(/\?(?::|<[\p{L}_$][\p{L}\p{N}_$]*>)/uy) && this.#sees(/\?/y)) {
      throw this.#refusal(from, 'an unknown kind of group `(?`', 'write `(…)`, `(?:…)` or `(?<name>…)`');
    }
    if (++this.#depth > DEEPEST) throw this.#refusal(from, `a group inside ${DEEPEST} others`, 'nest less');
    const tree = this.#choice();
    this.#depth--;
    if (!this.#take(/\)/y)) throw this.#refusal(from, 'an unclosed group `(`', 'add `)`, or put `\\` before it');
    return tree;
  }

  #listed(from: number): Class {
    const negated = this.#take(/\^/y) !== undefined;
    const ranges: number[] = [];
    while (!this.#take(/\]/y)) {
      const at = this.#at;
      const first = this.#member(from);
      if (!this.#take(/-(?!\])/y)) {
        ranges.push(...first);
        continue;
      }
      const both = [first, this.#member(from)];
      const [low = NONE, high = NONE] = both.map(([point]) => point);
      if (low > high || both.some(([point, last, more]) => point !== last || more !== undefined)) {
        const range = this.#pattern.slice(at, this.#at);
        throw this.#refusal(at, `\`${range}\`, which is no range`, 'order its ends, or put `\\` before `-`');
      }
      ranges.push(low, high);
    }
    return this.#class(ranges, negated);
  }

  #member(from: number): Ranges {
    const at = this.#at;
    const char = this.#next();
    if (char === '') throw this.#refusal(from, 'an unclosed class `[`', 'add `]`, or put `\\` before it');
    if (char === '\\') return this.#take(/b/y) ? runs('\b\b') : this.#escaped(at);
    return runs(char + char);
  }

  #escaped(from: number): Ranges {
    const [unit] = this.#take(/x[\da-f]{2}|u\{[\da-f]+\}|ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|u[\da-f]{4}/iy) ?? [];
    if (unit) {
      const [code = NONE, second] = unit.match(/[\da-f]+/gi)?.map((digits) => Number.parseInt(digits, 16)) ?? [];
      if (code > LAST) throw this.#refusal(from, 'a character beyond `\\u{10FFFF}`', 'give one that exists');
      const point = second === undefined ? code : codeOf(String.fromCharCode(code, second));
      return [point, point];
    }
    if (this.#take(/0(?!\d)/y)) return [0, 0];
    const char = this.#next();
    const known = named.get(char);
    if (known) return known;
    if (/[1-9k]/.test(char))
      throw this.#refusal(from, `a backreference \`\\${char}\``, 'it takes too long; repeat what stands there');
    if (/p/i.test(char)) throw this.#refusal(from, `a property \`\\${char}\``, 'list the characters in `[…]`');
    if (/^[a-z\d]?$/i.test(char))
      throw this.#refusal(from, `an unknown escape \`\\${char}\``, 'write `\\\\` for the sign itself');
    return runs(char + char);
  }

  #class(ranges: Ranges, negated = false): Class {
    return { is: 'class', id: this.#classes++, ranges: ordered(ranges), negated };
  }

  /** The next character; nothing at the end. */
  #next(): string {
    const point = this.#pattern.codePointAt(this.#at);
    if (point === undefined) return '';
    const char = String.fromCodePoint(point);
    this.#at += char.length;
    return char;
  }

  #sees(what: RegExp): boolean {
    what.lastIndex = this.#at;
    return what.test(this.#pattern);
  }

  #take(what: RegExp): RegExpExecArray | undefined {
    what.lastIndex = this.#at;
    const found = what.exec(this.#pattern) ?? undefined;
    if (found) this.#at = what.lastIndex;
    return found;
  }

  #refusal(at: number, what: string, remedy: string): ApiError {
    return new ApiError(`${what} at character ${at + 1}: ${remedy}`);
  }
}

/** How many states a tree becomes; what is repeated counts, even where it is nothing. */
function sizeOf(tree: Tree): number {
  if (tree.is === 'sequence') return tree.of.reduce((sum, part) => sum + sizeOf(part), 0);
  if (tree.is === 'choice') return tree.of.reduce((sum, part) => sum + sizeOf(part) + 2, -2);
  if (tree.is !== 'repeat') return 1;
  const size = Math.max(sizeOf(tree.of), 1);
  return tree.min * size + (tree.max === Infinity ? size + 2 : (tree.max - tree.min) * (size + 1));
}

/* What a state does: it takes a character, goes on in two places, goes on elsewhere, or goes on where something holds. */
const CLASS = 0;
const FORK = 1;
const JUMP = 2;
const ASSERTION = 3;

interface Program {
  kinds: Uint8Array;
  /** Of a class its index, of a fork or jump the state where it goes on, of an assertion its character code. */
  args: Int32Array;
  length: number;
  classes: readonly Class[];
  ignoreCase: boolean;
  /* What a run writes into: allocated once, because a pattern is tested with every page load. */
  seen: Int32Array;
  verdicts: Int32Array;
  now: Int32Array;
  next: Int32Array;
  turn: number;
}

/** Each state is written once, in its place: the time is that of the size. */
function compile(tree: Tree, states: number, ignoreCase: boolean): Program {
  const kinds = new Uint8Array(states);
  const args = new Int32Array(states);
  const classes: Class[] = [];
  let length = 0;
  const add = (kind: number, arg: number) => {
    kinds[length] = kind;
    args[length] = arg;
    return length++;
  };
  const addMaybe = (part: Tree) => {
    const fork = add(FORK, 0);
    addAll(part);
    args[fork] = length;
  };
  const addLoop = (part: Tree) => {
    const fork = add(FORK, 0);
    addAll(part);
    add(JUMP, fork);
    args[fork] = length;
  };
  const addChoice = (parts: readonly Tree[]) => {
    const jumps: number[] = [];
    for (const [at, part] of parts.entries()) {
      if (at === parts.length - 1) addAll(part);
      else {
        const fork = add(FORK, 0);
        addAll(part);
        jumps.push(add(JUMP, 0));
        args[fork] = length;
      }
    }
    for (const jump of jumps) args[jump] = length;
  };
  const addAll = (part: Tree): void => {
    if (part.is === 'sequence') for (const inner of part.of) addAll(inner);
    else if (part.is === 'choice') addChoice(part.of);
    else if (part.is === 'assertion') add(ASSERTION, codeOf(part.what));
    else if (part.is === 'class') {
      classes[part.id] = part;
      add(CLASS, part.id);
    } else {
      for (let count = 0; count < part.min; count++) addAll(part.of);
      if (part.max === Infinity) addLoop(part.of);
      else for (let count = part.min; count < part.max; count++) addMaybe(part.of);
    }
  };
  addAll(tree);
  const room = () => new Int32Array(length + 1);
  const verdicts = new Int32Array(classes.length);
  return { kinds, args, length, classes, ignoreCase, seen: room(), verdicts, now: room(), next: room(), turn: 0 };
}

/** Every state is looked at once for each character, so the steps are bounded by states × characters. */
function run(program: Program, text: string, steps: StepBudget): boolean {
  const { kinds, args, length, seen, verdicts } = program;
  const onlyAtStart = kinds[0] === ASSERTION && args[0] === CARET && length > 0;
  let { now, next } = program;
  let ways = 0;
  let left = steps.left;
  let before = NONE;
  let found = false;
  for (let at = 0; left >= 0 && !found; ) {
    const turn = nextTurn(program);
    const point = text.codePointAt(at) ?? NONE;
    let following = 0;
    left--;
    for (let one = 0; one < ways; one++) seen[now[one] as number] = turn;
    if (at === 0 || !onlyAtStart) ways = enter(now, ways, seen, 0, turn);
    while (ways > 0 && left >= 0) {
      const way = now[--ways] as number;
      if (way === length) {
        found = true;
        break;
      }
      left--;
      const arg = args[way] as number;
      switch (kinds[way]) {
        case FORK:
          ways = enter(now, ways, seen, way + 1, turn);
          ways = enter(now, ways, seen, arg, turn);
          break;
        case JUMP:
          ways = enter(now, ways, seen, arg, turn);
          break;
        case ASSERTION:
          if (holds(arg, before, point)) ways = enter(now, ways, seen, way + 1, turn);
          break;
        default:
          if (Math.abs(verdicts[arg] as number) !== turn) {
            verdicts[arg] = has(program.classes[arg] as Class, point, program.ignoreCase) ? turn : -turn;
          }
          if (verdicts[arg] === turn) next[following++] = way + 1;
      }
    }
    if (point === NONE || (onlyAtStart && following === 0)) break;
    const used = now;
    now = next;
    next = used;
    ways = following;
    before = point;
    at += point > 0xffff ? 2 : 1;
  }
  steps.left = left;
  return found;
}

/** The states remember in which turn they were last seen. After very many the numbers begin anew. */
function nextTurn(program: Program): number {
  if (program.turn >= 0x7ffffff0) {
    program.seen.fill(0);
    program.verdicts.fill(0);
    program.turn = 0;
  }
  return ++program.turn;
}

function enter(ways: Int32Array, count: number, seen: Int32Array, state: number, turn: number): number {
  if (seen[state] === turn) return count;
  seen[state] = turn;
  ways[count] = state;
  return count + 1;
}

function holds(what: number, before: number, point: number): boolean {
  if (what === CARET) return before === NONE;
  if (what === DOLLAR) return point === NONE;
  return (within(WORD, before) !== within(WORD, point)) === (what === SMALL_B);
}

/** Without case: the character, its small and its capital letter; of letters with more forms than two, not all. */
function has({ ranges, negated }: Class, point: number, ignoreCase: boolean): boolean {
  if (point === NONE) return false;
  if (within(ranges, point) || !ignoreCase) return within(ranges, point) !== negated;
  const char = String.fromCodePoint(point);
  const others = [char.toLowerCase(), char.toUpperCase()].filter((other) => [...other].length === 1);
  return others.some((other) => within(ranges, codeOf(other))) !== negated;
}

/** A class can have a thousand ranges: they are in order, so that few are looked at. */
function within(ranges: Ranges, point: number): boolean {
  let low = 0;
  let high = ranges.length / 2 - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (point < (ranges[2 * middle] as number)) high = middle - 1;
    else if (point > (ranges[2 * middle + 1] as number)) low = middle + 1;
    else return true;
  }
  return false;
}

/** In order, and each point in one of them only. */
function ordered(ranges: readonly number[]): Ranges {
  if (ranges.length <= 2) return ranges;
  const pairs = Array.from({ length: ranges.length / 2 }, (_, at) => [ranges[2 * at] ?? 0, ranges[2 * at + 1] ?? 0]);
  const merged: number[] = [];
  for (const [low = 0, high = 0] of pairs.sort(([one = 0], [other = 0]) => one - other)) {
    const last = merged.at(-1);
    if (last !== undefined && low <= last) merged[merged.length - 1] = Math.max(last, high);
    else merged.push(low, high);
  }
  return merged;
}
