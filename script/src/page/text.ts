import type { RichNode, RichText } from '@usher/domain';
import { isAddress } from '../../../domain/src/content/merge.ts';

const elements = /^(p|h[1-6]|ul|ol|li|blockquote|pre|hr|em|strong|del|code|br|a|img)$/;
const attributes = ['href', 'src', 'alt', 'title', 'start'];

/** The words of a text that is filled in. */
export function words(text: readonly RichNode[]): string {
  return text
    .map((node) => (typeof node === 'string' ? node : Array.isArray(node) ? words(node.slice(1) as RichText) : ''))
    .join('');
}

/** A text that is filled in, as nodes. */
export function toNodes(text: readonly RichNode[]): Node[] {
  return text.flatMap((node) => {
    if (typeof node === 'string') return document.createTextNode(node);
    if (!Array.isArray(node)) return [];
    const [name, ...content] = node as [string, ...RichNode[]];
    if (!elements.test(name)) return toNodes(content);
    const element = document.createElement(name);
    const [given] = content;
    if (typeof given === 'object' && !Array.isArray(given)) {
      content.shift();
      for (const key of attributes) {
        const value = (given as unknown as Record<string, unknown>)[key];
        if (typeof value !== 'string' && typeof value !== 'number') continue;
        // Whatever the server has checked: here is where an address becomes one that can be followed.
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
