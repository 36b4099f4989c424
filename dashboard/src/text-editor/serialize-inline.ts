import type { Mark, Node } from 'prosemirror-model';

/** One way of writing the same text. */
export interface WritingStyle {
  /** Which characters get a backslash: none, those with a meaning, or all punctuation. */
  escapes: 'none' | 'special' | 'all';
  strong: string;
  em: string;
  strike: string;
}

/** From the plainest to the most careful one. `_` helps where two runs of `*` would touch. */
export const styles: readonly WritingStyle[] = (['none', 'special', 'all'] as const).flatMap((escapes) => [
  { escapes, strong: '**', em: '*', strike: '~~' },
  { escapes, strong: '**', em: '_', strike: '~~' },
  { escapes, strong: '__', em: '*', strike: '~~' },
]);

const special = /[\\`*_~[\]<]|!(?=\[)/g;
const punctuation = /[!-/:-@[-`{-~]/g;
/** What makes another block of a line when it is at its start. */
const lineStart = /^(#{1,6}(?=\s|$)|>|[-+](?=[\s-]|$)|\d{1,9}(?=[.)](?:\s|$)))/gm;

interface Phrase {
  node: Node;
  marks: readonly Mark[];
}

/** The content of a paragraph or a heading as Markdown. */
export function serializeInline(block: Node, style: WritingStyle): string {
  const text = write(
    block.children.map((node) => ({ node, marks: node.marks })),
    style,
  );
  const lines = text.slice(0, endOfWords(text)).trimStart();
  if (style.escapes !== 'special' || block.type.name === 'heading') return lines;
  return lines.replace(lineStart, (sign) => (/^\d/.test(sign) ? `${sign}\\` : `\\${sign}`));
}

/** Writes the mark that reaches furthest around the others. */
function write(phrases: readonly Phrase[], style: WritingStyle): string {
  let text = '';
  for (let at = 0; at < phrases.length; ) {
    const { node, marks } = phrases[at] as Phrase;
    const outer = marks
      .filter(({ type }) => type.name !== 'code')
      .map((mark) => ({ mark, end: endOfMark(phrases, at, mark) }))
      .sort((a, b) => b.end - a.end)[0];
    if (outer) {
      const inside = phrases
        .slice(at, outer.end)
        .map((phrase) => ({ ...phrase, marks: phrase.marks.filter((mark) => !mark.eq(outer.mark)) }));
      text += wrap(outer.mark, write(inside, style), style);
      at = outer.end;
    } else if (marks.length > 0) {
      const [code] = marks as [Mark];
      const end = endOfMark(phrases, at, code);
      text += writeCode(phrases.slice(at, end).map((phrase) => phrase.node));
      at = end;
    } else {
      text += writeNode(node, style);
      at++;
    }
  }
  return text;
}

function endOfMark(phrases: readonly Phrase[], from: number, mark: Mark): number {
  const end = phrases.findIndex(({ marks }, index) => index > from && !marks.some((one) => one.eq(mark)));
  return end < 0 ? phrases.length : end;
}

function wrap({ type, attrs }: Mark, text: string, style: WritingStyle): string {
  if (type.name === 'link') return writeLink(text, attrs as LinkAttrs);
  const sign = { strong: style.strong, em: style.em, strike: style.strike }[type.name] ?? '';
  // Spaces at its ends would make the signs text.
  const start = text.length - text.trimStart().length;
  const end = endOfWords(text);
  return end <= start ? text : text.slice(0, start) + sign + text.slice(start, end) + sign + text.slice(end);
}

/** Where the spaces and line breaks at the end begin. A regular expression would take quadratic time for many spaces. */
function endOfWords(text: string): number {
  let end = text.trimEnd().length;
  while (end > 0 && text.startsWith('\\\n', end - 1)) end = text.slice(0, end - 1).trimEnd().length;
  return end;
}

interface LinkAttrs {
  href: string;
  title: string | null;
}

function writeLink(text: string, { href, title }: LinkAttrs): string {
  if (text.trim() === '') return text;
  return `[${text}](${writeAddress(href)}${writeTitle(title)})`;
}

function writeAddress(address: string): string {
  return outsideTags(address, (text) => text.replace(/[\\()]|^</g, '\\$&'));
}

function writeTitle(title: string | null): string {
  return title === null ? '' : ` "${outsideTags(title, (text) => text.replace(/["\\]/g, '\\$&'))}"`;
}

/** Changes a text that has merge tags, and leaves these as they are. In such texts, `\{{` are braces that begin no tag. */
function outsideTags(text: string, change: (text: string) => string): string {
  return text
    .split(/(\\?\{\{(?:"(?:\\.|[^"\\])*"|[^"}]|\}(?!\}))*\}\}|\\\{\{)/)
    .map((part, index) => {
      if (index % 2 === 0) return change(part);
      return part.startsWith('\\') ? `\\{{${change(part.slice(3))}` : part;
    })
    .join('');
}

function writeNode(node: Node, style: WritingStyle): string {
  switch (node.type.name) {
    case 'hard_break':
      return '\\\n';
    case 'merge_tag':
      return node.attrs.tag;
    case 'image': {
      const { src, alt, title } = node.attrs as { src: string; alt: string; title: string | null };
      return `![${outsideTags(alt, (text) => escapeText(text, style))}](${writeAddress(src)}${writeTitle(title)})`;
    }
    default:
      return escapeText(node.text ?? '', style);
  }
}

function escapeText(text: string, { escapes }: WritingStyle): string {
  if (escapes === 'all') return text.replace(punctuation, '\\$&');
  return (escapes === 'special' ? text.replace(special, '\\$&') : text).replaceAll('{{', '\\{{');
}

function writeCode(nodes: readonly Node[]): string {
  const code = nodes
    .map((node) => (node.isText ? node.text?.replaceAll('{{', '\\{{') : node.attrs.tag) ?? ' ')
    .join('');
  const ticks = new Set([...code.matchAll(/`+/g)].map(([run]) => run.length));
  let length = 1;
  while (ticks.has(length)) length++;
  const fence = '`'.repeat(length);
  const isPadded = /^`|`$/.test(code) || (/^ /.test(code) && / $/.test(code) && code.trim() !== '');
  return isPadded ? `${fence} ${code} ${fence}` : fence + code + fence;
}
