import type { Scalar } from '../ingestion/value.ts';

/*
 * Published texts, and how the values of one user are filled in. This file is part of the browser script, so it does not
 * parse texts: merge-tag.ts and markdown.ts do.
 *
 * A text is a list of strings, objects for what depends on the user, and arrays for the elements of Markdown, such as
 * `["p", "Hi ", ["strong", {"prop": "first_name", "or": "there"}]]`. An element is its name and its content, so that
 * one loop of createElement and append draws it; `a`, `img`, a list that starts with another number than 1, and a text in
 * another language than its neighbors have their attributes in the second place. `["em","a"]` is 10 bytes on the wire,
 * `{"name":"em","content":["a"]}` would be 29.
 */

/**
 * A custom property of the user by its normalized path, how long ago the time in it was, an option of the Delivery by its
 * exact path, a value of the page's `window`, or what the user has answered in an earlier step of the survey.
 */
export type MergeSource = { prop: string; ago?: Ago } | { option: string } | { global: string } | { answer: string };
/** In words of the user's language, or as a whole number. */
export type Ago = 'words' | AgoUnit;
export type AgoUnit = 'years' | 'months' | 'weeks' | 'days' | 'hours' | 'minutes' | 'seconds';
/** A placeholder for a value, with a fallback. */
export type MergeTag = MergeSource & { or?: string };
export type MergeOperator = '==' | '!=' | '>' | '>=' | '<' | '<=' | 'includes' | 'matches';
export type MergeTest = MergeComparison | { not: MergeTest } | { all: MergeTest[] } | { any: MergeTest[] };
/** Without an operator, the test is whether there is a value. */
export type MergeComparison = MergeSource & { op?: MergeOperator; to?: Scalar | null };
export interface MergeIf<Of> {
  if: MergeTest;
  show: Of[];
  else?: Of[];
}

export type PlainText = PlainNode[];
export type PlainNode = string | MergeTag | MergeIf<PlainNode>;

export type RichText = RichNode[];
export type RichNode = string | MergeTag | MergeIf<RichNode> | RichElement;
export type RichElement =
  | [name: RichName, ...content: RichNode[]]
  | ['ol', { start: number }, ...RichNode[]]
  | [name: 'span' | 'div', { lang: string }, ...RichNode[]]
  | ['a', LinkAttributes, ...RichNode[]]
  | ['img', ImageAttributes];
type Heading = 'h1' | 'h2' | 'h3' | 'h4' | 'h5' | 'h6';
type Block = 'p' | Heading | 'ul' | 'ol' | 'li' | 'blockquote' | 'pre' | 'hr';
type RichName = Block | 'em' | 'strong' | 'del' | 'code' | 'br';
/** It is a string once it is resolved. An address has no conditions. */
export type Attribute = string | PlainText;
export interface LinkAttributes {
  href: Attribute;
  title?: Attribute;
}
export interface ImageAttributes {
  src: Attribute;
  alt: Attribute;
  title?: Attribute;
}

/** A lookup returns this for a value that only the page knows. The tag then stays in the text for the page. */
export const later = Symbol('later');
export interface Lookup {
  /** Finds the value at a path; undefined when there is none. */
  (of: 'prop' | 'option' | 'global' | 'answer', path: string, ago?: Ago): unknown;
  /** Whether a pattern is found in a text. Without it, none is. */
  matches?(text: string, pattern: string): boolean;
}

/** Fills in the values that the lookup knows. The result can be resolved again for the others. */
export function resolve<Of extends RichNode>(text: readonly Of[], lookup: Lookup): Of[] {
  const nodes = text.flatMap((node: RichNode): RichNode[] => {
    if (typeof node === 'string') return [node];
    if (Array.isArray(node)) return resolveElement(node, lookup);
    if (!('if' in node)) return [resolveTag(node, lookup)];
    const answer = evaluateTest(node.if, lookup);
    if (typeof answer === 'boolean') return resolve((answer ? node.show : node.else) ?? [], lookup);
    const rest: MergeIf<RichNode> = { if: answer, show: resolve(node.show, lookup) };
    if (node.else) rest.else = resolve(node.else, lookup);
    return [rest];
  });
  return joinStrings(nodes) as Of[];
}

/** The plain text of a resolved text. */
export function plainText(text: readonly RichNode[]): string {
  return text
    .map((node) => (typeof node === 'string' ? node : Array.isArray(node) ? plainText(node.slice(1) as RichText) : ''))
    .join('');
}

/** The value at a path of own properties. Inherited properties cannot be reached. */
export function valueAt(root: unknown, path: string): unknown {
  let value = root;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    if (Array.isArray(value) && key === 'length') return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

const allowed = {
  href: /^(?:(?:https?|mailto|tel):|[^:/?#&]*(?:[/?#]|$))/i,
  src: /^(?:https?:|[^:/?#&]*(?:[/?#]|$))/i,
};

/**
 * Whether an address is one that a link or an image may have: http, https or relative, for a link also mailto and tel.
 * Browsers strip control characters from a scheme, so none are allowed. An `&` before the first slash is an attempt to
 * write a scheme with entities.
 */
export function isAddress(address: string, of: 'href' | 'src'): boolean {
  return address !== '' && !/[\p{Cc} ]/u.test(address) && allowed[of].test(address);
}

/** Joins adjacent strings. */
export function joinStrings<Of>(nodes: readonly Of[]): Of[] {
  const out: Of[] = [];
  let before: unknown;
  for (const node of nodes) {
    if (node === '') continue;
    if (typeof node === 'string' && typeof before === 'string') out[out.length - 1] = (before + node) as Of;
    else out.push(node);
    before = out[out.length - 1];
  }
  return out;
}

function resolveElement(element: RichElement, lookup: Lookup): RichNode[] {
  const [name, first] = element;
  if (name === 'img') {
    const alt = resolveText(element[1].alt, lookup);
    const src = resolveAddress(element[1].src, 'src', lookup);
    return src ? [['img', { ...element[1], src, alt, ...resolveTitle(element[1], lookup) }]] : [alt].flat();
  }
  if (name === 'a') {
    const [, attributes, ...rest] = element as ['a', LinkAttributes, ...RichNode[]];
    const href = resolveAddress(attributes.href, 'href', lookup);
    const content = resolve(rest, lookup);
    return href ? [['a', { ...attributes, href, ...resolveTitle(attributes, lookup) }, ...content]] : content;
  }
  const attributes = typeof first === 'object' && ('start' in first || 'lang' in first) ? [first] : [];
  const content = resolve(element.slice(1 + attributes.length) as RichText, lookup);
  // An element that has lost all its content is removed, so that it leaves no gap.
  const [only = ''] = content;
  const isBlank = content.length === 0 || (name === 'p' && content.length === 1 && isBlankText(only));
  return isBlank && element.length > 1 ? [] : [[name, ...attributes, ...content] as RichElement];
}

function isBlankText(node: RichNode): boolean {
  return typeof node === 'string' && node.trim() === '';
}

function resolveTitle({ title }: { title?: Attribute }, lookup: Lookup): { title?: Attribute } {
  return title === undefined ? {} : { title: resolveText(title, lookup) };
}

function resolveText(text: Attribute, lookup: Lookup): Attribute {
  return typeof text === 'string' ? text : toAttribute(resolve(text, lookup));
}

/** A text with nothing to resolve becomes a string. */
export function toAttribute(text: PlainText): Attribute {
  const [first = ''] = text;
  return text.length < 2 && typeof first === 'string' ? first : text;
}

/** Undefined when the values make the address one that is not allowed. */
export function resolveAddress(address: Attribute, of: 'href' | 'src', lookup: Lookup): Attribute | undefined {
  const parts: PlainText = [];
  for (const part of [address].flat()) {
    const text = typeof part === 'string' || 'if' in part ? part : resolveTag(part, lookup);
    // A value at the start may be the whole address. Any other value is only data in the author's address.
    const isData = part !== text && typeof text === 'string' && parts.length > 0;
    if (text !== '') parts.push(isData ? encode(text, parts[0]) : text);
  }
  const result = toAttribute(joinStrings(parts));
  return typeof result !== 'string' || isAddress(result, of) ? result : undefined;
}

function encode(value: string, start: unknown): string {
  const encoded = encodeURIComponent(value.replace(/\p{Cs}/gu, '\ufffd'));
  // Mail and phone apps do not decode these two characters.
  return /^(?:mailto|tel):/i.test(String(start)) ? encoded.replace(/%(?:40|2B)/g, decodeURIComponent) : encoded;
}

export function resolveTag(tag: MergeTag, lookup: Lookup): string | MergeTag {
  const value = sourceValue(tag, lookup);
  return value === later ? tag : toText(value) || (tag.or ?? '');
}

function sourceValue(source: MergeSource, lookup: Lookup): unknown {
  if ('prop' in source) return lookup('prop', source.prop, source.ago);
  if ('option' in source) return lookup('option', source.option);
  return 'answer' in source ? lookup('answer', source.answer) : lookup('global', source.global);
}

function toText(value: unknown): string {
  if (Array.isArray(value)) return value.filter(isScalar).join(', ');
  return isScalar(value) ? String(value) : '';
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** The answer, or what is left to test while values are unknown. Nothing that is known stays in it. */
function evaluateTest(test: MergeTest, lookup: Lookup): MergeTest | boolean {
  if ('all' in test) return evaluateList(test.all, true, lookup);
  if ('any' in test) return evaluateList(test.any, false, lookup);
  if (!('not' in test)) return compare(test, lookup);
  const rest = evaluateTest(test.not, lookup);
  return typeof rest === 'boolean' ? !rest : { not: rest };
}

/** Evaluates the parts up to one that decides the answer: for `all` one that is false, for `any` one that is true. */
function evaluateList(parts: readonly MergeTest[], isAll: boolean, lookup: Lookup): MergeTest | boolean {
  const open: MergeTest[] = [];
  for (const part of parts) {
    const rest = evaluateTest(part, lookup);
    if (rest === !isAll) return rest;
    if (typeof rest === 'object') open.push(rest);
  }
  const [only = isAll] = open;
  return open.length < 2 ? only : isAll ? { all: open } : { any: open };
}

function compare(test: MergeComparison, lookup: Lookup): MergeTest | boolean {
  const value = sourceValue(test, lookup);
  if (value === later) return test;
  const { op, to = null } = test;
  const isMissing = value === undefined || value === null;
  if (op === undefined)
    return !isMissing && value !== false && value !== '' && !(Array.isArray(value) && !value.length);
  const isEqual = to === null ? isMissing : value === to;
  if (op === '==' || op === '!=') return isEqual === (op === '==');
  if (op === 'includes' || op === 'matches')
    return [value].flat().some((one) => {
      if (!isScalar(one)) return false;
      if (op === 'matches') return !!lookup.matches?.(String(one), String(to));
      return Array.isArray(value) ? String(one) === String(to) : String(one).includes(String(to));
    });
  if (!isScalar(value) || to === null || comparableKind(value) !== comparableKind(to)) return false;
  return (isEqual && op.length > 1) || (op < '=' ? value < to : value > to);
}

/** Only values of the same kind can be ordered. */
function comparableKind(value: Scalar): string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/.test(value) ? 'time' : typeof value;
}
