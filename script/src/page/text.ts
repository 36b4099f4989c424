import type { RichNode, RichText } from '@usher/domain';
import { isAddress } from '../../../domain/src/rich-text/merge.ts';

const allowedElements = /^(p|h[1-6]|ul|ol|li|blockquote|pre|hr|em|strong|del|code|br|a|img|span|div)$/;
const allowedAttributes = ['href', 'src', 'alt', 'title', 'start', 'lang'];

/** Returns the plain text of a rich text whose merge tags are resolved, with line breaks between its paragraphs. */
export function toPlainText(text: readonly RichNode[]): string {
  return text
    .map((node, index) => {
      if (typeof node === 'string') return node;
      if (!Array.isArray(node)) return '';
      const [name, ...content] = node as [string, ...RichText];
      return (index > 0 && /^([phdb]|li|[uo]l)/.test(name) ? '\n' : '') + toPlainText(content);
    })
    .join('');
}

/** Converts a rich text whose merge tags are resolved to DOM nodes. It never parses HTML. */
export function toNodes(text: readonly RichNode[]): Node[] {
  return text.flatMap((node) => {
    if (typeof node === 'string') return document.createTextNode(node);
    if (!Array.isArray(node)) return [];
    const [name, ...content] = node as [string, ...RichNode[]];
    if (!allowedElements.test(name)) return toNodes(content);
    const element = document.createElement(name);
    const [attributes] = content;
    if (typeof attributes === 'object' && !Array.isArray(attributes)) {
      content.shift();
      for (const key of allowedAttributes) {
        const value = (attributes as unknown as Record<string, unknown>)[key];
        if (!/string|number/.test(typeof value)) continue;
        // The server has checked the address too, but only here it becomes a link that the user can follow.
        if ((key === 'href' || key === 'src') && !isAddress(`${value}`, key)) return toNodes(content);
        element.setAttribute(key, `${value}`);
      }
    }
    if (element instanceof HTMLAnchorElement && element.origin !== location.origin) {
      element.target = '_blank';
      element.rel = 'noopener';
    }
    element.append(...toNodes(content));
    return element;
  });
}
