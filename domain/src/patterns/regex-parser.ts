import {
  codeOf,
  LAST_CODE_POINT,
  LINE_ENDS,
  mergeRanges,
  NO_CHARACTER,
  namedClasses,
  type Ranges,
  toRanges,
} from './code-points.ts';

const MAX_DEPTH = 100;

/** The message says what is wrong with the pattern, for its author. */
export class RegexError extends Error {}

/** A repeated class becomes many states with the same `id`, so each character is tested against it only once. */
export type CharClass = { is: 'class'; id: number; ranges: Ranges; negated: boolean };
type Assertion = { is: 'assertion'; what: string };
export type RegexNode =
  | CharClass
  | Assertion
  | { is: 'sequence'; of: RegexNode[] }
  | { is: 'choice'; of: RegexNode[] }
  | { is: 'repeat'; of: RegexNode; min: number; max: number };

export class RegexParser {
  readonly #pattern: string;
  #at = 0;
  #depth = 0;
  #classes = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  parse(): RegexNode {
    const tree = this.#choice();
    if (this.#at < this.#pattern.length) throw this.#error(this.#at, 'an unopened `)`', 'put `\\` before it');
    return tree;
  }

  #choice(): RegexNode {
    const of = [this.#sequence()];
    while (this.#take(/\|/y)) of.push(this.#sequence());
    return { is: 'choice', of };
  }

  #sequence(): RegexNode {
    const of: RegexNode[] = [];
    while (this.#at < this.#pattern.length && !'|)'.includes(this.#pattern.charAt(this.#at))) of.push(this.#repeated());
    return { is: 'sequence', of };
  }

  #repeated(): RegexNode {
    const atom = this.#atom();
    const from = this.#at;
    // Most atoms are not repeated, and this check is faster than a regular expression.
    if (!'*+?{'.includes(this.#pattern.charAt(from) || ' ')) return atom;
    const [sign, least, comma, most] = this.#take(/(?:[*+?]|\{(\d+)(,)?(\d+)?\})\??/y) ?? [];
    if (sign === undefined) return atom;
    if (atom.is === 'assertion') throw this.#error(from, `nothing to repeat by \`${sign}\``, 'put `\\` before it');
    const min = Number(least ?? (sign.startsWith('+') ? 1 : 0));
    const max = comma || least === undefined ? Number(most ?? (sign.startsWith('?') ? 1 : Infinity)) : min;
    if (max < min) throw this.#error(from, `\`${sign}\` from more to less`, 'swap the numbers');
    return { is: 'repeat', of: atom, min, max };
  }

  #atom(): RegexNode {
    const from = this.#at;
    const char = this.#next();
    if (char === '(') return this.#group(from);
    if (char === '[') return this.#bracketClass(from);
    if (char === '.') return this.#class(LINE_ENDS, true);
    if (char === '^' || char === '$') return { is: 'assertion', what: char };
    if ('*+?'.includes(char)) throw this.#error(from, `nothing to repeat by \`${char}\``, 'put `\\` before it');
    if ('{}]'.includes(char)) throw this.#error(from, `a single \`${char}\``, 'put `\\` before it');
    if (char !== '\\') return this.#class([codeOf(char), codeOf(char)]);
    const [what] = this.#take(/b/iy) ?? [];
    return what ? { is: 'assertion', what } : this.#class(this.#escape(from));
  }

  #group(from: number): RegexNode {
    const [look] = this.#take(/\?<?[=!]/y) ?? [];
    if (look) throw this.#error(from, `lookaround \`(${look}\``, 'it takes too long; describe the text without it');
    if (!this.#take(/\?(?::|<[\p{L}_$][\p{L}\p{N}_$]*>)/uy) && this.#isNext(/\?/y)) {
      throw this.#error(from, 'an unknown kind of group `(?`', 'write `(…)`, `(?:…)` or `(?<name>…)`');
    }
    if (++this.#depth > MAX_DEPTH) throw this.#error(from, `a group inside ${MAX_DEPTH} others`, 'nest less');
    const tree = this.#choice();
    this.#depth--;
    if (!this.#take(/\)/y)) throw this.#error(from, 'an unclosed group `(`', 'add `)`, or put `\\` before it');
    return tree;
  }

  #bracketClass(from: number): CharClass {
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
      const [low = NO_CHARACTER, high = NO_CHARACTER] = both.map(([point]) => point);
      if (low > high || both.some(([point, last, more]) => point !== last || more !== undefined)) {
        const range = this.#pattern.slice(at, this.#at);
        throw this.#error(at, `\`${range}\`, which is no range`, 'order its ends, or put `\\` before `-`');
      }
      ranges.push(low, high);
    }
    return this.#class(ranges, negated);
  }

  #member(from: number): Ranges {
    const at = this.#at;
    const char = this.#next();
    if (char === '') throw this.#error(from, 'an unclosed class `[`', 'add `]`, or put `\\` before it');
    if (char === '\\') return this.#take(/b/y) ? toRanges('\b\b') : this.#escape(at);
    return toRanges(char + char);
  }

  #escape(from: number): Ranges {
    const [unit] = this.#take(/x[\da-f]{2}|u\{[\da-f]+\}|ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|u[\da-f]{4}/iy) ?? [];
    if (unit) {
      const [code = NO_CHARACTER, second] =
        unit.match(/[\da-f]+/gi)?.map((digits) => Number.parseInt(digits, 16)) ?? [];
      if (code > LAST_CODE_POINT) throw this.#error(from, 'a character beyond `\\u{10FFFF}`', 'give one that exists');
      const point = second === undefined ? code : codeOf(String.fromCharCode(code, second));
      return [point, point];
    }
    if (this.#take(/0(?!\d)/y)) return [0, 0];
    const char = this.#next();
    const known = namedClasses.get(char);
    if (known) return known;
    if (/[1-9k]/.test(char))
      throw this.#error(from, `a backreference \`\\${char}\``, 'it takes too long; repeat what stands there');
    if (/p/i.test(char)) throw this.#error(from, `a property \`\\${char}\``, 'list the characters in `[…]`');
    if (/^[a-z\d]?$/i.test(char))
      throw this.#error(from, `an unknown escape \`\\${char}\``, 'write `\\\\` for the sign itself');
    return toRanges(char + char);
  }

  #class(ranges: Ranges, negated = false): CharClass {
    return { is: 'class', id: this.#classes++, ranges: mergeRanges(ranges), negated };
  }

  /** The next character, or an empty string at the end. */
  #next(): string {
    const point = this.#pattern.codePointAt(this.#at);
    if (point === undefined) return '';
    const char = String.fromCodePoint(point);
    this.#at += char.length;
    return char;
  }

  #isNext(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    return pattern.test(this.#pattern);
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#pattern) ?? undefined;
    if (found) this.#at = pattern.lastIndex;
    return found;
  }

  #error(at: number, what: string, remedy: string): RegexError {
    return new RegexError(`${what} at character ${at + 1}: ${remedy}`);
  }
}
