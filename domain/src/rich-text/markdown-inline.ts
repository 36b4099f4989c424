import { classifyDelimiters, type InlineItem, parseEmphasis } from './emphasis.ts';
import { isAddress, joinStrings, type MergeTag, type PlainText, type RichNode, toAttribute } from './merge.ts';
import { buildCondition, isConditionTag, listMergePaths, type Token } from './merge-tag.ts';
import { reject } from './text-problem.ts';

/*
 * Parses the content of a block. Merge tags are taken out of the text before: in their place is the index of the token
 * between two marks, a character that texts cannot have. So nothing in a tag is read as Markdown.
 *
 * The time is linear for any text: a delimiter run is compared with a few runs before it, an address ends at
 * MAX_PARENTHESES, and every search for a partner ends where the next search could begin.
 */

export const MARK = '\ufdd0';
const MAX_PARENTHESES = 32;
const MAX_RUN = 3;

const marks = new RegExp(`${MARK}(\\d+)${MARK}`, 'g');
const special = new RegExp(`[\\\\\`*_~[\\]!<\\n${MARK}]`, 'g');
const escaped = /\\([!-/:-@[-`{-~])/g;
const webAddress = /<((?:https?|mailto|tel):[^\s<>]+)>/iy;

/** The tokens of a text, and its source for messages. */
export interface MarkedText {
  tokens: readonly Token[];
  source: string;
}

export function formatMark(token: number): string {
  return `${MARK}${token}${MARK}`;
}

/** Parses the content of a block. In code, only merge tags are parsed. */
export function parseInline(text: string, written: MarkedText, isCode = false): RichNode[] {
  return new InlineParser(text, written, isCode).parse();
}

class InlineParser {
  readonly #text: string;
  readonly #marked: MarkedText;
  readonly #isCode: boolean;
  readonly #items: InlineItem[] = [];
  /** The open brackets. Those below `#closed` contain a link, so they cannot be links themselves. */
  readonly #brackets: { item: number; isImage: boolean }[] = [];
  #closed = 0;
  readonly #ticks: ReadonlyMap<number, number>;

  constructor(text: string, written: MarkedText, isCode: boolean) {
    this.#text = text;
    this.#marked = written;
    this.#isCode = isCode;
    this.#ticks = matchBackticks(text);
  }

  /** Parses the text between condition tags separately, so that nothing begins in a branch and ends outside of it. */
  parse(): RichNode[] {
    let at = 0;
    for (const found of this.#text.matchAll(marks)) {
      const index = Number(found[1]);
      const token = this.#marked.tokens[index];
      if (found.index < at || token === undefined || !isConditionTag(token)) continue;
      this.#scan(at, found.index);
      at = found.index + found[0].length;
      const branchUntil = (end: number) => {
        const until = this.#text.indexOf(formatMark(end), at);
        if (until < 0) this.#rejectCrossing(index);
        const branch = parseInline(this.#text.slice(at, until), this.#marked, this.#isCode);
        at = until + formatMark(end).length;
        return branch;
      };
      if (token.keyword !== 'if') this.#rejectCrossing(index);
      this.#items.push(buildCondition<RichNode>(this.#marked.tokens, index, branchUntil));
    }
    this.#scan(at, this.#text.length);
    return parseEmphasis(this.#items);
  }

  #scan(from: number, end: number): void {
    if (this.#isCode) {
      for (const part of this.#plain(this.#text.slice(from, end))) this.#items.push(part);
      return;
    }
    for (let at = from; at < end; ) {
      special.lastIndex = at;
      const next = special.exec(this.#text)?.index ?? end;
      const words = this.#text.slice(at, next);
      const isBreak = this.#text[next] === '\n' && next < end;
      this.#items.push(isBreak ? words.trimEnd() : words);
      if (isBreak) this.#items.push(words.endsWith('  ') ? ['br'] : '\n');
      at = next >= end ? end : isBreak ? next + 1 : this.#parseSpecial(next, end);
    }
  }

  /** Parses what begins with a special character, and returns where it ends. */
  #parseSpecial(at: number, end: number): number {
    const sign = this.#text.charAt(at);
    switch (sign) {
      case MARK:
        return this.#tag(at);
      case '\\':
        return this.#escape(at, end);
      case '`':
        return this.#code(at, end);
      case '<':
        return this.#webAddress(at, end);
      case ']':
        return this.#link(at, end);
      case '[':
        return this.#open('[', at);
      case '!':
        return this.#text[at + 1] === '[' ? this.#open('![', at) : this.#words('!', at + 1);
      default:
        return this.#delimiters(sign, at);
    }
  }

  #words(text: string, next: number): number {
    this.#items.push(text);
    return next;
  }

  #tag(at: number): number {
    const next = this.#text.indexOf(MARK, at + 1) + 1;
    this.#items.push(...this.#plain(this.#text.slice(at, next)));
    return next;
  }

  #escape(at: number, end: number): number {
    const next = at + 1 < end ? this.#text.charAt(at + 1) : '';
    if (next === '\n') {
      this.#items.push(['br']);
      return at + 2;
    }
    const text = unescapeMarkdown(`\\${next}`);
    return text === next && next !== '' ? this.#words(next, at + 2) : this.#words('\\', at + 1);
  }

  #code(at: number, end: number): number {
    const ticks = runAt(this.#text, at);
    const close = this.#ticks.get(at);
    if (close === undefined || close >= end) return this.#words(ticks, at + ticks.length);
    const code = this.#text.slice(at + ticks.length, close).replaceAll('\n', ' ');
    const isPadded = code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '';
    this.#items.push(['code', ...this.#plain(isPadded ? code.slice(1, -1) : code)]);
    return close + ticks.length;
  }

  #webAddress(at: number, end: number): number {
    webAddress.lastIndex = at;
    const [all = '', address = ''] = webAddress.exec(this.#text) ?? [];
    if (all === '' || at + all.length > end) return this.#words('<', at + 1);
    this.#items.push(['a', { href: this.#address(address, 'href') }, ...this.#plain(address)]);
    return at + all.length;
  }

  #delimiters(sign: string, at: number): number {
    const signs = runAt(this.#text, at);
    const next = at + signs.length;
    if (signs.length > MAX_RUN || (sign === '~' && signs.length !== 2)) return this.#words(signs, next);
    this.#items.push(classifyDelimiters(this.#text[at - 1] ?? ' ', signs, this.#text[next] ?? ' '));
    return next;
  }

  #open(bracket: '[' | '![', at: number): number {
    this.#brackets.push({ item: this.#items.length, isImage: bracket === '![' });
    return this.#words(bracket, at + bracket.length);
  }

  #link(at: number, end: number): number {
    const bracket = this.#brackets.pop();
    const isClosed = this.#brackets.length < this.#closed;
    this.#closed = Math.min(this.#closed, this.#brackets.length);
    const target = bracket && (bracket.isImage || !isClosed) ? parseTarget(this.#text, at + 1, end) : undefined;
    if (!bracket || !target) return this.#words(']', at + 1);
    const content = parseEmphasis(this.#items.splice(bracket.item).slice(1));
    const title = target.title === undefined ? {} : { title: toAttribute(this.#plain(target.title)) };
    if (bracket.isImage) {
      const src = this.#address(target.address, 'src');
      this.#items.push(['img', { src, alt: toAttribute(toPlainText(content)), ...title }]);
    } else {
      this.#items.push(['a', { href: this.#address(target.address, 'href'), ...title }, ...content]);
      this.#closed = this.#brackets.length;
    }
    return target.next;
  }

  #address(text: string, of: 'href' | 'src'): string | PlainText {
    const parts = this.#plain(text);
    // Loading a picture sends its address without a click.
    if (of === 'src' && listMergePaths(parts).globals.length > 0)
      reject('The address of an image cannot have a value of the page: show `{{global …}}` as text');
    // An address that begins with a merge tag is checked again when the value is known.
    const likely = parts.map((part, index) => (typeof part === 'string' ? part : index === 0 ? 'https://x' : 'x'));
    if (!isAddress(likely.join(''), of)) {
      const shown = text.replace(marks, '{{…}}').slice(0, 60).toWellFormed();
      const schemes = of === 'href' ? 'http, https, mailto, tel or relative' : 'http, https or relative';
      reject(`${of === 'href' ? 'A link' : 'An image'} needs an address that is ${schemes}: \`${shown}\``);
    }
    return toAttribute(parts);
  }

  /** Only text and merge tags, no Markdown. */
  #plain(text: string): PlainText {
    const parts = text.split(marks).map((part, index) => {
      return index % 2 === 0 ? part : (this.#marked.tokens[Number(part)] as MergeTag);
    });
    return joinStrings(parts);
  }

  #rejectCrossing(index: number): never {
    const token = this.#marked.tokens[index];
    if (token === undefined || !isConditionTag(token)) return reject('A condition is not understood');
    const what = 'begins in one paragraph or item and ends in another: give each of its tags a line of its own';
    return reject(`\`${token.source}\` ${what}`, this.#marked.source, token.at);
  }
}

/** Maps each run of backticks to the next run of the same length. */
function matchBackticks(text: string): Map<number, number> {
  const next = new Map<number, number>();
  const last = new Map<number, number>();
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const before = last.get(run.length);
    if (before !== undefined) next.set(before, index);
    last.set(run.length, index);
  }
  return next;
}

function runAt(text: string, at: number): string {
  let end = at + 1;
  while (text[end] === text[at]) end++;
  return text.slice(at, end);
}

function unescapeMarkdown(text: string): string {
  return text.replace(escaped, '$1');
}

/** Parses `(address "title")`. */
function parseTarget(
  text: string,
  at: number,
  end: number,
): { address: string; title?: string; next: number } | undefined {
  if (text[at] !== '(') return undefined;
  const start = skipSpaces(text, at + 1);
  const isBracketed = text[start] === '<';
  const stop = isBracketed ? findBracketEnd(text, start) : findAddressEnd(text, start);
  if (stop !== undefined && stop > end) reject('The address of a link holds a condition: put the whole link into it');
  if (stop === undefined || stop >= end) return undefined;
  const address = unescapeMarkdown(isBracketed ? text.slice(start + 1, stop - 1) : text.slice(start, stop));
  const rest = skipSpaces(text, stop);
  if (text[rest] === ')' && rest < end) return { address, next: rest + 1 };
  const quote = text[rest];
  if (rest === stop || (quote !== '"' && quote !== "'")) return undefined;
  let close = rest + 1;
  while (close < end && text[close] !== quote) close += text[close] === '\\' ? 2 : 1;
  const last = skipSpaces(text, close + 1);
  if (last >= end || text[last] !== ')') return undefined;
  return { address, title: unescapeMarkdown(text.slice(rest + 1, close)), next: last + 1 };
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text.charAt(at))) at++;
  return at;
}

function findBracketEnd(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length && text[at] !== '<' && text[at] !== '\n'; at++)
    if (text[at] === '>') return at + 1;
  return undefined;
}

function findAddressEnd(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === '\\') at++;
    else if (sign === '(' && ++depth > MAX_PARENTHESES) return undefined;
    else if (/\s/.test(sign) || (sign === ')' && --depth < 0)) return at;
  }
  return undefined;
}

/** The plain text of nodes, for the description of an image. */
function toPlainText(nodes: readonly RichNode[]): PlainText {
  const words = nodes.flatMap((node): PlainText => {
    if (typeof node === 'string') return [node];
    if (!Array.isArray(node)) {
      if (!('if' in node)) return [node];
      const otherwise = node.else && { else: toPlainText(node.else) };
      return [{ if: node.if, show: toPlainText(node.show), ...otherwise }];
    }
    if (node[0] === 'img') return [node[1].alt].flat();
    return toPlainText(node.slice(node[0] === 'a' ? 2 : 1) as RichNode[]);
  });
  return joinStrings(words);
}
