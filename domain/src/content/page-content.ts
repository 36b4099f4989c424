import { directionOf, languagesFor } from '../account/language.ts';
import { initialValues } from '../fields/derive.ts';
import type { Field, Fields, NextRule, PageElement, Question } from '../fields/field.ts';
import { type PartList, partFields } from '../fields/part-fields.ts';
import { completeQuestion, isShownInQuestion, mapQuestionTexts } from '../fields/question.ts';
import { questionFields } from '../fields/question-fields.ts';
import { isMarkdown } from '../kinds/all-fields.ts';
import { kinds } from '../kinds/kinds.ts';
import type { QuantifierUrl } from '../patterns/url-match.ts';
import { parseMarkdown } from '../rich-text/markdown.ts';
import { joinStrings, later, type RichText, resolve, toAttribute } from '../rich-text/merge.ts';
import { parseText } from '../rich-text/merge-tag.ts';
import { toCondition } from '../targeting/condition.ts';
import type { Content } from './content.ts';
import type { Document } from './experience.ts';
import { hasItemStates } from './item-conditions.ts';
import { toTarget } from './page-element.ts';
import { createLookup, isEmpty, type PagePart, type PageUser, writePart } from './page-json.ts';
import { localize } from './translatable-texts.ts';

/*
 * The content of an Experience for a page: parsed texts in the language of the user with the values of the user, and all
 * other fields that differ from their initial values. It does not contain the targeting.
 */

export interface PageContent {
  /** The JSON with additional fields, such as `,"automatic":true`. */
  jsonFor(user: PageUser, more?: string): string;
  /** Whether it is the same for every user. */
  isCommon: boolean;
}

/** What the account allows in its pages. */
export interface PageSettings {
  allowScripts: boolean;
  allowGlobals: boolean;
}

/** Finds the content for the language of a browser. It is built once for each language of the Experience. */
export function contentByLanguage(
  id: string,
  content: Content,
  settings: PageSettings,
): (browserLanguage: string | null) => PageContent {
  const codes = new Set(Object.keys(content.translations));
  const cache = new Map<string | undefined, PageContent>();
  return (browserLanguage) => {
    const best = codes.size === 0 ? undefined : languagesFor(browserLanguage, codes)[0];
    const known =
      cache.get(best) ??
      toPageContent(id, localize(id, content, best), settings, best ? findTextLanguages(content, best) : undefined);
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
  settings: PageSettings,
  languages?: TextLanguages,
): PageContent {
  const pieces = joinStrings(writePart(readDocument(id, document, { ...settings, languages })).slice(0, -1));
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

interface ReadOptions extends PageSettings {
  /** It is missing when all texts are source texts. */
  languages: TextLanguages | undefined;
}

function readDocument(id: string, document: Document, options: ReadOptions): PagePart {
  const { kind, steps, items = [], theme_id } = document;
  const { allowScripts, languages } = options;
  const readParts = (list: PartList, parts: readonly object[]) =>
    parts.map((part) => readPart(part, partFields[list], options));
  const { language } = languages ?? {};
  const head = {
    kind,
    ...(language && { language, direction: directionOf(language) }),
    ...(theme_id && { theme_id }),
  };
  // Items with conditions, and all others of their list, are written for each user.
  const hasStates = hasItemStates(document);
  const shown = items.filter((item) => !item.hide && (allowScripts || item.kind !== 'script'));
  const { id: _, ...own } = readPart({ ...document, id }, kinds[kind].fields, options);
  const parts =
    kinds[kind].parts === 'items'
      ? { items: readParts('items', shown).map((part) => (hasStates ? { ...part, hasState: true } : part)) }
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
  { type, foreign = {} }: Field,
  value: unknown,
  { allowScripts, allowGlobals, languages }: ReadOptions,
  modelId: string,
): unknown {
  const read = (text: string) => (allowGlobals ? readText(name, text) : withoutGlobals(readText(name, text)));
  const readOwn = (text: string, field: string) => markLanguage(read(text), languages, modelId, field);
  switch (type) {
    case 'shown_text':
    case 'markdown':
      return readOwn(value as string, name);
    case 'shown_texts':
      return (value as string[]).map((text, at) => readOwn(text, `${name}.${at}`));
    case 'question':
      return readQuestion(completeQuestion(value as Question), (path, text) => readOwn(text, `${name}.${path}`));
    case 'rules':
      return (value as NextRule[]).map(toPageRule);
    case 'address':
      return toAttribute(read(value as string) as never);
    case 'words':
      return (value as string[]).filter((word) => !Object.hasOwn(foreign, word) && (allowScripts || word !== 'code'));
    case 'urls':
      return (value as QuantifierUrl[]).map(({ url, match_type }) =>
        match_type === 'simple' ? { url } : { url, match_type },
      );
    case 'elements':
      return (value as PageElement[]).map(toFound);
    case 'element':
      return toFound(value as PageElement);
    default:
      return value;
  }
}

/** What a page needs of a question: the fields of its kind that are not initial, without what only the server uses. */
function readQuestion(question: Question, read: (path: string, text: string) => RichText): object {
  const initial = initialValues(questionFields);
  const shown = Object.entries(mapQuestionTexts(question, read)).filter(([name, value]) => {
    if (name === 'kind') return true;
    const field = questionFields[name as keyof Question] as Field;
    return isShownInQuestion(question, name) && !field.isForServer && value !== initial[name] && !isEmpty(value);
  });
  return Object.fromEntries(shown);
}

/** The server evaluates filters for each user, so their conditions are prepared once. */
function toPageRule({ when, go }: NextRule): object {
  if (!when) return { go };
  return 'step_id' in when ? { when, go } : { condition: toCondition(when.filters), go };
}

/** Publishing rejects texts that cannot be parsed. If there is one anyway, it is shown unparsed. */
function readText(name: string, text: string): RichText {
  const read = isMarkdown(name) ? parseMarkdown(text) : parseText(text);
  return 'problem' in read ? [text] : read;
}

/** Publishing rejects values of the page where the account does not allow them. It may have allowed them then. */
function withoutGlobals(text: RichText): RichText {
  return resolve(text, (of) => (of === 'global' ? undefined : later));
}

/** Puts a text that is in another language than most texts into an element that says so, as HTML does. */
function markLanguage(text: RichText, languages: TextLanguages | undefined, modelId: string, field: string): RichText {
  const lang = languages?.languageOf(modelId, field);
  if (lang === undefined || lang === languages?.language) return text;
  return [[isMarkdown(field) ? 'div' : 'span', { lang }, ...text]];
}

function toFound(element: PageElement): object {
  return Object.fromEntries(Object.entries(toTarget(element)).filter(([, value]) => value !== null));
}
