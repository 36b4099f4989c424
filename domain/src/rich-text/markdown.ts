import { formatMark, MARK, type MarkedText, parseInline } from './markdown-inline.ts';
import type { RichElement, RichNode, RichText } from './merge.ts';
import { buildCondition, isConditionTag, type TagSpan, tokenize } from './merge-tag.ts';
import type { ConditionTag } from './tag-reader.ts';
import { findCostProblem } from './text-cost.ts';
import { catchProblem } from './text-problem.ts';

/** Quotes and lists that are nested deeper are text. */
const MAX_DEPTH = 10;
const lineBreak = /\r\n|\r|\n/;
const fence = /^(`{3,}|~{3,})[^`]*$/;
const heading = /^(#{1,6})(?:\s|$)/;
const rule = /^(?:-{3,}|\*{3,}|_{3,})$/;
const item = /^( *)([-*+]|(\d{1,9})[.)])(?:[ \t]+|$)/;
/** These lines end a paragraph without a blank line before them. */
const interruption = /^(?:#{1,6}(?:\s|$)|>|`{3}[^`]*$|~{3}|[-*+]\s+\S|1[.)]\s+\S)/;
const onlyMark = new RegExp(`^${MARK}(\\d+)${MARK}$`);

/**
 * Parses Markdown with merge tags, or describes what is wrong with it. HTML is text. A condition whose tags each have their
 * own line contains blocks; any other condition is part of one block.
 */
export function parseMarkdown(source: string): RichText | { problem: string } {
  const blocks = parseBlocks(source);
  return 'problem' in blocks ? blocks : blocks.map(({ node }) => node);
}

/** A block of a text, and where its lines are in the source. Blank lines around it do not belong to it. */
export interface SourceBlock {
  node: RichNode;
  from: number;
  to: number;
}

/** Parses Markdown as `parseMarkdown` does, with the place of each block, so that an editor can keep what it does not change. */
export function parseBlocks(source: string): SourceBlock[] | { problem: string } {
  const problem = findCostProblem(source);
  if (problem !== undefined) return { problem };
  return catchProblem(() => {
    const clean = source.replaceAll(MARK, '\ufffd');
    const spans: TagSpan[] = [];
    const tokens = tokenize(clean, spans);
    const text = tokens.map((token, index) => (typeof token === 'string' ? token : formatMark(index))).join('');
    const lines = text
      .split(lineBreak)
      .map((line) => line.replace(/^[ \t]+/, (indent) => indent.replaceAll('\t', '    ')));
    const places = findLines(clean, spans);
    return new BlockParser(lines, { tokens, source: clean }, 0).parseAll().map(({ node, first, last }) => ({
      node,
      from: places[first]?.from ?? 0,
      to: places[last]?.to ?? clean.length,
    }));
  });
}

/** Where each line is in the source. A line break inside a merge tag ends no line. */
function findLines(source: string, tags: readonly TagSpan[]): { from: number; to: number }[] {
  const lines: { from: number; to: number }[] = [];
  let from = 0;
  let tag = 0;
  for (const { 0: sign, index } of source.matchAll(new RegExp(lineBreak, 'g'))) {
    while ((tags[tag]?.to ?? Infinity) <= index) tag++;
    if ((tags[tag]?.from ?? Infinity) <= index) continue;
    lines.push({ from, to: index });
    from = index + sign.length;
  }
  lines.push({ from, to: source.length });
  return lines;
}

/** Parses lines from top to bottom. The lines inside a quote, an item or a condition get their own parser. */
class BlockParser {
  readonly #lines: readonly string[];
  readonly #marked: MarkedText;
  readonly #depth: number;
  /** The line of each tag that has its own line. */
  readonly #alone = new Map<number, number>();
  #at = 0;

  constructor(lines: readonly string[], written: MarkedText, depth: number) {
    this.#lines = lines;
    this.#marked = written;
    this.#depth = depth;
    lines.forEach((line, index) => {
      const token = parseOnlyMark(line);
      if (token !== undefined) this.#alone.set(token, index);
    });
  }

  parse(): RichText {
    return this.parseAll().map(({ node }) => node);
  }

  /** Returns each block with its first and its last line. Blank lines at its end belong to it only in code that is never closed. */
  parseAll(): { node: RichNode; first: number; last: number }[] {
    const blocks: { node: RichNode; first: number; last: number }[] = [];
    while (this.#at < this.#lines.length) {
      if (isBlank(this.#line)) {
        this.#at++;
        continue;
      }
      const first = this.#at;
      const node = this.#condition() ?? this.#fence() ?? this.#heading() ?? this.#container() ?? this.#paragraph();
      let last = Math.min(this.#at, this.#lines.length) - 1;
      while (last > first && isBlank(this.#lines[last] ?? '') && !endsWithCode(node)) last--;
      blocks.push({ node, first, last });
    }
    return blocks;
  }

  get #line(): string {
    return this.#lines[this.#at] ?? '';
  }

  #inner(lines: readonly string[], depth = this.#depth + 1): RichText {
    return new BlockParser(lines, this.#marked, depth).parse();
  }

  #inline(text: string, isCode = false): RichNode[] {
    return parseInline(text, this.#marked, isCode);
  }

  #condition(): RichNode | undefined {
    const index = this.#opensCondition(this.#line);
    if (index === undefined) return undefined;
    this.#at++;
    return buildCondition<RichNode>(this.#marked.tokens, index, (end) => {
      const until = this.#alone.get(end) ?? this.#at;
      const branch = this.#inner(this.#lines.slice(this.#at, until), this.#depth);
      this.#at = until + 1;
      return branch;
    });
  }

  /** The index of an `{{#if}}` whose tags all have their own line. */
  #opensCondition(line: string): number | undefined {
    const index = parseOnlyMark(line);
    const token = index === undefined ? undefined : this.#marked.tokens[index];
    if (token === undefined || !isConditionTag(token) || token.keyword !== 'if') return undefined;
    for (let fork = token; fork.keyword !== 'end'; fork = this.#marked.tokens[fork.next] as ConditionTag)
      if (!this.#alone.has(fork.next)) return undefined;
    return index;
  }

  #fence(): RichElement | undefined {
    const [, ticks] = fence.exec(this.#line.trimStart()) ?? [];
    if (ticks === undefined) return undefined;
    const indent = countIndent(this.#line);
    const code: string[] = [];
    for (this.#at++; this.#at < this.#lines.length; this.#at++) {
      const line = this.#line.trim();
      if (line.startsWith(ticks) && line === ticks.charAt(0).repeat(line.length)) break;
      code.push(this.#line.slice(Math.min(indent, countIndent(this.#line))));
    }
    this.#at++;
    return ['pre', ...this.#inline(code.join('\n'), true)];
  }

  #heading(): RichElement | undefined {
    const line = this.#line.trim();
    const [, signs] = heading.exec(line) ?? [];
    if (signs === undefined) {
      if (!isRule(line)) return undefined;
      this.#at++;
      return ['hr'];
    }
    this.#at++;
    const text = line.slice(signs.length);
    let end = text.length;
    while (text[end - 1] === '#') end--;
    const isClosed = end === 0 || /\s/.test(text[end - 1] ?? '');
    return [
      `h${signs.length as 1 | 2 | 3 | 4 | 5 | 6}`,
      ...this.#inline((isClosed ? text.slice(0, end) : text).trim()),
    ];
  }

  #container(): RichElement | undefined {
    if (this.#depth >= MAX_DEPTH) return undefined;
    return this.#line.trimStart().startsWith('>') ? this.#quote() : this.#list();
  }

  #quote(): RichElement {
    const lines: string[] = [];
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#line.trimStart();
      if (line.startsWith('>')) lines.push(line.slice(line[1] === ' ' ? 2 : 1));
      else if (this.#continues(lines)) lines.push(line);
      else break;
    }
    return ['blockquote', ...this.#inner(lines)];
  }

  #list(): RichElement | undefined {
    const [, , first, start] = item.exec(this.#line) ?? [];
    if (first === undefined) return undefined;
    const items: RichNode[] = [];
    for (;;) {
      const [all = '', , marker] = item.exec(this.#line) ?? [];
      if (marker?.at(-1) !== first.at(-1) || isRule(this.#line.trim())) break;
      items.push(['li', ...unwrapParagraph(this.#inner(this.#itemLines(all.length)))]);
    }
    if (start === undefined) return ['ul', ...items];
    return Number(start) === 1 ? ['ol', ...items] : ['ol', { start: Number(start) }, ...items];
  }

  /** The lines of one item without the indent of its content. An indent of two spaces is enough. */
  #itemLines(width: number): string[] {
    const inside = countIndent(this.#line) + 2;
    const lines = [this.#line.slice(width)];
    for (this.#at++; this.#at < this.#lines.length; this.#at++) {
      const line = this.#line;
      const indent = countIndent(line);
      if (isBlank(line)) lines.push('');
      else if (indent >= inside || this.#continues(lines)) lines.push(line.slice(Math.min(indent, width)));
      else break;
    }
    return lines;
  }

  /** A line that continues a paragraph belongs to the same block, indented or not. */
  #continues(lines: readonly string[]): boolean {
    return !isBlank(lines.at(-1) ?? '') && !item.test(this.#line) && !this.#interrupts();
  }

  #interrupts(): boolean {
    const line = this.#line.trimStart();
    return isBlank(line) || interruption.test(line) || isRule(line) || this.#opensCondition(line) !== undefined;
  }

  #paragraph(): RichElement {
    const lines = [this.#line.trimStart()];
    for (this.#at++; this.#at < this.#lines.length && !this.#interrupts(); this.#at++)
      lines.push(this.#line.trimStart());
    return ['p', ...this.#inline(lines.join('\n').trimEnd())];
  }
}

/** An item with a single paragraph has its text directly, without a `p` element. */
function unwrapParagraph(nodes: RichText): RichText {
  const isParagraph = (node: RichNode) => Array.isArray(node) && node[0] === 'p';
  if (nodes.filter(isParagraph).length !== 1) return nodes;
  return nodes.flatMap((node) => (isParagraph(node) ? ((node as RichElement).slice(1) as RichText) : [node]));
}

function endsWithCode(node: RichNode | undefined): boolean {
  return Array.isArray(node) && (node[0] === 'pre' || endsWithCode(node.at(-1) as RichNode | undefined));
}

function parseOnlyMark(line: string): number | undefined {
  const found = onlyMark.exec(line.trim());
  return found ? Number(found[1]) : undefined;
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}

function isRule(line: string): boolean {
  return rule.test(line.replace(/[ \t]/g, ''));
}

function countIndent(line: string): number {
  return line.length - line.trimStart().length;
}
