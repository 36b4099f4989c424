import { formatChoices } from '../basics/input.ts';
import { normalizeKey } from '../ingestion/key.ts';
import type { Scalar } from '../ingestion/value.ts';
import { toCondition } from '../targeting/condition.ts';
import {
  joinStrings,
  type MergeIf,
  type MergeOperator,
  type MergeSource,
  type MergeTag,
  type MergeTest,
  type PlainNode,
  type PlainText,
  type RichNode,
} from './merge.ts';

const operators: readonly MergeOperator[] = ['==', '!=', '>', '>=', '<', '<='];
const MAX_DEPTH = 20;
const MAX_EXCERPT = 40;

/** Parses a text with merge tags, or describes what is wrong with it. */
export function parseText(source: string): PlainText | { problem: string } {
  return catchProblem(() => {
    const tokens = tokenize(source);
    let at = 0;
    const nodesUntil = (end: number): PlainText => {
      const nodes: PlainText = [];
      while (at < end) {
        const token = tokens[at++];
        if (token === undefined || !isConditionTag(token)) nodes.push(token ?? '');
        else nodes.push(buildCondition<PlainNode>(tokens, at - 1, nodesUntil));
      }
      at = end + 1;
      return joinStrings(nodes);
    };
    return nodesUntil(tokens.length);
  });
}

/** Lists the properties of the user and the options of the Delivery that a text uses. */
export function listMergePaths(text: readonly RichNode[]): { props: string[]; options: string[] } {
  const props = new Set<string>();
  const options = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    if ('prop' in part) props.add(String(part.prop));
    else if ('option' in part) options.add(String(part.option));
    else for (const inner of Object.values(part)) visit(inner);
  };
  visit(text);
  return { props: [...props], options: [...options] };
}

/** A text consists of plain text, merge tags, and the tags of conditions. */
export type Token = string | MergeTag | ConditionTag;

export interface ConditionTag {
  keyword: 'if' | 'else' | 'end';
  /** Only `{{#if …}}` and `{{else if …}}` have a test. */
  test?: MergeTest;
  /** The index of the tag that ends this branch. */
  next: number;
  /** The source of the tag and its position, for messages. */
  source: string;
  at: number;
}

export function isConditionTag(token: Token): token is ConditionTag {
  return typeof token === 'object' && 'keyword' in token;
}

/** Builds the condition that begins at a tag. `branchUntil` parses one branch after the other. */
export function buildCondition<Of>(
  tokens: readonly Token[],
  index: number,
  branchUntil: (end: number) => Of[],
): MergeIf<Of> {
  const { test, next } = tokens[index] as ConditionTag;
  const condition: MergeIf<Of> = { if: test as MergeTest, show: branchUntil(next) };
  const following = tokens[next] as ConditionTag;
  if (following.test) condition.else = [buildCondition(tokens, next, branchUntil)] as Of[];
  else if (following.keyword === 'else') condition.else = branchUntil(following.next);
  return condition;
}

class TextError extends Error {}

/** Throws the problem, with its position when that is known. */
export function reject(what: string, source = '', at?: number): never {
  throw new TextError(at === undefined ? what : `${what} ${describePlace(source, at)}`);
}

export function catchProblem<Read>(read: () => Read): Read | { problem: string } {
  try {
    return read();
  } catch (error) {
    if (error instanceof TextError) return { problem: error.message };
    throw error;
  }
}

/** Splits a text into tokens, and checks that every `{{#if}}` is closed. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (let open = source.indexOf('{{'); open >= 0; open = source.indexOf('{{', at)) {
    if (open > at && source[open - 1] === '\\') {
      tokens.push(source.slice(at, open - 1), '{{');
      at = open + 2;
    } else {
      const reader = new TagReader(source, open);
      tokens.push(source.slice(at, open), reader.read());
      at = reader.at;
    }
  }
  tokens.push(source.slice(at));
  const words = joinStrings(tokens);
  linkConditionTags(source, words);
  return words;
}

function linkConditionTags(source: string, tokens: readonly Token[]): void {
  const open: { first: ConditionTag; last: ConditionTag; levels: number }[] = [];
  let levels = 0;
  for (const [index, token] of tokens.entries()) {
    if (!isConditionTag(token)) continue;
    if (token.keyword === 'if') open.push({ first: token, last: token, levels: 0 });
    const current = open.at(-1);
    if (!current) reject(`\`${token.source}\` belongs to no \`{{#if …}}\``, source, token.at);
    if (token.test) {
      current.levels++;
      if (++levels > MAX_DEPTH)
        reject(`\`${token.source}\` is nested deeper than ${MAX_DEPTH} conditions`, source, token.at);
    }
    if (token.keyword === 'if') continue;
    if (token.keyword === 'else' && current.last.keyword === 'else' && !current.last.test)
      reject(`\`${token.source}\` comes after the \`{{else}}\` of \`${current.first.source}\``, source, token.at);
    current.last.next = index;
    current.last = token;
    if (token.keyword === 'end') levels -= open.pop()?.levels ?? 0;
  }
  const unclosed = open.at(-1)?.first;
  if (unclosed) reject(`\`${unclosed.source}\` is never closed with \`{{/if}}\``, source, unclosed.at);
}

const spaces = /\s*/y;
const nameParts = /[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)*/uy;
const signs = /[=!<>]+/y;
const digits = /-?\d+(?:\.\d+)?/y;

/** Parses one tag, and stops at the first problem, so it reads every character once. */
class TagReader {
  readonly #source: string;
  readonly #start: number;
  at: number;

  constructor(source: string, start: number) {
    this.#source = source;
    this.#start = start;
    this.at = start + 2;
  }

  read(): MergeTag | ConditionTag {
    const token = this.#body();
    if (!this.#take('}}')) this.#fail(`is not understood from \`${this.#rest()}\` on`);
    if (isConditionTag(token)) token.source = this.#excerpt();
    return token;
  }

  #body(): MergeTag | ConditionTag {
    if (this.#take('#')) return this.#word('#') === 'if' ? this.#fork('if', this.#test()) : this.#unknown();
    if (this.#take('/')) return this.#word('/') === 'if' ? this.#fork('end') : this.#unknown();
    const name = this.#match(nameParts);
    if (name === undefined) return this.#fail('names no property: write it as `{{first_name}}`');
    if (name === 'else') {
      const then = this.#match(nameParts);
      if (then === undefined) return this.#fork('else');
      return then === 'if' ? this.#fork('else', this.#test()) : this.#unknown();
    }
    const source = this.#parseSource(name);
    return this.#take('|') ? { ...source, or: this.#fallback() } : source;
  }

  #fork(fork: ConditionTag['keyword'], test?: MergeTest): ConditionTag {
    return { keyword: fork, ...(test && { test }), next: -1, source: '', at: this.#start };
  }

  #parseSource(name: string): MergeSource {
    const option = name === 'delivery' ? this.#quoted() : undefined;
    if (option === '') this.#fail('names no option: write it as `{{delivery "manager.name"}}`');
    if (option !== undefined) return { option };
    if (this.#peek(nameParts)) this.#fail(`is not understood: there is no helper \`${shorten(name)}\``);
    const keys = name.split('.').map(normalizeKey);
    return keys.includes('')
      ? this.#fail(`names no property: \`${shorten(name)}\` has a key without letters`)
      : { prop: keys.join('.') };
  }

  #fallback(): string {
    const word = this.#word('|');
    if (word !== 'fallback') this.#fail(`is not understood: after \`|\` only \`fallback: "…"\` can follow`);
    const text = this.#take(':') ? this.#quoted() : undefined;
    return text ?? this.#fail('needs its fallback in quotes, as `fallback: "there"`');
  }

  #test(): MergeTest {
    const name = this.#match(nameParts);
    if (name === undefined) return this.#fail('names no property: write it as `{{#if plan == "gold"}}`');
    const source = this.#parseSource(name);
    const sign = this.#match(signs);
    if (sign === undefined) return source;
    const op = operators.find((operator) => operator === sign);
    if (op === undefined)
      return this.#fail(`compares with \`${shorten(sign)}\`: it must be ${formatChoices(operators)}`);
    const to = this.#operand(source);
    const isOrdered = typeof to === 'string' || typeof to === 'number' || op === '==' || op === '!=';
    return isOrdered ? { ...source, op, to } : this.#fail(`asks what is more or less than \`${to}\``);
  }

  #operand(source: MergeSource): Scalar | null {
    const text = this.#quoted();
    if (text !== undefined) return toComparable(source, text);
    const number = this.#match(digits);
    if (number !== undefined) return toComparable(source, Number(number));
    const word = this.#match(nameParts) ?? this.#fail('compares with nothing: write it as `{{#if plan == "gold"}}`');
    if (word === 'null') return null;
    return word === 'true' || (word === 'false' ? false : this.#fail(`needs quotes, as \`"${shorten(word)}"\``));
  }

  #quoted(): string | undefined {
    this.#match(spaces);
    const quote = this.#source[this.at];
    if (quote !== '"' && quote !== "'") return undefined;
    let text = '';
    for (let at = this.at + 1; at < this.#source.length; at++) {
      if (this.#source[at] === quote) {
        this.at = at + 1;
        return text;
      }
      if (this.#source[at] === '\\') at++;
      text += this.#source[at] ?? '';
    }
    return this.#fail(`has a quote that is never closed: \`${quote}\``);
  }

  #word(after: string): string {
    return this.#match(nameParts) ?? this.#fail(`is not understood after \`${after}\``);
  }

  #take(text: string): boolean {
    this.#match(spaces);
    const isNext = this.#source.startsWith(text, this.at);
    if (isNext) this.at += text.length;
    return isNext;
  }

  #peek(pattern: RegExp): boolean {
    const { at } = this;
    const isNext = this.#match(pattern) !== undefined;
    this.at = at;
    return isNext;
  }

  #match(pattern: RegExp): string | undefined {
    if (pattern !== spaces) this.#match(spaces);
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#source)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  #unknown(): never {
    return this.#fail('is not understood: there are only `{{#if …}}`, `{{else if …}}`, `{{else}}` and `{{/if}}`');
  }

  #fail(what: string): never {
    const isClosed = this.#source.includes('}}', this.#start);
    const problem = isClosed ? what : 'is never closed with `}}`';
    return reject(`\`${this.#excerpt()}\` ${problem}`, this.#source, this.#start);
  }

  #rest(): string {
    return shorten(this.#source.slice(this.at, this.at + MAX_EXCERPT).split('}}')[0] ?? '');
  }

  #excerpt(): string {
    const end = this.#source.indexOf('}}', Math.max(this.#start, this.at - 2));
    return shorten(this.#source.slice(this.#start, end < 0 ? undefined : end + 2));
  }
}

/** Reads a value as filters do, because it is compared with stored values: `"12"` is 12. */
function toComparable(source: MergeSource, value: Scalar): Scalar {
  if (!('prop' in source)) return value;
  const condition = toCondition([{ kind: 'property', prop: source.prop, op: 'eq', value }]);
  const [filter] = condition.is === 'all' ? condition.of : [];
  return filter?.is === 'property' && filter.test.is === 'equal' ? (filter.test.to[0] ?? value) : value;
}

function shorten(text: string): string {
  const line = text.trimEnd();
  const end = Math.min(MAX_EXCERPT, `${line}\n`.indexOf('\n'));
  return line.length > end ? `${line.slice(0, end).toWellFormed()}…` : line;
}

function describePlace(source: string, at: number): string {
  const lines = source.slice(0, at).split('\n');
  const character = [...(lines.at(-1) ?? '')].length + 1;
  return source.includes('\n') ? `(line ${lines.length}, character ${character})` : `(character ${character})`;
}
