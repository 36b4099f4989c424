/*
 * Regular expressions of authors, in time proportional to pattern × text whatever they write: all ways through the
 * pattern advance together, character by character (Thompson's simulation). RegExp tries one way after the other, and
 * `(a+)+$` keeps it busy for years.
 *
 * The language is that of RegExp with the flag `u`, without what needs a memory of the text (backreferences,
 * lookaround) and without `\p{…}`. Unlike there, `\` may stand before any punctuation: people write `\-` and `\_`.
 */

/** Of a longer text only this much is looked at, and `$` stands at its end. */
export const LONGEST_TEXT = 8192;
const LONGEST_PATTERN = 2000;
const DEEPEST = 100;
const MOST_STEPS = 2000;

export interface LinearRegex {
  test(text: string): boolean;
}

export function linearRegex(pattern: string, { ignoreCase = false } = {}): LinearRegex | { problem: string } {
  try {
    if (pattern.length > LONGEST_PATTERN) throw new Refusal(`more than ${LONGEST_PATTERN} characters: shorten it`);
    const tree = new Reader(pattern).whole();
    if (sizeOf(tree) > MOST_STEPS)
      throw new Refusal(`more than ${MOST_STEPS} steps with its repetitions written out: repeat less`);
    const program = stepsOf(tree);
    return { test: (text) => run(program, text.slice(0, LONGEST_TEXT), ignoreCase) };
  } catch (error) {
    if (error instanceof Refusal) return { problem: error.message };
    throw error;
  }
}

class Refusal extends Error {}

/** The first and the last code point of each run, one after the other. */
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
    while (this.#sees(/[^|)]/y)) of.push(this.#repeated());
    return { is: 'sequence', of };
  }

  #repeated(): Tree {
    const atom = this.#atom();
    const from = this.#at;
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
    if (/[*+?]/.test(char)) throw this.#refusal(from, `nothing to repeat by \`${char}\``, 'put `\\` before it');
    if (/[{}\]]/.test(char)) throw this.#refusal(from, `a single \`${char}\``, 'put `\\` before it');
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
    return { is: 'class', id: this.#classes++, ranges, negated };
  }

  /** The next character; nothing at the end. */
  #next(): string {
    return this.#take(/./suy)?.[0] ?? '';
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

  #refusal(at: number, what: string, remedy: string): Refusal {
    return new Refusal(`${what} at character ${at + 1}: ${remedy}`);
  }
}

/** How many steps a tree becomes; what is repeated counts, even where it is nothing. */
function sizeOf(tree: Tree): number {
  if (tree.is === 'sequence') return tree.of.reduce((sum, part) => sum + sizeOf(part), 0);
  if (tree.is === 'choice') return tree.of.reduce((sum, part) => sum + sizeOf(part) + 2, -2);
  if (tree.is !== 'repeat') return 1;
  const size = Math.max(sizeOf(tree.of), 1);
  return tree.min * size + (tree.max === Infinity ? size + 2 : (tree.max - tree.min) * (size + 1));
}

/** A jump goes on `by` steps from here, a fork both there and to the next. */
type Step = Class | Assertion | { is: 'jump'; by: number } | { is: 'fork'; by: number };

function stepsOf(tree: Tree): Step[] {
  if (tree.is === 'sequence') return tree.of.flatMap(stepsOf);
  if (tree.is === 'choice') return tree.of.map(stepsOf).reduceRight((others, one) => either(one, others));
  if (tree.is !== 'repeat') return [tree];
  const once = stepsOf(tree.of);
  const size = once.length;
  const times = (count: number, steps: Step[]) => Array.from({ length: count }, () => steps).flat();
  const maybe: Step[] = [{ is: 'fork', by: size + 1 }, ...once];
  const rest: Step[] =
    tree.max === Infinity
      ? [{ is: 'fork', by: size + 2 }, ...once, { is: 'jump', by: -size - 1 }]
      : times(tree.max - tree.min, maybe);
  return [...times(tree.min, once), ...rest];
}

function either(one: Step[], other: Step[]): Step[] {
  return [{ is: 'fork', by: one.length + 2 }, ...one, { is: 'jump', by: other.length + 1 }, ...other];
}

function run(program: readonly Step[], text: string, ignoreCase: boolean): boolean {
  const seen = new Int32Array(program.length);
  const verdicts: number[] = [];
  let ways: number[] = [];
  let before = NONE;
  for (let at = 0, turn = 1; ; turn++) {
    const point = text.codePointAt(at) ?? NONE;
    const next: number[] = [];
    ways.push(0);
    for (let way = ways.pop(); way !== undefined; way = ways.pop()) {
      const step = program[way];
      if (step === undefined) return true;
      if (seen[way] === turn) continue;
      seen[way] = turn;
      if (step.is === 'fork') ways.push(way + 1, way + step.by);
      else if (step.is === 'jump') ways.push(way + step.by);
      else if (step.is === 'assertion') holds(step, before, point) && ways.push(way + 1);
      else {
        if (Math.abs(verdicts[step.id] ?? 0) !== turn) verdicts[step.id] = has(step, point, ignoreCase) ? turn : -turn;
        if (verdicts[step.id] === turn) next.push(way + 1);
      }
    }
    if (point === NONE) return false;
    ways = next;
    before = point;
    at += point > 0xffff ? 2 : 1;
  }
}

function holds({ what }: Assertion, before: number, point: number): boolean {
  if (what === '^') return before === NONE;
  if (what === '$') return point === NONE;
  return (within(WORD, before) !== within(WORD, point)) === (what === 'b');
}

/** Without case: the character, its small and its capital letter; of letters with more forms than two, not all. */
function has({ ranges, negated }: Class, point: number, ignoreCase: boolean): boolean {
  if (point === NONE) return false;
  if (within(ranges, point) || !ignoreCase) return within(ranges, point) !== negated;
  const char = String.fromCodePoint(point);
  const others = [char.toLowerCase(), char.toUpperCase()].filter((other) => [...other].length === 1);
  return others.some((other) => within(ranges, codeOf(other))) !== negated;
}

function within(ranges: Ranges, point: number): boolean {
  for (let at = 0; at < ranges.length; at += 2) {
    if (point >= (ranges[at] ?? 0) && point <= (ranges[at + 1] ?? 0)) return true;
  }
  return false;
}
