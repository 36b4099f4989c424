import type { Node } from 'prosemirror-model';
import { parseDocument } from './parse-text.ts';
import { serializeInline, styles, type WritingStyle } from './serialize-inline.ts';
import { isEmpty, signatureOf } from './signature.ts';

/*
 * Writes a document as Markdown. A block that shows what its source shows is its source, byte for byte, so that opening a text
 * changes nothing, and undo brings the same bytes back. All others are written again: first as plainly as possible, and with
 * more escapes until the parser reads the same from it.
 */

interface Piece {
  node: Node;
  gap: string;
  text: string;
}

export function serializeDocument(doc: Node): string {
  const pieces = doc.children.filter((node, _, { length }) => !isEmpty(node) || length === 1).map(toPiece);
  const [first] = pieces;
  if (!first || (pieces.length === 1 && first.text === '')) return '';
  const { head, tail } = doc.attrs as { head: string; tail: string };
  const join = () => pieces.map(({ gap, text }, index) => (index === 0 ? text : gap + text)).join('');
  const isBlank = pieces.length === 1 && isEmpty(first.node);
  const around = (text: string) => (isBlank ? text : head + text + tail);
  if (signatureOf(parseDocument(join())) !== signatureOf(doc)) separate(pieces);
  return around(join());
}

function toPiece(node: Node): Piece {
  const { gap } = node.attrs as { gap: string | null };
  return { node, gap: gap !== null && /[\r\n]/.test(gap) ? gap : '\n\n', text: textOf(node) };
}

/** Changes what is between two blocks, or how they are written, where they would be read as one. */
function separate(pieces: Piece[]): void {
  pieces.forEach((piece, index) => {
    const before = pieces[index - 1];
    if (!before || areTwo(before, piece)) return;
    piece.gap = '\n\n';
    if (areTwo(before, piece)) return;
    const written = before.text;
    before.text = writeBlock(before.node);
    if (areTwo(before, piece)) return;
    before.text = written;
    piece.text = writeBlock(piece.node, /^\s*(-|\d+\.)/.test(before.text));
  });
}

function areTwo(before: Piece, after: Piece): boolean {
  const isRaw = [before, after].some(({ node }) => node.type.name === 'raw');
  if (isRaw) return /\n\s*\n|\r\s*\r/.test(after.gap) || after.node.attrs.gap === after.gap;
  const { children } = parseDocument(before.text + after.gap + after.text);
  return (
    children.length === 2 &&
    [before, after].every(({ node }, at) => signatureOf(node) === signatureOf(children[at] as Node))
  );
}

const written = new WeakMap<Node, string>();

/** The Markdown of one block at the top. */
function textOf(node: Node): string {
  const { source } = node.attrs as { source: string | null };
  if (source !== null && signatureOf(parseOne(source)) === signatureOf(node)) return source;
  const before = written.get(node);
  if (before !== undefined) return before;
  const text = writeBlock(node);
  written.set(node, text);
  return text;
}

const MAX_KEPT = 500;
const parsed = new Map<string, Node>();

/** Reads the source of one block. The same sources are read with every key. */
function parseOne(source: string): Node {
  const before = parsed.get(source);
  if (before) return before;
  const { children } = parseDocument(source);
  const node = children.length === 1 ? (children[0] as Node) : parseDocument('');
  if (parsed.size > MAX_KEPT) parsed.clear();
  parsed.set(source, node);
  return node;
}

function writeBlock(node: Node, hasOtherMarkers = false): string {
  const expected = signatureOf(node);
  for (const style of styles) {
    const text = blockLines(node, style, hasOtherMarkers).join('\n');
    const { children } = parseDocument(text);
    if (children.length === 1 && signatureOf(children[0] as Node) === expected) return text;
  }
  // What is left has no Markdown, such as bold quotation marks within a word. The words are kept without their marks.
  const plain: WritingStyle = { escapes: 'special', strong: '', em: '', strike: '' };
  return blockLines(node, plain, hasOtherMarkers).join('\n');
}

function blockLines(node: Node, style: WritingStyle, hasOtherMarkers = false): string[] {
  switch (node.type.name) {
    case 'heading':
      return [`${'#'.repeat(node.attrs.level)} ${serializeInline(node, style)}`.trimEnd()];
    case 'bullet_list':
      return node.children.flatMap((item) => itemLines(item, hasOtherMarkers ? '*' : '-', style));
    case 'ordered_list':
      return node.children.flatMap((item, index) =>
        itemLines(item, `${Number(node.attrs.order) + index}${hasOtherMarkers ? ')' : '.'}`, style),
      );
    case 'blockquote':
      return contentLines(node, style).map((line) => (line === '' ? '>' : `> ${line}`));
    case 'code_block':
      return codeLines(node.textContent);
    case 'divider':
      return ['---'];
    case 'raw':
      return node.textContent.split('\n');
    default:
      return serializeInline(node, style).split('\n');
  }
}

function itemLines(item: Node, marker: string, style: WritingStyle): string[] {
  const indent = ' '.repeat(marker.length + 1);
  const [first = '', ...rest] = contentLines(item, style);
  return [`${marker} ${first}`.trimEnd(), ...rest.map((line) => (line === '' ? '' : indent + line))];
}

/** The blocks inside a quote or an item, with blank lines between them. A list follows its paragraph directly. */
function contentLines(parent: Node, style: WritingStyle): string[] {
  const lines: string[] = [];
  let hasOtherMarkers = false;
  const blocks = parent.children.filter((node) => !isEmpty(node));
  if (blocks.length === 0) return [''];
  blocks.forEach((node, index) => {
    const before = blocks[index - 1];
    hasOtherMarkers = before?.type === node.type && !hasOtherMarkers;
    const isTight = parent.type.name === 'list_item' && before?.type.name === 'paragraph' && opensWithoutGap(node);
    if (before && !isTight) lines.push('');
    lines.push(...blockLines(node, style, hasOtherMarkers));
  });
  return lines;
}

/** An empty item, or another first number than 1, would continue the paragraph. */
function opensWithoutGap(node: Node): boolean {
  const isList = node.type.name === 'bullet_list' || (node.type.name === 'ordered_list' && node.attrs.order === 1);
  return isList && (node.firstChild?.firstChild?.textContent ?? '').trim() !== '';
}

function codeLines(code: string): string[] {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return [fence, ...(code === '' ? [] : code.split('\n')), fence];
}
