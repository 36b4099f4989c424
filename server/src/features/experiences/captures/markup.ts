/*
 * Builds markup from templates: the template is markup, and the inserted values are text.
 */

/** Markup that needs no escaping. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Insert = Markup | string | number | readonly Insert[];

/** Escapes inserted strings, for elements and for attributes in quotes. */
export function markup(strings: TemplateStringsArray, ...inserts: Insert[]): Markup {
  return new Markup(String.raw({ raw: strings }, ...inserts.map(toText)));
}

function toText(insert: Insert): string {
  if (insert instanceof Markup) return insert.text;
  if (typeof insert === 'object') return insert.map(toText).join('');
  return escapeText(String(insert));
}

/** XML does not allow control characters, not even escaped. */
function escapeText(text: string): string {
  return text
    .replace(/[^\P{Cc}\n\t]|[\ufffe\uffff]|\p{Cs}/gu, '\ufffd')
    .replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}
