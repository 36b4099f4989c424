/*
 * The only way markup is made here: what is written in code is markup, what is put in is text.
 */

/** Markup that is safe as it stands. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Insert = Markup | string | number | readonly Insert[];

/** Strings that are put in are escaped, for elements and for attributes in quotes. */
export function markup(strings: TemplateStringsArray, ...inserts: Insert[]): Markup {
  return new Markup(String.raw({ raw: strings }, ...inserts.map(toText)));
}

function toText(insert: Insert): string {
  if (insert instanceof Markup) return insert.text;
  if (typeof insert === 'object') return insert.map(toText).join('');
  return escaped(String(insert));
}

/** Control characters have no place in XML, escaped or not. */
function escaped(text: string): string {
  return text
    .replace(/[^\P{Cc}\n\t]|[\ufffe\uffff]|\p{Cs}/gu, '\ufffd')
    .replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}
