import { originOf } from './authored.ts';
import { textsOf } from './texts.ts';

const MAX_NAME_LENGTH = 32;

/** Suggests an attribute for the source of the page. It says what the element is, and no other element of the page has it. */
export function suggestAttribute(element: Element): string {
  const existing = element.getAttribute('data-usher');
  const name = existing || uniqueName(nameOf(element), element.ownerDocument);
  return `data-usher="${name.replace(/["&]/g, '')}"`;
}

function nameOf(element: Element): string {
  const read = (attribute: string) => element.getAttribute(attribute) ?? '';
  const authored = ['id', 'name'].map(read).filter((value) => originOf(value) === 'authored');
  const words = [read('aria-label'), ...textsOf(element), ...authored, read('placeholder'), read('role')];
  return words.map(toSlug).find((slug) => slug.length > 1) ?? element.localName;
}

export function toSlug(text: string): string {
  const ascii = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const slug = ascii.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
  return slug.length > MAX_NAME_LENGTH
    ? slug
        .slice(0, MAX_NAME_LENGTH + 1)
        .replace(/-[^-]*$/, '')
        .slice(0, MAX_NAME_LENGTH)
    : slug;
}

function uniqueName(name: string, document: Document): string {
  const isTaken = (value: string) => document.querySelector(`[data-usher="${value}"]`) !== null;
  let unique = name;
  for (let count = 2; isTaken(unique); count++) unique = `${name}-${count}`;
  return unique;
}
