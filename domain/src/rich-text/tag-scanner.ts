import { reject, shorten } from './text-problem.ts';

const MAX_REST = 40;
const spaces = /\s*/y;
/** The name of a property, a keyword or a helper. */
export const names = /[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)*/uy;

/** Goes through the source of one tag. Spaces before what it looks for are skipped. */
export class TagScanner {
  readonly #source: string;
  readonly #start: number;
  at: number;

  /** `start` is the position of the `{{`. */
  constructor(source: string, start: number) {
    this.#source = source;
    this.#start = start;
    this.at = start + 2;
  }

  take(text: string): boolean {
    this.#skipSpaces();
    const isNext = this.#source.startsWith(text, this.at);
    if (isNext) this.at += text.length;
    return isNext;
  }

  /** `pattern` is sticky. */
  match(pattern: RegExp): string | undefined {
    this.#skipSpaces();
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#source)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  /** Like `match`, but stays where it is. */
  peek(pattern: RegExp): string | undefined {
    const { at } = this;
    const found = this.match(pattern);
    this.at = at;
    return found;
  }

  /** The text between quotes. In it, a backslash takes the next character as it is; in a pattern, only a quote. */
  quoted(isPattern = false): string | undefined {
    this.#skipSpaces();
    const quote = this.#source[this.at];
    if (quote !== '"' && quote !== "'") return undefined;
    let text = '';
    for (let at = this.at + 1; at < this.#source.length; at++) {
      if (this.#source[at] === quote) {
        this.at = at + 1;
        return text;
      }
      if (this.#source[at] === '\\') {
        at++;
        if (isPattern && this.#source[at] !== quote) text += '\\';
      }
      text += this.#source[at] ?? '';
    }
    return this.fail(`has a quote that is never closed: \`${quote}\``);
  }

  /** Rejects the tag with a problem, or because it has no end. */
  fail(what: string): never {
    const isClosed = this.#source.includes('}}', this.#start);
    const problem = isClosed ? what : 'is never closed with `}}`';
    return reject(`\`${this.excerpt()}\` ${problem}`, this.#source, this.#start);
  }

  /** The rest of the tag, for messages. */
  rest(): string {
    return shorten(this.#source.slice(this.at, this.at + MAX_REST).split('}}')[0] ?? '');
  }

  /** The tag, for messages. */
  excerpt(): string {
    const end = this.#source.indexOf('}}', Math.max(this.#start, this.at - 2));
    return shorten(this.#source.slice(this.#start, end < 0 ? undefined : end + 2));
  }

  #skipSpaces(): void {
    spaces.lastIndex = this.at;
    this.at += spaces.exec(this.#source)?.[0].length ?? 0;
  }
}
