import { isRecord } from '../basics/input.ts';
import { isOneOf } from '../basics/records.ts';
import type { ElementTarget, PageElement } from '../fields/field.ts';
import { importedSearchKeys } from '../fields/imported-element.ts';
import { findSelectorProblem } from './selector.ts';

/*
 * Makes selectors of what an imported element is found by, so that pages need only selectors. What a selector cannot say exactly
 * is a doubt, which its author should check.
 */

export interface ResolvedElement {
  target: ElementTarget;
  /** What is not exactly as imported: each continues a sentence about the element. */
  doubts: string[];
}

type SearchKey = (typeof importedSearchKeys)[number];

const SHADOW_SEPARATOR = ' >>> ';
const attributes: Partial<Record<SearchKey, string>> = {
  attr_href: 'href',
  attr_title: 'title',
  attr_type: 'type',
  attr_name: 'name',
  attr_aria_label: 'aria-label',
  attr_aria_labelledby: 'aria-labelledby',
};

export function toTarget(element: PageElement): ElementTarget {
  return resolveElement(element).target;
}

/** Whether something finds the element. */
export function isFindable({ selector, text }: ElementTarget): boolean {
  return !isBlank(selector) || !isBlank(text);
}

export function resolveElement(element: PageElement): ResolvedElement {
  const { selector, text, shadow_selector } = element;
  const doubts: string[] = [];
  const used = listUsedKeys(element, doubts);
  if (used.length === 0) return { target: { selector, text, shadow_selector }, doubts };
  const parts = new SelectorParts(doubts);
  for (const key of used) parts.add(key, element[key]);
  const levels = shadow_selector?.split(SHADOW_SEPARATOR) ?? [];
  // The attributes are of the element itself, which is the innermost one.
  if (levels.length > 0) {
    levels.push(parts.join(levels.pop() ?? null) ?? '');
    return { target: { selector, text, shadow_selector: levels.join(SHADOW_SEPARATOR) }, doubts };
  }
  return { target: { selector: parts.join(selector), text, shadow_selector }, doubts };
}

/** The fields that find the element besides its selector and text. Without `use`, these are used if there is no selector. */
function listUsedKeys(element: PageElement, doubts: string[]): SearchKey[] {
  const given = importedSearchKeys.filter((key) => !isMissing(element[key]));
  const { use } = element;
  if (!use || use.length === 0) return element.selector === null ? given : [];
  for (const name of use)
    if (!isOneOf<string>([...importedSearchKeys, 'selector', 'text', 'shadow_selector'], name))
      doubts.push(`it is found by \`${name}\`, which is not known`);
    else if (isMissing(element[name as keyof PageElement])) doubts.push(`it is found by \`${name}\`, which is missing`);
  return given.filter((key) => use.includes(key));
}

class SelectorParts {
  readonly #doubts: string[];
  #tag = '';
  #path: string | undefined;
  #attributes = '';

  constructor(doubts: string[]) {
    this.#doubts = doubts;
  }

  add(key: SearchKey, value: unknown): void {
    const text = String(value).trim();
    if (key === 'path') this.#addPath(text);
    else if (key === 'tag') this.#addTag(text);
    else if (key === 'attr_id') this.#attributes += isName(text) ? `#${text}` : attribute('id', String(value));
    else if (key === 'attr_class') this.#addClasses(text);
    else if (key === 'attr_data') this.#addData(value);
    else if (key === 'arity') this.#addArity(Number(value));
    else if (key === 'path_index') this.#addIndex(Number(value));
    else this.#attributes += attribute(attributes[key] ?? '', String(value));
  }

  /** The selector of an element that has all parts, and also matches another selector. Null if there is nothing. */
  join(selector: string | null): string | null {
    const others = [selector, this.#path].filter((one) => one !== null && one !== undefined);
    const own = this.#tag + this.#attributes;
    const [only] = others;
    if (own === '' && others.length <= 1) return only ?? null;
    return this.#tag + others.map((one) => `:is(${one})`).join('') + this.#attributes;
  }

  #addPath(path: string): void {
    const problem = findSelectorProblem(path);
    if (problem) this.#doubts.push(`its path "${path}" is no CSS selector: it ${problem}`);
    else this.#path = path;
  }

  #addTag(tag: string): void {
    if (/^[a-z][a-z0-9-]*$/i.test(tag)) this.#tag = tag.toLowerCase();
    else this.#doubts.push(`its tag "${tag}" is no name of an HTML element`);
  }

  #addClasses(names: string): void {
    for (const name of names.split(/\s+/))
      this.#attributes += isName(name) ? `.${name}` : `[class~="${escapeQuoted(name)}"]`;
  }

  #addData(value: unknown): void {
    const pairs = isRecord(value) ? Object.entries(value) : readPairs(String(value));
    const names = pairs?.map(([name]) => toDataName(name)) ?? [];
    if (!pairs || pairs.length === 0 || names.includes(undefined))
      this.#doubts.push('its `attr_data` is no list of attributes such as data-test="save"');
    else for (const [at, pair] of pairs.entries()) this.#attributes += attribute(names[at] ?? '', String(pair[1]));
  }

  #addArity(arity: number): void {
    if (arity > 1) this.#doubts.push(`it was one of ${arity} elements alike: the first that is visible is used`);
  }

  #addIndex(index: number): void {
    if (index > 0)
      this.#doubts.push(`it was number ${index + 1} of the elements alike: the first that is visible is used`);
  }
}

/** Reads `data-test="save" data-id=7`. Undefined if there is anything else. */
function readPairs(text: string): [string, string][] | undefined {
  const pairs = [...text.matchAll(/([\w-]+)=(?:"([^"]*)"|'([^']*)'|([^\s"']+))/g)];
  const rest = pairs.reduce((left, [pair]) => left.replace(pair, ''), text);
  if (rest.trim() !== '') return undefined;
  return pairs.map(([, name = '', double, single, bare]) => [name, double ?? single ?? bare ?? '']);
}

/** `data-test-id` for `data-test-id`, `test-id` and `testId`. */
function toDataName(name: string): string | undefined {
  const dashed = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const whole = dashed.startsWith('data-') ? dashed : `data-${dashed}`;
  return /^data-[a-z0-9_-]+$/.test(whole) ? whole : undefined;
}

function isName(text: string): boolean {
  return /^-?[a-z_][\w-]*$/i.test(text);
}

function attribute(name: string, value: string): string {
  return `[${name}="${escapeQuoted(value)}"]`;
}

/** A quoted text of CSS has no line breaks; as codes it may have them. */
function escapeQuoted(text: string): string {
  return text.replace(/["\\]/g, '\\$&').replace(/[\n\r\f]/g, (sign) => `\\${sign.charCodeAt(0).toString(16)} `);
}

function isMissing(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (isRecord(value) && Object.keys(value).length === 0);
}

function isBlank(text: string | null): boolean {
  return text === null || text.trim() === '';
}
