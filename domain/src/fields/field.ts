import type { QuantifierUrl } from '../patterns/url-match.ts';
import type { Attribute, RichText } from '../rich-text/merge.ts';
import type { Filter } from '../targeting/filter.ts';
import type { ExperienceGoal } from './goal-fields.ts';
import type { ImportedElement } from './imported-element.ts';
import type { QuestionKind, QuestionOption, questionFields } from './question-fields.ts';
import type { AnswerTest } from './rules.ts';

/*
 * What a field of an Experience, or of one of its parts, is. A field is plain data, so the browser script and the dashboard can use
 * it without the schemas of the API, which field-schemas.ts makes from the fields.
 */

export type FieldType =
  /** Words of the author that users do not read, such as the name of an event. */
  | 'text'
  /** Words that users read: they are translated, can contain values of the user, and are part of the look. */
  | 'shown_text'
  /** Words in Markdown that users read. */
  | 'markdown'
  /** A list of words that users read. */
  | 'shown_texts'
  /** The address of a page, which can contain values of the user. */
  | 'address'
  /** The path of a picture of the account. */
  | 'picture'
  /** Code for the customer's page. */
  | 'code'
  | 'name'
  | 'range'
  | 'boolean'
  | 'number'
  | 'place'
  | 'time'
  | 'id'
  | 'ids'
  /** A list of host names of the customer. */
  | 'hosts'
  | 'word'
  | 'optional_word'
  | 'words'
  | 'element'
  | 'elements'
  | 'urls'
  /** An event that a step waits for. */
  | 'event'
  /** Filters over people, as Segments have them. Only the server evaluates them. */
  | 'filters'
  /** What a step asks: an object with the fields of question-fields.ts. */
  | 'question'
  /** The answers that a question offers. */
  | 'options'
  /** Where a survey goes after a step. */
  | 'rules'
  /** What an Experience should lead to. */
  | 'goals';

export interface Field<Value = unknown, OnPage = NonNullable<Value>> extends FieldOptions {
  type: FieldType;
  initial: Value;
  /** What people call it, in a sentence: "changed the text of the tab". */
  name: string;
  /** What the parameter is. It completes "give …" and "must be …". */
  what?: string;
  /** The largest number, or the longest text or list. */
  max?: number;
  /** For a list of texts: what one of them is, in a sentence, and how long it can be. */
  item?: { name: string; max: number };
  /** The values that it can have. An optional word without them can be any. */
  words?: readonly string[];
  /** The nouns of the records that it can be the ID of, as in the paths of the API. */
  of?: readonly string[];
  /** The words of other v3 services that imported documents may have, each with what to use instead. */
  foreign?: Readonly<Record<string, string>>;
  /** Never set: the type of the value that a page gets. */
  onPage?: OnPage;
}

export interface FieldOptions {
  /** The smallest number. Without it, 0. */
  min?: number;
  /** Whether it is part of the look. Texts that users read always are. */
  isLook?: boolean;
  /** Whether only the server uses it, so that pages do not get it. */
  isForServer?: boolean;
  /** Whether only imported documents have it. It is kept until somebody has checked what was made of it. */
  isImported?: boolean;
  /** Whether it says what state the Experience is in. It is no content, so files do not have it. */
  isState?: boolean;
  /** The kinds that have this field. Without it, all have it. */
  kinds?: readonly string[];
  /** The questions of a survey that have this field. Without it, all steps have it. */
  questions?: readonly QuestionName[];
  /** The kinds and questions that do not show this field. */
  notIn?: readonly string[];
}

export type Fields = Record<string, Field>;
export type Values<F extends Fields> = { -readonly [Name in keyof F]: F[Name]['initial'] };
/** The fields of a part as a page gets them: without fields that have their initial value. */
export type PageValues<F extends Fields> = { -readonly [Name in keyof F]?: NonNullable<F[Name]['onPage']> };

export const presets = [
  'survey_two',
  'survey_three',
  'survey_four',
  'survey_five',
  'survey_nps',
  'survey_csat',
  'survey_ces',
  'survey_input',
  'survey_dropdown',
  'response',
  'thank_you',
] as const;
export type Preset = (typeof presets)[number];
/** What fields call a question: its preset or its kind. */
export type QuestionName = Preset | QuestionKind;

/** A question as it is stored: every field is there, whatever its kind. */
export type Question = Values<typeof questionFields>;
/** A question as a page gets it. */
type PageQuestion = Omit<PageValues<typeof questionFields>, 'options'> & { options?: PageOption[] };
interface PageOption extends Pick<QuestionOption, 'id'> {
  text: RichText;
}

/** One rule of a step. It matches always without `when`. Filters are about the user, and all of them must match. */
export interface NextRule {
  when: AnswerTest | { filters: Filter[] } | null;
  /** The ID of the step that comes next, or `end`. In a request, it can also be the place of the step in the list. */
  go: string;
}
/** A rule as a page gets it. The server has evaluated its filters. */
interface PageRule {
  when?: AnswerTest;
  go: string;
}

/** How a page finds an element. Every field that has a value must match. */
export interface ElementTarget {
  selector: string | null;
  text: string | null;
  shadow_selector: string | null;
}
export interface PageElement extends ElementTarget, ImportedElement {}
type FoundElement = { [Name in keyof ElementTarget]?: string };
type UrlPattern = Pick<QuantifierUrl, 'url'> & Partial<QuantifierUrl>;

/** The event that a step waits for. */
export interface EventTrigger {
  /** As events are stored: `invite_sent`. */
  name: string;
  /** What the properties of the event must be. All must match. */
  filters: Filter[];
  /** How long after the event the step starts. */
  delay_seconds: number;
  /** How long after the event it may start at most. */
  within_seconds: number;
}

const MAX_TEXT = 500;

type TextOptions = FieldOptions & { what?: string; max?: number };

export const text = (name: string, what: string, { max = MAX_TEXT, ...options }: TextOptions = {}) =>
  field<string | null>({ type: 'text', initial: null, name, what, max, ...options });

export const shownText = (name: string, { max = MAX_TEXT, ...options }: TextOptions = {}) =>
  field<string | null, RichText>({ type: 'shown_text', initial: null, name, what: `the ${name}`, max, ...options });

export const markdown = (name: string, { max = 2000, ...options }: TextOptions = {}) =>
  field<string | null, RichText>({ type: 'markdown', initial: null, name, what: `the ${name}`, max, ...options });

export const shownTexts = (
  name: string,
  what: string,
  max: number,
  item: { name: string; max: number },
  options?: FieldOptions,
) => field<string[], RichText[]>({ type: 'shown_texts', initial: [], name, what, max, item, ...options });

export const address = (name: string) =>
  field<string | null, Attribute>({ type: 'address', initial: null, name, what: 'a URL', max: 2000 });

export const picture = (name: string, options?: FieldOptions) =>
  field<string | null>({ type: 'picture', initial: null, name, what: 'the `path` of a picture', ...options });

export const code = (name: string, what = 'code') =>
  field<string | null>({ type: 'code', initial: null, name, what, max: 10_000 });

export const boolean = (name: string, options?: FieldOptions) =>
  field<boolean>({ type: 'boolean', initial: false, name, ...options });

export const number = (name: string, what: string, max: number, options?: FieldOptions) =>
  field<number | null>({ type: 'number', initial: null, name, what, max, ...options });

export const time = (name: string, options?: FieldOptions) =>
  field<string | null>({ type: 'time', initial: null, name, ...options });

export const id = (name: string, what: string, of: readonly string[]) =>
  field<string | null>({ type: 'id', initial: null, name, what: `the ID of ${what}`, of });

export const ids = (name: string, what: string, max: number, of: readonly string[]) =>
  field<string[]>({ type: 'ids', initial: [], name, what: `the ID of ${what}`, max, of });

export const hosts = (name: string, max: number, options?: FieldOptions) =>
  field<string[]>({ type: 'hosts', initial: [], name, what: 'a list of hosts', max, ...options });

export const word = <const Words extends readonly string[]>(
  name: string,
  words: Words,
  initial: Words[number],
  options?: FieldOptions,
) => field<Words[number]>({ type: 'word', initial, name, words, ...options });

export const optionalWord = <const Words extends readonly string[]>(
  name: string,
  words: Words,
  options?: FieldOptions,
) => field<Words[number] | null>({ type: 'optional_word', initial: null, name, words, ...options });

/** A choice of another v3 service, whose words Usher does not know. */
export const foreignWord = (name: string, max: number, options?: FieldOptions) =>
  field<string | null>({ type: 'optional_word', initial: null, name, what: 'a word', max, ...options });

export const words = <const Words extends readonly string[], Foreign extends string = never>(
  name: string,
  what: string,
  words: Words,
  foreign?: Readonly<Record<Foreign, string>>,
) =>
  field<(Words[number] | Foreign)[], Words[number][]>({
    ...{ type: 'words', initial: [], name, what, words },
    max: words.length + Object.keys(foreign ?? {}).length,
    ...(foreign && { foreign }),
  });

export const element = (name: string, options?: FieldOptions) =>
  field<PageElement | null, FoundElement>({ type: 'element', initial: null, name, ...options });

export const elements = (name: string, max: number) =>
  field<PageElement[], FoundElement[]>({ type: 'elements', initial: [], name, what: 'a list of elements', max });

export const eventTrigger = (name: string, options?: FieldOptions) =>
  field<EventTrigger | null>({ type: 'event', initial: null, name, what: 'an event', ...options });

export const urls = (name: string) =>
  field<QuantifierUrl[], UrlPattern[]>({ type: 'urls', initial: [], name, what: 'a list of URL patterns', max: 50 });

export const filters = (name: string) =>
  field<Filter[], never[]>({ type: 'filters', initial: [], name, what: 'a list of filters', isForServer: true });

export const question = (name: string, options?: FieldOptions) =>
  field<Question | null, PageQuestion>({ type: 'question', initial: null, name, what: 'a question', ...options });

export const rules = (name: string, max: number, options?: FieldOptions) =>
  field<NextRule[], PageRule[]>({ type: 'rules', initial: [], name, what: 'a list of rules', max, ...options });

export const goals = (name: string, max: number, options?: FieldOptions) =>
  field<ExperienceGoal[], never[]>({ type: 'goals', initial: [], name, what: 'a list of goals', max, ...options });

export function field<Value, OnPage = NonNullable<Value>>(definition: Field<Value, OnPage>): Field<Value, OnPage> {
  return definition;
}
