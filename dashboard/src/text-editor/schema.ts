import { isAddress } from '@usher/domain';
import { parsePicturePath } from '@usher/domain/pictures';
import { type MarkSpec, type NodeSpec, Schema } from 'prosemirror-model';
import { readMergeTag } from './merge-tag.ts';

/*
 * What Markdown of this dialect can say, as ProseMirror nodes. A block at the top remembers the bytes that it was read from
 * (`source`) and the blank lines before it (`gap`), so that it can be written back unchanged.
 */

const origin = { source: { default: null }, gap: { default: null } };
const phrase = '(text | merge_tag | image)*';

const heading: NodeSpec = {
  content: phrase,
  group: 'block',
  defining: true,
  attrs: { ...origin, level: { default: 2 } },
  parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, attrs: { level } })),
  // The text is one part of a page that has headings of its own. All levels look the same to users.
  toDOM: ({ attrs }) => [`h${attrs.level}`, { dir: 'auto', 'aria-level': '3' }, 0],
};

/** The value of a user, as a chip. `tag` is the whole merge tag: `{{first_name | fallback: "there"}}`. */
const mergeTag: NodeSpec = {
  group: 'inline',
  inline: true,
  atom: true,
  attrs: { tag: {} },
  parseDOM: [
    {
      tag: '[data-merge-tag]',
      getAttrs: (element) => {
        const tag = element.getAttribute('data-merge-tag') ?? '';
        return readMergeTag(tag) ? { tag } : false;
      },
    },
  ],
  toDOM: ({ attrs }) => ['span', { 'data-merge-tag': attrs.tag }, attrs.tag],
  leafText: ({ attrs }) => attrs.tag,
};

const image: NodeSpec = {
  group: 'inline',
  inline: true,
  attrs: { src: {}, alt: { default: '' }, title: { default: null } },
  parseDOM: [
    {
      tag: 'img[src]',
      getAttrs: (element) => {
        const src = element.getAttribute('src') ?? '';
        // Other programs give addresses of files that only this computer can open.
        const isPublic = /^https?:/i.test(src) && isAddress(src, 'src');
        if (!isPublic && !parsePicturePath(src)) return false;
        return { src, alt: element.getAttribute('alt') ?? '', title: element.getAttribute('title') };
      },
    },
  ],
  toDOM: ({ attrs: { src, alt, title } }) => ['img', { src, alt, ...(title !== null && { title }) }],
};

const link: MarkSpec = {
  attrs: { href: {}, title: { default: null } },
  inclusive: false,
  parseDOM: [
    {
      tag: 'a[href]',
      getAttrs: (element) => {
        const href = element.getAttribute('href') ?? '';
        return isAddress(href, 'href') && { href, title: element.getAttribute('title') };
      },
    },
  ],
  toDOM: ({ attrs: { href, title } }) => ['a', { href, ...(title !== null && { title }) }, 0],
};

export const schema = new Schema({
  nodes: {
    doc: { content: 'block+', attrs: { head: { default: '' }, tail: { default: '' } } },
    paragraph: {
      content: 'inline*',
      group: 'block',
      attrs: origin,
      parseDOM: [{ tag: 'p' }],
      // Its direction is that of its text, by the style sheet: `dir` would hide the text from a list around it.
      toDOM: () => ['p', 0],
    },
    heading,
    bullet_list: {
      content: 'list_item+',
      group: 'block',
      attrs: origin,
      parseDOM: [{ tag: 'ul' }],
      toDOM: () => ['ul', { dir: 'auto' }, 0],
    },
    ordered_list: {
      content: 'list_item+',
      group: 'block',
      attrs: { ...origin, order: { default: 1 } },
      parseDOM: [{ tag: 'ol', getAttrs: (element) => ({ order: readStart(element.getAttribute('start')) }) }],
      toDOM: ({ attrs }) => ['ol', { dir: 'auto', ...(attrs.order !== 1 && { start: attrs.order }) }, 0],
    },
    list_item: { content: 'block+', defining: true, parseDOM: [{ tag: 'li' }], toDOM: () => ['li', 0] },
    blockquote: {
      content: 'block+',
      group: 'block',
      defining: true,
      attrs: origin,
      parseDOM: [{ tag: 'blockquote' }],
      toDOM: () => ['blockquote', { dir: 'auto' }, 0],
    },
    code_block: {
      content: 'text*',
      marks: '',
      group: 'block',
      code: true,
      defining: true,
      attrs: origin,
      parseDOM: [{ tag: 'pre', preserveWhitespace: 'full' }],
      toDOM: () => ['pre', { dir: 'ltr' }, ['code', 0]],
    },
    /** Markdown that has no node here, such as a condition. It is edited as it is written. */
    raw: {
      content: 'text*',
      marks: '',
      group: 'block',
      code: true,
      defining: true,
      isolating: true,
      attrs: origin,
      parseDOM: [{ tag: '[data-raw]', preserveWhitespace: 'full' }],
      toDOM: () => ['div', { 'data-raw': '', dir: 'auto' }, 0],
    },
    divider: { group: 'block', attrs: origin, parseDOM: [{ tag: 'hr' }], toDOM: () => ['hr'] },
    text: { group: 'inline' },
    merge_tag: mergeTag,
    image,
    hard_break: {
      group: 'inline',
      inline: true,
      selectable: false,
      linebreakReplacement: true,
      parseDOM: [{ tag: 'br' }],
      toDOM: () => ['br'],
    },
  },
  marks: {
    link,
    strong: { parseDOM: [{ tag: 'b' }, { tag: 'strong' }], toDOM: () => ['strong', 0] },
    em: { parseDOM: [{ tag: 'i' }, { tag: 'em' }], toDOM: () => ['em', 0] },
    strike: { parseDOM: [{ tag: 's' }, { tag: 'del' }, { tag: 'strike' }], toDOM: () => ['s', 0] },
    code: { parseDOM: [{ tag: 'code' }, { tag: 'tt' }, { tag: 'kbd' }], toDOM: () => ['code', 0] },
  },
});

function readStart(start: string | null): number {
  const number = Number(start ?? 1);
  return Number.isInteger(number) && number >= 0 && number < 1e9 ? number : 1;
}
