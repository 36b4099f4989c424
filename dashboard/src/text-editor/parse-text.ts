import { type Attribute, type PlainText, parseBlocks, type RichNode, type SourceBlock } from '@usher/domain';
import { Fragment, type Mark, type Node } from 'prosemirror-model';
import { formatMergeTag } from './merge-tag.ts';
import { schema } from './schema.ts';

const { nodes, marks } = schema;

/** Is thrown for what has no node: a condition. */
class NotShown extends Error {}

/** Reads Markdown. Every byte is kept: in the source of a block, in the gap before it, or around all of them. */
export function parseDocument(source: string): Node {
  const blocks = parseBlocks(source);
  if ('problem' in blocks) return nodes.doc.create(null, rawBlock(source, { source, gap: null }));
  const [first] = blocks;
  const last = blocks.at(-1);
  if (!first || !last) return nodes.doc.create(null, nodes.paragraph.create({ source }));
  const children = blocks.map((block, index) => {
    const before = blocks[index - 1];
    return parseBlock(source, block, before ? source.slice(before.to, block.from) : null);
  });
  return nodes.doc.create({ head: source.slice(0, first.from), tail: source.slice(last.to) }, children);
}

function parseBlock(all: string, { node, from, to }: SourceBlock, gap: string | null): Node {
  const source = all.slice(from, to);
  try {
    return toBlock(node, { source, gap });
  } catch (error) {
    if (error instanceof NotShown) return rawBlock(source, { source, gap });
    throw error;
  }
}

function rawBlock(source: string, attrs: object): Node {
  return nodes.raw.create(attrs, source === '' ? null : schema.text(source));
}

function toBlock(node: RichNode, attrs: object = {}): Node {
  if (!Array.isArray(node)) throw new NotShown();
  const [name, first] = node;
  const hasAttributes = typeof first === 'object' && !Array.isArray(first) && 'start' in first;
  const content = node.slice(hasAttributes ? 2 : 1) as RichNode[];
  switch (name) {
    case 'p':
      return nodes.paragraph.create(attrs, trimBreaks(toInline(content)));
    case 'ul':
      return nodes.bullet_list.create(attrs, content.map(toItem));
    case 'ol':
      return nodes.ordered_list.create(hasAttributes ? { ...attrs, order: first.start } : attrs, content.map(toItem));
    case 'blockquote':
      return nodes.blockquote.create(attrs, toBlocks(content));
    case 'pre': {
      const code = toSource(content as PlainText);
      return nodes.code_block.create(attrs, code === '' ? null : schema.text(code));
    }
    case 'hr':
      return nodes.divider.create(attrs);
    default: {
      const level = Number(/^h([1-6])$/.exec(name)?.[1]);
      if (!level) throw new NotShown();
      return nodes.heading.create({ ...attrs, level }, toInline(content));
    }
  }
}

function toItem(node: RichNode): Node {
  if (!Array.isArray(node)) throw new NotShown();
  return nodes.list_item.create(null, toBlocks(node.slice(1) as RichNode[]));
}

const inlineNames = new Set(['em', 'strong', 'del', 'code', 'br', 'a', 'img']);
const isInline = (node: RichNode) => (Array.isArray(node) ? inlineNames.has(node[0]) : true);

/** The blocks of an item or a quote. An item has the text of its only paragraph without a `p` around it. */
function toBlocks(content: readonly RichNode[]): Node[] {
  const blocks: Node[] = [];
  let phrase: RichNode[] = [];
  const flush = () => {
    if (phrase.length > 0) blocks.push(nodes.paragraph.create(null, trimBreaks(toInline(phrase))));
    phrase = [];
  };
  for (const node of content) {
    if (isInline(node)) phrase.push(node);
    else {
      flush();
      blocks.push(toBlock(node));
    }
  }
  flush();
  return blocks.length > 0 ? blocks : [nodes.paragraph.create()];
}

function toInline(content: readonly RichNode[], active: readonly Mark[] = []): Fragment {
  return Fragment.from(content.flatMap((node) => toPhrase(node, active)));
}

function toPhrase(node: RichNode, active: readonly Mark[]): readonly Node[] {
  // A line break in the source is a space on the page.
  if (typeof node === 'string') return node === '' ? [] : [schema.text(node.replaceAll('\n', ' '), active)];
  if (!Array.isArray(node)) {
    if ('if' in node) throw new NotShown();
    return [nodes.merge_tag.create({ tag: formatMergeTag(node) }, null, active)];
  }
  const [name] = node;
  const inside = (mark: Mark, from = 1) => toInline(node.slice(from) as RichNode[], mark.addToSet(active)).content;
  switch (name) {
    case 'strong':
      return inside(marks.strong.create());
    case 'em':
      return inside(marks.em.create());
    case 'del':
      return inside(marks.strike.create());
    case 'code':
      return inside(marks.code.create());
    case 'br':
      return [nodes.hard_break.create(null, null, active)];
    case 'a': {
      const { href, title } = node[1] as { href: Attribute; title?: Attribute };
      return inside(marks.link.create({ href: toSource(href), title: toTitle(title) }), 2);
    }
    case 'img': {
      const { src, alt, title } = node[1] as { src: Attribute; alt: Attribute; title?: Attribute };
      const attrs = { src: toSource(src), alt: toSource(alt).replaceAll('\n', ' '), title: toTitle(title) };
      return [nodes.image.create(attrs, null, active)];
    }
    default:
      throw new NotShown();
  }
}

/** Markdown cannot end a paragraph with a line break. */
function trimBreaks(content: Fragment): Fragment {
  let end = content.childCount;
  while (end > 0 && content.child(end - 1).type === nodes.hard_break) end--;
  return end === content.childCount ? content : Fragment.from(content.content.slice(0, end));
}

function toTitle(title: Attribute | undefined): string | null {
  return title === undefined ? null : toSource(title).replaceAll('\n', ' ');
}

/** A text in which merge tags are written out. Braces that begin none have a backslash. */
function toSource(text: Attribute): string {
  return [text]
    .flat()
    .map((part) => {
      if (typeof part === 'string') return part.replaceAll('{{', '\\{{');
      if ('if' in part) throw new NotShown();
      return formatMergeTag(part);
    })
    .join('');
}
