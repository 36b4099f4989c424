import { directionOf, languagesFor } from '../account/language.ts';
import { toTimestamp } from '../basics/time.ts';
import type { Field, Fields, FieldType } from '../fields/field.ts';
import { type PartList, partFields } from '../fields/part-fields.ts';
import { allFields, isMarkdown } from '../kinds/all-fields.ts';
import { type ExperienceKind, isExclusive, kinds } from '../kinds/kinds.ts';
import type { QuantifierUrl } from '../patterns/url-match.ts';
import { parseMarkdown } from '../rich-text/markdown.ts';
import {
  type Attribute,
  joinStrings,
  type Lookup,
  later,
  type MergeTag,
  type RichNode,
  type RichText,
  resolve,
  resolveAddress,
  resolveTag,
  toAttribute,
  valueAt,
} from '../rich-text/merge.ts';
import { listMergePaths, parseText } from '../rich-text/merge-tag.ts';
import type { Facts } from '../targeting/match.ts';
import type { Content } from './content.ts';
import type { Document } from './experience.ts';
import { localize } from './translatable-texts.ts';

/*
 * The content of an Experience for a page: parsed texts in the language of the user with the values of the user, and all
 * other fields that differ from their initial values. It does not contain the targeting.
 */

/** What the content of an Experience can depend on. */
export interface PageUser {
  profile: Facts;
  company?: Facts | undefined;
  inSegment(id: string): boolean;
  /** Whether a tour or survey is live. */
  isLive(id: string): boolean;
  isCompleted(id: string): boolean;
}

export interface PageContent {
  /** The JSON with additional fields, such as `,"automatic":true`. */
  jsonFor(user: PageUser, more?: string): string;
  /** Whether it is the same for every user. */
  isCommon: boolean;
}

/** Finds the content for the language of a browser. It is built once for each language of the Experience. */
export function contentByLanguage(
  id: string,
  content: Content,
  allowScripts: boolean,
): (browserLanguage: string | null) => PageContent {
  const codes = new Set(Object.keys(content.translations));
  const cache = new Map<string | undefined, PageContent>();
  return (browserLanguage) => {
    const best = codes.size === 0 ? undefined : languagesFor(browserLanguage, codes)[0];
    const known =
      cache.get(best) ??
      toPageContent(id, localize(id, content, best), allowScripts, best ? findTextLanguages(content, best) : undefined);
    cache.set(best, known);
    return known;
  };
}

/** The languages of translated texts. */
interface TextLanguages {
  /** The language of most texts. */
  language: string;
  /** Returns the language of one text; an empty text for the source text, since no one has said what language that is. */
  languageOf(modelId: string, field: string): string;
}

function findTextLanguages({ translations }: Content, language: string): TextLanguages {
  const codes = languagesFor(language, new Set(Object.keys(translations)));
  return {
    language,
    languageOf: (modelId, field) => codes.find((code) => translations[code]?.[modelId]?.[field] !== undefined) ?? '',
  };
}

/** Builds the JSON that is the same for every user once, with functions for the parts that depend on the user. */
export function toPageContent(
  id: string,
  document: Document,
  allowScripts: boolean,
  languages?: TextLanguages,
): PageContent {
  const pieces = joinStrings(writePart(readDocument(id, document, { allowScripts, languages })).slice(0, -1));
  const [only = ''] = pieces;
  if (pieces.length === 1 && typeof only === 'string')
    return { isCommon: true, jsonFor: (_, more = '') => `${only}${more}}` };
  return {
    isCommon: false,
    jsonFor: (user, more = '') => {
      const lookup = createLookup(user);
      let json = '';
      for (const piece of pieces) json += typeof piece === 'string' ? piece : piece(lookup, user);
      return `${json}${more}}`;
    },
  };
}

type PagePart = Record<string, unknown>;

interface ReadOptions {
  allowScripts: boolean;
  /** It is missing when all texts are source texts. */
  languages: TextLanguages | undefined;
}

function readDocument(id: string, document: Document, options: ReadOptions): PagePart {
  const { kind, steps, items = [] } = document;
  const { allowScripts, languages } = options;
  const readParts = (list: PartList, parts: readonly object[]) =>
    parts.map((part) => readPart(part, partFields[list], options));
  const { language } = languages ?? {};
  const head = { kind, ...(language && { language, direction: directionOf(language) }) };
  const shown = items.filter((item) => !item.hide && (allowScripts || item.kind !== 'script'));
  const { id: _, ...own } = readPart({ ...document, id }, kinds[kind].fields, options);
  const parts =
    kinds[kind].parts === 'items'
      ? { items: readParts('items', shown) }
      : {
          steps: readParts('steps', steps).map((step, at) => ({
            ...step,
            buttons: readParts('buttons', steps[at]?.buttons ?? []),
          })),
        };
  return { id, ...head, ...own, ...parts };
}

function readPart(model: object, fields: Fields, options: ReadOptions): PagePart {
  const { id } = model as PagePart;
  const part: PagePart = { id };
  for (const [name, field] of Object.entries(fields)) {
    const value = (model as PagePart)[name];
    if (value === undefined || value === null || value === field.initial || isEmpty(value)) continue;
    if (field.isForServer || (!options.allowScripts && field.type === 'code')) continue;
    part[name] = readField(name, field, value, options, String(id));
  }
  return part;
}

function readField(
  name: string,
  { type }: Field,
  value: unknown,
  { allowScripts, languages }: ReadOptions,
  modelId: string,
): unknown {
  const readOwn = (text: string, field: string) => markLanguage(readText(name, text), languages, modelId, field);
  switch (type) {
    case 'shown_text':
    case 'markdown':
      return readOwn(value as string, name);
    case 'shown_texts':
      return (value as string[]).map((text, at) => readOwn(text, `${name}.${at}`));
    case 'address':
      return toAttribute(readText(name, value as string) as never);
    case 'words':
      return (value as string[]).filter((action) => allowScripts || action !== 'code');
    case 'urls':
      return (value as QuantifierUrl[]).map(({ url, match_type }) =>
        match_type === 'simple' ? { url } : { url, match_type },
      );
    case 'elements':
      return (value as object[]).map(withoutNulls);
    case 'element':
      return withoutNulls(value as object);
    default:
      return value;
  }
}

/** Publishing rejects texts that cannot be parsed. If there is one anyway, it is shown unparsed. */
function readText(name: string, text: string): RichText {
  const read = isMarkdown(name) ? parseMarkdown(text) : parseText(text);
  return 'problem' in read ? [text] : read;
}

/** Puts a text that is in another language than most texts into an element that says so, as HTML does. */
function markLanguage(text: RichText, languages: TextLanguages | undefined, modelId: string, field: string): RichText {
  const lang = languages?.languageOf(modelId, field);
  if (lang === undefined || lang === languages?.language) return text;
  return [[isMarkdown(field) ? 'div' : 'span', { lang }, ...text]];
}

function withoutNulls(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/* Pieces of JSON, or functions that write them for one user. Every part begins with its ID, so fields begin with a comma. */

type JsonPiece = string | ((lookup: Lookup, user: PageUser) => string);

function writePart({ id, ...fields }: PagePart): JsonPiece[] {
  return [
    `{"id":${JSON.stringify(id)}`,
    ...Object.entries(fields).flatMap(([name, value]) => writeField(name, value)),
    '}',
  ];
}

function writeField(name: string, value: unknown): JsonPiece[] {
  const parts = value as PagePart[];
  if (name === 'items' && parts.some(isPersonal))
    return [(lookup, user) => writeItems(listItemsFor(parts, user), lookup, user)];
  if (name === 'steps' || name === 'buttons' || name === 'items') return writeList(name, parts.map(writePart));
  const ready = isText(allFields.get(name)?.type) ? writeText(value as RichText) : undefined;
  if (ready) return [`,"${name}":`, ...ready];
  const fill = (lookup: Lookup) => {
    const filled = fillField(name, value, lookup);
    return filled === undefined || isEmpty(filled) ? '' : `,${JSON.stringify(name)}:${JSON.stringify(filled)}`;
  };
  return [listMergePaths([value as never]).props.length > 0 ? fill : fill(unknownUser)];
}

/**
 * The pieces of a text with plain merge tags, as most texts are: only the values are written for each user. Undefined for
 * other texts, such as one that can become empty. These are resolved as a whole, which takes eight times as long.
 */
function writeText(nodes: readonly RichNode[]): JsonPiece[] | undefined {
  if (nodes.length === 0) return undefined;
  const parts: JsonPiece[][] = [];
  for (let at = 0; at < nodes.length; ) {
    const run = nodes.slice(at).findIndex((node) => !isWords(node));
    const end = run < 0 ? nodes.length : at + run;
    const written = end > at ? writeWords(nodes.slice(at, end) as PlainWords[]) : writeElement(nodes[at] as RichNode);
    if (!written) return undefined;
    parts.push(written);
    at = Math.max(end, at + 1);
  }
  return ['[', ...parts.flatMap((pieces, at) => (at === 0 ? pieces : [',', ...pieces])), ']'];
}

type PlainWords = string | (MergeTag & { prop: string });

function isWords(node: RichNode): node is PlainWords {
  return typeof node === 'string' || (!Array.isArray(node) && 'prop' in node);
}

/** Undefined for values without any words, because the text could become empty and would be left out. */
function writeWords(words: readonly PlainWords[]): JsonPiece[] | undefined {
  if (!words.some((word) => typeof word === 'string' && word !== '')) return undefined;
  const written = words.map(
    (word): JsonPiece =>
      typeof word === 'string' ? escapeJson(word) : (lookup) => escapeJson(resolveTag(word, lookup) as string),
  );
  return ['"', ...written, '"'];
}

function writeElement(node: RichNode): JsonPiece[] | undefined {
  if (!Array.isArray(node)) return undefined;
  const [name, first] = node;
  const language = isLanguage(first) ? `${JSON.stringify(first)},` : '';
  const content = node.slice(language === '' ? 1 : 2);
  const isPlain = name !== 'a' && name !== 'img' && content.every(isNode) && !content.every(isBlank);
  const written = isPlain ? writeText(content as RichNode[]) : undefined;
  return written && [`["${name}",${language}`, ...written.slice(1)];
}

/** Whether a node is blank, or can be once it has its value. */
function isBlank(node: unknown): boolean {
  return typeof node === 'string' ? node.trim() === '' : !Array.isArray(node);
}

function isLanguage(node: unknown): boolean {
  return typeof node === 'object' && node !== null && 'lang' in node;
}

/** Whether it is a node, and not the attributes of an element. */
function isNode(node: unknown): boolean {
  return typeof node === 'string' || Array.isArray(node) || 'prop' in (node as object);
}

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function writeList(name: string, parts: readonly JsonPiece[][]): JsonPiece[] {
  if (parts.length === 0) return [];
  return [`,"${name}":[`, ...parts.flatMap((pieces, at) => (at === 0 ? pieces : [',', ...pieces])), ']'];
}

/** Few launchers have items that depend on the user, so these are written again for every user. */
function writeItems(items: readonly PagePart[], lookup: Lookup, user: PageUser): string {
  const pieces = writeList('items', items.map(writePart));
  return pieces.map((piece) => (typeof piece === 'string' ? piece : piece(lookup, user))).join('');
}

const unknownUser: Lookup = (of) => (of === 'option' ? later : undefined);

function fillField(name: string, value: unknown, lookup: Lookup): unknown {
  const type = allFields.get(name)?.type;
  if (isText(type)) return resolve(value as RichText, lookup);
  if (type === 'address') return resolveAddress(value as Attribute, 'href', lookup);
  if (type === 'shown_texts') return (value as RichText[]).map((text) => resolve(text, lookup));
  return value;
}

const isText = (type: FieldType | undefined) => type === 'shown_text' || type === 'markdown';

/** Whether an item depends on the user. */
function isPersonal({ segment_id, campaign_id }: PagePart): boolean {
  return segment_id !== undefined || campaign_id !== undefined;
}

function listItemsFor(items: readonly PagePart[], user: PageUser): PagePart[] {
  const mine = items.filter(
    ({ kind, segment_id, campaign_id }) =>
      (segment_id === undefined || user.inSegment(String(segment_id))) &&
      (!isExclusive({ kind: kind as ExperienceKind }) || user.isLive(String(campaign_id))),
  );
  return mine.map(({ segment_id: _, ...item }) =>
    item.campaign_id !== undefined && user.isCompleted(String(item.campaign_id)) ? { ...item, completed: true } : item,
  );
}

/** These facts are shown as timestamps, like custom properties that are times. */
const times = new Set(['created_at', 'updated_at', 'last_seen_at', 'last_cleared_at']);

/** Finds facts and custom properties of the user, and with the prefix `company.` those of the Company. */
function createLookup({ profile, company }: PageUser): Lookup {
  return (of, path) => {
    if (of === 'option') return later;
    const ofCompany = path.startsWith('company.');
    return ofCompany ? company && findFact(company, path.slice('company.'.length)) : findFact(profile, path);
  };
}

function findFact({ facts, custom }: Facts, path: string): unknown {
  if (!Object.hasOwn(facts, path)) {
    if (path.includes('.')) return valueAt(custom, path);
    return Object.hasOwn(custom, path) ? custom[path] : undefined;
  }
  const fact = facts[path];
  return typeof fact === 'number' && times.has(path) ? toTimestamp(fact) : fact;
}
