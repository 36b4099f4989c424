import { type Fragment, type Node, DOMParser as NodeParser, type ResolvedPos, Slice } from 'prosemirror-model';
import { parseDocument } from './parse-text.ts';
import { schema } from './schema.ts';
import { serializeDocument } from './serialize-text.ts';

/*
 * What is pasted from other programs keeps what Markdown can say: the schema drops everything else. Word and Google Docs
 * write lists in ways of their own, which are made lists here.
 */

class PasteParser extends NodeParser {
  override parseSlice(dom: HTMLElement, options?: Parameters<NodeParser['parseSlice']>[1]): Slice {
    cleanPasted(dom);
    return super.parseSlice(dom, options);
  }
}

export const clipboardParser = new PasteParser(schema, [...NodeParser.fromSchema(schema).rules]);

/**
 * The policy of the dashboard allows no inline styles and no inline code, also not in a document that is only read, and browsers
 * report them. Styles are read as data. Code is dropped with everything else that the schema does not know.
 */
export function hideStyles(html: string): string {
  return html
    .replace(/<style[\s\S]*?(?:<\/style>|$)/gi, '')
    .replace(/<base\b/gi, '<span')
    .replace(/<[a-z][^<>]*/gi, (tag) => tag.replace(/([\s"'/])(style|on[a-z]+)(?=\s*=)/gi, '$1data-$2'));
}

function cleanPasted(root: HTMLElement): void {
  for (const element of root.querySelectorAll('style, script, title, meta, link, xml, o\\:p, template'))
    element.remove();
  for (const list of root.querySelectorAll('ul > ul, ul > ol, ol > ul, ol > ol')) nestInItem(list);
  makeWordLists(root);
  for (const row of root.querySelectorAll('tr')) rowToParagraph(row);
  for (const styled of root.querySelectorAll('[data-style]')) applyStyle(styled);
}

const meanings = [
  { tag: 'b', pattern: /(?:^|[;\s])font-weight:\s*(?:bold|[6-9]\d\d)/ },
  { tag: 'i', pattern: /(?:^|[;\s])font-style:\s*italic/ },
  { tag: 's', pattern: /(?:^|[;\s])text-decoration(?:-line)?:[^;]*line-through/ },
];

/** Makes elements of the styles that Markdown can say. Google Docs writes only styles, and wraps all in a `b` that is not bold. */
function applyStyle(element: Element): void {
  const style = element.getAttribute('data-style') ?? '';
  if (element.tagName === 'B' && /(?:^|[;\s])font-weight:\s*(?:normal|[1-5]\d\d)/.test(style)) {
    element.replaceWith(...element.childNodes);
    return;
  }
  if (element.tagName !== 'SPAN') return;
  for (const { tag, pattern } of meanings) {
    if (!pattern.test(style)) continue;
    const meaning = element.ownerDocument.createElement(tag);
    meaning.append(...element.childNodes);
    element.append(meaning);
  }
}

/** Google Docs puts the list inside an item beside the item. */
function nestInItem(list: Element): void {
  const item = list.previousElementSibling;
  if (item?.tagName === 'LI') item.append(list);
}

/** Word writes each item as a paragraph with its sign as text, and its level in a style that only Word knows. */
function makeWordLists(root: HTMLElement): void {
  const lists: Element[] = [];
  for (const paragraph of root.querySelectorAll('p[class^="MsoListParagraph"], p[data-style*="mso-list"]')) {
    const level = Number(/level(\d)/.exec(paragraph.getAttribute('data-style') ?? '')?.[1] ?? 1);
    const sign = takeSign(paragraph);
    // Another paragraph is between them, so a new list begins.
    if (lists[0]?.nextElementSibling !== paragraph) lists.length = 0;
    lists.length = Math.min(lists.length, level);
    while (lists.length < level) {
      const list = root.ownerDocument.createElement(/^(\d|[a-z]{1,3}[.)])/i.test(sign) ? 'ol' : 'ul');
      const inside = lists.at(-1)?.lastElementChild;
      if (inside) inside.append(list);
      else paragraph.before(list);
      lists.push(list);
      if (!inside && lists.length < level) list.append(root.ownerDocument.createElement('li'));
    }
    const item = root.ownerDocument.createElement('li');
    item.append(...paragraph.childNodes);
    paragraph.remove();
    lists.at(-1)?.append(item);
  }
}

/** Removes the bullet or number of an item, and returns it. */
function takeSign(paragraph: Element): string {
  const marked = paragraph.querySelector('[data-style*="mso-list:Ignore" i], [data-style*="mso-list: Ignore" i]');
  const sign = marked?.textContent?.trim() ?? '';
  marked?.remove();
  return sign;
}

function rowToParagraph(row: Element): void {
  const paragraph = row.ownerDocument.createElement('p');
  for (const cell of row.querySelectorAll('td, th')) paragraph.append(...cell.childNodes, ' ');
  row.replaceWith(paragraph);
}

/** Pasted plain text is read as Markdown. Shift keeps it as it is. */
export function parsePastedText(text: string, $context: ResolvedPos, isPlain: boolean): Slice {
  const isCode = $context.parent.type.spec.code;
  const { content } = parseDocument(text);
  const isReadable = !isCode && !isPlain && content.content.every(({ type }) => type.name !== 'raw');
  if (isReadable) return open(content);
  if (isCode) return new Slice(schema.nodes.code_block.create(null, textNodes(text)).content, 0, 0);
  const blocks = text.split(/(?:\r\n?|\n)+/).map((line) => schema.nodes.paragraph.create(null, textNodes(line)));
  return open(schema.nodes.doc.create(null, blocks).content);
}

const textNodes = (text: string) => (text === '' ? null : schema.text(text));

/** The first and the last paragraph join the text around them. */
function open(content: Fragment): Slice {
  const depth = (node: Node | null) => (node?.type.name === 'paragraph' ? 1 : 0);
  return new Slice(content, depth(content.firstChild), depth(content.lastChild));
}

/** Copied text is Markdown in programs that take no HTML. */
export function serializeCopied({ content }: Slice): string {
  const only = content.childCount === 1 ? content.firstChild : null;
  if (only?.type.spec.code) return only.textContent;
  const items =
    content.firstChild?.type.name === 'list_item' ? [schema.nodes.bullet_list.create(null, content)] : content;
  const doc = schema.nodes.doc.createAndFill(null, items);
  return doc ? serializeDocument(doc) : content.textBetween(0, content.size, '\n\n');
}
