import type { Node } from 'prosemirror-model';

/*
 * What readers see of a document, as a text that can be compared. It leaves out what Markdown cannot say and readers cannot
 * see: spaces around a paragraph, a bold space, empty paragraphs, and the bytes that a block was read from.
 */

const known = new WeakMap<Node, string>();

export function signatureOf(node: Node): string {
  const before = known.get(node);
  if (before !== undefined) return before;
  const isWhole = node.type.name === 'doc';
  const signature = isWhole ? visibleOf(node).map(signatureOf).join('\n') : JSON.stringify(describe(node));
  known.set(node, signature);
  return signature;
}

function describe(node: Node): unknown {
  const { source: _, gap: __, ...attrs } = node.attrs;
  const content = node.type.spec.code
    ? node.textContent
    : node.isTextblock
      ? phrases(node)
      : visibleOf(node).map(describe);
  return [node.type.name, attrs, content];
}

const visibleOf = (node: Node) => node.children.filter((child) => !isEmpty(child));

/** An empty paragraph, which Markdown cannot say. */
export function isEmpty(node: Node): boolean {
  return node.type.name === 'paragraph' && phrases(node).length === 0;
}

type Phrase = [marks: string, text: string];

function phrases(block: Node): Phrase[] {
  const all: Phrase[] = [];
  const add = (marks: string, text: string) => {
    const last = all.at(-1);
    if (last && last[0] === marks) last[1] += text;
    else if (text !== '') all.push([marks, text]);
  };
  for (const node of block.children) {
    const marks = JSON.stringify(node.marks.map(({ type, attrs }) => [type.name, attrs]));
    if (node.type.name === 'hard_break') add('', '\n');
    else if (!node.isText) add(marks, JSON.stringify([node.type.name, node.attrs]));
    else if (node.marks.some(({ type }) => type.name === 'code')) add(marks, node.text ?? '');
    else for (const part of node.text?.split(/(\s+)/) ?? []) add(part.trim() === '' ? '' : marks, part);
  }
  return withoutOuterSpaces(all);
}

/** Without the spaces at the ends of lines, which have no marks. */
function withoutOuterSpaces(all: readonly Phrase[]): Phrase[] {
  const trimmed = all.map(([marks, text], index): Phrase => {
    if (marks !== '') return [marks, text];
    const lines = text.split('\n').map((line, at, { length }) => {
      const fromStart = at > 0 || index === 0 ? line.trimStart() : line;
      return at < length - 1 ? fromStart.trimEnd() : fromStart;
    });
    const inner = lines.join('\n');
    return ['', index === all.length - 1 ? inner.trimEnd() : inner];
  });
  return trimmed.filter(([, text]) => text !== '');
}
